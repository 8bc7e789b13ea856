import { toDecimal } from "../format/decimal.ts";
import { readDate } from "../format/read-date.ts";
import type { Comparison, Expression } from "../language/grammar/expression.ts";
import type { FunctionName } from "../language/grammar/functions.ts";
import type { Bound, Literal, Use } from "./data-node.ts";

/**
 * Returns how a place is used that is compared by order. The use depends on the other side, such as a numeric string or
 * a date.
 */
export function orderUse(other: Expression): Use {
  if (other.kind !== "literal" || typeof other.value !== "string") return "compared";
  if (toDecimal(other.value) !== null) return "spelled";
  return "problem" in readDate(other.value, "day first", "UTC") ? "texted" : "dated";
}

export function lookupUse(other: Expression): Use {
  if (isNumeric(other)) return "numbered";
  return isBoolean(other) ? "flagged" : "matched";
}

/** Whether the result of an expression is a boolean. */
function isBoolean(expression: Expression): boolean {
  switch (expression.kind) {
    case "path":
    case "number":
    case "negate":
    case "compute":
    case "call":
    case "moment":
      return false;
    case "literal":
      return typeof expression.value === "boolean";
    case "variable":
      return !isNumeric(expression);
    case "member":
    case "element":
    case "fallback":
    case "list":
      return false;
    default:
      return true;
  }
}

/** Whether the result of an expression is a number or missing. */
export function isNumeric(expression: Expression): boolean {
  switch (expression.kind) {
    case "number":
    case "negate":
    case "compute":
      return true;
    case "call":
      return GIVES_NUMBERS.has(expression.name);
    case "variable":
      return expression.name !== "$first" && expression.name !== "$last";
    default:
      return false;
  }
}

/** Functions whose result is a number. */
const GIVES_NUMBERS: ReadonlySet<FunctionName> = new Set([
  ...([
    "$sum",
    "$count",
    "$average",
    "$min",
    "$max",
    "$round",
    "$abs",
    "$power",
    "$length",
  ] as const),
  ...(["$daysUntil", "$monthsUntil", "$yearsUntil", "$year", "$month", "$day"] as const),
  ...(["$hoursUntil", "$minutesUntil", "$hour", "$minute", "$toNumber"] as const),
  ...(["$weekday", "$week", "$weekYear", "$quarter", "$running"] as const),
]);

/** Returns a literal value in the template, or null for computed values and for `null`. */
export function literalOf(expression: Expression): Literal | null {
  if (expression.kind === "literal") return expression.value;
  if (expression.kind === "number") return finite(expression.text);
  if (expression.kind !== "negate" || expression.operand.kind !== "number") return null;
  return finite(`-${expression.operand.text}`);
}

function finite(text: string): number | null {
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** The comparison with exchanged sides. */
export const MIRRORED: Readonly<Partial<Record<Comparison, Comparison>>> = {
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
/** The comparison that holds if another does not. */
export const OPPOSITE: Readonly<Partial<Record<Comparison, Comparison>>> = {
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "==": "!=",
  "!=": "==",
};

/** Whether a comparison is one of order. */
export function isOrder(operator: Comparison): operator is Bound["operator"] {
  return MIRRORED[operator] !== undefined;
}
