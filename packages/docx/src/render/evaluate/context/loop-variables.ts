import { isoText } from "../../../format/date-arithmetic.ts";
import { readDate } from "../../../format/read-date.ts";
import type { Expression } from "../../../language/grammar/expression.ts";
import { EvaluationError } from "../compare/compare.ts";
import type { Evaluation } from "./evaluation.ts";
import { type Environment, turnIn, turnNamed } from "./scope.ts";

/** Returns the position in a loop. Throws {@link EvaluationError} for a name that is not the item of a loop. */
export function loopVariable(
  { name, of }: Extract<Expression, { kind: "variable" }>,
  { scope }: Environment,
): unknown {
  const turn = of === null ? turnIn(scope) : turnNamed(of, scope);
  if (of !== null && turn === null) throw noLoop(of, name);
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

function noLoop(of: string, name: string): EvaluationError {
  const error = new EvaluationError(`'${of}' is not the item of a loop here`);
  error.hint = `Write the name of an item of a loop. For a key of the data write ${of}["${name}"].`;
  return error;
}

/**
 * Returns the date of the job, or its date and time, in the time zone of the batch. Throws {@link EvaluationError} if it
 * is not known.
 */
export function moment(name: "$today" | "$now", { now, timeZone }: Evaluation): string {
  const date = readDate(now, null, timeZone);
  if ("problem" in date) {
    const error = new EvaluationError(`the date of the document is not known`);
    error.hint = "Give the option 'now' when you render the template, such as 2026-11-20.";
    throw error;
  }
  return isoText(name === "$today" ? { ...date, time: null } : date);
}
