import { type FunctionName, givesItems, isPerItem, makesList, parameterOf } from "./functions.ts";

/** A path to a value of the data, as written in a tag, for example `invoice.items[0].name`. */
export interface PathExpression {
  readonly kind: "path";
  /** The path as written, without spaces, for messages. */
  readonly source: string;
  /** The first name: the name of a loop's item, or a key of the data. Null if the path begins with `this` or `.`. */
  readonly head: string | null;
  /** Keys and indexes after the first name, as written: `007` is not the key `7`. */
  readonly rest: readonly string[];
}

/** A literal in the template. A number is kept as its text. */
export type LiteralExpression =
  | { readonly kind: "literal"; readonly value: string | boolean | null }
  | { readonly kind: "number"; readonly text: string };

/** A comparison of two values. */
export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains";

/** An operation on two numbers. */
export type Operator = "+" | "-" | "*" | "/" | "%";

/** Variables for the position in the innermost loop. */
export const LOOP_VARIABLES = ["$index", "$number", "$first", "$last", "$length"] as const;
export type LoopVariable = (typeof LOOP_VARIABLES)[number];

export function isLoopVariable(name: string): name is LoopVariable {
  return (LOOP_VARIABLES as readonly string[]).includes(name);
}

/** A function and its arguments. The first one is the value that it is called on. */
export interface CallExpression {
  readonly kind: "call";
  readonly name: FunctionName;
  readonly arguments: readonly Expression[];
  /** For each argument of `$sort`, whether its order is reversed. */
  readonly descending: readonly boolean[];
  /** The name that the surrounding loop gives to the items. Null outside the tag of a loop. */
  readonly alias: string | null;
}

/**
 * An expression in a tag: a finite tree that Quire's evaluator walks. It contains no calls into the data, no
 * assignments and no code.
 */
export type Expression =
  | PathExpression
  | LiteralExpression
  /** The position in the innermost loop or, as in `d.$index`, in the loop whose item has the name `of`. */
  | { readonly kind: "variable"; readonly name: LoopVariable; readonly of: string | null }
  /** The date, or the date and time, of the job: see `RenderOptions.now`. */
  | { readonly kind: "moment"; readonly name: "$today" | "$now" }
  | { readonly kind: "not" | "negate"; readonly operand: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "compare";
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "compute";
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | CallExpression
  /** Keys of a value that is not a path, such as the `.name` of `people.first(adult).name`. */
  | { readonly kind: "member"; readonly of: Expression; readonly keys: readonly string[] }
  /** The element or the key of a value that another value names: `months[$index]`, `prices[item.currency]`. */
  | { readonly kind: "element"; readonly of: Expression; readonly key: Expression }
  /** The left value or, if it is missing, the right one: `a ?? b`. */
  | { readonly kind: "fallback"; readonly left: Expression; readonly right: Expression }
  /** Several values to look for: the brackets of `status in ["open", "late"]`. */
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "isPresent" | "isEmpty"; readonly operand: Expression };

/** Returns a key in the form that it has after other keys in a path. */
export function spellKey(key: string): string {
  if (/^(?:0|[1-9]\d*)$/.test(key)) return `[${key}]`;
  return isPlainName(key) ? `.${key}` : quotedKey(key);
}

/** Returns a key in brackets and quotes. Any key may be written in this way, even at the start of a path. */
export function quotedKey(key: string): string {
  return `["${key.replace(/["\\]/g, "\\$&")}"]`;
}

/** Whether a key may be written in a path without brackets and quotes. */
export function isPlainName(key: string): boolean {
  return /^[\p{L}\p{Nl}_$][\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}$]*$/u.test(key);
}

/**
 * Returns the direct operands of an expression, without those that are evaluated for each item of a list: their names
 * mean keys of the item.
 */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "path":
    case "literal":
    case "number":
    case "variable":
    case "moment":
      return [];
    case "not":
    case "negate":
    case "isPresent":
    case "isEmpty":
      return [expression.operand];
    case "call":
      return expression.arguments.filter((_each, index) => !isArgumentPerItem(expression, index));
    case "member":
      return [expression.of];
    case "element":
      return [expression.of, expression.key];
    case "list":
      return expression.items;
    default:
      return [expression.left, expression.right];
  }
}

/** Returns the arguments that are evaluated for each item of a call's list. */
export function itemArgumentsOf(call: CallExpression): readonly Expression[] {
  return call.arguments.filter((_each, index) => isArgumentPerItem(call, index));
}

/** Whether an argument of a call is evaluated for each item of its list. */
export function isArgumentPerItem({ name }: CallExpression, index: number): boolean {
  return index > 0 && isPerItem(parameterOf(name, index - 1));
}

/** Returns an expression and all those within it, also arguments for each item. */
export function allOf(expression: Expression): Expression[] {
  const items = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  return [expression, ...[...operandsOf(expression), ...items].flatMap(allOf)];
}

/** The functions that need the words of numbers, which are loaded when a template is compiled. */
const OF_WORDS: ReadonlySet<FunctionName> = new Set(["$words", "$ordinalWords", "$ordinal"]);

/** Whether an expression writes a number in words, also in arguments that are evaluated for each item. */
export function writesWords(expression: Expression): boolean {
  if (expression.kind === "call") {
    if (OF_WORDS.has(expression.name)) return true;
    if (itemArgumentsOf(expression).some(writesWords)) return true;
  }
  return operandsOf(expression).some(writesWords);
}

/** Returns every path in an expression whose names are looked up where the tag is, in order. */
export function pathsOf(expression: Expression): PathExpression[] {
  return expression.kind === "path" ? [expression] : operandsOf(expression).flatMap(pathsOf);
}

/** Returns the path that the elements of a list expression come from, the first one if there are several; or null. */
export function sourceOf(expression: Expression): PathExpression | null {
  switch (expression.kind) {
    case "path":
      return expression;
    case "call": {
      const [first, ...others] = expression.arguments;
      if (expression.name === "$if") return firstSource(others);
      return first === undefined ? null : sourceOf(first);
    }
    case "member":
    case "element":
      return sourceOf(expression.of);
    case "fallback":
      return sourceOf(expression.left) ?? sourceOf(expression.right);
    case "list":
      return firstSource(expression.items);
    default:
      return null;
  }
}

function firstSource(among: readonly Expression[]): PathExpression | null {
  for (const each of among) {
    const source = sourceOf(each);
    if (source !== null) return source;
  }
  return null;
}

/** Whether an expression is a list whose elements are not elements of a list of the data. */
export function isMadeList(expression: Expression): boolean {
  switch (expression.kind) {
    case "list":
      return true;
    case "call": {
      const { name, arguments: given } = expression;
      const [first, ...others] = given;
      if (name === "$if") return others.some(isMadeList);
      return makesList(name) || (givesItems(name) && first !== undefined && isMadeList(first));
    }
    case "fallback":
      return isMadeList(expression.left) || isMadeList(expression.right);
    default:
      return false;
  }
}

/** Returns the path of a list that does not come from the data. It has the place of the block around it. */
export function noPlace(): PathExpression {
  return { kind: "path", source: "", head: null, rest: [] };
}

/** Whether a list comes from the data. */
export function hasPlace({ source }: PathExpression): boolean {
  return source !== "";
}

/**
 * Whether a section repeats the value of an expression, or enters it, as it does with a path. Other expressions only
 * show or hide the section.
 */
export function isSectionValue(expression: Expression): boolean {
  switch (expression.kind) {
    case "path":
    case "member":
    case "element":
      return sourceOf(expression) !== null;
    case "call":
      return (
        givesItems(expression.name) && (isMadeList(expression) || sourceOf(expression) !== null)
      );
    default:
      return false;
  }
}

/** Whether an expression uses the position in a loop. */
export function asksForLoop(expression: Expression): boolean {
  return loopsAskedBy(expression).length > 0;
}

/** Returns the loops whose position an expression uses: the names of their items; null for the innermost loop. */
export function loopsAskedBy(expression: Expression): (string | null)[] {
  if (expression.kind === "variable") return [expression.of];
  const isRunning = expression.kind === "call" && expression.name === "$running";
  const inner = operandsOf(expression).flatMap(loopsAskedBy);
  return isRunning ? [null, ...inner] : inner;
}
