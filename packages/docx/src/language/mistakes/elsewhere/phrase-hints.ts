import { type Wording, withTags } from "../../delimiters/wording.ts";
import { isModifier } from "../../grammar/modifier-signatures.ts";
import { NAME, PATH, type Written } from "../written.ts";
import { noteOnWords } from "./bare-texts.ts";
import { conditionBeside, noteOnClause } from "./clauses.ts";
import { noteOnPhrase } from "./phrases.ts";

const TOTAL = "sum|average|min|max";

/** Returns the hint for a tag in plain words that needs a block, such as `items sorted by date`; null for others. */
export function phraseHint(tag: Written, isValid: (text: string) => boolean): Wording | null {
  return (
    totalOfGroups(tag) ??
    twoValues(tag, isValid) ??
    listInWords(tag, isValid) ??
    itemInWords(tag, isValid) ??
    conditionBeside(tag, isValid)
  );
}

/** `items.sum(price) by city` and `group items by city`. */
function totalOfGroups(tag: Written): Wording | null {
  const [, list, total = "", by = ""] =
    tag.match(
      String.raw`^(${PATH})\.((?:${TOTAL}|count)\([^()]*\))\s+(?:(?:grouped\s+)?by|per|for\s+each)\s+(${PATH})$`,
    ) ?? [];
  if (list !== undefined)
    return withTags`Write {{for g in ${list}.group(${by})}}{{g.key}}: {{g.items.${total}}}{{endfor}}.`;
  const [, grouped, key = ""] =
    tag.match(String.raw`^group\s+(${PATH})\s+by\s+(${PATH})$`, "i") ??
    tag.match(String.raw`^(${PATH})\s+grouped\s+by\s+(${PATH})$`, "i") ??
    [];
  return grouped === undefined
    ? null
    : withTags`Write {{for g in ${grouped}.group(${key})}} … {{endfor}}, with {{g.key}} for the value that a group has in common and g.items for its list.`;
}

/** `items sorted by date` and `items where paid`. */
function listInWords(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, sorted, key = "", down = ""] =
    tag.match(
      String.raw`^(${PATH})\s+(?:(?:sort|order)(?:ed)?\s+)?by\s+(${PATH})(?:\s+(desc(?:ending)?|asc(?:ending)?))?$`,
      "i",
    ) ?? [];
  if (sorted !== undefined) return loop(`${sorted}.sort(${key}${/^d/i.test(down) ? " desc" : ""})`);
  const [, value, list = "", test = ""] =
    tag.match(
      String.raw`^(${NAME})\s+(?:from|in|of)\s+(${PATH})\s+(?:where|with|if|when)\s+([^:]+)$`,
    ) ?? [];
  if (value !== undefined && isValid(`${list}.where(${test}).${value}`))
    return withTags`For the first such item write {{${list}.first(${test}).${value}}}, and for all of them {{${list}.where(${test}).${value}}}.`;
  const [, from, condition = ""] = tag.match(String.raw`^(${PATH})\s+where\s+([^:]+)$`) ?? [];
  if (from === undefined || !isValid(`${from}.where(${condition})`)) return null;
  const [, of, last = ""] = /^(.+)\.([^.]+)$/.exec(from) ?? [];
  if (of === undefined)
    return /(?:s|list|data)$/i.test(from)
      ? loop(`${from}.where(${condition})`)
      : withTags`Name the list before the condition: {{items.first(${condition}).${from}}}.`;
  return withTags`Write {{${of}.where(${condition}).${last}}}.`;
}

function loop(list: string): Wording {
  return withTags`Write {{for item in ${list}}} … {{endfor}}, and {{item.name}} for a value of each item.`;
}

/** `first item of items` and `last of items`. */
function itemInWords(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, which, list] =
    tag.match(
      String.raw`^(?:the\s+)?(first|last)\s+(?:${NAME}\s+)?(?:of|in|from)\s+(?:the\s+)?(${PATH})$`,
    ) ?? [];
  const call = `${list}.${which}()`;
  return list === undefined || !isValid(call)
    ? null
    : withTags`Write {{${call}}}, or {{${call}.name}} for its key 'name'.`;
}

/** `name and code` and `name; code`. */
function twoValues(tag: Written, isValid: (text: string) => boolean): Wording | null {
  const [, one = "", semicolon, other = ""] =
    tag.match(String.raw`^(${PATH})(?:\s*(;)\s*|\s+and\s+)(${PATH})$`) ?? [];
  if (one === "" || isModifier(other) || !isValid(one) || !isValid(other)) return null;
  const both = withTags`Write each value in its own tag: {{${one}}}, {{${other}}}.`;
  return semicolon === ""
    ? withTags`${both} A condition belongs in a block: {{if ${one} and ${other}}} … {{endif}}.`
    : both;
}

/** Returns a sentence about another meaning of a corrected tag in plain words, or an empty text. */
export function noteInWords(tag: Written, meant: string): Wording {
  const notes = [noteOnClause(tag), noteOnWords(tag, meant), noteOnPhrase(tag)];
  return notes.find((note) => note !== "") ?? "";
}
