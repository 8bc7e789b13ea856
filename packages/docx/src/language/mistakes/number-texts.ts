import { decimalText, divide, toDecimal } from "../../format/decimal.ts";
import type { DecimalSign } from "../../format/parse-number.ts";
import { signOfNumber } from "../../format/text-forms.ts";

/**
 * Returns what to write in place of text that is not a number. `name`: the value as the tag names it; null for a
 * computed value.
 */
export function numberMeant(text: string, name: string | null): string {
  const value = name ?? "price";
  const write = name === null ? "Write, for example," : "Write";
  const spelled = text.trim();
  if (spelled === "") {
    return `It is empty: write what counts in its place, as in $if(${value} == "", 0, ${value}), or leave it out of the data.`;
  }
  if (/^[-+]?\d{1,3}(?:,\d{3})+$/.test(spelled)) {
    return `Its comma may be between thousands or before decimals. ${write} ${value}.toNumber(".") if it is between thousands, and ${value}.toNumber(",") if not.`;
  }
  const sign = signOfNumber(spelled);
  if (sign !== null) {
    return `It is written ${formOf(spelled, sign)}. ${write} ${value}.toNumber("${sign}").`;
  }
  if (/^\d{1,4}:[0-5]\d$/.test(spelled)) {
    const hours = `${value}.split(":")[0] + ${value}.split(":")[1] / 60`;
    return `It has hours and minutes: give a number of hours such as 1.5. ${write} (${hours}).`;
  }
  if (!/\d/.test(spelled)) return "Put a number into the data in its place.";
  const alone = name === null ? null : withoutUnit(text, name);
  const give =
    "Put a number such as 1234.5 into the data: with a decimal point, without other separators, units and currencies.";
  return alone === null
    ? give
    : `${give} To remove them in the tag, write ${alone} in place of ${name}.`;
}

/** Returns the form of a number that is text: the end of the sentence "It is written …". */
function formOf(text: string, sign: DecimalSign): string {
  if (sign === "," && text.includes(",")) return "with a decimal comma";
  if (/^\(.*\)$/.test(text)) return "in parentheses in place of a minus";
  if (/^\d[\d.]*\s*[-\u2212\u2013]$/.test(text)) return "with its minus at the end";
  return /^[\u2212\u2013]\s*\d+(?:\.\d+)?$/.test(text)
    ? "with another sign than - as its minus"
    : "with signs that numbers do not have";
}

/** Matches a number with text before or after it. */
const WITH_UNIT = /^([^\d+-]*)([-+]?\d(?:[\d.,']*\d)?)(\D*)$/u;
/** Units that messages show. Other text may be a person's data, which no message shows. */
const UNIT =
  /^(?:(?:work(?:ing)? ?|business ?)?days?|tage?|weeks?|months?|years?|hours?|minutes?|min|h|[kmµ]?g|t|[kcm]?m[²³]?|[cm]?l|kwh|pcs|pieces|eur|euros?|usd|gbp|chf|[%°]|°[cf])$/i;

/** Returns the unit at the end of a number, with the space before it: ` kg` for `1.250 kg`. Null for other text. */
export function unitOf(text: string): string | null {
  const [, before = "", , after = ""] = WITH_UNIT.exec(text) ?? [];
  const isUnit = before === "" && UNIT.test(after.trim()) && !/\s$|[^\S ]/u.test(after);
  return isUnit ? after : null;
}

/** Whether a text is a number and a unit after a space or of several letters: `5 kg` and `30min`, but not the class `5h`. */
export function hasUnit(text: string): boolean {
  const unit = unitOf(text);
  return unit !== null && (unit.length > 1 || /[%°]/.test(unit));
}

/** Returns how to read a number with a unit, such as `terms.replace(" days", "")`; null for other text. */
export function withoutUnit(text: string, name: string): string | null {
  const [, before = "", number = "", after = ""] = WITH_UNIT.exec(text) ?? [];
  const unit = before === "" ? after : before;
  if (!UNIT.test(unit.trim()) || /[^\S \u00a0\u202f]/.test(unit)) return null;
  if ((before !== "" && after !== "") || /^[-+]?\d{1,3}(?:,\d{3})+$/.test(number)) return null;
  const alone = `${name}.replace("${unit}", "")`;
  if (toDecimal(number) !== null) return alone;
  const sign = signOfNumber(number);
  return sign === null ? null : `${alone}.toNumber("${sign}")`;
}

/** Returns the fraction for a number of percent: 0.1 for 10; null for other text. */
export function fractionOf(percent: string): string | null {
  const [number, hundred] = [toDecimal(percent), toDecimal("100")];
  return number === null || hundred === null ? null : decimalText(divide(number, hundred));
}

/** Whether a text is a percentage, such as `10%`. */
export function isPercentage(text: string): boolean {
  return /^\s*[-+]?\d+(?:[.,]\d+)?\s*%\s*$/.test(text);
}

/**
 * Returns what to write in place of a percentage as text, such as the `discount` in `total - discount`. `name`: the
 * value as the tag names it. `operator`, `left` and `right`: the computation as written. Null for computed values.
 */
export function percentageMeant(
  name: string | null,
  operator: string,
  left: string | null,
  right: string | null,
): string {
  const give = `${name === null ? "It" : `'${name}'`} is a percentage: give it as a number, such as 0.1 for 10%`;
  // `1 - discount` is right for the number.
  if ((operator !== "+" && operator !== "-") || left === "1") return `${give}.`;
  return name === null || left === null || right !== name
    ? `${give}, and multiply with it.`
    : `${give}, and write ${left} * (1 ${operator} ${name}).`;
}
