import type { CallExpression } from "../../../language/grammar/expression.ts";
import { written } from "../../../language/literal-conditions.ts";
import { EvaluationError } from "../compare/compare.ts";

const TIME = /^\s*\d{1,2}:\d\d(?::\d\d)?\s*$/;

/** Whether a value is a time without a date, such as `09:00`. */
export function isTimeOfDay(value: unknown): value is string {
  return typeof value === "string" && TIME.test(value);
}

/** Adds to an error about a date how to compute with times of one day, if all values are such times. */
export function hintForTimes(
  error: unknown,
  { name, arguments: given }: CallExpression,
  values: readonly unknown[],
): void {
  const isMeant = /^\$(?:hoursUntil|minutesUntil|hour|minute)$/.test(name);
  if (!(error instanceof EvaluationError) || !isMeant) return;
  if (values.length === 0 || !values.every(isTimeOfDay)) return;
  // A date in ISO 8601 has two digits for the hour.
  const isPadded = values.every((value) => /^\s*\d\d:/.test(String(value)));
  const dated = given.map((each, index) => {
    const text = written(each) ?? (index === 0 ? "start" : "end");
    return `$concat($today, "T", ${isPadded ? text : `${text}.padStart(5, "0")`})`;
  });
  const [from = "", to] = dated;
  const call =
    to === undefined
      ? `${from}.${name.slice(1)}()`
      : `${from}.minutesUntil(${to})${name === "$hoursUntil" ? " / 60" : ""}`;
  error.hint = `For ${to === undefined ? "a time" : "times of one day"} write ${call}.`;
}
