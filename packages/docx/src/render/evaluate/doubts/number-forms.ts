import { toDecimal } from "../../../format/decimal.ts";
import { parseNumber } from "../../../format/parse-number.ts";
import { allOf, type Expression } from "../../../language/grammar/expression.ts";
import { numberMeant } from "../../../language/mistakes/number-texts.ts";

/** Returns how to read the text of one side of a comparison as a number; null if it is not a path. */
export function hintForFigures(
  sides: readonly Expression[],
  values: readonly unknown[],
): string | null {
  const at = values.findIndex((value) => typeof value === "string");
  const [side, other, text] = [sides[at], sides[1 - at], values[at]];
  if (side?.kind !== "path" || typeof text !== "string") return null;
  const sign = other === undefined ? null : signReadIn(other);
  return sign !== null && parseNumber(text, sign) !== null
    ? `For the number write ${side.source}.toNumber("${sign}") in place of ${side.source}.`
    : `'${side.source}' is text. ${numberMeant(text, side.source)}`;
}

/** Returns the sign before decimals with which an expression reads texts as numbers; null for others. */
function signReadIn(expression: Expression): "," | "." | null {
  for (const each of allOf(expression)) {
    const [, sign] = each.kind === "call" && each.name === "$toNumber" ? each.arguments : [];
    if (sign?.kind === "literal" && (sign.value === "," || sign.value === ".")) return sign.value;
  }
  return null;
}

/** Returns how to read a text of the data that is ordered with a number; null for other values. */
export function hintForLimit(left: Expression, text: unknown, limit: unknown): string | null {
  if (left.kind !== "path" || typeof text !== "string" || toDecimal(limit) === null) return null;
  const isNumber = /^\s*[-+]?\d/.test(text) && !/^\d{4}-\d\d/.test(text);
  return isNumber ? `'${left.source}' is text. ${numberMeant(text, left.source)}` : null;
}
