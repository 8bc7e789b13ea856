import { monthNames, weekdayNames } from "../../../format/format-date.ts";
import { readDate } from "../../../format/read-date.ts";
import { hintForText, isAmbiguous } from "../../../format/text-forms.ts";
import type { Expression, PathExpression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { valuesOfItems } from "./number-words.ts";

type Compare = Extract<Expression, { kind: "compare" }>;

/** Longer texts are not the name of a month. */
const MAX_NAME = 40;

/** Records a comparison of a date with a month, a day of the week or "today" in quotes: `date == "November"`. */
export function noteDateWord(
  { operator, left, right }: Compare,
  one: unknown,
  other: unknown,
  env: Evaluation,
): void {
  const isTurned = left.kind === "literal";
  const [side, value, word] = isTurned ? [right, other, one] : [left, one, other];
  const constant = isTurned ? left : right;
  if (side.kind !== "path" || constant.kind !== "literal" || typeof word !== "string") return;
  const isSearch = operator === "contains";
  if (isSearch ? isTurned : operator !== "==" && operator !== "!=") return;
  if (word.length > MAX_NAME) return;
  if (!/^\p{L}/u.test(word) || !isDate(value)) return;
  const isMoment = /^(?:today|now)$/i.test(word);
  const hint = isMoment
    ? `Write $${word.toLowerCase()} without quotes.`
    : partMeant(side, operator, word, env.locale);
  // Other items may have the word in place of a date.
  if (hint === null || valuesOfItems(side, env).includes(word)) return;
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) =>
      isSearch
        ? `The tag ${tag} looks for a word in a date, which is written with numbers.`
        : `The tag ${tag} compares a date with a word: they are never equal.`,
    hint,
    pointers: [pointerOf(side, env)],
    isMissing: false,
    // The value may be a word such as "now" or a date: the block then prints it.
    ...(isMoment ? { truthOf: side.source } : {}),
  });
}

function isDate(value: unknown): boolean {
  if (value instanceof Date) return true;
  return (
    typeof value === "string" &&
    /^\s*\d{4}-\d\d-\d\d/.test(value) &&
    !("problem" in readDate(value, null, "UTC"))
  );
}

function partMeant(
  { source }: PathExpression,
  operator: Compare["operator"],
  word: string,
  locale: string,
): string | null {
  const sign = operator === "!=" ? "!=" : "==";
  for (const each of new Set([locale, "en-US"])) {
    const month = indexIn(word, (style) => monthNames(each, style, false));
    if (month !== -1) return `Write ${source}.month() ${sign} ${month + 1}.`;
    const day = indexIn(word, (style) => weekdayNames(each, style));
    // The names begin with Sunday, which is 7.
    if (day !== -1) return `Write ${source}.weekday() ${sign} ${day === 0 ? 7 : day}.`;
  }
  return null;
}

/** Returns the index of a name, which may be short, in capital letters or without a point at its end; or -1. */
function indexIn(word: string, names: (style: "long" | "short") => readonly string[]): number {
  const sought = plain(word);
  const long = names("long").findIndex((name) => plain(name) === sought);
  return long === -1 ? names("short").findIndex((name) => plain(name) === sought) : long;
}

function plain(name: string): string {
  return name.trim().replace(/\.$/, "").toLowerCase();
}

/** Returns how to read dates of the data that may begin with the day or the month; null for other values. */
export function hintForUnclear(
  { left, right }: Compare,
  values: readonly [unknown, unknown],
): string | null {
  if (values.some((value) => typeof value !== "string")) return null;
  const hints = [left, right].flatMap((side, index) => {
    const value = values[index];
    if (side.kind !== "path" || !isAmbiguous(String(value))) return [];
    return hintForText(value, side.source) ?? [];
  });
  return hints.length === 0 ? null : hints.join(" ");
}
