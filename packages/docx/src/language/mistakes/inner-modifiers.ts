import { isFunction } from "../grammar/functions.ts";
import { isModifier, MODIFIERS, type ModifierName } from "../grammar/modifier-signatures.ts";
import { fractionOf } from "./number-texts.ts";
import { type Correction, rewrite } from "./rewrites.ts";
import { NAME, PATH, TEXT, VALUE, Written } from "./written.ts";

/** A format within a tag: `d.format("yyyy-MM")`, `d :: format("yyyy-MM")` or `format(d, "yyyy-MM")`. */
const FORMATTED = String.raw`(?:(${PATH})(?:\s*::\s*|\.)format\(\s*(${TEXT})\s*\)|\$?format\(\s*(${PATH})\s*,\s*(${TEXT})\s*\))`;
const GROUPED = String.raw`(group|distinct)\(\s*${FORMATTED}\s*\)`;

/** The name of a month or a day as a function of other languages: `d.monthName()` or `dayName(d)`. */
const DATE_NAME = "(month|(?:week)?day)_?name";
const NAMED = String.raw`(?:(${PATH})\.(?:get)?${DATE_NAME}\(\s*\)|(?<![\p{L}\p{N}_.])\$?(?:get)?${DATE_NAME}\(\s*(${PATH})\s*\))`;

/** Modifiers within a function, a condition or a computation, where this language has functions and operators. */
export const INNER_MODIFIERS: readonly Correction[] = [
  // Groups by a part of a date.
  rewrite(GROUPED, ([, name, one = "", pattern = "", other = "", text = ""]) => {
    const start = startOf(pattern || text);
    return start === null ? null : `${name}(${one || other}.${start}())`;
  }),
  rewrite(
    String.raw`(group|distinct|sort)\(\s*${NAMED}(\s+desc)?\s*\)`,
    ([, name = "", one = "", unit = "", otherUnit = "", other = "", order = ""]) => {
      const month = name === "sort" ? "month" : "startOfMonth";
      const part = /^month$/i.test(unit || otherUnit) ? month : "weekday";
      return `${name}(${one || other}.${part}()${order})`;
    },
    "i",
  ),
  rewrite(`^${NAMED}$`, (groups) => `${dateOfName(groups)} :: ${formatOfName(groups)}`, "i"),
  rewrite(NAMED, (groups) => `${dateOfName(groups)}.${formatOfName(groups)}`, "i"),
  rewrite(
    String.raw`${FORMATTED}\s*(==|!=|<=?|>=?)\s*(${TEXT}|\d+)`,
    ([, one = "", pattern = "", other = "", text = "", sign, value = ""]) => {
      const part = PARTS[(pattern || text).slice(1, -1)];
      const number = /^["']?0*(\d+)["']?$/.exec(value)?.[1];
      if (part === undefined || number === undefined) return null;
      return `${one || other}.${part}() ${sign} ${number}`;
    },
  ),
  ...[computedMeant, valueCompared, calledInside],
  // A value in place of a missing one.
  rewrite(
    String.raw`\(\s*(${PATH})\s*::\s*default\(\s*(-?${VALUE})\s*\)\s*\)`,
    ([, value, other]) => `(${value} ?? ${other})`,
  ),
  rewrite(
    String.raw`(?<=[(,]\s*)(${PATH})\.default\(\s*(-?${VALUE})\s*\)(?=\s*[,)])`,
    ([, value, other]) => `${value} ?? ${other}`,
  ),
  rewrite(
    String.raw`(?<=[-+*/%(,<>=]\s*)(${PATH})\.default\(\s*(-?${VALUE})\s*\)`,
    ([, value, other]) => `(${value} ?? ${other})`,
  ),
  rewrite(
    String.raw`(${PATH})(?:\s*::\s*|\.)default\(\s*(-?${VALUE})\s*\)(?=\s*[-+*/%<>=])`,
    ([, value, other]) => `(${value} ?? ${other})`,
  ),
  rewrite(
    String.raw`(?<=\(\s*)([^():,]*[-+*/%][^():,]*?)\s*::\s*default\(\s*(-?${VALUE})\s*\)(?=\s*\))`,
    ([, computation, other]) => `${computation} ?? ${other}`,
  ),
  functionOfInner,
  // `names.map(capitalize(this))`: a modifier formats each value of a list.
  ofEach,
];

function dateOfName([, one = "", , , other = ""]: readonly string[]): string {
  return one || other;
}

function formatOfName([, , unit = "", otherUnit = ""]: readonly string[]): string {
  return /^month$/i.test(unit || otherUnit) ? 'format("MMMM")' : 'format("EEEE")';
}

/** A path, or a function with its arguments after one. */
const OPERAND = String.raw`(${PATH}(?:\.${NAME}\([^()]*\))?)`;
/** The sign of a comparison by size. */
const ORDER = String.raw`\s*(<=?|>=?)\s*`;

/** `(x :: number(2)) + 1`: the format belongs to the result. */
function computedMeant(tag: Written): string | null {
  const [, value = "", format, given = "", rest = ""] =
    tag.match(
      String.raw`^\(([^():]+?)\s*::\s*(number|currency)(\([^()]*\))?\s*\)\s*([-+*/][^:]*)$`,
    ) ?? [];
  return format === undefined ? null : `${value} ${rest} :: ${format}${given}`;
}

/** `total :: number(2) > 100`: the value itself is compared. */
function valueCompared(tag: Written): string | null {
  const format = String.raw`${OPERAND}\s*::\s*(number|currency|percent)(?:\([^()]*\))?`;
  const compared = ([, value = "", name = "", sign = "", number = ""]: readonly string[]) => {
    if (name !== "percent") return `${value} ${sign} ${number}`;
    const fraction = fractionOf(number);
    return fraction === null ? null : `${value} ${sign} ${fraction}`;
  };
  const limit = String.raw`${ORDER}(\d+(?:\.\d+)?|${PATH})(?:\s*%)?`;
  return (
    tag.replace(String.raw`\(\s*${format}\s*\)${limit}`, compared) ??
    tag.replace(`${format}${limit}`, compared)
  );
}

/** `(name :: uppercase) == "ANN"`: functions have the names of modifiers. */
function calledInside(tag: Written): string | null {
  const modified = String.raw`${OPERAND}\s*::\s*(${NAME})(\([^()]*\))?`;
  const called = ([, value = "", name = "", given = ""]: readonly string[]): string | null =>
    isModifier(name) && isFunction(`$${name}`) ? `${value}.${name}${given || "()"}` : null;
  const compared = String.raw`(?=\s*(?:[=!]=|contains\b|(?:not\s+)?in\b))`;
  return (
    tag.replace(String.raw`(?<![\p{L}\p{N}_])\(\s*${modified}\s*\)${compared}`, called) ??
    tag.replace(`${INSIDE}${modified}${compared}`, called)
  );
}

/** `items.sum(price * 0.19 :: round(2))`: a function comes after a dot. */
function functionOfInner(tag: Written): string | null {
  return tag.replace(
    String.raw`(?<=\.${NAME}\(\s*)([^():,]+?)\s*::\s*(${NAME})(\([^()]*\))(?=\s*\))`,
    ([, value = "", name = "", given = ""]) => {
      if (isModifier(name) || !isFunction(`$${name}`)) return null;
      const isPath = new Written(value).match(`^${PATH}$`) !== null;
      return `${isPath ? value : `(${value})`}.${name}${given}`;
    },
  );
}

/** The parts of a date that a pattern of letters prints alone. */
const PARTS: Readonly<Record<string, string>> = {
  ...{ yyyy: "year", yy: "year", MM: "month", M: "month", dd: "day", d: "day" },
};

/** Returns the function that gives the same value for all dates that a pattern prints equally; null for other patterns. */
function startOf(quoted: string): string | null {
  const pattern = quoted.slice(1, -1);
  const part = PARTS[pattern];
  if (part !== undefined) return part;
  if (!/M/.test(pattern) || /[^dMy\P{L}]/u.test(pattern)) return null;
  return pattern.includes("d") ? "startOfDay" : "startOfMonth";
}

function ofEach(tag: Written): string | null {
  const inside = String.raw`(?:(${NAME})\(\s*(${PATH})\s*(?:,\s*([^()]+))?\)|(${PATH})\.(${NAME})\(([^()]*)\))`;
  const [, list, first = "", value = "", given = "", path = "", last = "", inner = "", between] =
    tag.match(String.raw`^(${PATH})\.map\(\s*${inside}\s*\)(?:\.join\(\s*(${TEXT})\s*\))?$`) ?? [];
  const name = first || last;
  // These work on the whole text of a list.
  if (list === undefined || !isModifier(name) || name === "truncate" || name === "default")
    return null;
  const key = (value || path).replace(/^this(?:\.|$)/, "");
  const argument = given || inner;
  const modifier = argument === "" ? name : `${name}(${argument})`;
  const separated = between ? `, delimiter(${between})` : "";
  return `${list}${key === "" ? "" : `.${key}`} :: ${modifier}${separated}`;
}

/**
 * Returns what prints the key of the groups of a loop such as `for g in items.group(d.format("yyyy-MM"))`, or null. For
 * `group(d.dayName())`, the keys are numbers, so the name comes from the first item.
 */
export function keyOfGroups(tag: Written): string | null {
  const [, group] = tag.match(String.raw`^(?:for|tablerow|tablecolumn)\s+(${NAME})\s+in\s`) ?? [];
  if (group === undefined) return null;
  const [, one = "", unit = "", otherUnit = "", other = ""] =
    tag.match(String.raw`group\(\s*${NAMED}`, "i") ?? [];
  if (/^month$/i.test(unit || otherUnit)) return `${group}.key :: format("MMMM yyyy")`;
  if (one !== "" || other !== "") return `${group}.items[0].${one || other} :: format("EEEE")`;
  const [, , pattern = "", , text = ""] = tag.match(GROUPED)?.slice(1) ?? [];
  const written = pattern || text;
  const isDate = startOf(written)?.startsWith("startOf") === true;
  // The groups of `startOfMonth` are apart for each year.
  const printed = /^.M+.$/.test(written) ? `${written.slice(0, -1)} yyyy"` : written;
  return isDate ? `${group}.key :: format(${printed.replaceAll("'", '"')})` : null;
}

/** Returns the hint for a modifier within parentheses or a condition; null for other tags. */
export function innerHint(tag: Written): string | null {
  const { name, value, given } = innerModifier(tag) ?? {};
  if (name === undefined) return null;
  // The functions of the same names give text.
  if (isFunction(`$${name}`)) {
    const form = `${name}${given || MODIFIERS[name].example || "()"}`;
    return tag.match("::") === null || tag.text.includes(`.${form}`)
      ? null
      : `Write '${name}' as a function there, after a dot: ${value || "total"}.${form}.`;
  }
  return `'${name}' is a modifier: it is written after '::' at the end of a tag that prints a value, not within parentheses or a condition.`;
}

const INSIDE = String.raw`(?<=\([^()]*|^(?:else)?if\s.*)(?<![\p{L}\p{N}_$.])`;

/** Returns a modifier within parentheses or a condition, the value before it, and its arguments, or null. */
function innerModifier(
  tag: Written,
): { readonly name: ModifierName; readonly value: string; readonly given: string } | null {
  const [, value = "", name = "", given = ""] =
    tag.match(String.raw`${INSIDE}(${PATH})(?:\.|\s*::\s*)(${NAME})(?=\s*[(,)])(\([^()]*\))?`) ??
    [];
  if (isModifier(name)) return { name, value, given };
  const [, first = "", of = ""] = tag.match(String.raw`${INSIDE}\$?(${NAME})\(\s*(${PATH})?`) ?? [];
  return isModifier(first) ? { name: first, value: of, given: "" } : null;
}
