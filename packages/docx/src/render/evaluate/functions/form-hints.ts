import { dateMeant } from "../../../format/text-forms.ts";
import type { CallExpression } from "../../../language/grammar/expression.ts";
import { FUNCTIONS, type FunctionName } from "../../../language/grammar/functions.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";
import { numberMeant } from "../../../language/mistakes/number-texts.ts";
import { EvaluationError } from "../compare/compare.ts";

/**
 * Adds to an error of a function its hint with the value of the tag, or how to read a date that is text in another form,
 * or how to call the function on each item of a list.
 */
export function hintForForms(
  error: unknown,
  call: CallExpression,
  values: readonly unknown[],
  { locale }: { readonly locale: string },
): void {
  if (!(error instanceof EvaluationError) || error.hint !== undefined) return;
  const { argument = 0, hintOf } = error;
  const [of] = call.arguments;
  if (hintOf !== undefined && of !== undefined) {
    error.hint = hintOf(spellExpression(of));
    return;
  }
  const value = values[argument];
  const hint =
    typeof value === "string" ? forDate(call, argument, value, locale) : forList(call, value);
  if (hint !== null) error.hint = hint;
}

function forDate(
  { name, arguments: given }: CallExpression,
  argument: number,
  value: string,
  locale: string,
): string | null {
  const argumentGiven = given[argument];
  if (argumentGiven === undefined) return null;
  if (argument === 0 && /^\$(?:number|currency|percent)$/.test(name)) {
    return numberMeant(value, written(argumentGiven));
  }
  const takesDates = FUNCTIONS[name].of === "date" || name === "$format";
  if (!takesDates || (argument > 0 && !name.endsWith("Until"))) return null;
  const meant = dateMeant(value, written(argumentGiven) ?? "date", locale);
  return meant === null ? null : `For text in this form write ${meant}.`;
}

/** `orders.date.year()`: a function on one value, called on a list. */
function forList(
  { name, arguments: [of, ...given] }: CallExpression,
  value: unknown,
): string | null {
  if (!Array.isArray(value) || !OF_VALUES.has(FUNCTIONS[name].of) || of?.kind !== "path")
    return null;
  const [, list, key] = /^(.+)\.([\p{L}\p{N}_]+)$/u.exec(of.source) ?? [];
  const others = given.map(written);
  if (others.includes(null)) return null;
  const call = `${name.slice(1)}(${others.join(", ")})`;
  return list === undefined
    ? `For each element write ${of.source}.map(this.${call}), and for one of them ${of.source}[0].${call}.`
    : `For each item write ${list}.map(${key}.${call}), and in a loop the name of its item, as in i.${key}.${call}.`;
}

const OF_VALUES: ReadonlySet<(typeof FUNCTIONS)[FunctionName]["of"]> = new Set([
  ...(["text", "number", "date", "value"] as const),
]);
