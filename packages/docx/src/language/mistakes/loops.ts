import { sortKey } from "./lists.ts";
import { NAME, PATH, type Written } from "./written.ts";

const LOOP = String.raw`^(for|tablerow|tablecolumn)\s+`;
const ITEMS = String.raw`${LOOP}(${NAME})\s+in\s+(.+?)`;

/** Returns a loop of another language as one of this language. */
export function repetitionMeant(tag: Written): string | null {
  if (!/^(?:for|each|loop|repeat|table)/i.test(tag.text)) return null;
  return (
    rangeMeant(tag) ??
    pairMeant(tag) ??
    nestedMeant(tag) ??
    partMeant(tag) ??
    clauseMeant(tag) ??
    wordMeant(tag)
  );
}

const LIMIT = String.raw`(?:\d+|${PATH})`;

/** `for i in 1..3`, `for i in range(1, 3)`, `for i in 3`. */
function rangeMeant(tag: Written): string | null {
  const count = String.raw`range\s*\(\s*(${LIMIT}(?:\s*,\s*${LIMIT})?)\s*\)|\(?(${LIMIT})\s*\.\.\.?\s*(${LIMIT})\)?|(\d+)`;
  const counted = tag.replace(
    String.raw`${LOOP}(${NAME})\s*(?:=|:=|in|from)\s*(${LIMIT})\s+(?:to|until)\s+(${LIMIT})$`,
    ([, word, name, from, to]) => `${word} ${name} in $range(${from}, ${to})`,
    "i",
  );
  if (counted !== null) return counted;
  return tag.replace(
    String.raw`${LOOP}(${NAME})\s+in\s+(?:${count})$`,
    ([, word, name, given, from, to, number]) =>
      `${word} ${name} in $range(${given || (number ? number : `${from}, ${to}`)})`,
  );
}

const PAIR = String.raw`${LOOP}\(?\s*(${NAME})\s*,\s*(${NAME})\s*\)?\s+(?:in|of)\s+(.+)$`;

/** Returns the name of the item in a loop with two names, such as `for i, item in items`; null for other tags. */
export function nameOfPair(tag: Written): string | null {
  const [, , first, second] = tag.match(PAIR) ?? [];
  return (/^(?:i|idx|index|n|key)$/.test(second ?? "") ? first : second) ?? null;
}

/** `for k, v in prices`: there is one name, for the item. */
function pairMeant(tag: Written): string | null {
  const [, keyword, , , list = ""] = tag.match(PAIR) ?? [];
  const item = nameOfPair(tag);
  if (keyword === undefined) return null;
  const counted = /^enumerate\((.+)\)$/.exec(list)?.[1];
  const entries =
    /^Object\.entries\((.+)\)$/.exec(list)?.[1] ?? /^(.+)\.(?:items|entries)\(\)$/.exec(list)?.[1];
  return entries === undefined
    ? `${keyword} ${item} in ${counted ?? list}`
    : `${keyword} ${item} in ${entries}.entries()`;
}

/** `for p in panels, t in p.tests`: the list of the inner loop. */
function nestedMeant(tag: Written): string | null {
  const [, keyword, outer, list, inner, of, key] =
    tag.match(
      String.raw`${LOOP}(${NAME})\s+in\s+(${PATH})(?:\s*,\s*|\s+and\s+)(?:for\s+)?(${NAME})\s+in\s+(${NAME})\.(${PATH})$`,
    ) ?? [];
  return keyword === undefined || outer !== of ? null : `${keyword} ${inner} in ${list}.${key}`;
}

/** `for i in top 2 items` and `for i in reverse items`. */
function partMeant(tag: Written): string | null {
  const turned = tag.replace(
    String.raw`${LOOP}(${NAME})\s+in\s+revers(?:e|ed)\s+(${PATH})$`,
    ([, keyword, item, list]) => `${keyword} ${item} in ${list}.reverse()`,
    "i",
  );
  if (turned !== null) return turned;
  return tag.replace(
    String.raw`${LOOP}(${NAME})\s+in\s+(?:the\s+)?(top|first|last)\s+(\d+)\s+(?:of\s+)?(.+)$`,
    ([, keyword, item, which = "", count, list]) => {
      const limit = `.limit(${count})`;
      const part = /^last$/i.test(which) ? `.reverse()${limit}.reverse()` : limit;
      return `${keyword} ${item} in ${list}${part}`;
    },
    "i",
  );
}

/** Returns the loops for `for i in items and returns`, which repeats several lists; null for other tags. */
export function loopsOfLists(tag: Written): readonly string[] | null {
  const [, keyword, item, lists = ""] =
    tag.match(
      String.raw`${LOOP}(${NAME})\s+in\s+(${PATH}(?:(?:\s*[+,&]\s*|\s+and\s+)${PATH}){1,3})$`,
    ) ?? [];
  return keyword === undefined
    ? null
    : lists.split(/\s*[+,&]\s*|\s+and\s+/).map((list) => `${keyword} ${item} in ${list}`);
}

const CLAUSES =
  "as|with|using|if|where|when|order|sort|sorted|limit|take|skip|offset|group|grouped|reversed";

/** `for i in items if i.paid`, and other words after the list. */
function clauseMeant(tag: Written): string | null {
  const after = (words: string, call: (rest: string) => string): string | null =>
    tag.replace(
      String.raw`${ITEMS}(?:\s*,)?\s+(?:${words})(?:(?:\s+|\s*:\s*)(.+?))?(?=\s+(?:${CLAUSES})\s|$)`,
      ([, keyword, item, list, rest = ""]) => `${keyword} ${item} in ${list}${call(rest)}`,
      "i",
    );
  return (
    withCondition(tag, after) ??
    after("as|using|with", () => "") ??
    after("if|where|when", (rest) => `.where(${rest})`) ??
    after(String.raw`group(?:ed)?\s+by`, (rest) => `.group(${rest})`) ??
    after(String.raw`(?:order|sort|sorted)(?:\s+by)?|by`, (rest) => `.sort(${sortKey(rest)})`) ??
    after("skip|offset", (rest) => `.skip(${rest})`) ??
    after("limit|take|top|first", (rest) => `.limit(${rest})`) ??
    after("desc|descending", (rest) => (rest === "" ? ".reverse()" : `.sort(${rest} desc)`)) ??
    after("reversed|reverse", (rest) => `.reverse()${rest === "" ? "" : ` ${rest}`}`)
  );
}

/** `for i in items with price > 3`. */
function withCondition(
  tag: Written,
  after: (words: string, call: (rest: string) => string) => string | null,
): string | null {
  const isCondition = tag.match(String.raw`\s(?:with|for|having)\s+[^=<>]+[=<>]`) !== null;
  return isCondition ? after("with|for|having", (rest) => `.where(${rest})`) : null;
}

/** `foreach items as item`, `loop items`, `for item : items`, `for i in items:`. */
function wordMeant(tag: Written): string | null {
  const words = "(?:for|foreach|forEach|each|loop|repeat)";
  const [, list, item] =
    tag.match(String.raw`^${words}\s+\(?(${PATH})(?:\s+as\s+\|?(${NAME})\|?)?\)?:?$`) ?? [];
  if (list !== undefined) return `for ${item || "item"} in ${list}`;
  return tag.replace(
    String.raw`^${words}\s+(?:each\s+)?\(?(?:(?:let|const|var)\s+)?(${NAME})(?:\s+(?:in|of)\s+|\s*:\s*)([^:]+?)\)?:?$`,
    ([, name, of]) => `for ${name} in ${of}`,
  );
}

/** Whether a loop counts numbers, as `for (i = 0; i < 3; i++)` does, instead of repeating a list. */
export function countsNumbers(tag: Written): boolean {
  return (
    tag.match(String.raw`${LOOP}${NAME}\s+in\s+(?:range\s*\(|\d|${PATH}\s*\.\.)|${LOOP}\(.*;`) !==
    null
  );
}
