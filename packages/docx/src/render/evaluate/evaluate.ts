import {
  add,
  type Decimal,
  DivisionByZeroError,
  decimalText,
  divide,
  multiply,
  negate,
  remainder,
  subtract,
  toDecimal,
} from "../../format/decimal.ts";
import { kindOf } from "../../format/print.ts";
import type { Expression, Operator, PathExpression } from "../../language/grammar/expression.ts";
import { spellExpression } from "../../language/grammar/spell.ts";
import { written } from "../../language/literal-conditions.ts";
import { hasNothing, noteMarkupCompared } from "./blank-texts.ts";
import { compare, EvaluationError, isTruthy, withArticle } from "./compare/compare.ts";
import { hintForOperand, hintForZero, isDate } from "./computation-hints.ts";
import type { Evaluation, Evaluator } from "./context/evaluation.ts";
import { loopVariable, moment } from "./context/loop-variables.ts";
import { chosenList } from "./context/origins.ts";
import { placed } from "./context/placed.ts";
import { along, hasOwn, resolve, step } from "./context/scope.ts";
import { doubtfulName } from "./context/section-keys.ts";
import { comparisonSteps, computationSteps, EXPRESSION_STEPS } from "./context/weights.ts";
import { hintForOrder, noteDoubt } from "./doubts/comparisons.ts";
import { hintForUnclear } from "./doubts/date-comparisons.ts";
import { noteRate, noteRunningProduct } from "./doubts/rates.ts";
import { noteTextNumber } from "./doubts/text-numbers.ts";
import { noteUnequal } from "./doubts/unequal.ts";
import { noteHoursCompared, noteWholeHours } from "./doubts/whole-hours.ts";
import {
  isGiven,
  noteName,
  noteNumber,
  notePosition,
  noteTruth,
  settleComparisons,
} from "./doubts.ts";
import { hintForObjectBy } from "./hints/item-by-key.ts";

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
      return loopVariable(expression, env);
    case "moment":
      return moment(expression.name, env);
    case "not":
      return !holds(expression.operand, env, "negated");
    case "and":
      return holds(expression.left, env) && holds(expression.right, env);
    case "or":
      return either(expression, env);
    case "isPresent":
      return isGiven(expression.operand, evaluate(expression.operand, env), env);
    case "isEmpty":
      return hasNothing(expression.operand, evaluate(expression.operand, env), env);
    case "compare":
      return comparison(expression, env);
    case "negate": {
      const operand = operandOf(expression.operand, expression, env);
      return operand === undefined ? undefined : negate(operand);
    }
    case "compute": {
      const left = operandOf(expression.left, expression, env);
      const right = operandOf(expression.right, expression, env);
      if (left === undefined || right === undefined) return undefined;
      noteRate(expression, env);
      noteRunningProduct(expression, env);
      noteWholeHours(expression, env, (operand) => evaluate(operand, env));
      env.spend(computationSteps(left, right));
      try {
        return compute(expression.operator, left, right);
      } catch (error) {
        // The divisor is zero. For a result with too many digits, either side could be reported.
        const hint = error instanceof DivisionByZeroError ? hintForZero(expression) : null;
        const thrown = placed(error, expression.right, env);
        if (hint !== null && thrown instanceof EvaluationError) thrown.hint ??= hint;
        throw thrown;
      }
    }
    case "call":
      return noted(env.call(expression, env, EVALUATOR), env);
    case "member": {
      const from = evaluate(expression.of, env);
      // Only the elements that lack the keys count.
      env.gaps.count = 0;
      return noted(along(expression.keys, from, env) ?? undefined, env);
    }
    case "element":
      return noted(elementOf(expression, env), env);
    case "fallback":
      return withFallback(expression, env);
    case "list":
      return expression.items.map((item) => evaluate(item, env));
  }
}

/** Returns the value in place of a missing one. */
function otherValue(expression: Expression, env: Evaluation): unknown {
  const value = evaluate(expression, env);
  if (!Array.isArray(value) || expression.kind !== "path") return value;
  env.spend(value.length);
  return chosenList(value, expression, env.scope);
}

function withFallback(
  { left, right }: Extract<Expression, { kind: "fallback" }>,
  env: Evaluation,
): unknown {
  const value = valueOrMissing(left, env) ?? otherValue(right, env);
  if (value === undefined && left.kind === "path") env.missed.push(left);
  return value;
}

/** Returns the value of the first side of a fallback. A look-up with a missing value has no result. */
function valueOrMissing(expression: Expression, env: Evaluation): unknown {
  try {
    return evaluate(expression, env);
  } catch (error) {
    if (error instanceof EvaluationError && error.isMissing === true) return undefined;
    throw error;
  }
}

/** Records that a value is missing. */
function noted(value: unknown, env: Evaluation): unknown {
  if (value === undefined) env.absent = true;
  return value;
}

/** What functions evaluate their arguments with. */
const EVALUATOR: Evaluator = { evaluate, holds };

/** Returns the value at a path. Records that the value is missing, or that the author may mean another value. */
export function lookUp(path: PathExpression, env: Evaluation): unknown {
  const value = resolve(path, env);
  const doubtful = value === undefined || env.scope === null ? null : doubtfulName(path, env);
  const isOfOthers = doubtful !== null && !doubtful.isHidden && doubtful.section.siblings;
  if (value === undefined || isOfOthers) {
    env.absent = true;
    return undefined;
  }
  if (doubtful !== null) noteName(path, doubtful, env);
  return value;
}

/** Evaluates `or`. If the second side is true, doubts about a comparison on the first one do not matter. */
function either(
  { left, right }: { readonly left: Expression; readonly right: Expression },
  env: Evaluation,
): boolean {
  const before = env.doubts.length;
  if (holds(left, env)) return true;
  const after = env.doubts.length;
  if (!holds(right, env)) return false;
  if (after > before) settleComparisons(env, before, after);
  return true;
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
  noteMarkupCompared(expression, one, env);
  noteUnequal(expression, one, other, env);
  noteHoursCompared(expression, [one, other], env, (operand) => evaluate(operand, env));
  noteDoubt(expression, one, other, env);
  try {
    return compare(operator, one, other, env.timeZone);
  } catch (error) {
    const hint =
      hintForUnclear(expression, [one, other]) ?? hintForOrder(expression, [one, other], env);
    if (error instanceof EvaluationError && hint !== null) error.hint = hint;
    const isPlain = ["text", "number"].includes(kindOf(one));
    throw placed(error, isPlain && right.kind === "path" ? right : left, env);
  }
}

/** Returns the element or the key of a value that another value names. */
function elementOf(expression: Extract<Expression, { kind: "element" }>, env: Evaluation): unknown {
  const { of, key } = expression;
  const value = evaluate(of, env);
  const by = evaluate(key, env);
  if (
    Array.isArray(value) &&
    by === undefined &&
    key.kind === "path" &&
    hasOwn(value[0], key.source)
  ) {
    const error = new EvaluationError(`'${key.source}' in brackets is a key of the items`);
    error.hint = `To select items, write a condition: where(${key.source}).`;
    throw placed(error, of, env);
  }
  if (value === undefined || by === undefined) {
    const missing = value === undefined ? of : key;
    if (missing.kind === "path") env.missed.push(missing);
    return undefined;
  }
  const number = typeof by === "string" ? null : toDecimal(by);
  if (typeof by !== "string" && number === null) {
    const error = new EvaluationError(
      `${withArticle(by)} in brackets cannot name an element or a key`,
    );
    error.hint =
      typeof by === "boolean"
        ? "To select elements, write a condition, as in [paid == true]."
        : (hintForObjectBy(expression, value, by, env) ?? "Give a number or text.");
    throw placed(error, key, env);
  }
  const name = number === null ? String(by) : decimalText(number);
  const found = step(value, name, env) ?? undefined;
  if (number !== null && key.kind === "path" && Array.isArray(value)) {
    notePosition(key, name, value, found, env);
  }
  if (key.kind === "variable" && Array.isArray(value) && found !== undefined)
    noteNumber(key, of, value, env);
  return found;
}

/** Evaluates an operand of a computation. If the operand is missing, records this and returns undefined. */
function operandOf(
  expression: Expression,
  computation: Expression,
  env: Evaluation,
): Decimal | undefined {
  const value = evaluate(expression, env);
  if (value === undefined) {
    if (expression.kind === "path") env.missed.push(expression);
    return undefined;
  }
  const number = toDecimal(value);
  if (number !== null) {
    noteTextNumber(expression, value, env);
    return number;
  }
  const name = written(expression);
  const first = expression.kind === "fallback" ? expression.left : null;
  const replaced = first?.kind === "path" && evaluate(first, env) === value ? first : null;
  const named = name ?? replaced?.source ?? null;
  const what = named === null ? "one side is " : `'${named}' is `;
  const { timeZone } = env;
  const isText = typeof value === "string" && !isDate(value, timeZone);
  const kind = typeof value === "string" ? "a date" : withArticle(value);
  const why = isText ? "text that is not a number" : `${kind}, not a number`;
  const error = new EvaluationError(what + why);
  const evaluated = (operand: Expression): unknown => evaluate(operand, env);
  const hint = hintForOperand({
    ...{ computation, value, operand: name, spelled: spellExpression(expression) },
    replaced,
    ...{ timeZone, evaluated, isInCall: env.scope?.siblings !== undefined },
  });
  if (hint !== null) error.hint = hint;
  throw placed(error, expression, env);
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

/** Whether a condition holds: its value exists and is not false, 0, NaN, an empty string or an empty list. */
export function holds(
  condition: Expression,
  env: Evaluation,
  use: "condition" | "negated" = "condition",
): boolean {
  const value = evaluate(condition, env);
  noteTruth(condition, value, env, use);
  return isTruthy(value);
}
