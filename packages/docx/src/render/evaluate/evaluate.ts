import {
  add,
  type Decimal,
  DecimalRangeError,
  DivisionByZeroError,
  divide,
  isDecimal,
  isZero,
  multiply,
  negate,
  remainder,
  subtract,
  toDecimal,
} from "../../format/decimal.ts";
import { kindOf } from "../../format/print.ts";
import type {
  Expression,
  FunctionName,
  LoopVariable,
  Operator,
  PathExpression,
} from "../../language/expression.ts";
import { compare, EvaluationError, withArticle } from "./compare.ts";
import { noteDoubt } from "./doubtful-comparisons.ts";
import { noteComparison, noteGaps, noteName, noteTruth } from "./doubts.ts";
import type { Evaluation } from "./evaluation.ts";
import { callFunction } from "./functions.ts";
import { placeOf } from "./pointers.ts";
import { type Environment, isFromRoot, resolve } from "./scope.ts";
import { callSteps, comparisonSteps, computationSteps, EXPRESSION_STEPS } from "./weights.ts";

/**
 * Returns the value of an expression, or undefined if a value that it needs is missing. Throws {@link EvaluationError}.
 */
export function evaluate(expression: Expression, env: Evaluation): unknown {
  env.spend(EXPRESSION_STEPS);
  switch (expression.kind) {
    case "literal":
      return expression.value ?? undefined;
    case "number":
      return toDecimal(expression.text);
    case "path":
      return lookUp(expression, env);
    case "variable":
      return loopVariable(expression.name, env);
    case "not":
      return !holds(expression.operand, env);
    case "and":
      return holds(expression.left, env) && holds(expression.right, env);
    case "or":
      return holds(expression.left, env) || holds(expression.right, env);
    case "isPresent":
      return evaluate(expression.operand, env) !== undefined;
    case "isEmpty":
      return isEmpty(evaluate(expression.operand, env));
    case "compare":
      return comparison(expression, env);
    case "negate": {
      const operand = operandOf(expression.operand, env);
      return operand === undefined ? undefined : negate(operand);
    }
    case "compute": {
      const left = operandOf(expression.left, env);
      const right = operandOf(expression.right, env);
      if (left === undefined || right === undefined) return undefined;
      env.spend(computationSteps(left, right));
      try {
        return compute(expression.operator, left, right);
      } catch (error) {
        // The divisor is zero. For a result with too many digits, either side could be reported.
        throw placed(error, expression.right, env);
      }
    }
    case "call":
      return call(expression, env);
  }
}

/** Returns the value at a path. Records that the value is missing, or that the author may mean another value. */
export function lookUp(path: PathExpression, env: Evaluation): unknown {
  const value = resolve(path, env);
  if (value === undefined) env.absent = true;
  else if (env.scope !== null) noteName(path, env);
  return value;
}

function comparison(
  expression: Extract<Expression, { kind: "compare" }>,
  env: Evaluation,
): boolean {
  const { operator, left, right } = expression;
  const one = evaluate(left, env);
  if (Array.isArray(one)) env.spend(one.length);
  const other = evaluate(right, env);
  env.spend(comparisonSteps(operator, one, other), "texts");
  noteComparison(expression, one, other, env);
  noteDoubt(expression, one, other, env);
  try {
    return compare(operator, one, other, env.timeZone);
  } catch (error) {
    const isPlain = ["text", "number"].includes(kindOf(one));
    throw placed(error, isPlain && right.kind === "path" ? right : left, env);
  }
}

/**
 * Returns the error to throw for an error in an expression: an {@link EvaluationError} with the place of the value.
 * Also converts the errors for division by zero and for numbers with too many digits.
 */
function placed(error: unknown, expression: Expression, env: Evaluation): unknown {
  const isTooMuch = error instanceof DivisionByZeroError || error instanceof DecimalRangeError;
  const why = isTooMuch ? new EvaluationError(error.message, { cause: error }) : error;
  if (!(why instanceof EvaluationError) || why.pointer !== undefined) return why;
  const { argument = 0, element } = why;
  const wrong = expression.kind === "call" ? expression.arguments[argument] : expression;
  const place = placeOf(wrong ?? expression, env, element);
  if (place !== undefined) why.pointer = place;
  return why;
}

/** Evaluates an operand of a computation. If the operand is missing, records this and returns undefined. */
function operandOf(expression: Expression, env: Evaluation): Decimal | undefined {
  const value = evaluate(expression, env);
  if (value === undefined) {
    if (expression.kind === "path") env.missed.push(expression);
    return undefined;
  }
  const number = toDecimal(value);
  if (number !== null) return number;
  const what = expression.kind === "path" ? `'${expression.source}' is ` : "one side is ";
  const why =
    typeof value === "string" ? "text that is not a number" : `${withArticle(value)}, not a number`;
  throw placed(new EvaluationError(what + why), expression, env);
}

function compute(operator: Operator, left: Decimal, right: Decimal): Decimal {
  switch (operator) {
    case "+":
      return add(left, right);
    case "-":
      return subtract(left, right);
    case "*":
      return multiply(left, right);
    case "/":
      return divide(left, right);
    case "%":
      return remainder(left, right);
  }
}

function call(expression: Extract<Expression, { kind: "call" }>, env: Evaluation): unknown {
  const [first, ...others] = expression.arguments;
  const shared = first?.kind === "path" && isFromRoot(first, env.scope) && others.every(isConstant);
  if (shared && env.results?.has(expression)) return env.results.get(expression);
  env.gaps.count = 0;
  const list = first === undefined ? undefined : evaluate(first, env);
  if (list === undefined && first?.kind === "path") env.missed.push(first);
  if (Array.isArray(list)) env.spend(list.length);
  if (first?.kind === "path" && LEAVES_OUT.has(expression.name)) noteGaps(first, list, env);
  const values = [list, ...others.map((argument) => evaluate(argument, env))];
  env.spend(callSteps(expression.name, values), "texts");
  const result = called(expression, values, env);
  // A missing result is not shared, because missing values must be reported for each place.
  if (shared && result !== undefined) {
    env.results ??= new Map();
    env.results.set(expression, result);
  }
  return result;
}

/** Functions that skip the elements of a list that have no value. */
const LEAVES_OUT: ReadonlySet<FunctionName> = new Set([
  "$sum",
  "$average",
  "$min",
  "$max",
  "$join",
]);

function called(
  expression: Extract<Expression, { kind: "call" }>,
  values: readonly unknown[],
  env: Evaluation,
): unknown {
  try {
    return callFunction(expression.name, values);
  } catch (error) {
    throw placed(error, expression, env);
  }
}

function isConstant({ kind }: Expression): boolean {
  return kind === "literal" || kind === "number";
}

function loopVariable(name: LoopVariable, { scope }: Environment): unknown {
  let turn = scope;
  while (turn !== null && turn.index === null) turn = turn.outer;
  if (turn === null || turn.index === null) return undefined;
  switch (name) {
    case "$index":
      return turn.index;
    case "$number":
      return turn.index + 1;
    case "$first":
      return turn.index === 0;
    case "$last":
      return turn.index === turn.length - 1;
    case "$length":
      return turn.length;
  }
}

/** Whether a condition holds: its value exists and is not false, 0, NaN, an empty string or an empty list. */
export function holds(condition: Expression, env: Evaluation): boolean {
  const value = evaluate(condition, env);
  noteTruth(condition, value, env);
  return isTruthy(value);
}

/** Whether a value counts as true. */
export function isTruthy(value: unknown): boolean {
  const zero = value === 0 || value === 0n || (isDecimal(value) && isZero(value));
  const empty = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
  return value !== false && !zero && !empty && !Number.isNaN(value);
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (kindOf(value) === "object" && Object.keys(value as object).length === 0)
  );
}
