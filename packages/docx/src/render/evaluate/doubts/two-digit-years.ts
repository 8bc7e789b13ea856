import type { CallExpression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { placeOf } from "../context/pointers.ts";

/** A year with two digits that is more than this number of years in the future is probably one before 2000. */
const FAR_YEARS = 20;

/** Records `born.toDate("dd.MM.yy")` with a date far in the future. `date`: the result in ISO 8601. */
export function noteTwoDigitYear(call: CallExpression, date: unknown, env: Evaluation): void {
  const [of, pattern] = call.arguments;
  if (of === undefined || pattern?.kind !== "literal" || env.now === null) return;
  if (!/^[^y]*yy[^y]*$/i.test(String(pattern.value))) return;
  if (yearOf(date) <= yearOf(env.now) + FAR_YEARS) return;
  const read = spellExpression(call);
  const place = placeOf(of, env);
  env.doubts.push({
    code: "doubtful_date",
    message: (tag) =>
      `In the tag ${tag}, 'yy' is a year from 2000 to 2099, and a date is more than ${FAR_YEARS} years in the future.`,
    hint: `For a year from 1900 to 1999 write ${read}.addYears(-100). If dates of both centuries occur and none is in the future, write $if(${read} > $today, ${read}.addYears(-100), ${read}).`,
    pointers: place === undefined ? [] : [place],
    isMissing: false,
    unlessWritten: "addYears(-100)",
  });
}

function yearOf(date: unknown): number {
  return date instanceof Date ? date.getUTCFullYear() : Number(/^\d{4}/.exec(String(date))?.[0]);
}
