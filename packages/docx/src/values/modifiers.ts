import { countOf, endOf, isPlainText } from "../format/characters.ts";
import {
  type FormatContext,
  formatCurrency,
  formatNumber,
  formatPercent,
} from "../format/format-number.ts";
import { formatPattern } from "../format/format-pattern.ts";
import type { Printed } from "../format/print.ts";
import type { ModifierArgument, ModifierCall } from "../language/modifiers.ts";

/** Returns an argument of the first call of a modifier, by default the first one, or undefined. */
export function argumentOf(
  modifiers: readonly ModifierCall[],
  name: ModifierCall["name"],
  index = 0,
): string | undefined {
  return modifiers.find((call) => call.name === name)?.arguments[index]?.value;
}

/** Whether a modifier is present. */
export function hasModifier(
  modifiers: readonly ModifierCall[],
  name: ModifierCall["name"],
): boolean {
  return modifiers.some((call) => call.name === name);
}

/** Whether a modifier has an argument from the data. */
export function hasDataArguments(modifiers: readonly ModifierCall[]): boolean {
  return modifiers.some(({ arguments: given }) => given.some(({ kind }) => kind === "data"));
}

/** Whether one of the modifiers formats numbers or dates. */
export function formats(modifiers: readonly ModifierCall[]): boolean {
  return modifiers.some(({ name }) => FORMATS[name] !== undefined);
}

/** Returns the number of modifiers that format numbers or dates. */
export function formatCount(modifiers: readonly ModifierCall[]): number {
  return modifiers.filter(({ name }) => FORMATS[name] !== undefined).length;
}

/** Formats a value with its modifiers. Later formatting modifiers get the text of the first one. */
export function formatValue(
  value: unknown,
  modifiers: readonly ModifierCall[],
  context: FormatContext,
): Printed {
  let printed: Printed | null = null;
  for (const call of modifiers) {
    const format = FORMATS[call.name];
    if (format === undefined) continue;
    printed = format(printed === null ? value : printed.text, call.arguments, context);
    if (printed.problem !== undefined) return printed;
  }
  return printed ?? { problem: "has no format" };
}

type Given = readonly ModifierArgument[];
type Format = (value: unknown, given: Given, context: FormatContext) => Printed;

const FORMATS: Partial<Record<ModifierCall["name"], Format>> = {
  format: (value, [pattern], context) =>
    formatPattern(value, withHyphens(pattern?.value ?? ""), context),
  number: (value, [pattern], context) =>
    formatNumber(value, pattern === undefined ? null : patternIn(pattern), context),
  currency: (value, [code, digits], context) =>
    formatCurrency(value, code?.value ?? "", decimalsIn(digits), context),
  percent: (value, [digits], context) => formatPercent(value, decimalsIn(digits), context),
};

function decimalsIn(argument: ModifierArgument | undefined): number | null {
  return argument === undefined ? null : Number(argument.value);
}

/** Returns the pattern in an argument: a number of decimals, or a string. */
export function patternIn({ kind, value }: ModifierArgument): string | number {
  // Word makes an en dash of a hyphen. A minus sign is meant as it is.
  return kind === "number" ? Number(value) : value.replaceAll("–", "-");
}

/** Replaces Word's dashes with hyphens. */
function withHyphens(text: string): string {
  return text.replace(/[–−]/g, "-");
}

/** Applies all modifiers that change text, in order. Upper and lower case depend on the language of the locale. */
export function modify(text: string, modifiers: readonly ModifierCall[], locale: string): string {
  let result = text;
  for (const { name, arguments: given } of modifiers) {
    result = TRANSFORMS[name]?.(result, given, locale) ?? result;
  }
  return result;
}

/** Returns the modifiers for each element of a list, and the modifiers for the whole list. */
export function ofElements(modifiers: readonly ModifierCall[]): {
  readonly each: readonly ModifierCall[];
  readonly whole: readonly ModifierCall[];
} {
  return {
    each: modifiers.filter(({ name }) => name !== "truncate"),
    whole: modifiers.filter(({ name }) => name === "truncate"),
  };
}

/** Returns the modifiers for text that is not formatted, such as a default. */
export function withoutFormats(modifiers: readonly ModifierCall[]): readonly ModifierCall[] {
  return formats(modifiers)
    ? modifiers.filter(({ name }) => FORMATS[name] === undefined)
    : modifiers;
}

/** Whether a modifier changes text, other than `trim`, which only removes white space at the ends. */
export function changesText(name: ModifierCall["name"]): boolean {
  return TRANSFORMS[name] !== undefined && name !== "trim";
}

type Transform = (text: string, given: Given, locale: string) => string;

const TRANSFORMS: Partial<Record<ModifierCall["name"], Transform>> = {
  uppercase: (text, _given, locale) => text.toLocaleUpperCase(locale),
  lowercase: (text, _given, locale) => text.toLocaleLowerCase(locale),
  capitalize: (text, _given, locale) => {
    const [first = ""] = text;
    // In Greek, only words that are entirely in capitals lose their accents.
    const capital = /^el\b/i.test(locale) ? first.toUpperCase() : first.toLocaleUpperCase(locale);
    return capital + text.slice(first.length);
  },
  trim: (text) => text.trim(),
  truncate: (text, given) => {
    const cut = cutOf(text, given);
    return cut === null ? text : cut.kept + cut.ending;
  },
};

/**
 * Returns the beginning of the text that `truncate` keeps, and the ellipsis. Never splits a grapheme cluster. The
 * ellipsis counts towards the length, and is dropped if it does not fit. Returns null if the text is short enough.
 */
export function cutOf(
  text: string,
  [length, ending]: Given,
): { readonly kept: string; readonly ending: string } | null {
  const ellipsis = ending?.value ?? "…";
  const most = Number(length?.value);
  const end = endOf(text, most);
  if (end === null) return null;
  const room = most - countOf(ellipsis);
  if (room <= 0) return { kept: text.slice(0, end), ending: "" };
  return { kept: text.slice(0, endOf(text, room) ?? end).trimEnd(), ending: ellipsis };
}

/**
 * Returns the maximum number of grapheme clusters that `truncate` counts in a value of `characters` characters, and in
 * its ellipsis.
 */
export function countedCharacters(
  value: unknown,
  characters: number,
  modifiers: readonly ModifierCall[],
): number {
  const given = modifiers.find(({ name }) => name === "truncate")?.arguments;
  if (given === undefined) return 0;
  const [length, ending] = given;
  const ellipsis = ending?.value.length ?? 1;
  const isSimple = typeof value === "string" && isPlainText(value);
  return ellipsis + (isSimple ? 0 : Math.min(characters, Number(length?.value)));
}
