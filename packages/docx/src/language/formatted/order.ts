import { parseDate } from "../../format/parse-date.ts";
import { PatternError } from "../../format/pattern-text.ts";
import type { CallExpression, Expression } from "../grammar/expression.ts";
import { spellExpression } from "../grammar/spell.ts";
import { type FormattedText, formattedText, unformatted } from "./formatted-text.ts";

/** The fault of an expression: the end of the sentence "In the tag …, …", and the hint. */
type Doubt = readonly [message: string, hint: string];

/** Returns why a `sort` orders text that a function makes of a value: `sales.sort(amount.number(2))`; or null. */
export function sortedText({ name, arguments: given, descending }: CallExpression): Doubt | null {
  const [list, ...keys] = given;
  if (name !== "$sort" || list === undefined) return null;
  for (const [index, key] of keys.entries()) {
    const doubt = doubtfulKey(key, list, descending[index] === true ? " desc" : "");
    if (doubt !== null) return doubt;
  }
  return null;
}

/** Returns why `due.format("dd.MM.yyyy").addDays(3)` loses its format; null for other calls. */
export function lostFormat(expression: Expression): Doubt | null {
  if (expression.kind !== "call") return null;
  const { name, arguments: given } = expression;
  const [of, ...others] = given;
  if (!/^\$(?:add(?:Days|Workdays|Months|Years)|(?:start|end)Of\w+)$/.test(name)) return null;
  if (of?.kind !== "call" || of.name !== "$format") return null;
  const [date, pattern] = of.arguments;
  if (date === undefined || pattern?.kind !== "literal" || pattern.value === "yyyy-MM-dd")
    return null;
  const call = `${name.slice(1)}(${others.map(spellExpression).join(", ")})`;
  return [
    `'${name.slice(1)}' comes after 'format', so its result loses the format`,
    `Write ${spellExpression(date)}.${call} :: format(${spellExpression(pattern)}).`,
  ];
}

/** Returns why a key of `sort` is text that has not the order of its values; null for other keys. */
export function doubtfulKey(key: Expression, list: Expression, direction = ""): Doubt | null {
  const group = groupOf(key, list);
  const by = group?.arguments[1] ?? key;
  const text = formattedText(by);
  if (text === null || text.order !== "no") return null;
  const name = text.call.name.slice(1);
  const order = name === "format" ? "time" : "size";
  const value = `sort(${inOrder(by, text)}${direction})`;
  if (group === null) {
    return [
      `'${name}' gives text, which is not sorted by ${order}`,
      withoutYear(by, text)
        ? `Write sort(${spellExpression(unformatted(by))}${direction}). For an order without the year write ${value}.`
        : `Sort by the value itself: ${value}.`,
    ];
  }
  const [items] = group.arguments;
  const before = items === undefined ? "items" : spellExpression(items);
  return [
    `the key of the groups is text, which is not sorted by ${order}`,
    `Sort the items before they are grouped: ${before}.${value}.group(${spellExpression(by)}).`,
  ];
}

/** Returns the `group` whose key a key of `sort` is: `sales.group(city).sort(key)`; null for other keys. */
function groupOf(key: Expression, list: Expression): CallExpression | null {
  if (key.kind !== "path" || !/^(?:[\p{L}_][\p{L}\p{N}_]*\.|\.)?key$/u.test(key.source))
    return null;
  let of: Expression | undefined = list;
  while (of?.kind === "call" && SELECTS.test(of.name)) of = of.arguments[0];
  return of?.kind === "call" && of.name === "$group" ? of : null;
}

const SELECTS = /^\$(?:where|limit|skip|reverse|sort)$/;

/** Whether the text is the day and the month of a date, without its year. */
function withoutYear(key: Expression, text: FormattedText): boolean {
  return /\.format\("MM-dd"\)$/.test(inOrder(key, text));
}

/** Returns a value whose order is the one of size or time, in place of its text. */
function inOrder(key: Expression, { call }: FormattedText): string {
  const value = spellExpression(unformatted(key));
  const [, form] = call.arguments;
  const pattern = form?.kind === "literal" ? String(form.value) : "";
  if (call.name !== "$format" || /y|long|full/i.test(pattern)) return value;
  if (/M/.test(pattern)) return /d/.test(pattern) ? `${value}.format("MM-dd")` : `${value}.month()`;
  if (/E/.test(pattern)) return `${value}.weekday()`;
  return /[Hh]/.test(pattern) ? `${value}.format("HH:mm")` : value;
}

/** Returns why a comparison orders dates by their letters: `due.format("MM/dd/yyyy") < "02/01/2026"`; or null. */
export function orderedText(
  comparison: Extract<Expression, { readonly kind: "compare" }>,
): Doubt | null {
  const { operator, left, right } = comparison;
  const texts = [left, right].map(formattedText);
  const [text] = texts.filter((each) => each?.call.name === "$format" && each.order !== "letters");
  if (!/^[<>]/.test(operator) || !text) return null;
  const [one, other] = [left, right].map((side) => dateMeant(side, text));
  return [
    "'format' gives text, which is not compared by time",
    one && other
      ? `Compare the dates themselves: ${one} ${operator} ${other}.`
      : `Compare the date itself, as in ${spellExpression(unformatted(text.call))} < "2026-11-20".`,
  ];
}

/** Returns a side of a comparison as a date: a text in quotes is read with the pattern of the other side. */
function dateMeant(side: Expression, { call }: FormattedText): string | null {
  if (side.kind !== "literal") return spellExpression(unformatted(side));
  const [, form] = call.arguments;
  if (form?.kind !== "literal") return null;
  const date = readAs(String(side.value), String(form.value));
  return date === null ? null : `"${date}"`;
}

function readAs(text: string, pattern: string): string | null {
  try {
    const date = parseDate(text, pattern, { locale: "en-US", timeZone: "UTC" });
    if ("problem" in date) return null;
    const { year, month, day } = date;
    return [year, month, day]
      .map((part, at) => String(part).padStart(at === 0 ? 4 : 2, "0"))
      .join("-");
  } catch (error) {
    if (error instanceof PatternError) return null;
    throw error;
  }
}
