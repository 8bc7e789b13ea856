import { kindOf, printValue } from "../../../format/print.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import type { ModifierArgument, ModifierCall } from "../../../language/modifiers.ts";
import { argumentProblem } from "../../../values/arguments/modifier-arguments.ts";
import { formatValue } from "../../../values/modifiers.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";
import type { Evaluation } from "../context/evaluation.ts";

/** The functions that format a value as the modifiers of the same names do. */
const FORMATTERS: Readonly<Partial<Record<FunctionName, ModifierCall["name"]>>> = {
  $format: "format",
  $number: "number",
  $currency: "currency",
  $percent: "percent",
};

/** Number of steps to format a value. */
const STEPS = 8;

/** Returns the function that formats a value as text; null for other functions. */
export function formatterOf(
  name: FunctionName,
): ((of: unknown, given: readonly unknown[], env: Evaluation) => string) | null {
  const modifier = FORMATTERS[name];
  if (modifier === undefined) return null;
  return (of, given, { locale, timeZone, spend }) => {
    spend(STEPS, "texts");
    const call = {
      name: modifier,
      arguments: given.map((each, index) => argumentIn(each, index, modifier)),
    };
    const printed = formatValue(of, [call], { locale, timeZone });
    if (printed.problem === undefined) return printed.text;
    throw Object.assign(new EvaluationError(`${name} got a value that ${printed.problem}`), {
      argument: 0,
    });
  };
}

/** Converts a value to an argument of a modifier. Throws {@link EvaluationError} if the modifier does not accept it. */
function argumentIn(value: unknown, index: number, name: ModifierCall["name"]): ModifierArgument {
  const { text } = printValue(value);
  const isText = typeof value === "string";
  const argument: ModifierArgument = { kind: isText ? "string" : "number", value: text ?? "" };
  const fits = isText || kindOf(value) === "number";
  const why = fits
    ? argumentProblem(name, index, argument)
    : `is ${withArticle(value)}, not text or a number`;
  if (why === null) return argument;
  const isNumber = name === "format" && isText && /^[#0.,]+$/.test(value);
  throw Object.assign(
    new EvaluationError(`the argument of '${name}' ${why}`),
    { argument: index + 1 },
    isNumber && { hint: `For a number write number("${value}").` },
  );
}
