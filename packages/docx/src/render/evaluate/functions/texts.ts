import { charactersOf, countOf, endOf } from "../../../format/characters.ts";
import { kindOf, printValue, type ValueKind } from "../../../format/print.ts";
import { titleCase } from "../../../format/title-case.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import type { Spend } from "../../../values/budget.ts";
import { EvaluationError, withArticle } from "../compare/compare.ts";
import { countingSteps } from "../context/weights.ts";
import { wholeNumberIn } from "./whole-number.ts";

/** What a function on a text needs besides its values. */
interface TextContext {
  readonly name: FunctionName;
  readonly locale: string;
  readonly spend: Spend;
}

type TextFunction = (text: string, given: readonly unknown[], context: TextContext) => unknown;

/** The kinds of values that count as text. */
const TEXTS: ReadonlySet<ValueKind> = new Set(["text", "number", "boolean"]);

/** Maximum length of a text that a function makes. */
const MAX_LENGTH = 10_000_000;

/** Number of characters that are changed per step. */
const CHARACTERS = 256;

/** The functions on texts. A number, and true or false, count as their text. */
export const TEXT_FUNCTIONS: Readonly<Partial<Record<FunctionName, TextFunction>>> = {
  $uppercase: (text, _given, { locale }) => text.toLocaleUpperCase(locale),
  $lowercase: (text, _given, { locale }) => text.toLocaleLowerCase(locale),
  $titleCase: (text, _given, { locale }) => titleCase(text, locale),
  $trim: (text) => text.trim(),
  $startsWith: (text, [part], context) => text.startsWith(textIn(part, 1, context)),
  $endsWith: (text, [part], context) => text.endsWith(textIn(part, 1, context)),
  $replace: replaceAll,
  $split: split,
  $lines: (text) => partsOf(text, "\n"),
  $substring: substring,
  $padStart: (text, given, context) => padding(text, given, context) + text,
  $padEnd: (text, given, context) => text + padding(text, given, context),
  $concat: concatenate,
};

/** Returns the text of an argument, as a tag prints it. Throws {@link EvaluationError} for lists, objects and dates. */
export function textIn(
  value: unknown,
  argument: number,
  { name }: Pick<TextContext, "name">,
): string {
  const printed = TEXTS.has(kindOf(value)) ? printValue(value).text : undefined;
  if (printed !== undefined) return printed;
  throw Object.assign(new EvaluationError(`${name} needs text, but got ${withArticle(value)}`), {
    argument,
    ...(name === "$concat" && Array.isArray(value) && { hint: OF_LISTS }),
  });
}

const OF_LISTS =
  'A list becomes text with join, as in items.map(name).join(", "). To repeat several lists, write a loop for each of them.';

function replaceAll(text: string, [part, by]: readonly unknown[], context: TextContext): string {
  const [old, fresh] = [textIn(part, 1, context), textIn(by, 2, context)];
  if (old === "") throw empty(1, context);
  const pieces = partsOf(text, old);
  checkLength(text.length + (pieces.length - 1) * (fresh.length - old.length), context);
  return pieces.join(fresh);
}

function split(text: string, [separator]: readonly unknown[], context: TextContext): string[] {
  const between = textIn(separator, 1, context);
  if (between === "") throw empty(1, context);
  return partsOf(text, between);
}

/** Splits a text. A line break may be written in any way, as for `lines()`. */
function partsOf(text: string, between: string): string[] {
  return between === "\n" ? text.split(LINE_BREAK) : text.split(between);
}

const LINE_BREAK = /\r\n|\r|\n/;

/** Returns a part of a text. A negative position counts from the end. */
function substring(text: string, [from, length]: readonly unknown[], context: TextContext): string {
  const { name, spend } = context;
  const least = Number.MIN_SAFE_INTEGER;
  const position = wholeNumberIn(from, { name, argument: 1, least, needed: "a whole number" });
  const count = length === undefined ? null : wholeIn(length, 2, context);
  spend(countingSteps(text, position < 0 ? undefined : position + (count ?? 0)), "texts");
  const start = position < 0 ? Math.max(countOf(text) + position, 0) : position;
  const rest = text.slice(endOf(text, start) ?? text.length);
  return count === null ? rest : rest.slice(0, endOf(rest, count) ?? rest.length);
}

/** Returns text that a text is padded with, so that it has a number of characters. */
function padding(text: string, given: readonly unknown[], context: TextContext): string {
  const length = lengthIn(given, context);
  const written = fillIn(given, context);
  context.spend(countingSteps(text) + countingSteps(written), "texts");
  const fill = charactersOf(written);
  if (fill.length === 0) return "";
  const wanted = Math.max(length - countOf(text), 0);
  // A character may have any number of accents.
  checkLength(wanted * fill.reduce((most, each) => Math.max(most, each.length), 0), context);
  return Array.from({ length: wanted }, (_, at) => fill[at % fill.length]).join("");
}

function concatenate(text: string, given: readonly unknown[], context: TextContext): string {
  const texts = [text, ...given.map((each, index) => textIn(each, index + 1, context))];
  checkLength(
    texts.reduce((sum, { length }) => sum + length, 0),
    context,
  );
  return texts.join("");
}

function lengthIn([length]: readonly unknown[], context: TextContext): number {
  const whole = wholeIn(length, 1, context);
  checkLength(whole, context);
  return whole;
}

function fillIn([, fill]: readonly unknown[], context: TextContext): string {
  return fill === undefined ? " " : textIn(fill, 2, context);
}

function wholeIn(value: unknown, argument: number, { name }: TextContext): number {
  return wholeNumberIn(value, { name, argument, least: 0, needed: "a whole number from 0" });
}

function empty(argument: number, { name }: TextContext): EvaluationError {
  return Object.assign(new EvaluationError(`${name} cannot look for an empty text`), { argument });
}

function checkLength(length: number, { name, spend }: TextContext): void {
  spend(length / CHARACTERS, "texts");
  if (length <= MAX_LENGTH) return;
  throw new EvaluationError(`${name} would make a text of more than 10,000,000 characters`);
}
