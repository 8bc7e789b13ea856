import { FUNCTIONS, isFunction } from "../grammar/functions.ts";
import { functionNamed } from "./lists.ts";
import { callsIn, rewriteCall, type WrittenCall } from "./read-calls.ts";
import { type Correction, rewrite } from "./rewrites.ts";
import { NAME, PATH, TEXT, VALUE, Written } from "./written.ts";

const OF_KEYS = "sum|average|min|max";

/** Slips in the functions of lists: their keys, their conditions, and the signs between them. */
export const LIST_CALLS: readonly Correction[] = [
  // Functions after another sign than a dot.
  rewrite(
    String.raw`(?<=\.${NAME}\([^()]*\)\s*)[:,]\s*(${NAME})\((?=[^()]*\)$)`,
    ([, name = ""], tag) => {
      return isOfList(name) && !tag.text.includes("::") ? `.${name}(` : null;
    },
  ),
  rewriteCall(keyInQuotes),
  // `items.price.SUM()`.
  rewrite(String.raw`(${PATH})\.(${NAME})\.(${NAME})\(\s*\)`, ([, list, key, written = ""]) => {
    const name = functionNamed(written);
    const isOfKeys = name !== null && /^(?:sum|average|min|max)$/.test(name);
    return isOfKeys && name !== written ? `${list}.${name}(${key})` : null;
  }),
  // The keys of `sort`.
  rewriteCall(({ name, isMethod, given }) => {
    if (name !== "sort" || !isMethod) return null;
    const named = sortNamed(given);
    if (named !== null) return named;
    const keys = given.map((key) => keysIn(key)).join(", ");
    return keys === given.join(", ") ? null : `sort(${keys})`;
  }),
  rewrite(
    String.raw`\.sort\(\s*(${PATH})\s*:\s*["']?(asc|desc)["']?\s*\)`,
    ([, key, direction]) => `.sort(${key} ${direction})`,
  ),
  rewrite(
    String.raw`\.sort\(([^()]+?)(\s+desc)?\)\.(?:desc|descending|reversed)\(\s*\)`,
    ([, key]) => `.sort(${key} desc)`,
  ),
  rewrite(
    String.raw`(?<![\p{L}\p{N}_$.])sorted\(\s*(${PATH})\s*,\s*key\s*=\s*lambda\s+(${NAME})\s*:\s*\2(?:\.|\[["'])(${NAME})(?:["']\])?\s*(?:,\s*reverse\s*=\s*(True|true|False|false)\s*)?\)`,
    ([, list, , key, reverse = ""]) => `${list}.sort(${key}${/^t/i.test(reverse) ? " desc" : ""})`,
  ),
  rewrite(String.raw`(?<=\.sort\([^()]*\s(?:asc|desc))\s+(?:and|then)\s+`, () => ", "),
  rewrite(String.raw`\.reverse\(\s*(${NAME})\s*\)`, ([, key]) => `.sort(${key} desc)`),
  rewrite(String.raw`\.group\(\s*(${PATH})\s*,\s*(${TEXT})\s*\)`, ([, date, part = ""]) => {
    const key = PARTS[part.slice(1, -1).toLowerCase()];
    return key === undefined ? null : `.group(${date}.${key}())`;
  }),
  // Conditions.
  rewrite(
    String.raw`(${PATH})\.countifs?\(\s*(${NAME})\s*,\s*(${TEXT}|-?\d+(?:\.\d+)?)\s*\)`,
    ([, list, key, value]) => `${list}.count(${key} == ${value})`,
    "i",
  ),
  rewrite(
    String.raw`\$?sumif\(\s*(${PATH})\s*,\s*([^(),]+?)\s*(?:,\s*(${TEXT})\s*)?,\s*(${NAME})\s*\)`,
    ([, list, condition, value, key]) =>
      `${list}.where(${condition}${value === "" ? "" : ` == ${value}`}).sum(${key})`,
    "i",
  ),
  rewrite(
    String.raw`\.(where|count|first|last)\(\s*(${PATH}|${TEXT})\s*,\s*(${TEXT}|-?\d+(?:\.\d+)?)\s*\)`,
    ([, name, key, value = ""]) => {
      // COUNTIF has the sign of the comparison in the text.
      const [, sign, number] = /^["']([<>]=?)\s*(-?\d+(?:\.\d+)?)["']$/.exec(value) ?? [];
      const test = sign === undefined ? `== ${value}` : `${sign} ${number}`;
      return `.${name}(${unquoted(key)} ${test})`;
    },
  ),
  rewrite(
    String.raw`\.(where|count|first|last)\(\s*(${PATH}|${TEXT})\s*,\s*(${TEXT})\s*,\s*(${VALUE})\s*\)`,
    ([, name, key, sign = "", value]) => {
      const [, compared] = /^["'](==?|!=|[<>]=?)["']$/.exec(sign) ?? [];
      return compared === undefined
        ? null
        : `.${name}(${unquoted(key)} ${compared === "=" ? "==" : compared} ${value})`;
    },
  ),
  rewrite(
    String.raw`\.(${OF_KEYS})\(\s*([^(),]+?)\s+(?:where|if|when)\s+([^()]+?)\s*\)`,
    ([, name, key, condition]) => `.where(${condition}).${name}(${key})`,
  ),
  rewrite(
    String.raw`\.(sum|average)\(\s*(${NAME})\s*,\s*(not\s+)?(${NAME})\s*\)`,
    ([, name, key, not, other = ""]) =>
      not !== "" || CONDITION.test(other)
        ? `.where(${not}${other}).${name}(${key})`
        : `.${name}(${key} * ${other})`,
  ),
  rewrite(
    String.raw`(?<![\p{L}\p{N}_$.])\$?(${OF_KEYS}|avg)\(\s*(${PATH})\.(${NAME})\s+(?:where|if|when)\s+([^()]+?)\s*\)`,
    ([, name = "", list, key, condition]) =>
      `${list}.where(${condition}).${functionNamed(name)}(${key})`,
    "i",
  ),
  // `members.count(distinct(team))`.
  rewrite(
    String.raw`(?:(${PATH})\.|\$)count\(\s*(?:(${PATH})\s*,\s*)?\$?(?:distinct|unique|uniq)\(\s*(${NAME})\s*\)\s*\)`,
    ([, list = "", first = "", key]) =>
      (list === "") === (first === "") ? null : `${list || first}.distinct(${key}).count()`,
  ),
  // The number of the items of a group.
  rewrite(
    String.raw`(?<=\.group\([^()]*\)\.(?:where|sort)\([^()]*)(?<![\p{L}\p{N}_$.])\$?count\(\s*\)`,
    () => "items.count()",
  ),
  // A part of a list.
  rewrite(String.raw`(?<=[\p{L}\p{N}_)])\[\s*(\d+)\s*,\s*(\d+)\s*\]`, ([, first, count]) => {
    return `${first === "0" ? "" : `.skip(${first})`}.limit(${count})`;
  }),
  rewrite(
    String.raw`\.limit\(\s*-\s*(\d+)\s*\)`,
    ([, count]) => `.reverse().limit(${count}).reverse()`,
  ),
  // Arguments outside the parentheses, and without a sign between them.
  rewrite(
    String.raw`^((?:${PATH}\.)?\$?${NAME}\(.+)\)\s*,\s*(-?${VALUE})$`,
    ([, call, argument]) => {
      return `${call}, ${argument})`;
    },
  ),
  spacedArguments,
  // A running total of a computation, and a color that depends on a condition.
  rewrite(
    String.raw`\$running\(\s*(${PATH})\s*,\s*(${PATH})\s*\)`,
    ([, one = "", other = ""], tag) =>
      // A value that is not of the item is what the total begins with.
      one.includes(".") && !other.includes(".")
        ? `${other} + $running(${one})`
        : tag.text.includes("+ $running")
          ? null
          : CONDITION.test(lastName(other))
            ? `$running(${chosen(one, other)})`
            : FACTOR.test(one) || FACTOR.test(other)
              ? `$running(${one} * ${other})`
              : null,
  ),
  rewrite(
    String.raw`(?<=::.*)(color|fill|style)\(\s*\$if\(([^,]+),\s*(${TEXT})\s*\)\s*\)`,
    ([, look, condition, value]) => `${look}(${value}), when(${condition})`,
  ),
];

/** The functions for parts of dates that groups have in common. */
const PARTS: Readonly<Record<string, string>> = {
  ...{ day: "startOfDay", week: "startOfWeek", month: "startOfMonth", year: "year" },
};

/** `items.groupBy("name")`, `items.sortBy("price", "desc")` and `items.maxBy("price").name`. */
function keyInQuotes({
  name,
  isMethod,
  given: [key = "", order = "", ...more],
}: WrittenCall): string | null {
  const plain = unquoted(key);
  const isKey = plain !== key && /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(plain);
  if (!isMethod || !isKey || more.length > 0) return null;
  const [, extreme] = /^(max|min)_?by$/i.exec(name) ?? [];
  if (extreme !== undefined && order === "")
    return `sort(${plain}${/^max$/i.test(extreme) ? " desc" : ""}).first()`;
  const known = functionNamed(name.replace(/_?by$/i, "")) ?? functionNamed(name);
  if (known === null || !/^(?:sort|group|distinct|map|sum|average|min|max)$/.test(known))
    return null;
  // `tags.sort("desc")`, of a list without keys.
  const [, alone] = /^(asc|desc)(?:ending)?$/i.exec(plain) ?? [];
  if (known === "sort" && order === "" && alone !== undefined)
    return `sort(this ${alone.toLowerCase()})`;
  if (order === "") return `${known}(${plain})`;
  const [, direction] = /^["'](asc|desc)(?:ending)?["']$/i.exec(order) ?? [];
  return known === "sort" && direction !== undefined
    ? `sort(${plain}${/^d/i.test(direction) ? " desc" : " asc"})`
    : null;
}

function unquoted(key = ""): string {
  return key.replace(/^["'](.*)["']$/, "$1");
}

function isOfList(name: string): boolean {
  const full = `$${name}`;
  return isFunction(full) && FUNCTIONS[full].of === "list";
}

/** `sort(attribute='price', reverse=true)`, `sort(by: 'price')` and `sort(price, -1)`. */
function sortNamed(given: readonly string[]): string | null {
  const [first = "", second = ""] = given;
  const [, key] =
    /^(?:attribute|key|by)\s*[=:]\s*["']?([\p{L}_][\p{L}\p{N}_.]*)["']?$/u.exec(first) ?? [];
  const isReversed = /^(?:(?:(?:reverse|desc|descending)\s*[=:]\s*)?["']?true["']?|-1)$/i.test(
    second,
  );
  const known = key ?? (isReversed && given.length === 2 ? unquoted(first) : undefined);
  if (known === undefined || given.length > 2) return null;
  return `sort(${known}${isReversed ? " desc" : ""})`;
}

/** Returns the keys of `city & amount` and `city desc amount`, with commas between them. */
function keysIn(written: string): string {
  const parts = new Written(written).split(String.raw`\s*&&?\s*`);
  return parts
    .map((part) =>
      part.replace(/^([\p{L}_][\p{L}\p{N}_.]*\s+(?:asc|desc))\s+(?=[\p{L}_])/u, "$1, "),
    )
    .join(", ");
}

/** `$concat(first " " last)`. */
function spacedArguments(tag: Written): string | null {
  for (const { name, given, from, to } of callsIn(tag)) {
    const opened = tag.text.indexOf("(", from) + 1;
    if (!isFunction(`$${name}`) || given.length !== 1) continue;
    const parts = new Written(given[0] ?? "").split(String.raw`\s+`).filter((each) => each !== "");
    const isEach = parts.every((part) => new Written(part).match(`^${VALUE}$`) !== null);
    if (parts.length < 2 || !isEach || !parts.some((part) => /^["']/.test(part))) continue;
    return `${tag.text.slice(0, opened)}${parts.join(", ")})${tag.text.slice(to)}`;
  }
  return null;
}

/** Matches paths of numbers that are multiplied with an amount. */
const FACTOR =
  /(?:^|[._])(?:qty|quantity|count|hours|days|units|pieces|factor|rate|menge|anzahl|stunden|tage)$/i;

/** Matches names of keys that are true or false. */
const CONDITION =
  /^(?:(?:is|has)[\p{Lu}_].*|paid|open|closed|active|done|valid|enabled|visible|selected|checked|cancell?ed|overdue|taxable|billable)$/u;

/** Returns a value that counts only if a condition holds. */
function chosen(value = "", condition = ""): string {
  return `$if(${condition}, ${value}, 0)`;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Returns the other meaning of two keys in `items.sum(price, qty)`; null for other tags. */
export function otherSum(tag: Written): string | null {
  const [, list, name, key, other = ""] =
    tag.match(String.raw`(${PATH})\.(sum|average)\(\s*(${NAME})\s*,\s*(${NAME})\s*\)`) ?? [];
  if (list === undefined) return otherRunning(tag);
  return CONDITION.test(other)
    ? ` To multiply the keys, write ${name}(${key} * ${other}).`
    : ` If '${other}' is a condition, write ${list}.where(${other}).${name}(${key}).`;
}

/** Returns the other meaning of two keys in `$running(i.price, i.qty)`; null for other tags. */
function otherRunning(tag: Written): string | null {
  const [, one, other = ""] =
    tag.match(String.raw`\$running\(\s*(${PATH})\s*,\s*(${PATH}\.${NAME})\s*\)`) ?? [];
  if (one === undefined || FACTOR.test(other)) return null;
  return CONDITION.test(lastName(other))
    ? ` To multiply the keys, write $running(${one} * ${other}).`
    : ` If '${other}' is a condition, write $running(${chosen(one, other)}).`;
}
