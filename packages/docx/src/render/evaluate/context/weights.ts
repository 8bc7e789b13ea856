import { isPlainText } from "../../../format/characters.ts";
import type { Decimal } from "../../../format/decimal.ts";
import { elementsOf } from "../../../format/elements.ts";
import type { Comparison } from "../../../language/grammar/expression.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import type { ModifierCall } from "../../../language/modifiers.ts";
import type { Spend } from "../../../values/budget.ts";
import { countedCharacters, formatCount } from "../../../values/modifiers.ts";
import type { MarkupMeter } from "../../../values/rich/read/parse-html.ts";
import { SHORT_PART } from "../compare/search.ts";

// The number of steps that work takes. The weights are powers of two, so that their sums are exact in any order. Each
// kind of work should take about 400 ns per step; `npm run bench:steps` measures it.

/** Number of characters searched, compared or changed per step. */
const CHARACTERS = 256;

/** Number of characters searched per step for a long part. */
const SEARCHED = 16;

/** Number of grapheme clusters counted per step. */
const COUNTED = 2;

/** Number of characters of a modifier's arguments read per step. */
const ARGUMENT = 32;

/** Number of steps to format a number, a date or a currency. */
const FORMAT = 8;

/** Number of pairs of digit groups multiplied per step. */
const DIGITS = 64;

/** Number of steps for a nested expression or a name. */
export const EXPRESSION_STEPS = 1 / 4;

/** Number of steps to start a picture, and number of its bytes read per step. */
const PICTURE = 64;
const BYTES = 64;

/** The same numbers for a picture that has already been read. */
const KNOWN_PICTURE = 4;
const KNOWN_BYTES = 4_096;

/** Number of characters of HTML or Markdown read per step, and number of steps to read and write an element. */
const MARKUP = 8;
const ELEMENT = 16;

/** Number of characters of Markdown scanned per step for the ends of spans. */
const LOOKED = 64;

/** Returns the number of characters in a string, or in the strings of a list. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (!Array.isArray(value)) return 0;
  let sum = 0;
  for (const each of elementsOf(value)) if (typeof each === "string") sum += each.length;
  return sum;
}

/** Returns the steps to compare two values, or to search the first one for the second. */
export function comparisonSteps(operator: Comparison, one: unknown, other: unknown): number {
  const characters = charactersIn(one) + charactersIn(other);
  const isLongSearch = operator === "contains" && charactersIn(other) > SHORT_PART;
  return characters / (isLongSearch ? SEARCHED : CHARACTERS);
}

/**
 * Returns the steps of a function call on a list, which may join its elements with a separator. Counting does not read
 * the elements.
 */
export function callSteps(name: FunctionName, [list, ...others]: readonly unknown[]): number {
  if (name === "$count" || (name === "$length" && Array.isArray(list))) return 0;
  const elements = Array.isArray(list) ? list.length : 1;
  const between = others.reduce<number>((sum, each) => sum + charactersIn(each), 0);
  const counted = name === "$length" && typeof list === "string" ? countingSteps(list) : 0;
  return (charactersIn(list) + elements * between) / CHARACTERS + counted;
}

/** Returns the steps to count characters of a text, at most `most` of them. */
export function countingSteps(text: string, most: number = text.length): number {
  return isPlainText(text) ? 0 : Math.min(text.length, most) / COUNTED;
}

/** Returns the steps to compute with two numbers. */
export function computationSteps(left: Decimal, right: Decimal): number {
  return 2 + (left.c.length * right.c.length) / DIGITS;
}

/** Returns the steps to read, format and change a value before it is written. */
export function printSteps(value: unknown, modifiers: readonly ModifierCall[]): number {
  const characters = charactersIn(value);
  if (modifiers.length === 0) return characters / CHARACTERS;
  const values = Array.isArray(value) ? value.length : 1;
  const formats = values * formatCount(modifiers) * FORMAT;
  const given = values * lengthOfArguments(modifiers);
  const changes = (characters * (1 + modifiers.length)) / CHARACTERS;
  const counted = countedCharacters(value, characters, modifiers);
  return formats + given / ARGUMENT + changes + counted / COUNTED;
}

function lengthOfArguments(modifiers: readonly ModifierCall[]): number {
  let sum = 0;
  for (const call of modifiers) for (const { value } of call.arguments) sum += value.length;
  return sum;
}

/**
 * Returns the steps to read a picture with this number of bytes or base64 characters. `isKnown` says whether the
 * picture has already been read.
 */
export function pictureSteps(length: number, isKnown: boolean): number {
  return isKnown ? KNOWN_PICTURE + length / KNOWN_BYTES : PICTURE + length / BYTES;
}

/** Counts the steps of HTML and Markdown. */
export function markupMeter(spend: Spend): MarkupMeter {
  return {
    characters: (count) => spend(count / MARKUP, "rich"),
    element: () => spend(ELEMENT, "rich"),
    looked: (count) => spend(count / LOOKED, "rich"),
  };
}
