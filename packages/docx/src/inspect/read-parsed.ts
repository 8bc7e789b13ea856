import { formatDate, isDatePattern, isDateStyle } from "../format/format-date.ts";
import type { Expression } from "../language/grammar/expression.ts";
import type { FunctionName } from "../language/grammar/functions.ts";
import type { UseReader } from "./use-reader.ts";

/** Records what `format` prints: a date, or the text for a mask. Returns false for other functions. */
export function readFormat(
  name: FunctionName,
  [of, pattern]: readonly Expression[],
  reader: UseReader,
): boolean {
  if (name !== "$format" || of?.kind !== "path") return false;
  const given = pattern?.kind === "literal" ? String(pattern.value) : null;
  const isDate = given === null || isDateStyle(given) || isDatePattern(given);
  const hasTime = given !== null && /[Hhs]|time/.test(given);
  reader.use(of, isDate ? (hasTime ? "time" : "dated") : "ordered");
  if (pattern?.kind === "path") reader.use(pattern, "ordered").facts.sample ??= "yyyy-MM-dd";
  return true;
}

/** Records the form that text must have for a function that reads it as a date or a number. */
export function readParsed(
  name: FunctionName,
  [of, form]: readonly Expression[],
  reader: UseReader,
): void {
  if ((name !== "$toDate" && name !== "$toNumber") || form === undefined) return;
  const given = form.kind === "literal" ? String(form.value) : null;
  if (given === null && form.kind === "path") {
    reader.use(form, "ordered").facts.sample ??= name === "$toDate" ? "yyyy-MM-dd" : ",";
  }
  if (of?.kind !== "path") return;
  reader.use(of, "ordered").facts.sample ??=
    name === "$toDate"
      ? sampleDate(given ?? "yyyy-MM-dd")
      : given === "."
        ? "1,234.50"
        : "1.234,50";
}

function sampleDate(pattern: string): string | null {
  const context = { locale: "en-US", timeZone: "UTC" };
  const printed = formatDate("2026-11-20T09:30:00Z", pattern, context);
  return "text" in printed ? (printed.text ?? null) : null;
}

/** Arguments that fit, for sample data in English. */
export const SAMPLES: Readonly<Partial<Record<FunctionName, string>>> = {
  $round: "down",
  $words: "verbose",
  $ordinalWords: "verbose",
  $currency: "EUR",
  $number: "0.00",
};
