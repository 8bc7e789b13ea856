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

/** The functions of the language, with the minimum and maximum number of arguments. */
export const FUNCTIONS = {
  $sum: [1, 1],
  $count: [1, 1],
  $average: [1, 1],
  $min: [1, 1],
  $max: [1, 1],
  $join: [1, 3],
  $round: [1, 2],
  $abs: [1, 1],
  $length: [1, 1],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;
export type FunctionName = keyof typeof FUNCTIONS;

/**
 * An expression in a tag: a finite tree that Quire's evaluator walks. It contains no calls into the data, no
 * assignments and no code.
 */
export type Expression =
  | PathExpression
  | LiteralExpression
  | { readonly kind: "variable"; readonly name: LoopVariable }
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
  | {
      readonly kind: "call";
      readonly name: FunctionName;
      readonly arguments: readonly Expression[];
    }
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

/** Returns the direct operands of an expression. */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "path":
    case "literal":
    case "number":
    case "variable":
      return [];
    case "not":
    case "negate":
    case "isPresent":
    case "isEmpty":
      return [expression.operand];
    case "call":
      return expression.arguments;
    default:
      return [expression.left, expression.right];
  }
}

/** Returns every path in an expression, in order. */
export function pathsOf(expression: Expression): PathExpression[] {
  return expression.kind === "path" ? [expression] : operandsOf(expression).flatMap(pathsOf);
}

/** Whether an expression uses the position in a loop. */
export function asksForLoop(expression: Expression): boolean {
  return expression.kind === "variable" || operandsOf(expression).some(asksForLoop);
}
