import { toDecimal } from "../format/decimal.ts";
import { readDate } from "../format/read-date.ts";
import type { Comparison, Expression, PathExpression } from "../language/expression.ts";
import { type Bound, type DataNode, type Literal, noteLiteral, type Use } from "./data-node.ts";

/** Records what expressions use. */
export interface UseReader {
  /** Records that the current tag uses the value of a path. */
  use(path: PathExpression, use: Use): DataNode;
  /** Like {@link use}, for a function over all elements of a list. The list may be anywhere on the path. */
  aggregate(path: PathExpression, use: Use): void;
  /** Records that a tag compares which of the values at two places is greater. */
  order(one: PathExpression, other: PathExpression): void;
  /** Records that a tag uses the position in the innermost loop. */
  asksForLoop(): void;
  /** Reads expressions that are not evaluated in every rendering. */
  conditionally(read: () => void): void;
}

/** Records what is used by an expression whose value is printed or compared. */
export function readValue(expression: Expression, reader: UseReader): void {
  switch (expression.kind) {
    case "path":
      reader.use(expression, "printed");
      break;
    case "literal":
    case "number":
      break;
    case "variable":
      reader.asksForLoop();
      break;
    case "negate":
    case "compute":
      readNumber(expression, false, reader);
      break;
    case "call":
      readCall(expression, reader);
      break;
    default:
      readCondition(expression, null, reader);
  }
}

/** Records what an operand of arithmetic uses. `divides` says whether its value must not be zero. */
function readNumber(expression: Expression, divides: boolean, reader: UseReader): void {
  switch (expression.kind) {
    case "path": {
      const { facts } = reader.use(expression, "operand");
      if (divides) facts.uses.add("divisor");
      break;
    }
    case "negate":
      readNumber(expression.operand, divides, reader);
      break;
    case "compute": {
      const { operator, left, right } = expression;
      const product = divides && (operator === "*" || operator === "/");
      readNumber(left, product, reader);
      readNumber(right, product || operator === "/" || operator === "%", reader);
      break;
    }
    default:
      readValue(expression, reader);
  }
}

function readCall(
  { name, arguments: given }: Extract<Expression, { kind: "call" }>,
  reader: UseReader,
): void {
  const [first, ...others] = given;
  if (first !== undefined) {
    if (name === "$abs" || name === "$round") readNumber(first, false, reader);
    else if (first.kind !== "path") readValue(first, reader);
    else if (name === "$length") reader.use(first, "measured");
    else reader.aggregate(first, AGGREGATES[name] ?? "aggregated");
  }
  for (const other of others) {
    if (other.kind === "path") reader.use(other, name === "$round" ? "places" : "separator");
    else readValue(other, reader);
  }
}

const AGGREGATES: Readonly<Record<string, Use | undefined>> = {
  $count: "counted",
  $join: "joined",
};

/**
 * Records what a condition uses. `wanted` is the result that sample data should give, or null if it does not matter.
 */
export function readCondition(
  condition: Expression,
  wanted: boolean | null,
  reader: UseReader,
): void {
  switch (condition.kind) {
    case "path":
      test(condition, wanted, "false", reader).facts.uses.add("held");
      break;
    case "not":
      readCondition(condition.operand, wanted === null ? null : !wanted, reader);
      break;
    case "and":
      readCondition(condition.left, wanted, reader);
      reader.conditionally(() => readCondition(condition.right, wanted === true || null, reader));
      break;
    case "or":
      readCondition(condition.left, wanted, reader);
      reader.conditionally(() =>
        readCondition(condition.right, wanted === false ? false : null, reader),
      );
      break;
    case "isPresent":
      testOperand(condition.operand, wanted, "absent", reader);
      break;
    case "isEmpty":
      testOperand(condition.operand, wanted === null ? null : !wanted, "empty", reader);
      break;
    case "compare":
      readComparison(condition, wanted, reader);
      break;
    default:
      readValue(condition, reader);
  }
}

function testOperand(
  operand: Expression,
  wanted: boolean | null,
  otherwise: "empty" | "absent",
  reader: UseReader,
): void {
  if (operand.kind === "path") test(operand, wanted, otherwise, reader);
  else readValue(operand, reader);
}

/**
 * Records a test of whether a value exists. `otherwise` is the state that the value should have if `wanted` is false.
 */
function test(
  operand: PathExpression,
  wanted: boolean | null,
  otherwise: "false" | "empty" | "absent",
  reader: UseReader,
): DataNode {
  const node = reader.use(operand, "tested");
  if (wanted !== null) node.facts.wish ??= wanted ? "true" : otherwise;
  return node;
}

const MIRRORED: Readonly<Partial<Record<Comparison, Comparison>>> = {
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
const OPPOSITE: Readonly<Partial<Record<Comparison, Comparison>>> = {
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "==": "!=",
  "!=": "==",
};

function readComparison(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  wanted: boolean | null,
  reader: UseReader,
): void {
  if (operator === "contains") {
    readSide(left, right, operator, wanted === true, reader);
    readPart(right, reader);
    return;
  }
  const holds = wanted === false ? (OPPOSITE[operator] ?? operator) : operator;
  if (left.kind === "path" && right.kind === "path" && isOrder(operator)) {
    reader.order(left, right);
    return;
  }
  readSide(left, right, holds, wanted !== null, reader);
  readSide(right, left, MIRRORED[holds] ?? holds, wanted !== null, reader);
}

function isOrder(operator: Comparison): operator is Bound["operator"] {
  return MIRRORED[operator] !== undefined;
}

/** Reads the text or element that `contains` searches for. */
function readPart(part: Expression, reader: UseReader): void {
  if (part.kind === "path") reader.use(part, "compared").facts.uses.add("matched");
  else readValue(part, reader);
}

/** Reads one side of a comparison. `matters` says whether the comparison should be true for sample data. */
function readSide(
  side: Expression,
  other: Expression,
  operator: Comparison,
  matters: boolean,
  reader: UseReader,
): void {
  if (side.kind !== "path") readValue(side, reader);
  else if (other.kind === "literal" && other.value === null) {
    test(side, matters ? operator !== "==" : null, "absent", reader);
  } else if (isOrder(operator)) {
    const { facts } = reader.use(side, isNumeric(other) ? "operand" : orderUse(other));
    const than = matters ? literalOf(other) : null;
    if (than !== null && typeof than !== "boolean") facts.bound ??= { operator, than };
  } else readLookup(side, other, operator, matters, reader);
}

/** Reads one side of a comparison with `==`, `!=` or `contains`. */
function readLookup(
  side: PathExpression,
  other: Expression,
  operator: Comparison,
  matters: boolean,
  reader: UseReader,
): void {
  const { facts } = reader.use(side, operator === "contains" ? "contains" : "compared");
  if (operator !== "contains") facts.uses.add(lookupUse(other));
  const literal = literalOf(other);
  if (literal === null) return;
  if (operator === "contains") {
    if (matters) noteLiteral(facts.parts, literal);
  } else if (!matters) noteLiteral(facts.mentioned, literal);
  else noteLiteral(operator === "==" ? facts.wanted : facts.avoided, literal);
}

/**
 * Returns how a place is used that is compared by order. The use depends on the other side, such as a numeric string or
 * a date.
 */
function orderUse(other: Expression): Use {
  if (other.kind !== "literal" || typeof other.value !== "string") return "compared";
  if (toDecimal(other.value) !== null) return "spelled";
  return "problem" in readDate(other.value, "day first", "UTC") ? "texted" : "dated";
}

function lookupUse(other: Expression): Use {
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
      return false;
    case "literal":
      return typeof expression.value === "boolean";
    case "variable":
      return !isNumeric(expression);
    default:
      return true;
  }
}

/** Whether the result of an expression is a number or missing. */
function isNumeric(expression: Expression): boolean {
  switch (expression.kind) {
    case "number":
    case "negate":
    case "compute":
      return true;
    case "call":
      return expression.name !== "$join";
    case "variable":
      return expression.name !== "$first" && expression.name !== "$last";
    default:
      return false;
  }
}

/** Returns a literal value in the template, or null for computed values and for `null`. */
function literalOf(expression: Expression): Literal | null {
  if (expression.kind === "literal") return expression.value;
  if (expression.kind === "number") return finite(expression.text);
  if (expression.kind !== "negate" || expression.operand.kind !== "number") return null;
  return finite(`-${expression.operand.text}`);
}

function finite(text: string): number | null {
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}
