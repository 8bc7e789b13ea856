import { decimalPlaces, toDecimal } from "../../../format/decimal.ts";
import { kindOf } from "../../../format/print.ts";
import { withTags } from "../../../language/delimiters/wording.ts";
import type { CallExpression, Expression } from "../../../language/grammar/expression.ts";
import { spellExpression } from "../../../language/grammar/spell.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { Entry, Group } from "../context/origins.ts";
import { placeOf } from "../context/pointers.ts";
import { listSeparatorIn, splitAt } from "../hints/parts-of-text.ts";
import { percentageDoubt } from "./percentages.ts";
import { noteTextsOfList } from "./text-numbers.ts";
import { countOfBooleans, countOfLists, type Doubt } from "./truth-of-lists.ts";

/** Records that the result of a call is probably not meant. */
export function noteCall(
  call: CallExpression,
  values: readonly unknown[],
  result: unknown,
  env: Evaluation,
): void {
  noteTextsOfList(call, values[0], env);
  if (call.name === "$toDate") noteTwoDigitYear(call, result, env);
  const doubt = doubtAbout(call, values, result, env);
  if (doubt === null) return;
  const [code, message, hint] = doubt;
  const [of] = call.arguments;
  const place = of === undefined ? undefined : placeOf(of, env);
  env.doubts.push({
    code,
    message: (tag) => `In the tag ${tag}, ${message}.`,
    hint,
    pointers: place === undefined ? [] : [place],
    isMissing: false,
  });
}

function doubtAbout(
  call: CallExpression,
  values: readonly unknown[],
  result: unknown,
  env: Evaluation,
): Doubt | null {
  const [of] = call.arguments;
  if (of === undefined) return null;
  switch (call.name) {
    case "$count":
      return (
        countOfNoList(of, values[0]) ??
        countOfBooleans(call, values[0], env) ??
        countOfLists(call, values[0], result) ??
        countOfRepeated(of, values[0], call)
      );
    case "$replace":
    case "$split":
      return soughtAsPattern(call, values);
    case "$join":
      return (
        joinedValues(call, values) ?? joinedText(of, call, values) ?? joinedEmpty(of, call, values)
      );
    case "$fromUnix":
      return earlyTime(of, values);
    case "$words":
      return wordsOfDecimals(of, values[0]);
    case "$percent":
    case "$number":
      return percentageDoubt(call, values[0]);
    default:
      return null;
  }
}

/** `text.count()`, and `prices.count()` of an object. */
function countOfNoList(of: Expression, value: unknown): Doubt | null {
  const name = spellExpression(of);
  if (typeof value === "string") {
    return [
      "sum_of_one_value",
      `'${name}' is text and not a list, so its count is always 1`,
      `For the number of its characters write ${name}.length().${countOfParts(name, value)}`,
    ];
  }
  const isObject =
    kindOf(value) === "object" && !(value instanceof Group || value instanceof Entry);
  return isObject
    ? [
        "sum_of_one_value",
        `'${name}' is an object and not a list, so its count is always 1`,
        `For the number of its keys write ${name}.entries().count().`,
      ]
    : null;
}

function countOfParts(name: string, text: string): string {
  const separator = listSeparatorIn(text);
  return separator === null
    ? ""
    : ` For the number of its parts write ${splitAt(separator, name)}.count().`;
}

/** `tags.join(", ")`, where the tags are one text, such as `a; b`. */
function joinedText(
  of: Expression,
  { arguments: given }: CallExpression,
  [text, between, last]: readonly unknown[],
): Doubt | null {
  const separator = typeof text === "string" ? listSeparatorIn(text) : null;
  if (separator === null || (separator === between && last === undefined)) return null;
  const name = spellExpression(of);
  return [
    "sum_of_one_value",
    `'${name}' is text and not a list, so 'join' changes nothing`,
    `To join its parts write ${splitAt(separator, name)}.join(${given.slice(1).map(spellExpression).join(", ")}).`,
  ];
}

/** `$join(first, last)` and `$join(first, " ", last)`, where each is one text, so that only the first one is printed. */
function joinedValues(
  { arguments: [of, between, last] }: CallExpression,
  [text, ...others]: readonly unknown[],
): Doubt | null {
  if (typeof text !== "string" || of?.kind !== "path") return null;
  const isThree = last !== undefined && between?.kind === "literal";
  const [other, value] = isThree ? [last, others[1]] : [between, others[0]];
  // A separator of the data has signs or spaces at its ends.
  if (other?.kind !== "path" || !/^[\p{L}\p{N}]/u.test(String(value))) return null;
  const separator = isThree ? spellExpression(between) : '" "';
  return [
    "sum_of_one_value",
    `'${of.source}' is text and not a list, so 'join' changes nothing`,
    `'join' needs a list: write [${of.source}, ${other.source}].join(${separator}).`,
  ];
}

/** Number of values that are compared with each other. */
const MAX_VALUES = 50;

/** `items.city.count()` with the same city several times. */
function countOfRepeated(of: Expression, value: unknown, call: CallExpression): Doubt | null {
  if (!Array.isArray(value) || call.arguments.length > 1) return null;
  if (of.kind !== "path" || of.rest.length === 0 || !/\.[^.[\]]+$/.test(of.source)) return null;
  const some = value.slice(0, MAX_VALUES);
  if (!some.every((each) => typeof each === "string" && each !== "")) return null;
  if (new Set(some).size === some.length) return null;
  const list = of.source.slice(0, of.source.lastIndexOf("."));
  return [
    "doubtful_count",
    `the count of '${of.source}' also counts values that occur again`,
    `For the number of different values write ${of.source}.distinct().count(), and for the number of items ${list}.count().`,
  ];
}

/** `text.split("\n")`, written with a backslash, and `text.replace("[aeiou]", "")`: patterns are not known. */
function soughtAsPattern(
  { name, arguments: [of, , other] }: CallExpression,
  values: readonly unknown[],
): Doubt | null {
  const [text, sought] = values;
  if (typeof text !== "string" || typeof sought !== "string" || of === undefined) return null;
  const isBreak = /^(?:\\r)?\\n$|^\^[pl]$/.test(sought);
  if (!isBreak && !/\\[dDsSwWnrt]|^\[.+\]$|^\/.+\/$|\.\*/.test(sought)) return null;
  if (text.includes(sought)) return null;
  const value = spellExpression(of);
  const method = name.slice(1);
  if (isBreak && /[\r\n]/.test(text)) {
    return [
      "escape_in_text",
      `'${method}' does not find '${sought}', because it looks for these signs, not for a line break`,
      name === "$split"
        ? `Write ${value}.lines().`
        : `Write $newline without quotes: ${value}.replace($newline, ${other === undefined ? '" "' : spellExpression(other)}).`,
    ];
  }
  if (isBreak) return null;
  return [
    "escape_in_text",
    `'${method}' looks for the text '${sought}' as it is, not for a pattern, and does not find it`,
    `Write the text itself, as in ${value}.${method}("-"${name === "$split" ? "" : ', ""'}).`,
  ];
}

/** `[first, middle, last].join(" ")` with empty text. */
function joinedEmpty(
  of: Expression,
  { arguments: given }: CallExpression,
  [value, between]: readonly unknown[],
): Doubt | null {
  if (!Array.isArray(value) || value.length < 2 || between === "" || given.length === 1)
    return null;
  if (!value.includes("")) return null;
  // Empty texts in the tag are meant.
  if (of.kind === "list" && of.items.some((item) => item.kind === "literal" && item.value === "")) {
    return null;
  }
  const list = spellExpression(of);
  return [
    "empty_text",
    "'join' puts its separator also beside empty texts",
    `To leave them out, write ${list}.nonEmpty().join(${given.slice(1).map(spellExpression).join(", ")}).`,
  ];
}

/** Days since 1899-12-30, as in Excel, for 1954 to 2119; and seconds since 1970 from 2001 on. */
const [DAYS, SECONDS] = [
  [20_000, 80_000],
  [1e9, 1e10],
] as const;

/** `date.fromUnix()` for a date of Excel, and `time.fromUnix("ms")` for seconds. */
function earlyTime(of: Expression, [value, unit]: readonly unknown[]): Doubt | null {
  const number = Number(toDecimal(value)?.toString() ?? Number.NaN);
  const name = spellExpression(of);
  if (unit !== "ms" && number >= DAYS[0] && number < DAYS[1]) {
    return [
      "doubtful_date",
      `'${name}' is a date in January 1970, if it counts seconds`,
      `For a date as a number of Excel write "1899-12-30".addDays(${name}).`,
    ];
  }
  if (unit !== "ms" || !(number >= SECONDS[0] && number < SECONDS[1])) return null;
  return [
    "doubtful_date",
    `'${name}' is a date in 1970, if it counts milliseconds`,
    `For seconds since 1970 write ${name}.fromUnix().`,
  ];
}

/** Names of amounts, whose decimals are not read out digit by digit. */
const AMOUNT = /total|amount|sum$|price|betrag|summe|preis|montant|importe|importo/i;

/** `total.words()` for 1234.5. */
function wordsOfDecimals(of: Expression, value: unknown): Doubt | null {
  const number = toDecimal(value);
  const name = spellExpression(of);
  if (number === null || decimalPlaces(number) === 0) return null;
  if (!AMOUNT.test(name)) return decimalPlaces(number) > 2 ? wordsOfResult(of) : null;
  return [
    "doubtful_sign",
    "the decimals of the amount are written digit by digit",
    withTags`For an amount write {{${name}.round(2).round(0, "down").words()}}, and for its cents {{${name}.round(2) % 1 * 100 :: number("00")}}.`,
  ];
}

/** `rates.average().words()` and `(total / 3).words()`, whose results have many decimals. */
function wordsOfResult(of: Expression): Doubt | null {
  const isComputed =
    of.kind === "compute" || (of.kind === "call" && /^\$(?:average|sum)$/.test(of.name));
  if (!isComputed) return null;
  const rounded: CallExpression = {
    ...{ kind: "call", name: "$round", alias: null, descending: [] },
    arguments: [of, { kind: "number", text: "2" }],
  };
  return [
    "doubtful_sign",
    "all decimals of the result are written digit by digit",
    withTags`Round it before: {{${spellExpression(rounded)}.words()}}.`,
  ];
}

/** A year with two digits that is more than this number of years in the future is probably one before 2000. */
const FAR_YEARS = 20;

/** Records `born.toDate("dd.MM.yy")` with a date far in the future. `date`: the result in ISO 8601. */
function noteTwoDigitYear(call: CallExpression, date: unknown, env: Evaluation): void {
  const [of, pattern] = call.arguments;
  if (of === undefined || pattern?.kind !== "literal" || env.now === null) return;
  if (!/^[^y]*yy[^y]*$/i.test(String(pattern.value))) return;
  if (yearOf(date) <= yearOf(env.now) + FAR_YEARS) return;
  const read = spellExpression(call);
  const place = placeOf(of, env);
  env.doubts.push({
    code: "doubtful_date",
    message: (tag) =>
      `In the tag ${tag}, 'yy' is a year from 2000 to 2099, and a date is more than ${FAR_YEARS} years in the future.`,
    hint: `For a year from 1900 to 1999 write ${read}.addYears(-100). If dates of both centuries occur and none is in the future, write $if(${read} > $today, ${read}.addYears(-100), ${read}).`,
    pointers: place === undefined ? [] : [place],
    isMissing: false,
    unlessWritten: "addYears(-100)",
  });
}

function yearOf(date: unknown): number {
  return date instanceof Date ? date.getUTCFullYear() : Number(/^\d{4}/.exec(String(date))?.[0]);
}
