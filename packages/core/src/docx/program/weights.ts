import type { Comparison, FunctionName } from "../template/language/expression.ts";
import type { ModifierCall } from "../template/language/modifiers.ts";
import type { Decimal } from "../values/format/decimal.ts";
import { countedCharacters, formatCount } from "../values/modifiers.ts";
import type { MarkupMeter } from "../values/rich/parse-html.ts";
import type { Spend } from "./budget.ts";
import { SHORT_PART } from "./search.ts";

// How many steps work takes. The weights are powers of two, so that sums of them are exact and do not depend on their
// order. `npm run bench:steps` measures them: work of any kind should take some 400 ns a step.

/** Characters that are searched, compared or changed in the time of a step. */
const CHARACTERS = 256;

/** The same in a search for a long part. */
const SEARCHED = 16;

/** Characters as readers see them that are counted in the time of a step. */
const COUNTED = 2;

/** The text of a modifier's argument that is looked at in the time of a step. */
const ARGUMENT = 32;

/** A number, date or currency in a format. */
const FORMAT = 8;

/** Pairs of digits that a computation multiplies in the time of a step. */
const DIGITS = 64;

/** An expression within another one, or a name. */
export const EXPRESSION_STEPS = 1 / 4;

/** To begin a picture, and its bytes that are read in the time of a step. */
const PICTURE = 64;
const BYTES = 64;

/** The same for a picture that was read before. */
const KNOWN_PICTURE = 4;
const KNOWN_BYTES = 4_096;

/** Characters of HTML or Markdown that are read in the time of a step, and an element of it with what is written. */
const MARKUP = 8;
const ELEMENT = 16;

/** Characters that are looked through for the ends of spans, likewise. */
const LOOKED = 64;

/** The characters of a text, or of the texts in a list. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (!Array.isArray(value)) return 0;
  let sum = 0;
  for (const each of value) if (typeof each === "string") sum += each.length;
  return sum;
}

/** To compare two values, or to search the first one for the second. */
export function comparisonSteps(operator: Comparison, one: unknown, other: unknown): number {
  const characters = charactersIn(one) + charactersIn(other);
  const isLongSearch = operator === "contains" && charactersIn(other) > SHORT_PART;
  return characters / (isLongSearch ? SEARCHED : CHARACTERS);
}

/** To give a list to a function, which may put a text between its elements. To count them it does not look at them. */
export function callSteps(name: FunctionName, [list, ...others]: readonly unknown[]): number {
  if (name === "$count" || (name === "$length" && Array.isArray(list))) return 0;
  const elements = Array.isArray(list) ? list.length : 1;
  const between = others.reduce<number>((sum, each) => sum + charactersIn(each), 0);
  return (charactersIn(list) + elements * between) / CHARACTERS;
}

/** To compute with two numbers. */
export function computationSteps(left: Decimal, right: Decimal): number {
  return 2 + (left.c.length * right.c.length) / DIGITS;
}

/** To print a value, before it is written: to look through its text, format and change it. */
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

/** To read a picture of so many bytes or characters of base64. `isKnown`: the same was read before. */
export function pictureSteps(length: number, isKnown: boolean): number {
  return isKnown ? KNOWN_PICTURE + length / KNOWN_BYTES : PICTURE + length / BYTES;
}

/** Counts what HTML and Markdown take. */
export function markupMeter(spend: Spend): MarkupMeter {
  return {
    characters: (count) => spend(count / MARKUP, "rich"),
    element: () => spend(ELEMENT, "rich"),
    looked: (count) => spend(count / LOOKED, "rich"),
  };
}
