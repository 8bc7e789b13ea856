import { toDecimal } from "../../../format/decimal.ts";
import { DECIMAL_SIGNS, parseNumber } from "../../../format/parse-number.ts";
import { readDate } from "../../../format/read-date.ts";
import { patternOfDate, signOfNumber } from "../../../format/text-forms.ts";
import { doubtfulKey } from "../../../language/formatted/order.ts";
import type { Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { unitOf } from "../../../language/mistakes/number-texts.ts";
import { otherForm } from "../../../values/arguments/date-forms.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { madeElementPointer, placeOf } from "../context/pointers.ts";
import { namedInOrder } from "./sort-names.ts";

/** A key of `sort` as the tag names it; null for the items themselves. `sortBy` returns the call with another key. */
interface SortedBy {
  readonly by: Expression | null;
  readonly sortBy: (meant: string) => string;
}

/** Keys that are sorted as texts, with their places in the order, and the items that have them. */
interface SortedTexts extends SortedBy {
  readonly texts: readonly (string | undefined)[];
  readonly ranks: ArrayLike<number>;
  readonly list: readonly unknown[];
  /** The list as the tag names it. */
  readonly of: Expression | null;
}

/** Maximum length of a number or a date. */
const MAX_LENGTH = 64;

/**
 * Records that numbers or dates are sorted as texts, because Quire does not read all of them. Compiling already reports
 * text that a function of the tag makes.
 */
export function noteTexts(sorted: SortedTexts, env: Evaluation): void {
  const { texts, by, of: named } = sorted;
  if (by !== null && named !== null && doubtfulKey(by, named) !== null) return;
  const numbered = oddFigure(texts) ?? oddAmount(sorted);
  const odd = numbered ?? oddDate(texts, env);
  if (odd === null) {
    noteNames(sorted, env);
    return;
  }
  const { list, of } = sorted;
  const pointer =
    madeElementPointer(list, odd, env) ?? (of === null ? null : placeOf(of, env, odd));
  const hint =
    numbered === null ? hintForDates(texts[odd], sorted, env) : hintForNumbers(texts, by);
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) =>
      numbered === null
        ? `The tag ${tag} orders dates as text, because one of them is not read as a date.`
        : `The tag ${tag} orders numbers by their digits, because one of them is not read as a number.`,
    hint,
    pointers: pointer ? [pointer] : [],
    isMissing: false,
  });
}

/** Records that names of months, sizes and the like are sorted by their letters. */
function noteNames({ texts, ranks, by, sortBy }: SortedTexts, env: Evaluation): void {
  const named = namedInOrder(texts, ranks, env.locale);
  if (named === null) return;
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) => `The tag ${tag} orders ${named.what} by their letters.`,
    hint: named.hint(keyOf(by), sortBy),
    pointers: [],
    isMissing: false,
  });
}

/** Returns the key of `sort` as the tag has it. Items without keys are themselves sorted. */
function keyOf(by: Expression | null): string {
  return by === null ? "this" : spellExpression(by);
}

function hintForNumbers(texts: SortedTexts["texts"], by: Expression | null): string {
  const numbers = "Write numbers as 1234.5.";
  const key = keyOf(by);
  const unit = commonUnit(texts);
  const number = unit === "" ? key : `${key}.replace("${unit}", "")`;
  const [sign, ...others] = DECIMAL_SIGNS.filter((each) =>
    texts.every((text) => text === undefined || parseNumber(without(unit, text), each) !== null),
  );
  if (sign === undefined) return numbers;
  const write = `${numbers} Or sort by a number: write ${number}.toNumber("${sign}") in place of ${key}`;
  return others.length === 0
    ? `${write}.`
    : `${write} if the sign before decimals is '${sign}', and ${number}.toNumber("${others[0]}") if it is '${others[0]}'.`;
}

/** Returns the unit that all texts end with, such as ` kg`; otherwise empty text. */
function commonUnit(texts: SortedTexts["texts"]): string {
  const first = texts.find((text) => text !== undefined && text.length <= MAX_LENGTH);
  const unit = first === undefined ? null : unitOf(first);
  if (unit === null) return "";
  return texts.every((text) => text === undefined || text.endsWith(unit)) ? unit : "";
}

function without(unit: string, text: string): string {
  return unit === "" ? text : text.slice(0, -unit.length);
}

function hintForDates(odd = "", { by, sortBy }: SortedBy, { locale }: Evaluation): string {
  const form = by === null ? null : otherForm(by, odd, locale);
  if (form !== null)
    return `Write dates as 2026-11-20 or, for text in this form, ${form.meant} in place of ${form.result} at the end of the key.`;
  const pattern = patternOfDate(odd, locale) ?? "MM/dd/yyyy";
  return `Write dates as 2026-11-20 or, if all are in this form, sort by a date: ${sortBy(`${keyOf(by)}.toDate("${pattern}")`)}.`;
}

/** Matches a text without letters, such as `1,000` or `5 %`. */
const FIGURES = /^[^\p{L}]*\d[^\p{L}]*$/u;

/** Matches numbers that are not amounts: clauses, versions, ranges and phone numbers, such as `1.1.2`, `12-14`, `044 123`. */
const NUMBERING = /^\s*(?:0\d[\d\s/-]*|\d+(?:\.\d+){2,}|\d+(?:\s*[-–/]\s*\d+)+)\.?\s*$/;
/** Matches an amount with dots between its thousands. */
const THOUSANDS = /^\d{1,3}(?:\.\d{3})+$/;

/** Returns the index of a text that looks like a number, if others are numbers; otherwise null. */
function oddFigure(texts: SortedTexts["texts"]): number | null {
  if (!texts.some(isNumber)) return null;
  return indexIn(texts, (text) => !isNumber(text) && isFigure(text));
}

function isNumber(text: string | undefined): boolean {
  return toDecimal(text) !== null;
}

/** Returns the index of the first text that fits, or null. */
function indexIn(texts: SortedTexts["texts"], fits: (text: string) => boolean): number | null {
  const index = texts.findIndex(
    (text) => text !== undefined && text.length <= MAX_LENGTH && fits(text),
  );
  return index === -1 ? null : index;
}

function isFigure(text: string): boolean {
  if (!FIGURES.test(text)) return false;
  return !NUMBERING.test(text) || THOUSANDS.test(text.trim());
}

/** The forms of amounts: 1.200,50 and 1,200.50. */
const AMOUNTS = [
  { form: /^[-+]?(?!0\d)(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d{1,2})?$/, thousands: ".", decimals: "," },
  { form: /^[-+]?(?!0\d)(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,2})?$/, thousands: ",", decimals: "." },
];

/**
 * Returns the index of the first text, if all of them are amounts of one form that are in another order as texts;
 * otherwise null.
 */
function oddAmount({ texts, ranks }: SortedTexts): number | null {
  // Whole numbers with spaces are phone numbers.
  if (!texts.some((text) => text !== undefined && /[.,\p{Sc}]/u.test(text))) return null;
  const unit = commonUnit(texts);
  for (const { form, thousands, decimals } of AMOUNTS) {
    const amounts: { readonly amount: number; readonly rank: number }[] = [];
    const isAll = texts.every((text, index) => {
      if (text === undefined) return true;
      const short = text.length > MAX_LENGTH ? "" : without(unit, text);
      const plain = short.replace(/[\p{Sc}\s']|\b[A-Z]{3}\b/gu, "");
      if (!form.test(plain)) return false;
      const amount = Number(plain.replaceAll(thousands, "").replace(decimals, "."));
      return amounts.push({ amount, rank: ranks[index] ?? 0 }) > 0;
    });
    if (!isAll || amounts.length < 2) continue;
    amounts.sort((one, other) => one.rank - other.rank);
    const isWrong = amounts.some(({ amount }, at) => amount < (amounts[at - 1]?.amount ?? amount));
    return isWrong ? indexIn(texts, () => true) : null;
  }
  return null;
}

/** Matches the beginning of a date in figures. */
const DATE = /^\s*(?:\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{4})/;
/** Matches text that has its place among dates as text, too: `2026-02`, `2026-02-30`. */
const ORDERED = /^\s*\d{4}(?:-\d\d)*(?!\d)/;
/** Matches text that is probably a date: it has a year, or begins like a date in figures. */
const MAY_BE_DATE = /\b(?:19|20)\d\d\b|^\s*\d\d?[./-]\d\d?[./-]\d\d/;

/** Returns the index of a text that is a date of another form, if others are dates; otherwise null. */
function oddDate(texts: SortedTexts["texts"], { timeZone }: Evaluation): number | null {
  const isDate = (text: string): boolean =>
    DATE.test(text) && !("problem" in readDate(text, "day first", timeZone));
  if (indexIn(texts, isDate) === null) return null;
  return indexIn(texts, (text) => MAY_BE_DATE.test(text) && !ORDERED.test(text) && !isDate(text));
}

/** Matches words that people write in place of a number. Hints repeat no other text of the data. */
const NOTHING = /^\s*(?:n\/?a|none|null|tbd|unknown|k\.? ?a\.?|[-–—]+)\s*$/i;

/** Returns the hint for keys of several kinds. `odd`: the value that differs. */
export function hintForKinds(odd: unknown, hasNumbers: boolean, { by, sortBy }: SortedBy): string {
  if (!hasNumbers || typeof odd !== "string") return "Give all items a key of the same kind.";
  const key = keyOf(by);
  const sign = signOfNumber(odd);
  if (sign !== null) return `Some keys are text: write ${sortBy(`${key}.toNumber("${sign}")`)}.`;
  const word = NOTHING.test(odd) ? odd : "…";
  return `Some keys are text. To leave these items out, write where(${key} != "${word}") before sort. To put them last, write ${sortBy(`${key} == "${word}", $if(${key} == "${word}", 0, ${key})`)}.`;
}
