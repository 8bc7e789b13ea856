import { toDecimal } from "../../../format/decimal.ts";
import { hintForText } from "../../../format/text-forms.ts";
import { orderedText } from "../../../language/formatted/order.ts";
import type {
  CallExpression,
  Comparison,
  Expression,
} from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import { written } from "../../../language/literal-conditions.ts";
import { isPercentage, numberMeant } from "../../../language/mistakes/number-texts.ts";
import { type ComparisonDoubt, doubtOf } from "../compare/compare.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";
import { resolve, turnNamed } from "../context/scope.ts";
import { lengthMeant } from "../hints/length-meant.ts";
import { hintForSelected } from "../hints/list-comparisons.ts";
import { outerHint, outerMeant } from "../hints/outer-items.ts";
import { noteDateWord } from "./date-comparisons.ts";
import { hintForFigures, hintForLimit } from "./number-forms.ts";
import { noteNumberWord } from "./number-words.ts";
import { noteTextCompared } from "./text-numbers.ts";

/** The warning for each doubt: the end of its sentence, and the hint. */
const DOUBTS: Readonly<Record<ComparisonDoubt, readonly [compares: string, hint: string]>> = {
  number: [
    "two strings that spell the same number in different ways: compared as text, they are not equal",
    "To compare them as numbers, write the number without quotes, or add 0: 'a + 0 == b'.",
  ],
  date: [
    "two strings that spell the same date in different ways: compared as text, they are not equal",
    "Write both in the same way, such as 2026-11-20.",
  ],
  letters: [
    "two strings by their letters, although they seem to be numbers or dates",
    "Write numbers as 1234.5 and dates as 2026-11-20.",
  ],
  look: [
    "two strings that look alike but are not equal: they differ in spaces, quotes, dashes or the encoding of accents",
    "Write both in the same way, without spaces at their ends.",
  ],
  figures: [
    "a number with text that is not a number: they are not equal",
    "Write numbers as 1234.5.",
  ],
  case: [
    "two strings that differ only in upper and lower case: they are not equal",
    'Write both in the same way, or compare in small letters, as in status.lowercase() == "open".',
  ],
  time: [
    "a date with the same date and a time: they are not equal",
    "To compare only the days, write date.startOfDay() == other.",
  ],
  dayEnd: [
    "a time with the day that it is on: the day begins at midnight, so the time is later",
    "To compare only the days, write date.startOfDay() in place of the date.",
  ],
  datePart: [
    "a date with a part of a date: they are never equal",
    'Write the parts as numbers, as in date.year() == 2026 and date.month() == 12, or a whole date, "2026-12-31".',
  ],
  wildcard: [
    "text with an asterisk, which is an ordinary character here: they are not equal",
    'Write name.startsWith("A"), name.endsWith("A") or name contains "A".',
  ],
  caseIn: [
    "text with words that it has only in other uppercase or lowercase letters: it does not contain them",
    'Write them in the same way, or look in small letters, as in name.lowercase() contains "gmbh".',
  ],
  inElement: [
    "a list with text that is only a part of an element: the list does not contain it",
    'To look into the elements, write names.count(this contains "A") > 0.',
  ],
  truth: [
    "true or false with a word or number that means the same: they are not equal",
    "Compare with true or false without quotes, and write true or false in the data.",
  ],
};

/** Records a comparison whose result may be a mistake. */
export function noteDoubt(
  comparison: Extract<Expression, { kind: "compare" }>,
  one: unknown,
  other: unknown,
  env: Evaluation,
): void {
  const { operator, left, right } = comparison;
  // The compiler warns about these.
  if (left.kind === "variable" && right.kind === "variable") return;
  const doubt = doubtOf(operator, one, other, env.timeZone);
  if (doubt === null) {
    if (operator !== "contains") noteName(left, right, one, other, env);
    noteNumberWord(comparison, one, other, env);
    noteDateWord(comparison, one, other, env);
    noteTextCompared(comparison, one, other, env);
    return;
  }
  // For a word of the data, a part of an element is another word.
  if ((doubt === "inElement" || doubt === "caseIn") && right.kind !== "literal") return;
  const [compares, hint] = DOUBTS[doubt];
  const path = [left, right].find(({ kind }) => kind === "path");
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) => `The tag ${tag} compares ${compares}.`,
    hint:
      (doubt === "letters" ? emptySide(comparison, [one, other]) : null) ??
      hintFor(doubt, comparison, [one, other]) ??
      hint,
    pointers: path?.kind === "path" ? [pointerOf(path, env)] : [],
    isMissing: false,
  });
}

/** Records a comparison with a value whose name is the compared text: `status == paid` for the status "paid". */
function noteName(
  left: Expression,
  right: Expression,
  one: unknown,
  other: unknown,
  env: Evaluation,
): void {
  if (left.kind !== "path" || right.kind !== "path" || other === undefined) return;
  const isName = right.head !== null && right.rest.length === 0;
  if (!isName || one !== right.source || one === other) return;
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) =>
      `The tag ${tag} compares '${left.source}' with the value of '${right.source}', although it is the word itself.`,
    hint: `Put the word in quotes: ${left.source} == "${right.source}".`,
    pointers: [pointerOf(left, env)],
    isMissing: false,
  });
}

/** `due < $today`, where `due` is empty text. Null for other values. */
function emptySide(
  comparison: Extract<Expression, { kind: "compare" }>,
  values: readonly unknown[],
): string | null {
  const at = values.indexOf("");
  const side = [comparison.left, comparison.right][at];
  if (side?.kind !== "path") return null;
  const than =
    toDecimal(values[1 - at]) === null ? "earlier than any date" : "less than any number";
  return `'${side.source}' is empty text, which counts as ${than}: write ${side.source} and ${spellExpression(comparison)}.`;
}

/** Returns a hint with the names of the tag, or null. */
function hintFor(
  doubt: ComparisonDoubt,
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  values: readonly unknown[],
): string | null {
  const sides = [left, right];
  const path = sides.find(({ kind }) => kind === "path");
  const constant = sides.find(({ kind }) => kind === "literal" || kind === "number");
  if (path?.kind !== "path") return null;
  const { source } = path;
  if (doubt === "letters" || doubt === "date") {
    const form = hintForText(values[sides.indexOf(path)], source);
    if (form !== null) return form;
  }
  if (constant === undefined)
    return doubt === "figures" ? hintForFigures([left, right], values) : null;
  const fixed = constant.kind === "literal" ? constant.value : null;
  if (doubt === "truth" && typeof fixed === "boolean") {
    return values.some((value) => typeof value === "string")
      ? `'${source}' is text: compare it with its text in quotes, as in ${source} ${operator} "…", or give true or false in the data.`
      : `'${source}' is a number: write ${source} ${operator} ${fixed ? 1 : 0}, or give true or false in the data.`;
  }
  if (doubt === "letters" && /^(?:today|now)$/i.test(String(fixed))) {
    return `Write $${String(fixed).toLowerCase()} without quotes.`;
  }
  return doubt === "figures" && constant.kind === "number"
    ? hintForNumber(values[sides.indexOf(path)], source, operator, constant.text)
    : null;
}

/** Returns the hint for a date, or a number in text, that is compared with a number of the tag; null for other values. */
function hintForNumber(
  value: unknown,
  source: string,
  operator: string,
  number: string,
): string | null {
  if (typeof value !== "string") return null;
  if (/^\d{4}-\d\d-\d\d/.test(value))
    return `'${source}' is a date. For its year write ${source}.year() ${operator} ${number}.`;
  if (isPercentage(value) && Number(number) < 1)
    return `'${source}' is a percentage in text: write ${source}.replace("%", "") / 100 ${operator} ${number}.`;
  const meant = numberMeant(value, source);
  return meant.includes(`${source}.`) ? `'${source}' is text. ${meant}` : null;
}

/**
 * Returns how to compare a number with a text of the tag, or a list with a number: by the number of its items. Null for
 * other values.
 */
export function hintForOrder(
  comparison: Extract<Expression, { kind: "compare" }>,
  [one, limit]: readonly [unknown, unknown],
  env: Evaluation,
): string | null {
  if (Array.isArray(limit) && !Array.isArray(one))
    return hintForOrder(turned(comparison), [limit, one], env);
  const formatted = orderedText(comparison);
  if (formatted !== null) return formatted[1];
  const { operator, left, right } = comparison;
  const side = Array.isArray(one) ? left : Array.isArray(limit) ? right : null;
  const outer = side === null ? null : outerMeant(side, env);
  if (side !== null && outer !== null) return outerHint(side, outer);
  const other = written(right);
  const number =
    withoutQuotes(comparison, one) ??
    hintForLimit(left, one, limit) ??
    hintForSelected(comparison, one);
  if (number !== null) return number;
  if (!Array.isArray(one) || left.kind !== "path" || other === null) return null;
  const counted = lengthMeant(left, env);
  if (counted !== null) return `Write ${counted} ${operator} ${other}.`;
  const { head, rest, source } = left;
  const key = rest.at(-1);
  const list = resolve({ kind: "path", source: "", head, rest: rest.slice(0, -1) }, env);
  if (key === undefined || !Array.isArray(list) || !source.endsWith(`.${key}`)) {
    if (toDecimal(limit) === null) return null;
    return `For the number of items write ${source}.count() ${operator} ${other}.`;
  }
  const of = source.slice(0, -key.length - 1);
  return `For at least one item of the list write ${of}.count(${key} ${operator} ${other}) > 0.`;
}

type Compared = Extract<Expression, { kind: "compare" }>;

/** Returns `items > 0` for `0 < items`. */
function turned(comparison: Compared): Compared {
  const operator = TURNED[comparison.operator] ?? comparison.operator;
  return { ...comparison, operator, left: comparison.right, right: comparison.left };
}

const TURNED: Readonly<Partial<Record<Comparison, Comparison>>> = {
  ...{ "<": ">", "<=": ">=", ">": "<", ">=": "<=" },
};

/** `total > "1,000"`, where the total is a number. */
function withoutQuotes(
  { operator, left, right }: Extract<Expression, { kind: "compare" }>,
  one: unknown,
): string | null {
  if (right.kind !== "literal" || typeof right.value !== "string") return null;
  if (toDecimal(one) === null || /^\d{4}-\d\d/.test(right.value)) return null;
  return `Write the number without quotes: ${written(left) ?? "total"} ${operator} ${figuresIn(right.value)}.`;
}

/** Returns the number that an author means by a text: 1000 for `1,000`. */
function figuresIn(text: string): string {
  const digits = /^\D*(\d{1,3}(?:[,.' ]\d{3})+|\d+)\D*$/.exec(text)?.[1]?.replace(/\D/g, "");
  return digits ?? "1234.5";
}

/**
 * Records `years.first(quarters contains q)` for a text or number `q` of a loop over `years.quarters` that other items
 * contain, too: `contains` cannot know which of them is meant. `others`: whether any other item fits.
 */
export function noteEqualElements(
  call: CallExpression,
  env: Evaluation,
  others: () => boolean,
): void {
  const [list, condition] = call.arguments;
  if (condition?.kind !== "compare" || condition.operator !== "contains") return;
  const { left, right } = condition;
  if (list?.kind !== "path" || left.kind !== "path" || right.kind !== "path") return;
  if (right.head === null || right.rest.length > 0) return;
  const turn = turnNamed(right.head, env.scope);
  const item = turn?.item;
  if (typeof item !== "string" && typeof item !== "number") return;
  const [of, key] = [list.source, left.source];
  if (turn?.path.source !== `${of}.${key}` || !others()) return;
  env.doubts.push({
    code: "doubtful_comparison",
    message: (tag) =>
      `In the tag ${tag}, '${of}' has several items whose '${key}' contains '${item}', and '${call.name.slice(1)}' takes one of them for all.`,
    hint: `For a value of the item with this element, by the position in the loop, write ${of}.map(${key}.map(outer.name))[$index] with the key of that value.`,
    pointers: [pointerOf(right, env)],
    isMissing: false,
  });
}
