import type { CallExpression, Comparison, Expression } from "../grammar/expression.ts";
import { FUNCTIONS, type FunctionName } from "../grammar/functions.ts";
import { spellExpression } from "../grammar/spell.ts";
import { fractionOf } from "../mistakes/number-texts.ts";
import { type FormattedText, formattedText, unformatted } from "./formatted-text.ts";

/** A message and its hint. */
type Problem = readonly [message: string, hint: string];

/**
 * Returns why a comparison can never be right, because one side is text that a function makes of a number or a date:
 * `total.currency("EUR") > 100`. Null for other comparisons.
 */
export function comparedText(
  operator: Comparison,
  left: Expression,
  right: Expression,
): Problem | null {
  const wrong = wrongSide(operator, left, right) ?? wrongSide(operator, right, left);
  if (wrong === null) return null;
  const { call } = wrong;
  const isDate = call.name === "$format" && wrong.asNumber === "no";
  const meant = isDate
    ? partCompared(operator, left, right)
    : plainlyCompared(operator, left, right);
  return [
    `The function '${call.name.slice(1)}' gives text, not a number.`,
    meant === null
      ? `Compare the value itself, ${spellExpression(unformatted(call))}, with a number, as in total > 100.`
      : `Compare the value itself: ${meant}.`,
  ];
}

/** Returns the text of a side that cannot be compared with the other side; null if it can. */
function wrongSide(
  operator: Comparison,
  side: Expression,
  other: Expression,
): FormattedText | null {
  const text = formattedText(side);
  if (text === null || text.asNumber === "yes" || operator === "contains") return null;
  const isOrder = operator !== "==" && operator !== "!=";
  const number = other.kind === "number" ? Number(other.text) : null;
  if (isOrder && (text.call.name !== "$format" || text.asNumber === "small")) return text;
  if (number === null) return null;
  return text.asNumber === "no" || number >= 1000 ? text : null;
}

/** Returns `due.month() > 5` for `due.format("MMMM") > 5`. */
function partCompared(operator: Comparison, left: Expression, right: Expression): string | null {
  const part = (side: Expression): string | null => {
    const call = formattedText(side)?.call;
    if (call === undefined) return spellExpression(side);
    const [of, form] = call.arguments;
    const pattern = form?.kind === "literal" ? String(form.value) : "";
    const name = /M/.test(pattern) ? "month" : /E/.test(pattern) ? "weekday" : null;
    return of === undefined || name === null ? null : `${spellExpression(of)}.${name}()`;
  };
  const [one, other] = [part(left), part(right)];
  return one === null || other === null ? null : `${one} ${operator} ${other}`;
}

/** Returns a comparison of the values themselves; null for a text that is not certainly a number. */
function plainlyCompared(operator: Comparison, left: Expression, right: Expression): string | null {
  const percents = [left, right].filter((side) => formattedText(side)?.call.name === "$percent");
  const isPercent = percents.length === 1;
  const sides = [left, right].map((side) => {
    if (formattedText(side) === null) return otherSide(side, isPercent);
    const value = unformatted(side);
    const isFraction = isPercent && [left, right].every((each) => !isNumber(each));
    if (!isFraction || !percents.includes(side)) return value;
    return {
      kind: "compute",
      operator: "*",
      left: value,
      right: { kind: "number", text: "100" },
    } as const;
  });
  const [one, other] = sides;
  if (!one || !other) return null;
  return spellExpression({ kind: "compare", operator, left: one, right: other });
}

/** Returns the side without a format: a number that is compared with a percentage becomes a fraction. */
function otherSide(side: Expression, isPercent: boolean): Expression | null {
  const number = numberIn(side);
  if (number === null) return side.kind === "literal" ? null : side;
  const text = isPercent ? fractionOf(number) : number;
  return text === null ? null : { kind: "number", text };
}

function isNumber(side: Expression): boolean {
  return numberIn(side) !== null;
}

/** Returns the digits of a number, or of a text in quotes such as `1,000.00` or `10%`; null for other values. */
function numberIn(side: Expression): string | null {
  if (side.kind === "number") return side.text;
  if (side.kind !== "literal" || typeof side.value !== "string") return null;
  const [, digits] =
    /^[\p{Sc}\s]*(\d{1,3}(?:,\d{3})*(?:\.\d+)?|\d+(?:\.\d+)?)\s*[%\p{Sc}]?$/u.exec(side.value) ??
    [];
  return digits?.replaceAll(",", "") ?? null;
}

/** The functions whose result is a value of the same kind, so that it can have the same format. */
const SAME_KIND: ReadonlySet<FunctionName> = new Set([
  ...(["$addDays", "$addWeeks", "$addMonths", "$addYears", "$addWorkdays"] as const),
  ...(["$startOfDay", "$startOfWeek", "$startOfMonth", "$endOfMonth"] as const),
  ...(["$round", "$abs", "$power", "$running"] as const),
  ...(["$sum", "$average", "$min", "$max"] as const),
]);

/**
 * Returns why a function can never be right, because it gets text that another function makes of a number or a date:
 * `due.format("MM/dd/yyyy").addDays(30)`, or `items.max(price.currency("EUR"))`. Null for other calls.
 */
export function textInCall(name: FunctionName, given: readonly Expression[]): Problem | null {
  const { of } = FUNCTIONS[name];
  const [first, second] = given;
  if (first === undefined) return null;
  if (of === "date") {
    const isWrong = (each: Expression): boolean => formattedText(each)?.isDate === false;
    if (isWrong(first)) return wrongOperand(name, given, first);
    const isUntil = name.endsWith("Until") && second !== undefined;
    return isUntil && isWrong(second) ? wrongOperand(name, given, second) : null;
  }
  if (of === "number") return isNoNumber(first) ? wrongOperand(name, given, first) : null;
  return /^\$(?:sum|average|min|max)$/.test(name) ? textOfItems(name, given) : null;
}

function isNoNumber(each: Expression): boolean {
  const text = formattedText(each);
  return text !== null && text.asNumber !== "yes";
}

function isNeither(each: Expression): boolean {
  return isNoNumber(each) && formattedText(each)?.isDate !== true;
}

/** `items.max(price.currency("EUR"))`, `items.map(price.number(2)).sum()` and `[a.number(2), b.number(2)].max()`. */
function textOfItems(name: FunctionName, given: readonly Expression[]): Problem | null {
  const [list, item] = given;
  if (list === undefined) return null;
  if (item !== undefined) return isNeither(item) ? wrongOperand(name, given, item) : null;
  if (list.kind === "call" && list.name === "$map") {
    const [of, mapped] = list.arguments;
    if (of === undefined || mapped === undefined || !isNeither(mapped)) return null;
    return wrongOperand(name, [of, mapped], mapped);
  }
  const wrong = list.kind === "list" ? list.items.find(isNeither) : undefined;
  if (list.kind !== "list" || wrong === undefined) return null;
  return wrongOperand(name, [{ ...list, items: list.items.map(unformatted) }], wrong);
}

function wrongOperand(
  name: FunctionName,
  given: readonly Expression[],
  wrong: Expression,
): Problem {
  const text = formattedText(wrong);
  const method = text?.call.name.slice(1) ?? "";
  const needed = FUNCTIONS[name].of === "date" ? "date" : "number";
  const values = given.map((each) => (formattedText(each) === null ? each : unformatted(each)));
  const call = callOf(name, values);
  const isFormatted =
    SAME_KIND.has(name) &&
    text !== null &&
    /^\$(?:format|number|currency|percent)$/.test(text.call.name);
  const whole = isFormatted
    ? callOf(text.call.name, [call, ...text.call.arguments.slice(1)])
    : call;
  return [
    `The function '${method}' gives text, not a ${needed}.`,
    `${isFormatted ? "Compute with the value itself, and format the result" : "Use the value itself"}: ${spellExpression(whole)}.`,
  ];
}

function callOf(name: FunctionName, given: readonly Expression[]): CallExpression {
  return { kind: "call", name, arguments: given, descending: [], alias: null };
}
