import { readDate, utcTime } from "../../../format/read-date.ts";
import type { CallExpression, Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";

type Compute = Extract<Expression, { kind: "compute" }>;

/** Records `start.hoursUntil(end) * rate` for a time that is not a whole number of hours. */
export function noteWholeHours(
  { operator, left, right }: Compute,
  env: Evaluation,
  evaluated: (expression: Expression) => unknown,
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
    hint: `'hoursUntil' gives whole hours. For parts of hours write ${call === left ? minutes : `(${minutes})`}.`,
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
  evaluated: (expression: Expression) => unknown,
): boolean {
  const [from, to] = given.map((each) => readDate(evaluated(each), null, timeZone));
  if (from === undefined || to === undefined || "problem" in from || "problem" in to) return true;
  return Math.trunc((utcTime(to) - utcTime(from)) / 60_000) % 60 === 0;
}
