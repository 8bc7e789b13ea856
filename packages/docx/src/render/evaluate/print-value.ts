import { indexedElements } from "../../format/elements.ts";
import type { FormatContext } from "../../format/format-number.ts";
import { type ListStyle, type Printed, printValue } from "../../format/print.ts";
import type { ModifierCall } from "../../language/modifiers.ts";
import {
  argumentOf,
  formats,
  formatValue,
  hasModifier,
  modify,
  ofElements,
} from "../../values/modifiers.ts";
import { isTruthy } from "./compare/compare.ts";

/** Returns the text that a tag with these modifiers prints for a value, or why it cannot print it. */
export function print(
  value: unknown,
  modifiers: readonly ModifierCall[],
  options: FormatContext,
): Printed {
  if (hasModifier(modifiers, "checkbox")) return { text: isTruthy(value) ? "☒" : "☐" };
  if (Array.isArray(value)) return printList(value, modifiers, options);
  const printed = formats(modifiers) ? formatValue(value, modifiers, options) : printValue(value);
  return printed.problem === undefined
    ? { text: modify(printed.text, modifiers, options.locale) }
    : printed;
}

function printList(
  values: readonly unknown[],
  modifiers: readonly ModifierCall[],
  options: FormatContext,
): Printed {
  const { each, whole } = ofElements(modifiers);
  const { locale } = options;
  const between = argumentOf(modifiers, "delimiter") ?? ", ";
  const beforeLast = argumentOf(modifiers, "lastdelimiter") ?? between;
  const style: ListStyle = { between, beforeLast, change: (text) => modify(text, each, locale) };
  const texts: unknown[] = [];
  for (const [element, item] of indexedElements(formats(modifiers) ? values : [])) {
    if (item === null || item === undefined) continue;
    const printed = formatValue(item, modifiers, options);
    if (printed.problem !== undefined)
      return { problem: `is a list with an element that ${printed.problem}`, element };
    texts.push(printed.text);
  }
  const printed = printValue(formats(modifiers) ? texts : values, style);
  return printed.problem === undefined ? { text: modify(printed.text, whole, locale) } : printed;
}
