import { type Wording, withTags } from "../../delimiters/wording.ts";
import { type Correction, CURRENCIES, rewrite } from "../rewrites.ts";
import { NAME, PATH, VALUE, type Written } from "../written.ts";
import { SPOKEN_CONDITIONS } from "./phrase-conditions.ts";
import { COLORS, FORMS } from "./phrase-forms.ts";

/** Precedes the modifiers of a tag, or its end. */
const END = String.raw`(?=\s*(?:::|$))`;
const CALL = String.raw`${PATH}(?:\([^()]*\))?`;
const NUMBER = String.raw`\d+(?:\.\d+)?`;

/** Words for functions of lists. */
const TOTALS: Readonly<Record<string, string>> = {
  ...{ sum: "sum", total: "sum", average: "average", avg: "average", mean: "average" },
  ...{ minimum: "min", min: "min", lowest: "min", smallest: "min" },
  ...{ maximum: "max", max: "max", highest: "max", largest: "max" },
};

const PARTS = "year|quarter|month|week|weekday|day|hour|minute";
const UNITS = "day|week|month|year|workday";

/** Computations in words: `sum of price in items`, `date plus 30 days` and `5% of total`. */
const COMPUTED: readonly Correction[] = [
  rewrite(
    String.raw`^(?:the\s+)?(${Object.keys(TOTALS).join("|")})\s+(?:of\s+)?(?:all\s+)?(${NAME})\s+(?:in|from|of)\s+(${PATH})(?=\s*(?:::|$)|\s+(?:where|if|when)\s)`,
    ([, word = "", key, list = ""], tag) =>
      key === "of" || isForm(list) || (isOneOf(word, "total|mean") && !/\sof\s/i.test(tag.text))
        ? null
        : `${list}.${TOTALS[word.toLowerCase()]}(${key})`,
    "i",
  ),
  rewrite(
    String.raw`(?<=^(?:the\s+)?|^(?:if|elseif)\s+(?:.*\s)?(?:the\s+)?)(?:count|number)\s+of\s+(?:all\s+)?(${PATH})(?=\s*(?:::|$|[=<>!)])|\s+(?:and|or|is)\s)`,
    ([, list]) => `${list}.count()`,
    "i",
  ),
  rewrite(
    String.raw`^(if|elseif)\s+(?:there\s+are\s+)?(?:(more)|less|fewer)\s+than\s+(\d+)\s+(${PATH})$`,
    ([, word, more, count, list]) => `${word} ${list}.count() ${more === "" ? "<" : ">"} ${count}`,
  ),
  rewrite(
    String.raw`^(${NUMBER})\s*(?:%|per\s?cent)\s+of\s+(${CALL})${END}`,
    ([, rate, value]) => `${value} * ${rate} / 100`,
    "i",
  ),
  rewrite(
    String.raw`^(\d+)\s+(${UNITS})s?\s+(?:(before)|after|from)\s+(${CALL})${END}`,
    ([, count, unit = "", before, date]) =>
      `${date}.add${capitalized(unit)}s(${before === "" ? "" : "-"}${count})`,
    "i",
  ),
  rewrite(
    String.raw`^(?:the\s+)?(?:number\s+of\s+)?(day|month|year|hour|minute)s?\s+(?:between|from)\s+(${CALL})\s+(?:and|to|until|till)\s+(${CALL})${END}`,
    ([, unit = "", from, to]) => `${from}.${unit.toLowerCase()}sUntil(${to})`,
    "i",
  ),
  rewrite(
    String.raw`(?<=(?:^|\s)(?:${CALL}|${NUMBER})\s+)(plus|minus|divided\s+by|multiplied\s+by)\s+(?=${VALUE})`,
    ([, word = ""]) => `${SIGNS[word.toLowerCase().split(" ", 1)[0] ?? ""]} `,
    "i",
  ),
  // `items.sum of price`, `items sum price`, `sum(price) of items` and `sum items.price`.
  rewrite(
    String.raw`^(${PATH})(?:\.|\s+)(sum|average|min|max)(?:\s+of)?\s+(?!of\s)(${NAME})${END}`,
    ([, list, name, key]) => `${list}.${name}(${key})`,
  ),
  rewrite(
    String.raw`^(sum|average|min|max)\s*\(\s*(${NAME})\s*\)\s+(?:of|in|from|for)\s+(${PATH})${END}`,
    ([, name = "", key, list]) => `${list}.${name.toLowerCase()}(${key})`,
    "i",
  ),
  rewrite(
    String.raw`^(sum|average|min|max)\s+(${PATH})\.(${NAME})${END}`,
    ([, name = "", list, key]) => `${list}.${name.toLowerCase()}(${key})`,
    "i",
  ),
  rewrite(String.raw`^how\s+many\s+(${PATH})${END}`, ([, list]) => `${list}.count()`, "i"),
  rewrite(
    String.raw`^(?:round\s+(${CALL})|(${CALL})\s+rounded)(?:\s+to\s+(?:(?:the\s+)?(nearest)\s+)?(${NUMBER})(?:\s+(?:decimals?|places|decimal\s+places|digits))?)?${END}`,
    ([, one, other, nearest, number], { text }) => {
      const value = one || other;
      if (number === "" && /^round/i.test(text)) return null;
      return nearest === ""
        ? `${value}.round(${number})`
        : `(${value} / ${number}).round() * ${number}`;
    },
    "i",
  ),
];

const SIGNS: Readonly<Record<string, string>> = {
  ...{ plus: "+", minus: "-", divided: "/", multiplied: "*" },
};

/** Values in words: `name of customer`, `year of date` and `today's date`. */
const VALUES: readonly Correction[] = [
  rewrite(
    String.raw`^(?:today['’]s\s+date|(?:current|today)\s+date|date\s+of\s+today)${END}`,
    () => "$today",
    "i",
  ),
  rewrite(String.raw`^(${PATH})['’]s\s+(${NAME})${END}`, ([, parent, key]) => `${parent}.${key}`),
  rewrite(
    String.raw`^(?:the\s+)?(${PARTS})\s+(?:of|from|in)\s+(?:the\s+)?(${CALL})${END}`,
    ([, part = "", date]) => `${date}.${part.toLowerCase()}()`,
    "i",
  ),
  rewrite(
    String.raw`^(?:the\s+)?(${NAME})\s+(?:of|from)\s+(?:the\s+)?(first|last)\s+(?:${NAME}\s+(?:of|in|from)\s+)?(${PATH})${END}`,
    ([, key, which, list = ""]) => `${list.endsWith("s") ? list : `${list}s`}.${which}().${key}`,
  ),
  rewrite(
    String.raw`^(?:the\s+)?(${NAME})\s+(?:of|from)\s+(?:the\s+)?(${PATH})${END}`,
    ([, key = "", parent]) =>
      isOneOf(key, "first|last|count|number|sum|total|if|for|end|begin|start")
        ? null
        : `${parent}.${key}`,
  ),
  rewrite(
    String.raw`^(${PATH})\s*,?\s+(?:if\s+(?:empty|missing|blank|none)|else|otherwise|or\s+else)\s*,?\s+(${VALUE})${END}`,
    ([, value, other]) => `${value} ?? ${other}`,
  ),
  rewrite(
    String.raw`^(${PATH})\s+if\s+(?:it\s+)?(?:exists|present|available|any|there)${END}`,
    ([, value]) => `${value} :: optional`,
  ),
];

/** Lists of loops in words: `items except first`, `items from 2 to 4` and `3 times`. */
const LISTS: readonly Correction[] = [
  rewrite(
    String.raw`^(?:for|repeat|loop)\s+(\d+)(?:\s+times|x)$`,
    ([, count]) => `for n in $range(${count})`,
    "i",
  ),
  rewrite(
    String.raw`^((?:for|tablerow|tablecolumn)\s+${NAME}\s+in\s+${PATH})\s+(?:except|without|after|but\s+not)\s+(?:the\s+)?first(?:\s+(?:one|item))?$`,
    ([, loop]) => `${loop}.skip(1)`,
  ),
  rewrite(
    String.raw`^((?:for|tablerow|tablecolumn)\s+${NAME}\s+in\s+${PATH})\s+(?:from\s+)?(\d+)\s*(?:to|-)\s*(\d+)$`,
    ([, loop, from, to]) => {
      const count = Number(to) - Number(from) + 1;
      if (count < 1 || from === "0") return null;
      return `${loop}${from === "1" ? "" : `.skip(${Number(from) - 1})`}.limit(${count})`;
    },
  ),
  rewrite(String.raw`(?<=\.sort\(\s*)by\s+(?=${NAME})`, () => ""),
];

/** Tags in plain words. */
export const PHRASES: readonly Correction[] = [
  ...COMPUTED,
  ...LISTS,
  ...FORMS,
  ...VALUES,
  ...SPOKEN_CONDITIONS,
];

/** Returns a sentence about the key with spaces that plain words may be, or an empty text. */
export function noteOnPhrase(tag: Written): Wording {
  if (PHRASES.every((correct) => correct(tag) === null)) return "";
  const [, inside] =
    tag.match(String.raw`^(?:if|elseif)\s+(?:.*\s)?((?:count|number)\s+of\s+${NAME})(?!\.)`, "i") ??
    [];
  if (inside !== undefined) return ` For a key with spaces write this["${inside}"].`;
  const [, owned] = tag.match(String.raw`^(${NAME}['’]s\s+${NAME})${END}`) ?? [];
  if (owned !== undefined)
    return withTags` For a key with an apostrophe write {{this["${owned}"]}}.`;
  const [, key] = tag.match(String.raw`^(${NAME}(?:\s+(?:${NAME}|\d+))+)${END}`) ?? [];
  return key === undefined || /(?:^|\s)(?:if|elseif|when|for|repeat|loop)\s/.test(key)
    ? ""
    : withTags` For a key with spaces write {{this["${key}"]}}.`;
}

function isOneOf(word: string, words: string): boolean {
  return new RegExp(`^(?:${words})$`, "i").test(word);
}

/** Whether a word after `in` is how a value is written, and no list. */
function isForm(word: string): boolean {
  return isOneOf(word, `${CURRENCIES}|words|euros?|dollars?|pounds?|bold|${COLORS}`);
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`;
}
