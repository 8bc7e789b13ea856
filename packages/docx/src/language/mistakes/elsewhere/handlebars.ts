import { FUNCTIONS, type FunctionName, parameterOf } from "../../grammar/functions.ts";
import { isModifier, MODIFIERS, modifierMeant } from "../../grammar/modifier-signatures.ts";
import { functionNamed } from "../lists.ts";
import { type Correction, rewrite } from "../rewrites.ts";
import { NAME, PATH, TEXT, Written } from "../written.ts";

const ARGUMENT = String.raw`(?:${NAME}=${TEXT}|\(.*\)|${PATH}|-?\d+(?:\.\d+)?|${TEXT})`;

/** Helpers of Handlebars and its libraries that are operators here. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ...named("==", "eq", "is", "equals", "ifeq"),
  ...named("!=", "ne", "neq", "isnt"),
  ...named(">", "gt"),
  ...named("<", "lt"),
  ...named(">=", "gte", "ge"),
  ...named("<=", "lte", "le"),
  ...named("and", "and"),
  ...named("or", "or"),
  ...named("+", "add", "plus"),
  ...named("-", "subtract", "minus", "sub"),
  ...named("*", "multiply", "times", "mul"),
  ...named("/", "divide", "div"),
  ...named("%", "mod", "modulo", "remainder"),
  ...named("contains", "contains", "includes"),
]);

function named(sign: string, ...names: readonly string[]): [string, string][] {
  return names.map((name) => [name, sign]);
}

/** Names of helpers that have another name as a function or modifier of other languages. */
const ALSO: Readonly<Record<string, string>> = {
  ...{
    dateformat: "format",
    moment: "format",
    formatdate: "format",
    formatnumber: "number",
    tofixed: "number",
  },
};

/** Returns a tag with functions, modifiers and operators in place of helpers: `sum items "price"` is `items.sum(price)`. */
export const OF_HANDLEBARS: readonly Correction[] = [
  // A block with a helper or a variable of a loop.
  (tag) => {
    const [, block = "", condition = ""] =
      tag.match(String.raw`^#\s*(if|unless)\s+(.*(?:\(\s*${NAME}\s|@).*)$`) ?? [];
    if (block === "") return null;
    return block === "if" ? `if ${condition}` : `if not (${condition})`;
  },
  rewrite(
    String.raw`^#\s*each\s+(\(.+\))(?:\s+as\s+\|\s*(${NAME})\s*\|)?$`,
    ([, list, name]) => `for ${name || "item"} in ${list}`,
  ),
  rewrite(String.raw`(?<![\p{L}\p{N}_])@root\.(?=[\p{L}_])`, () => ""),
  rewrite(
    String.raw`(?<![\p{L}\p{N}_])@(first|last|index|length|number)(?![\p{L}\p{N}_])`,
    ([, name]) => `$${name}`,
  ),
  // `(eq status "open")` within a tag.
  (tag) =>
    tag.replace(
      String.raw`(?<![\p{L}\p{N}_$])\(\s*(${NAME})((?:\s+${ARGUMENT})+)\s*\)`,
      ([, name = "", given = ""]) => {
        const meant = helperMeant(name, argumentsIn(given));
        const isWhole =
          /^(?:(?:else)?if|unless|for \S+ in)\s+\(/.test(tag.text) && tag.text.endsWith(")");
        return meant === null ? null : isWhole ? meant : `(${meant})`;
      },
    ),
  (tag) => {
    const [, name = "", given = ""] =
      tag.match(String.raw`^(${NAME})((?:\s+${ARGUMENT}){1,3})$`) ?? [];
    const isProduct = /^\S+\s+[xX×]\s/.test(tag.text);
    return name === "" || isProduct || /^(?:if|elseif|not|for|include)$/.test(name)
      ? null
      : helperMeant(name, argumentsIn(given));
  },
];

/** Returns the arguments between spaces. */
function argumentsIn(given: string): readonly string[] {
  return new Written(given.trim())
    .split(String.raw`\s+`)
    .filter((each) => each !== "")
    .map((each) => each.replace(/^\w+=(?=["'])/, ""));
}

function helperMeant(name: string, given: readonly string[]): string | null {
  const [value = "", ...others] = given;
  const small = name.toLowerCase();
  const operator = OPERATORS.get(small);
  if (operator !== undefined && given.length > 1) {
    return given.join(` ${operator} `);
  }
  // A key may have the name of a helper, as `first name` has.
  if (/^["'\d]/.test(value)) return null;
  if (small === "not") return `not ${value}`;
  if (small === "lookup" && others.length === 1) return element(value, others[0]);
  if (others.length === 0) return null;
  return modified(small, value, others) ?? called(name, value, others);
}

/** `lookup items 0` and `lookup prices key`. */
function element(value: string, key = ""): string {
  return `${value}[${key}]`;
}

/** `formatDate date "DD.MM.YYYY"` and `currency total "EUR"`. */
function modified(name: string, value: string, others: readonly string[]): string | null {
  const other = ALSO[name] ?? name;
  const meant = isModifier(other) ? other : modifierMeant(other);
  if (meant === null || functionNamed(name) !== null || others.length !== 1) return null;
  const [text = ""] = others;
  if (MODIFIERS[meant].arguments.length === 0) return null;
  const isFixed = /^["'\d]/.test(text);
  if (!isFixed) return null;
  return `${value} :: ${meant}(${meant === "format" ? dateLetters(text) : text})`;
}

/** Returns a pattern of moment.js with the letters of this language: `DD.MM.YYYY` is `dd.MM.yyyy`. */
function dateLetters(pattern: string): string {
  const text = pattern.replace(/Do/g, "D");
  return /[DY]/.test(text) ? text.replace(/D+/g, (d) => d.toLowerCase()).replace(/Y/g, "y") : text;
}

/** `sum items "price"` and `join names ", "`. */
function called(name: string, value: string, others: readonly string[]): string | null {
  const known = functionNamed(name);
  // Names alone may be a key with spaces.
  if (
    known === null ||
    /^(?:first|last)$/.test(known) ||
    !others.some((each) => /^["'\d]/.test(each))
  )
    return null;
  const full = `$${known}` as FunctionName;
  const { required, parameters, repeats } = FUNCTIONS[full];
  if (others.length < required || (!repeats && others.length > parameters.length)) return null;
  const given = others.map((each, at) =>
    parameterOf(full, at) === "value" ? each : each.replace(/^["'](.*)["']$/, "$1"),
  );
  return `${value}.${known}(${given.join(", ")})`;
}
