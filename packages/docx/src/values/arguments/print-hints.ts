import { toDecimal } from "../../format/decimal.ts";
import { isDatePattern, isDateStyle } from "../../format/format-date.ts";
import { kindOf } from "../../format/print.ts";
import { dateMeant, isAmbiguous, signOfNumber } from "../../format/text-forms.ts";
import { type Wording, withTags } from "../../language/delimiters/wording.ts";
import type { Expression } from "../../language/grammar/expression.ts";
import { numberMeant } from "../../language/mistakes/number-texts.ts";
import type { ModifierCall } from "../../language/modifiers.ts";
import { argumentOf, hasModifier } from "../modifiers.ts";
import { safeLink } from "../rich/link.ts";
import { otherForm } from "./date-forms.ts";

/** Returns the hint for a value that a tag cannot print; null if its message says enough. */
export function hintForPrinted(
  expression: Expression,
  modifiers: readonly ModifierCall[],
  value: unknown,
  locale: string,
): Wording | null {
  const path = expression.kind === "path" ? expression.source : null;
  if (expression.kind === "moment" && expression.name === "$today")
    return "'$today' has no time: write $now in its place.";
  if (path === null) {
    return hintForText(expression, modifiers, value) ?? hintForOtherForm(expression, value, locale);
  }
  const pattern = argumentOf(modifiers, "format");
  if (pattern !== undefined && (isDateStyle(pattern) || isDatePattern(pattern))) {
    return hintForDate(path, pattern, value) ?? hintForDateText(path, modifiers, value, locale);
  }
  if (typeof value !== "string") return null;
  if (pattern !== undefined) return hintForMask(path, pattern, value);
  if (hasModifier(modifiers, "percent") && /\d\s*%\s*$/.test(value)) {
    return withTags`The text has its sign already: write {{${path}}}, or give a number such as 0.19.`;
  }
  const sign = signOfNumber(value);
  if (/^\s*[-+]?\d{1,3}(?:,\d{3})+\s*$/.test(value)) return numberMeant(value, path);
  return sign === null
    ? null
    : withTags`For text in this form write {{${path}.toNumber("${sign}")${writtenModifiers(modifiers)}}}.`;
}

/** Returns the hint for a text of the tag in place of a missing number or date, which is not formatted. */
function hintForText(
  expression: Expression,
  modifiers: readonly ModifierCall[],
  value: unknown,
): Wording | null {
  const [left, right] = sidesOf(expression);
  if (left?.kind !== "path" || right?.kind !== "literal" || right.value !== value) return null;
  const calls = writtenModifiers(modifiers);
  const text = JSON.stringify(value);
  return calls === ""
    ? null
    : withTags`The text ${text} of the tag is not formatted. Write {{${left.source}${calls}, default(${text})}}.`;
}

/** Returns the hint for a date in a form that the tag does not choose; null for other values. */
function hintForOtherForm(expression: Expression, value: unknown, locale: string): string | null {
  const form = typeof value === "string" ? otherForm(expression, value, locale) : null;
  return form === null
    ? null
    : `For text in this form write ${form.meant} in place of ${form.result} at the end.`;
}

/** Returns a value, and the one in its place if it is missing. */
function sidesOf(expression: Expression): readonly (Expression | undefined)[] {
  if (expression.kind === "fallback") return [expression.left, expression.right];
  return expression.kind === "call" && expression.name === "$if"
    ? expression.arguments.slice(1)
    : [];
}

/** Returns the hint for text that does not fit a mask because it contains spaces or signs; null for other text. */
function hintForMask(path: string, mask: string, value: string): Wording | null {
  const places = mask.replace(/[^xX]/g, "").length;
  const plain = value.replace(/[\s()/.-]/g, "");
  if (places === 0 || plain === value) return null;
  if (plain.length !== places) {
    return withTags`The value has its own spaces or signs, and ${`${plain.length}`} other characters. To print it as it is, write {{${path}}}.`;
  }
  const signs = [...new Set(value.match(/[\s()/.-]/g))].filter((sign) => !/[^\S ]/.test(sign));
  const calls = signs.map((sign) => `.replace("${sign}", "")`).join("");
  return withTags`The value has its own spaces or signs: write {{${path}${calls} :: format("${mask}")}}.`;
}

/** The days since 1899-12-30 for 1954 to 2119, and the seconds and milliseconds since 1970 for 1973 to 2286. */
const DAYS = [20_000, 80_000] as const;
const SECONDS = [1e8, 1e10] as const;
const MILLISECONDS = [1e11, 1e13] as const;

function hintForDate(path: string, pattern: string, value: unknown): Wording | null {
  if (value === "")
    return withTags`Write {{if ${path}}} before the tag and {{endif}} after it. 'isPresent' is not enough, because it is true for empty text.`;
  const format = `:: format("${pattern}")`;
  if (typeof value === "string" && /^\d{1,2}:\d\d(?::\d\d)?$/.test(value.trim())) {
    return withTags`A time needs its date, as in 2026-11-20T10:15. To print the text as it is, write {{${path}}}.`;
  }
  const day = typeof value === "number" ? String(value) : "";
  if (/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(day))
    return withTags`For a date in this form write {{${path}.toDate("yyyyMMdd") ${format}}}.`;
  if (typeof value === "string" && /^\d{1,2}:\d\d [ap]m$/i.test(value.trim()))
    return withTags`A time needs its date. Write {{$concat("2000-01-01 ", ${path}).toDate("yyyy-MM-dd h:mm a") ${format}}}.`;
  const number = kindOf(value) === "number" ? Number(toDecimal(value)?.toString()) : Number.NaN;
  const isWithin = ([least, most]: readonly [number, number]): boolean =>
    number >= least && number < most;
  if (number >= 0 && number < 1000 && /^(?:HH?|hh?|\[h\]):mm?$/.test(pattern)) {
    if (/(?:^|[a-z_])min(?:s|ute|utes)?(?![a-z])|Min(?![a-z])|Mins|Minute/.test(lastName(path))) {
      return withTags`A number of minutes is not a time. Write two tags: {{(${path} / 60).round(0, "down")}}:{{(${path} % 60).padStart(2, "0")}}.`;
    }
    return withTags`A number of hours is not a time. Write two tags: {{${path}.round(0, "down")}}:{{(${path} % 1 * 60).round(0, "down").padStart(2, "0")}}.`;
  }
  if (isWithin(DAYS) && Number.isInteger(number)) {
    return withTags`For a date as a number of Excel write {{"1899-12-30".addDays(${path}) ${format}}}.`;
  }
  if (isWithin(SECONDS)) {
    return withTags`For seconds since 1970 write {{${path}.fromUnix() ${format}}}.`;
  }
  return isWithin(MILLISECONDS)
    ? withTags`For milliseconds since 1970 write {{${path}.fromUnix("ms") ${format}}}.`
    : null;
}

function hintForDateText(
  path: string,
  modifiers: readonly ModifierCall[],
  value: unknown,
  locale: string,
): Wording | null {
  const meant = typeof value === "string" ? dateMeant(value, path, locale) : null;
  if (meant === null) return null;
  const calls = writtenModifiers(modifiers);
  return calls === "" || isAmbiguous(String(value))
    ? withTags`For text in this form write ${meant}.`
    : withTags`For text in this form write {{${meant}${calls}}}.`;
}

/** Returns modifiers as in a tag, with their sign; empty text if one of them has an argument from the data. */
function writtenModifiers(modifiers: readonly ModifierCall[]): string {
  const calls = modifiers.map(({ name, arguments: given }) => {
    if (given.some(({ kind }) => kind === "data")) return null;
    const values = given.map(({ kind, value }) => (kind === "string" ? `"${value}"` : value));
    return values.length === 0 ? name : `${name}(${values.join(", ")})`;
  });
  return calls.includes(null) || calls.length === 0 ? "" : ` :: ${calls.join(", ")}`;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Returns the hint for a link whose address is not valid. `tag`: the tag as written. */
export function hintForLink(
  tag: string,
  expression: Expression,
  label: string | undefined,
  value: unknown,
): Wording | null {
  if (typeof value !== "string") return null;
  const [, given] = /\blink\(\s*("[^"]*"|'[^']*'|[\p{L}_][\p{L}\p{N}_.]*)\s*\)/u.exec(tag) ?? [];
  if (expression.kind === "literal" && given !== undefined && !/^["']/.test(given)) {
    return withTags`The address comes before the label: {{${given} :: link(${JSON.stringify(value)})}}.`;
  }
  if (expression.kind !== "path") return null;
  const path = expression.source;
  const other = given ?? path;
  if (other !== path && !/^["']/.test(other) && label !== undefined && safeLink(label) !== null) {
    return withTags`The address comes before the label: {{${other} :: link(${path})}}.`;
  }
  const text = value.trim();
  const scheme = /^[^\s@/:]+@[\w-]+(?:\.[\w-]+)+$/.test(text)
    ? "mailto:"
    : /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/?#]\S*)?$/i.test(text)
      ? "https://"
      : null;
  return scheme === null
    ? null
    : withTags`An address begins with its scheme: {{$concat("${scheme}", ${path}) :: link(${other})}}.`;
}
