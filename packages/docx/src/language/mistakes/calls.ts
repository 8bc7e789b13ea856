import { type Wording, withTags } from "../delimiters/wording.ts";
import { FUNCTIONS, type FunctionName, parameterOf } from "../grammar/functions.ts";
import { formMeant } from "../grammar/functions-elsewhere.ts";
import { isModifier, MODIFIERS, modifierMeant } from "../grammar/modifier-signatures.ts";
import { functionNamed } from "./lists.ts";
import { NAME, PATH, VALUE, Written } from "./written.ts";

/** Returns a tag with a function in the form `value.name(arguments)`: `sum(items.amount)` becomes `items.sum(amount)`. */
export function callMeant(tag: Written): string | null {
  const spaced = spacedMeant(tag);
  if (spaced !== null || !tag.text.includes("(")) return spaced;
  return calledModifier(tag) ?? ofSameItems(tag) ?? nestedMeant(tag) ?? methodMeant(tag);
}

/** Functions that a name after them cannot make a key with a space of, as it can of `first name`. */
const BEFORE_KEYS: ReadonlySet<string> = new Set([
  "sum",
  "average",
  "sort",
  "where",
  "map",
  "group",
  "distinct",
  "join",
  "round",
]);

/** `due.addDays 30`: the argument must be in parentheses. */
function spacedMeant(tag: Written): string | null {
  return tag.replace(
    String.raw`(?<![\p{L}\p{N}_$.:]|::.*)(?:(${PATH})\.)?(\$?)(${NAME})\s+(-?${VALUE})(?:\s+(${VALUE}))?(?![\p{L}\p{N}_.(])`,
    ([, of = "", dollar = "", name = "", one = "", other = ""]) => {
      const known = functionNamed(name);
      if (known === null || WORDS.test(one)) return null;
      const isName = !/^-?\d|^["']/.test(one);
      if (of === "") return dollar !== "" && isName ? calledOn(one, known, other) : null;
      const { required } = FUNCTIONS[`$${known}` as FunctionName];
      if (isName && required === 0 && !BEFORE_KEYS.has(known)) return null;
      return `${of}.${known}(${[one, other].filter((each) => each !== "").join(", ")})`;
    },
  );
}

const WORDS = /^(?:asc|desc|and|or|not|in|if|else|contains|isPresent|isEmpty|is)$/;

function calledOn(value: string, name: string, argument: string): string {
  return keyedCall(value, name) ?? `${value}.${name}(${argument})`;
}

/** Returns `items.sum(amount)` for the path `items.amount` and a function that takes a key of each item. */
function keyedCall(path: string, name: string): string | null {
  const full = `$${name}` as FunctionName;
  const [, list, key] = new Written(path).match(String.raw`^(.+)\.(${NAME})$`) ?? [];
  return isOfKeys(full) && list !== undefined ? `${list}.${name}(${key})` : null;
}

/** Whether a function takes a key of each item, or a computation with keys. */
function isOfKeys(name: FunctionName): boolean {
  return FUNCTIONS[name].of === "list" && parameterOf(name, 0) === "item";
}

/** Matches names that a loop gives to its item, and what Word writes for the cells above. */
export const NO_LIST =
  /^(?:i|it|item|x|r|row|line|el|element|this|e|entry|ABOVE|LEFT|RIGHT|BELOW)(?:\.|$)/;

/** A call such as `sum(i.amount)`, which has no list. */
export interface CallWithoutList {
  readonly name: string;
  readonly key: string;
  /** Whether the argument may be a list of numbers. */
  readonly mayBeList: boolean;
}

/** Returns the call in a tag that is only `sum(amount)`, `sum(i.amount)` or `SUM(ABOVE)`; null for other tags. */
export function callWithoutList(tag: Written): CallWithoutList | null {
  const [, written = "", path = ""] =
    tag.match(String.raw`^=?\s*\$?(${NAME})\(\s*(${PATH})\s*\)$`) ?? [];
  const name = functionNamed(written);
  if (name === null || !isOfKeys(`$${name}` as FunctionName)) return null;
  const key = path.slice(path.lastIndexOf(".") + 1);
  const mayBeList = !NO_LIST.test(path);
  if (mayBeList && path.includes(".")) return null;
  return { name, key: /^[A-Z]+$/.test(key) ? "amount" : key, mayBeList };
}

/** Returns the hint for `sum(t.hours)` in a loop whose item is `t`; undefined for other tags. */
export function callOfItem(
  tag: Written,
): ((item: string | null, names: readonly (string | null)[]) => Wording | null) | undefined {
  const [, added, modifiers = ""] =
    tag.match(String.raw`^${PATH}\.running\(\s*(${NAME})\s*\)(\s*::.*)?$`) ?? [];
  if (added !== undefined)
    return (inner) =>
      inner === null || inner === ""
        ? null
        : withTags`Write {{$running(${inner}.${added})${modifiers}}}.`;
  const [, written = "", item = "", key = ""] =
    tag.match(String.raw`^=?\s*\$?(${NAME})\(\s*(${NAME})\.(${NAME})\s*\)$`) ?? [];
  const name = functionNamed(written);
  if (name === null || !/^(?:sum|average|min|max)$/.test(name)) return undefined;
  return (_item, names) =>
    names.includes(item)
      ? withTags`If '${item}.${key}' is a list, write {{${item}.${key}.${name}()}}. Otherwise name the list of the items, and then the key: {{items.${name}(${key})}}.`
      : null;
}

/** Returns a function of a key without a list within a longer tag, as in `i.price / sum(price)`, or null. */
export function innerWithoutList(tag: Written): string | null {
  const [, written = "", key = ""] =
    tag.match(String.raw`(?<![\p{L}\p{N}_$.])(?!\$)(${NAME})\(\s*(${NAME})\s*\)`) ?? [];
  const name = functionNamed(written);
  return name === null || !isOfKeys(`$${name}` as FunctionName) ? null : `${name}(${key})`;
}

/** `$currency(total, "EUR")` and `total.currency("EUR")`: a modifier comes after `::`. */
function calledModifier(tag: Written): string | null {
  const [, word = "", value, given] =
    tag.match(String.raw`^\$?(${NAME})\(\s*(${VALUE})\s*(?:,\s*(.+))?\)$`) ?? [];
  const name = modifierCalled(word);
  if (name === "numbering" && value !== undefined) return modified("paragraph", name, value);
  if (name !== null && value !== undefined) {
    const isSwapped = /^["']/.test(value) && isPath(given ?? "");
    return isSwapped ? modified(given ?? "", name, value) : modified(value, name, given);
  }
  if (word === "TEXT" && value !== undefined) {
    return modified(value, /[dmy]/i.test(given ?? "") ? "format" : "number", given);
  }
  const [, of, after = "", inside] =
    tag.match(String.raw`^(.+\))\.(${NAME})\(([^()]*)\)$`) ??
    tag.match(String.raw`^(${PATH}(?:\(\))?)\.(${NAME})\((.*)\)$`) ??
    [];
  if (of === undefined) return null;
  if (/^toFixed$/i.test(after)) return modified(of, "number", inside);
  return isModifier(after) ? modified(of, after, inside) : null;
}

/** `items.where(price == max(price))`: the function in the parentheses is of the same list. */
function ofSameItems(tag: Written): string | null {
  return tag.replace(
    String.raw`(${PATH})\.(${NAME})\(([^()]*)(?<![\p{L}\p{N}_$.])(?!\$)(${NAME})\(\s*(${NAME})\s*\)`,
    ([, list, name = "", before, inner = "", key]) => {
      const [known, meant] = [functionNamed(name), functionNamed(inner)];
      if (known === null || meant === null || !isOfKeys(`$${meant}` as FunctionName)) return null;
      if (FUNCTIONS[`$${known}` as FunctionName].of !== "list") return null;
      return `${list}.${known}(${before}${list}.${meant}(${key})`;
    },
  );
}

function isPath(text: string): boolean {
  return new Written(text).match(`^${PATH}$`) !== null;
}

/** Returns the modifier that a word before parentheses means; null for the name of a function. */
function modifierCalled(word: string): keyof typeof MODIFIERS | null {
  if (isModifier(word)) return word;
  if (/^(?:FORMAT|CURRENCY|PERCENT)$/.test(word)) return modifierNamed(word.toLowerCase());
  return functionNamed(word) === null && formMeant(word) === null ? modifierMeant(word) : null;
}

function modifierNamed(word: string): keyof typeof MODIFIERS | null {
  return isModifier(word) ? word : null;
}

/** `currency(items.sum(price), "EUR")` and `round(net * 1.19, 2)`, whose value is a call or a computation. */
function nestedMeant(tag: Written): string | null {
  const [, word = "", inside] = tag.match(String.raw`^=?\s*\$?(${NAME})\((.*)\)$`) ?? [];
  if (inside === undefined || tag.closing(tag.text.indexOf("(")) !== tag.text.length - 1)
    return null;
  const [value = "", ...given] = new Written(inside).split("[,;]");
  const argument = given.join(", ");
  if (new Written(value).match(`^${VALUE}?$`) !== null) return null;
  const name = modifierCalled(word);
  if (name !== null) return modified(value, name, argument);
  const isComputed = new Written(value).split(String.raw`[-+*/%\s]`).length > 1;
  const of = isComputed ? `(${value})` : value;
  const whole = rounded(word, of, argument);
  if (whole !== null) return whole;
  const known = functionNamed(word);
  const isOfList = known !== null && FUNCTIONS[`$${known}` as FunctionName].of === "list";
  if (known === null || known === "if" || (isOfList && isComputed)) return null;
  return `${of}.${known}(${argument})`;
}

function modified(value: string, name: keyof typeof MODIFIERS, given = ""): string {
  const { required, example } = MODIFIERS[name];
  const inside = given === "" ? (required > 0 ? example : "") : `(${given})`;
  return `${value} :: ${name}${inside}`;
}

/** `sum(items.amount)`, `SUM(items.amount)` and `upper(name)`: a function comes after its value. */
function methodMeant(tag: Written): string | null {
  return tag.replace(
    String.raw`(?<![\p{L}\p{N}_$.])(?:^=\s*)?\$?(${NAME})\(\s*(${VALUE})\s*(?:,\s*([^()]+?)\s*)?\)`,
    ([, name = "", value = "", given = ""]) => {
      const part =
        separateValues(name, value, given) ??
        partOfText(name, value, given) ??
        rounded(name, value, given);
      if (part !== null) return part;
      const known = functionNamed(name);
      if (known === null || known === "if") return null;
      // The text is missing.
      if (known === "substring" && /^\d/.test(value)) return null;
      const isKey = given === "" && /^[^.()"'\d]+$/.test(value);
      // Without a list, another hint says more.
      if (isKey && isOfKeys(`$${known}` as FunctionName)) return null;
      return given === "" ? calledOn(value, known, "") : `${value}.${known}(${given})`;
    },
  );
}

/** `SUM(order.net, order.tax)` and `join(guest.first, " ", guest.last)`: values of one object, which are not a list. */
function separateValues(name: string, value: string, given: string): string | null {
  const known = functionNamed(name);
  if (known === null || !/^(?:join|sum|average|min|max)$/.test(known) || given === "") return null;
  const parts = [value, ...new Written(given).split(",").map((each) => each.trim())];
  const texts = parts.filter((part) => /^["']/.test(part));
  const paths = parts.filter((part) => !texts.includes(part));
  const [first = ""] = paths;
  const holder = first.slice(0, first.lastIndexOf(".") + 1);
  const isOne = (part: string): boolean => isPath(part) && part.startsWith(holder);
  if (holder === "" || paths.length < 2 || !paths.every(isOne)) return null;
  if (paths.some((path) => path.includes(".", holder.length))) return null;
  if (known !== "join") return texts.length > 0 ? null : `[${paths.join(", ")}].${known}()`;
  const [between = '" "'] = texts;
  const isSame = texts.every((text) => text === between);
  return isSame ? `[${paths.join(", ")}].join(${between})` : null;
}

/** `LEFT(name, 3)`, `RIGHT(name, 3)` and `MID(name, 2, 3)`, which counts from 1. */
function partOfText(name: string, value: string, given: string): string | null {
  const numbers = given.split(",").map((each) => each.trim());
  const [first = "", second = ""] = numbers;
  if (!numbers.every((each) => /^\d+$/.test(each))) return null;
  if (/^left$/i.test(name)) return `${value}.substring(0, ${first})`;
  if (/^right$/i.test(name)) return `${value}.substring(-${first})`;
  const isMiddle = /^mid$/i.test(name) && second !== "";
  return isMiddle ? `${value}.substring(${Number(first) - 1}, ${second})` : null;
}

/** `FLOOR(total)`, `ROUNDUP(total, 2)` and similar. */
function rounded(name: string, value: string, given: string): string | null {
  const places = /^\d+$/.test(given) ? given : "0";
  const toWhole = /^(?:(floor|int)|ceil|ceiling)$/i.exec(name);
  if (toWhole !== null) {
    const mode = toWhole[1] === undefined ? "ceiling" : "floor";
    // Spreadsheets have the size of the steps here.
    return Number(places) > 1
      ? `(${value} / ${places}).round(0, "${mode}") * ${places}`
      : `${value}.round(0, "${mode}")`;
  }
  if (/^(?:rounddown|trunc)$/i.test(name)) return `${value}.round(${places}, "down")`;
  return /^roundup$/i.test(name) ? `${value}.round(${places}, "up")` : null;
}
