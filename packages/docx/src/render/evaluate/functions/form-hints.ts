import { dateMeant, patternOfDate } from "../../../format/text-forms.ts";
import type { CallExpression } from "../../../language/grammar/expression.ts";
import { FUNCTIONS, type FunctionName } from "../../../language/grammar/functions.ts";
import { spellExpression, spellOperand } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";
import { numberMeant } from "../../../language/mistakes/number-texts.ts";
import { EvaluationError } from "../compare/compare.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, resolve } from "../context/scope.ts";
import { givesNumber } from "./dates.ts";
import { ENGLISH_MONTH } from "./parsed.ts";

/**
 * Adds to an error of a function its hint with the value of the tag, or how to read a date that is text in another form,
 * or how to call the function on each item of a list.
 */
export function hintForForms(
  error: unknown,
  call: CallExpression,
  values: readonly unknown[],
  env: Evaluation,
): void {
  const { locale, scope } = env;
  if (!(error instanceof EvaluationError) || error.hint !== undefined) return;
  const { argument = 0, hintOf } = error;
  const [of] = call.arguments;
  const wrong = call.arguments[argument];
  if (hintOf !== undefined && of !== undefined && wrong !== undefined) {
    error.hint = hintOf(spellOperand(wrong), spellOperand(of));
    return;
  }
  const value = values[argument];
  const hint =
    value === ""
      ? forEmptyDate(call, argument, scope?.siblings !== undefined)
      : typeof value === "string"
        ? forDate(call, argument, value, locale)
        : forList(call, value, env);
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
  if (meant === null) return null;
  const isEnglish = patternOfDate(value, locale) === null;
  return `For text in this form write ${meant}.${isEnglish ? ` ${ENGLISH_MONTH}` : ""}`;
}

/** Empty text in place of a date. `isInItem`: a function on a list evaluates the call for each item. */
function forEmptyDate(call: CallExpression, argument: number, isInItem: boolean): string | null {
  const given = call.arguments[argument];
  if (given?.kind !== "path" || FUNCTIONS[call.name].of !== "date") return null;
  if (argument > 0 && !call.name.endsWith("Until")) return null;
  const other = isInItem && givesNumber(call.name) ? "0" : '""';
  const instead = `$if(${given.source}, ${spellExpression(call)}, ${other})`;
  return isInItem
    ? `To leave out the items with an empty text, write .where(${given.source}) after the list. To keep them, write what counts in its place: ${instead}.`
    : `Test it before the whole computation, as in ${instead}.`;
}

/** `orders.date.year()`: a function on one value, called on a list. */
function forList(
  { name, arguments: [of, ...given] }: CallExpression,
  value: unknown,
  env: Evaluation,
): string | null {
  if (!Array.isArray(value) || !OF_VALUES.has(FUNCTIONS[name].of) || of === undefined) return null;
  const others = given.map(written);
  if (others.includes(null)) return null;
  const call = `${name.slice(1)}(${others.join(", ")})`;
  if (of.kind !== "path") return `For each element write ${spellOperand(of)}.map(this.${call}).`;
  const { source } = of;
  const [, list, key = ""] = /^(.+)\.([\p{L}\p{N}_]+)$/u.exec(source) ?? [];
  const items = resolve({ ...of, rest: of.rest.slice(0, -1) }, env);
  if (list === undefined || !Array.isArray(items))
    return `For each element write ${source}.map(this.${call}), and for one of them ${source}[0].${call}.`;
  return items.some((item) => hasOwn(item, key) && Array.isArray(item[key]))
    ? `For each element write ${source}.map(this.${call}), and in a loop the name of its item, as in i.${key}.map(this.${call}).`
    : `For each item write ${list}.map(${key}.${call}), and in a loop the name of its item, as in i.${key}.${call}.`;
}

const OF_VALUES: ReadonlySet<(typeof FUNCTIONS)[FunctionName]["of"]> = new Set([
  ...(["text", "number", "date", "value"] as const),
]);
