import { toDecimal } from "../../../format/decimal.ts";
import { withTags } from "../../../language/delimiters/wording.ts";
import type { CallExpression, Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { TextOp } from "../../../program/tag-ops.ts";
import { MANY_DECIMALS } from "../../../template/mistakes/meaning/many-decimals.ts";
import { argumentOf, hasModifier } from "../../../values/modifiers.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";

/** The least number that is probably a percentage already: 19 for 19%. */
const LEAST_PERCENTAGE = 5;

/**
 * Returns the modifier that multiplies a number by 100: `percent`, or `number` with a percent sign; or null. Another
 * warning reports a percentage in the place of the decimals.
 */
export function percentIn(modifiers: TextOp["modifiers"]): string | null {
  if (hasModifier(modifiers, "percent")) {
    return Number(argumentOf(modifiers, "percent") ?? 0) < MANY_DECIMALS ? "percent" : null;
  }
  const pattern = argumentOf(modifiers, "number") ?? "";
  return multiplies(pattern) ? `number(${JSON.stringify(pattern)})` : null;
}

/** Warns about `percent` for a number of the data such as 19, which prints 1,900%. */
export function notePercentage(
  { origin, expression }: Pick<TextOp, "origin" | "expression">,
  value: unknown,
  modifier: string,
  diagnostics: Diagnostics,
): void {
  const number = Number(toDecimal(value)?.toString() ?? Number.NaN);
  if (!(Math.abs(number) >= LEAST_PERCENTAGE) || !isFromData(expression)) return;
  const name = spellExpression(expression);
  const quotient = spellExpression(hundredth(expression));
  const shown = Number(number.toFixed(2));
  diagnostics.warn(
    origin,
    "doubtful_sign",
    `The tag ${origin.text} multiplies its value by 100, so ${shown} is printed as ${Number((shown * 100).toFixed(0))}%.`,
    undefined,
    () =>
      withTags`If the value is a percentage already, write {{${name}}}% or {{${quotient} :: ${modifier}}}.`,
  );
}

/** Returns the doubt about `vatRate.percent()` for 19, which prints 1,900%; or null. */
export function percentageDoubt(
  call: CallExpression,
  value: unknown,
): readonly [code: string, message: string, hint: string] | null {
  const [of, given] = call.arguments;
  const pattern = given?.kind === "literal" ? String(given.value) : "";
  const places = given?.kind === "number" ? Number(given.text) : 0;
  const isPercent = call.name === "$percent" ? places < MANY_DECIMALS : multiplies(pattern);
  const number = Number(toDecimal(value)?.toString() ?? Number.NaN);
  if (of === undefined || !isPercent || !(Math.abs(number) >= LEAST_PERCENTAGE)) return null;
  if (!isFromData(of)) return null;
  const name = spellExpression(of);
  const meant = spellExpression({
    ...call,
    arguments: [hundredth(of), ...call.arguments.slice(1)],
  });
  return [
    "doubtful_sign",
    `'${call.name.slice(1)}' multiplies '${name}' by 100, so 19 is 1,900%`,
    `If the value is a percentage already, write ${meant}.`,
  ];
}

function hundredth(expression: Expression): Expression {
  const hundred = { kind: "number", text: "100" } as const;
  return { kind: "compute", operator: "/", left: expression, right: hundred };
}

/** Whether a pattern for numbers has a percent sign. Text in quotes is printed as it is. */
function multiplies(pattern: string): boolean {
  return pattern.replace(/"[^"]*"|\\.|'[^']*'/g, "").includes("%");
}

/** Whether a value is one of the data, or an average, minimum or maximum of such values. A computation may be any number. */
function isFromData(expression: Expression): boolean {
  switch (expression.kind) {
    case "path":
    case "element":
      return true;
    case "member":
      return expression.of.kind !== "call" || /^\$(?:first|last)$/.test(expression.of.name);
    case "fallback":
      return isFromData(expression.left);
    case "call": {
      const [, first, second] = expression.arguments;
      if (expression.name === "$if")
        return [first, second].some((each) => each !== undefined && isFromData(each));
      const isOfItems = /^\$(?:average|min|max)$/.test(expression.name);
      return isOfItems && (first === undefined || first.kind === "path");
    }
    default:
      return false;
  }
}
