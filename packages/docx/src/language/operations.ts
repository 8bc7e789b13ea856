import { toDecimal } from "../format/decimal.ts";
import { type Wording, withTags } from "./delimiters/wording.ts";
import { comparedText } from "./formatted/operands.ts";
import {
  type Comparison,
  type Expression,
  type Operator,
  operandsOf,
} from "./grammar/expression.ts";
import type { FunctionName } from "./grammar/functions.ts";
import { spellExpression } from "./grammar/spell.ts";
import { checkThousands, written } from "./literal-conditions.ts";
import { plainText, TagSyntaxError } from "./tokens.ts";

/** Returns an operation on two values. Throws {@link TagSyntaxError} if one of them is a non-numeric string. */
export function computed(operator: Operator, left: Expression, right: Expression): Expression {
  const daysBetween = operator === "-" ? daysMeant(left, right) : null;
  if (daysBetween !== null)
    throw new TagSyntaxError("Dates are not subtracted.", `Write ${daysBetween}.`);
  if (operator === "+" || operator === "-")
    for (const each of [left, right]) if (each.kind === "number") checkThousands(each.text);
  return { kind: "compute", operator, left: operand(left), right: operand(right) };
}

/** Returns the function for the days between a date in quotes and another value; null for other operands. */
function daysMeant(left: Expression, right: Expression): string | null {
  const isDate = ({ kind, ...each }: Expression): boolean =>
    kind === "literal" && "value" in each && /^\d{4}-\d\d-\d\d/.test(String(each.value));
  const [from, to] = [written(right), written(left)];
  if (from === null || to === null || !(isDate(left) || isDate(right))) return null;
  return isDate(right) ? `$daysUntil(${from}, ${to})` : `${from}.daysUntil(${to})`;
}

/** Throws {@link TagSyntaxError} for a formatted value, such as `total.number(2)`, in place of a number. */
export function checkUnformatted(expression: Expression): void {
  if (expression.kind !== "call" || !FORMATTERS.has(expression.name)) return;
  const name = expression.name.slice(1);
  const [of] = expression.arguments;
  throw new TagSyntaxError(
    `The function '${name}' gives text, not a number.`,
    `Compute with the value itself, ${of === undefined ? "total" : spellExpression(of)}, and format the result.`,
  );
}

const FORMATTERS: ReadonlySet<FunctionName> = new Set([
  ...(["$format", "$number", "$currency", "$percent"] as const),
]);

/** Returns an operand unchanged. Throws {@link TagSyntaxError} for text that is not a number. */
export function operand(expression: Expression): Expression {
  checkUnformatted(expression);
  if (expression.kind !== "literal" || typeof expression.value !== "string") return expression;
  if (toDecimal(expression.value) !== null) return expression;
  throw new TagSyntaxError(
    `The text "${expression.value}" is not a number, so it cannot be used in a computation.`,
    withTags`Text is joined without an operator: write it next to the tag, as in {{price}} EUR.`,
  );
}

/**
 * Returns a comparison of two values. Word's autocorrect may have changed a string, so the comparison also accepts the
 * string as it was typed. Throws {@link TagSyntaxError} for the text of a formatted number in place of the number.
 */
export function compared(operator: Comparison, left: Expression, right: Expression): Expression {
  const problem = comparedText(operator, left, right);
  if (problem !== null) throw new TagSyntaxError(...problem);
  const as = (a: Expression, b: Expression): Expression => ({
    kind: "compare",
    operator,
    left: a,
    right: b,
  });
  const [plainLeft, plainRight] = [plainOf(left), plainOf(right)];
  const isLookup = operator === "==" || operator === "!=" || operator === "contains";
  if (!isLookup || (plainLeft === left && plainRight === right)) return as(left, right);
  // With nested comparisons, the number of variants would grow exponentially.
  if (holdsComparison(left) || holdsComparison(right)) return as(plainLeft, plainRight);
  return {
    kind: operator === "!=" ? "and" : "or",
    left: as(left, right),
    right: as(plainLeft, plainRight),
  };
}

/**
 * Returns the condition that a value is one of several. Word's autocorrect may have changed the strings of the list, so
 * the condition also accepts the strings as they were typed.
 */
export function isIn(value: Expression, among: Expression): Expression {
  const list =
    among.kind === "list"
      ? { ...among, items: [...new Set(among.items.flatMap((item) => [item, plainOf(item)]))] }
      : among;
  return { kind: "compare", operator: "contains", left: list, right: value };
}

function holdsComparison(expression: Expression): boolean {
  return expression.kind === "compare" || operandsOf(expression).some(holdsComparison);
}

/** Returns a literal string as it was typed, and any other expression unchanged. */
function plainOf(expression: Expression): Expression {
  if (expression.kind !== "literal" || typeof expression.value !== "string") return expression;
  const plain = plainText(expression.value);
  return plain === expression.value ? expression : { kind: "literal", value: plain };
}

/** Throws {@link TagSyntaxError} for a comparison of a position with itself. */
function checkPositions(
  operator: Comparison,
  left: Extract<Expression, { kind: "variable" }>,
  right: Extract<Expression, { kind: "variable" }>,
): void {
  if (left.name !== right.name || left.of !== right.of) return;
  throw new TagSyntaxError(
    `Both sides of '${operator}' are the same position, '${left.name}'.`,
    `In the parentheses of a function, ${left.name} is the position of its items. For the position in a loop around the tag write item.${left.name}, with the name of its item.`,
  );
}

/**
 * Throws {@link TagSyntaxError} for a comparison of a value with itself in the parentheses of a function, where the
 * author means the item of another list on one side. `isNested`: whether the function is within another function.
 */
export function checkSides(
  operator: Comparison,
  left: Expression,
  right: Expression,
  isNested: boolean,
): void {
  if (left.kind === "variable" && right.kind === "variable") checkPositions(operator, left, right);
  if (left.kind !== "path" || right.kind !== "path" || left.source !== right.source) return;
  const { source } = left;
  const key = source.slice(source.lastIndexOf(".") + 1);
  throw new TagSyntaxError(
    `Both sides of '${operator}' are the same value, '${source}'.`,
    `In the parentheses of a function, a name is a key of its items. Write item.${key} for the item of a loop around the tag, with its name in place of 'item', and outer.${key} for the item of a function around this one.`,
    isNested
      ? undefined
      : (item, names) => sidesHint(operator, source, key, names.includes(source) ? source : item),
  );
}

/**
 * Returns the hint for a comparison of a key of the items with itself. `source`: the key as written, `key`: its last name.
 * `item`: the name of the item of the loop around the tag; null outside all loops.
 */
export function sidesHint(
  operator: Comparison,
  source: string,
  key: string,
  item: string | null,
): Wording | null {
  const names = "In the parentheses of a function, a name is a key of its items.";
  if (item === source) {
    return `The item of the loop has the same name as the key: choose another name, such as x, and write ${key} ${operator} x.`;
  }
  if (item !== null)
    return `${names} For the item of the loop write ${key} ${operator} ${item}.${key}.`;
  return source === key
    ? withTags`${names} Give the value outside them another name: put the tag into {{for x in [${key}]}} … {{endfor}}, and write ${key} ${operator} x.`
    : null;
}

/**
 * Throws {@link TagSyntaxError} for a comparison of two texts of the template, one of which is meant as a path, and for
 * a comparison with an empty list.
 */
export function checkTexts(operator: Comparison, left: Expression, right: Expression): void {
  if (right.kind === "list" && right.items.length === 0) {
    const not = operator === "==" ? "" : "not ";
    throw new TagSyntaxError(
      `'${operator}' does not compare with an empty list.`,
      `Write ${not}${left.kind === "path" ? left.source : "list"} isEmpty.`,
    );
  }
  checkQuotedName(operator, left, right);
  if (left.kind !== "literal" || right.kind !== "literal") return;
  if (typeof left.value !== "string" || typeof right.value !== "string") return;
  if (left.value === right.value) return;
  throw new TagSyntaxError(
    `Both sides of '${operator}' are text in quotes.`,
    /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(left.value)
      ? `Write the name of a value without quotes: ${left.value} ${operator} "${right.value}".`
      : `Name a value of the data without quotes, as in status ${operator} "open".`,
  );
}

/** Throws {@link TagSyntaxError} for a name in quotes that is compared with a number: `"amount" > 3`. */
function checkQuotedName(operator: Comparison, left: Expression, right: Expression): void {
  if (left.kind !== "literal" || right.kind !== "number" || typeof left.value !== "string") return;
  if (!/^[\p{L}_][\p{L}\p{N}_.]*$/u.test(left.value)) return;
  throw new TagSyntaxError(
    `The left side of '${operator}' is text in quotes.`,
    `Write the name of a value without quotes: ${left.value} ${operator} ${right.text}.`,
  );
}

/** Throws {@link TagSyntaxError} for a text after `in`, which is meant as a list. */
export function checkAmong(value: Expression, among: Expression): Expression {
  if (among.kind !== "literal" || typeof among.value !== "string") return among;
  const parts = among.value.split(/\s*[,;|]\s*/);
  const list = `[${parts.map((each) => `"${each}"`).join(", ")}]`;
  const name = written(value);
  throw new TagSyntaxError(
    "'in' needs a list, not a text.",
    parts.length > 1 || name === null
      ? `Write in ${list}.`
      : `For a part of the text write ${name} contains "${among.value}". For one of several values write ${name} in ${list}.`,
  );
}
