import { toDecimal } from "../../../format/decimal.ts";
import { readDate, utcTime } from "../../../format/read-date.ts";
import {
  allOf,
  type CallExpression,
  type Expression,
} from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { EvaluationError } from "../compare/compare.ts";
import type { Evaluation } from "../context/evaluation.ts";

type Evaluate = (expression: Expression) => unknown;
const WHOLE = "'hoursUntil' gives whole hours.";

type Compute = Extract<Expression, { kind: "compute" }>;

/** Records `start.hoursUntil(end) * rate` for a time that is not a whole number of hours. */
export function noteWholeHours(
  { operator, left, right }: Compute,
  env: Evaluation,
  evaluated: Evaluate,
): void {
  if (operator !== "*" && operator !== "/") return;
  // The number of days needs no parts of hours.
  if (operator === "/" && right.kind === "number" && right.text === "24") return;
  const call = [left, right].find(isOfHours);
  if (call === undefined || isWhole(call, env, evaluated)) return;
  const minutes = `${spellExpression({ ...call, name: "$minutesUntil" })} / 60`;
  env.doubts.push({
    code: "doubtful_computation",
    message: (tag) =>
      `The tag ${tag} computes with whole hours, although the time has minutes, too.`,
    hint: `${WHOLE} For parts of hours write ${call === left ? minutes : `(${minutes})`}.`,
    pointers: [],
    isMissing: false,
  });
}

function isOfHours(expression: Expression): expression is CallExpression {
  return expression.kind === "call" && expression.name === "$hoursUntil";
}

function isWhole(
  { arguments: given }: CallExpression,
  { timeZone }: Evaluation,
  evaluated: Evaluate,
): boolean {
  const [from, to] = given.map((each) => readDate(evaluated(each), null, timeZone));
  if (from === undefined || to === undefined || "problem" in from || "problem" in to) return true;
  return Math.trunc((utcTime(to) - utcTime(from)) / 60_000) % 60 === 0;
}

/** Records `start.hoursUntil(end) > 8` for 8 hours and some minutes, which is false. */
export function noteHoursCompared(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  [one, other]: readonly [unknown, unknown],
  env: Evaluation,
  evaluated: Evaluate,
): void {
  const isLeft = isOfHours(left);
  const hours = isLeft ? left : right;
  if (!isOfHours(hours) || !(isLeft ? /^(?:>|<=)$/ : /^(?:<|>=)$/).test(operator)) return;
  const number = toDecimal(one)?.toString();
  if (number === undefined || number !== toDecimal(other)?.toString() || Number(number) < 0) return;
  if (isWhole(hours, env, evaluated)) return;
  const minutes = spellExpression({ ...hours, name: "$minutesUntil" });
  env.doubts.push({
    code: "doubtful_computation",
    message: (tag) => `The tag ${tag} compares whole hours, although the time has minutes, too.`,
    hint: `${WHOLE} For parts of hours write ${minutes} / 60 in place of ${spellExpression(hours)}.`,
    pointers: [],
    isMissing: false,
  });
}

/** Number of items whose times are looked at. */
const MAX_ITEMS = 1_000;

/**
 * Records a sum or an average of whole hours whose times have minutes, too, and one in which the end of a time is before
 * its start. `values`: the values of the items. `scope`: returns what evaluates an expression for an item.
 */
export function noteTimesOfItems(
  call: CallExpression,
  values: readonly unknown[],
  scope: () => { valueOrMissing(expression: Expression, index: number): unknown },
  env: Evaluation,
): void {
  const [, item] = call.arguments;
  const times = item === undefined ? [] : allOf(item).filter(isOfTimes);
  if (item === undefined || times.length === 0) return;
  if (noteNegative(call, times, values, env)) return;
  const at = scope();
  values
    .slice(0, MAX_ITEMS)
    .some((_value, index) =>
      noteHoursOfItem(call, item, (each) => at.valueOrMissing(each, index), env),
    );
}

/** Records whole hours in a call that adds up `item`. Returns whether it did so. */
export function noteHoursOfItem(
  call: CallExpression,
  item: Expression,
  evaluated: Evaluate,
  env: Evaluation,
): boolean {
  const scaled = scaledIn(item);
  const hours = allOf(item).filter((each) => isOfHours(each) && !scaled.includes(each));
  if (!hours.some((each) => isOfHours(each) && !isWholeIfRead(each, env, evaluated))) return false;
  const minutes = (each: CallExpression): Expression => ({ ...each, name: "$minutesUntil" });
  env.doubts.push({
    code: "doubtful_computation",
    message: (tag) =>
      `The tag ${tag} computes with whole hours, although some times have minutes, too.`,
    hint: `${WHOLE} For parts of hours write ${withTimes(call, item, minutes)}.`,
    pointers: [],
    isMissing: false,
  });
  return true;
}

/** Returns the operands of the products and quotients in an expression. */
function scaledIn(expression: Expression): readonly Expression[] {
  return allOf(expression).flatMap((each) =>
    each.kind === "compute" && /[*/]/.test(each.operator) ? [each.left, each.right] : [],
  );
}

/** Like {@link isWhole}. A time in a part of the expression that was not evaluated may be missing. */
function isWholeIfRead(call: CallExpression, env: Evaluation, evaluated: Evaluate): boolean {
  const [doubts, missed] = [env.doubts.length, env.missed.length];
  try {
    return isWhole(call, env, evaluated);
  } catch (error) {
    if (error instanceof EvaluationError) return true;
    throw error;
  } finally {
    env.doubts.length = doubts;
    env.missed.length = missed;
  }
}

/** Names of the start of a time. */
const START = /^(?:start|begin|from|von|anfang|debut|début|inicio|inizio|open)/i;

/** Records an end before its start, if it is probably after midnight: less than a day before, and not for all items. */
function noteNegative(
  call: CallExpression,
  times: readonly CallExpression[],
  values: readonly unknown[],
  env: Evaluation,
): boolean {
  const [, item] = call.arguments;
  const [time, ...more] = times;
  if (item === undefined || time === undefined || more.length > 0 || !isOfOneDay(time))
    return false;
  const numbers = values.map((value) => Number(toDecimal(value)?.toString() ?? 0));
  const day = time.name === "$hoursUntil" ? 24 : 1440;
  const least = Math.min(...numbers.slice(0, MAX_ITEMS));
  const isLonger = least <= -day && !scaledIn(item).includes(time);
  if (least >= 0 || isLonger || !numbers.some((value) => value > 0)) return false;
  // The form for an end after midnight has the parts of hours, too.
  const others = env.doubts.filter(({ hint }) => !String(hint).startsWith(WHOLE));
  env.doubts.splice(0, env.doubts.length, ...others);
  const over = (each: CallExpression): Expression =>
    computed("%", computed("+", { ...each, name: "$minutesUntil" }, "1440"), "1440");
  env.doubts.push({
    code: "doubtful_computation",
    message: (tag) =>
      `In the tag ${tag}, an end is before its start, so its time counts as less than 0.`,
    hint: `If such an end is after midnight, write ${withTimes(call, item, over)}. Otherwise correct the data.`,
    pointers: [],
    isMissing: false,
  });
  return true;
}

/** Whether a start and an end have the same date, or the names of a start and an end. */
function isOfOneDay({ arguments: [from, to] }: CallExpression): boolean {
  if (from?.kind === "path") return START.test(from.rest.at(-1) ?? from.head ?? "");
  if (from?.kind !== "call" || to?.kind !== "call" || from.name !== "$concat") return false;
  const [one, other] = [from.arguments[0], to.arguments[0]];
  return (
    one !== undefined && other !== undefined && spellExpression(one) === spellExpression(other)
  );
}

function isOfTimes(expression: Expression): expression is CallExpression {
  if (expression.kind !== "call") return false;
  return expression.name === "$hoursUntil" || expression.name === "$minutesUntil";
}

/** Returns a call that adds up `item` with other times in it, as written. Hours are the 60th part of `minutes`. */
function withTimes(
  call: CallExpression,
  item: Expression,
  minutes: (time: CallExpression) => Expression,
): string {
  const written = (by: Expression): string =>
    spellExpression({
      ...call,
      arguments: call.arguments.map((each) => (each === item ? by : each)),
    });
  if (isOfHours(item)) return `${written(minutes(item))} / 60`;
  return written(
    replaced(item, (each) => {
      if (!isOfTimes(each)) return null;
      return isOfHours(each) ? computed("/", minutes(each), "60") : minutes(each);
    }),
  );
}

function computed(operator: Compute["operator"], left: Expression, right: string): Expression {
  return { kind: "compute", operator, left, right: { kind: "number", text: right } };
}

/** Returns an expression with other parts in it, where `by` returns one. */
function replaced(expression: Expression, by: (part: Expression) => Expression | null): Expression {
  const own = by(expression);
  if (own !== null) return own;
  switch (expression.kind) {
    case "compute":
    case "fallback":
    case "compare":
      return {
        ...expression,
        left: replaced(expression.left, by),
        right: replaced(expression.right, by),
      };
    case "call":
      return { ...expression, arguments: expression.arguments.map((each) => replaced(each, by)) };
    default:
      return expression;
  }
}
