import type {
  CallExpression,
  Comparison,
  Expression,
  PathExpression,
} from "../language/grammar/expression.ts";
import { FUNCTIONS, type FunctionName } from "../language/grammar/functions.ts";
import { type DataNode, noteLiteral, type Use } from "./data-node.ts";
import {
  isNumeric,
  isOrder,
  literalOf,
  lookupUse,
  MIRRORED,
  OPPOSITE,
  orderUse,
} from "./expression-types.ts";
import { readList, readListCall, readsItems } from "./read-list.ts";
import { readFormat, readParsed, SAMPLES } from "./read-parsed.ts";
import type { Reading, UseReader } from "./use-reader.ts";

/** Records what is used by an expression whose value is printed or compared. */
export function readValue(expression: Expression, reader: UseReader, use: Use = "printed"): void {
  switch (expression.kind) {
    case "path":
      reader.use(expression, use);
      break;
    case "literal":
    case "number":
    case "moment":
      break;
    case "variable":
      if (expression.of === null) reader.asksForLoop();
      break;
    case "negate":
    case "compute":
      readNumber(expression, false, reader);
      break;
    case "call":
      readCall(expression, use, reader);
      break;
    case "member":
    case "element":
    case "fallback":
    case "list":
      readList(expression, use, reader, READING);
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
      readValue(expression, reader, "operand");
  }
}

function readCall(call: CallExpression, use: Use, reader: UseReader): void {
  const { name, arguments: given } = call;
  const [first, ...others] = given;
  if (first === undefined) return;
  if (readsItems(call)) readListCall(call, use, reader, READING);
  else if (name === "$running") readNumber(first, false, reader);
  else if (name === "$if") {
    readCondition(first, null, reader);
    for (const other of others) reader.conditionally(() => readValue(other, reader, use));
  } else if (readFormat(name, given, reader)) return;
  else if (FUNCTIONS[name].of === "date") {
    readDates(name, first, others, reader);
  } else if (takesTexts(name)) {
    for (const [index, each] of given.entries()) {
      if (isCount(name, index)) readWhole(each, reader);
      else readText(each, reader);
    }
    readParsed(name, given, reader);
  } else readAggregate(name, first, others, reader);
}

function readDates(
  name: FunctionName,
  first: Expression,
  others: readonly Expression[],
  reader: UseReader,
): void {
  readValue(first, reader, name === "$hour" || name === "$minute" ? "time" : "dated");
  const isDate = name.endsWith("Until");
  for (const other of others) readValue(other, reader, isDate ? "dated" : "operand");
}

/** Records a value that is used as text. */
function readText(expression: Expression, reader: UseReader): void {
  if (expression.kind === "path") reader.use(expression, "ordered").facts.isWord = true;
  else readValue(expression, reader, "ordered");
}

/** Records a value that must be a whole number. */
function readWhole(expression: Expression, reader: UseReader): void {
  if (expression.kind === "path") reader.use(expression, "whole");
  else readNumber(expression, false, reader);
}

/** Whether an argument of a function on texts is a number of characters, or the position of one. */
function isCount(name: FunctionName, index: number): boolean {
  if (name === "$substring") return index > 0;
  return index === 1 && (name === "$padStart" || name === "$padEnd");
}

const OF_ANY_TEXT: ReadonlySet<FunctionName> = new Set([
  ...(["$concat", "$fromUnix", "$toDate", "$toNumber"] as const),
]);

function takesTexts(name: FunctionName): boolean {
  return FUNCTIONS[name].of === "text" || OF_ANY_TEXT.has(name);
}

/** Records what a function uses that computes one value from all elements of a list, or measures or rounds a value. */
function readAggregate(
  name: FunctionName,
  first: Expression,
  others: readonly Expression[],
  reader: UseReader,
): void {
  if (OF_WHOLE.has(name)) readWhole(first, reader);
  else if (FUNCTIONS[name].of === "number") readNumber(first, false, reader);
  else if (first.kind !== "path") readValue(first, reader, ELEMENTS[name] ?? "number");
  else if (name === "$length") reader.use(first, "measured");
  else reader.aggregate(first, AGGREGATES[name] ?? "aggregated");
  for (const [at, other] of others.entries()) {
    if (other.kind !== "path") readValue(other, reader);
    else if (name === "$round" && at === 0) reader.use(other, "places");
    else if (OF_WHOLE.has(name)) readWhole(other, reader);
    else reader.use(other, "separator").facts.sample ??= SAMPLES[name] ?? null;
  }
}

/** Functions on whole numbers. */
const OF_WHOLE: ReadonlySet<FunctionName> = new Set(["$range", "$letter", "$roman"]);

/** How a function uses the values of a list that is not a path. Default: as numbers. */
const ELEMENTS: Readonly<Record<string, Use | undefined>> = {
  $count: "counted",
  $join: "joined",
  $length: "measured",
};

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

/** Reads the expressions within lists. */
export const READING: Reading = {
  value: readValue,
  number: readNumber,
  condition: readCondition,
};
