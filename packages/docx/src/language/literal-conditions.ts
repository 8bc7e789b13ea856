import type { Comparison, Expression, PathExpression } from "./grammar/expression.ts";
import type { FunctionName } from "./grammar/functions.ts";
import { type Lexeme, TagSyntaxError, textOf } from "./tokens.ts";

type Junction = Extract<Expression, { kind: "and" | "or" }>;
type Literal = Extract<Expression, { kind: "literal" | "number" }>;

/**
 * Throws {@link TagSyntaxError} for a string or a number that a condition does not compare with anything, such as
 * `"DE"` in `country == "CH" or "DE"`, because such an operand is true, or false, for all data. `true` and `false` are
 * allowed.
 */
export function checkLiterals(condition: Expression): void {
  if (isBare(condition)) throw notCompared(condition, null);
  switch (condition.kind) {
    case "and":
    case "or":
      checkJunction(condition, null);
      break;
    case "not":
      checkLiterals(condition.operand);
      break;
    case "compare":
      checkSide(condition.left, null);
      checkSide(condition.right, condition);
  }
}

/**
 * Checks one side of a comparison. Parentheses with alternatives, as in `country == ("CH" or "DE")`, are not
 * allowed.
 */
function checkSide(side: Expression, comparison: Comparing | null): void {
  if (side.kind === "and" || side.kind === "or") checkJunction(side, comparison);
}

type Comparing = Extract<Expression, { kind: "compare" }>;

function checkJunction(junction: Junction, comparison: Comparing | null): void {
  const operands = operandsOfChain(junction);
  const literal = operands.find(isBare);
  if (literal !== undefined) {
    throw notCompared(literal, writtenOut(junction.kind, operands, comparison));
  }
  for (const operand of operands) checkLiterals(operand);
}

/** Returns the operands of a chain: three for `a or b or c`. */
function operandsOfChain({ kind, left, right }: Junction): Expression[] {
  const operands: Expression[] = [right];
  let first = left;
  while (first.kind === kind) {
    operands.unshift(first.right);
    first = first.left;
  }
  return [first, ...operands];
}

function isBare(expression: Expression): expression is Literal {
  return (
    expression.kind === "number" ||
    (expression.kind === "literal" && typeof expression.value === "string")
  );
}

/**
 * Returns the condition with each string or number that is not compared, compared with the left side of the preceding
 * comparison; null if this is not possible.
 */
function writtenOut(
  word: "and" | "or",
  operands: readonly Expression[],
  around: Comparing | null,
): string | null {
  let comparison = around;
  const parts: string[] = [];
  for (const operand of operands) {
    if (operand.kind === "compare") comparison = operand;
    const part =
      isBare(operand) && comparison !== null
        ? written({ ...comparison, right: operand })
        : written(operand);
    if (part === null || (isBare(operand) && comparison === null)) return null;
    parts.push(part);
  }
  // `x != "a" or "b"` means that `x` equals neither.
  return parts.join(comparison?.operator === "!=" ? " and " : ` ${word} `);
}

/**
 * Returns an expression as an author writes it; null for anything except a path, a literal, the date of the document or
 * a comparison of them.
 */
export function written(expression: Expression): string | null {
  switch (expression.kind) {
    case "path":
      return expression.source;
    case "number":
      return expression.text;
    case "moment":
      return expression.name;
    case "literal":
      return typeof expression.value === "string"
        ? quoted(expression.value)
        : String(expression.value);
    case "compare": {
      const left = written(expression.left);
      const right = written(expression.right);
      const operator: Comparison = expression.operator;
      return left === null || right === null ? null : `${left} ${operator} ${right}`;
    }
    default:
      return null;
  }
}

/**
 * Throws for a computation after `??` that begins with a number, because it would all be in place of the missing value:
 * `total ?? 0 + 1` is `total ?? (0 + 1)`. `start`, `from` and `to`: the indexes of the first token, of the first one
 * after the last `??`, and of the one after the computation.
 */
export function checkFallback(
  lexemes: readonly Lexeme[],
  start: number,
  from: number,
  to: number,
): void {
  const literal = lexemes[from]?.text === "-" ? from + 1 : from;
  if (lexemes[literal]?.kind !== "number" && lexemes[literal]?.kind !== "string") return;
  const before = textOf(lexemes.slice(start, from));
  const number = textOf(lexemes.slice(from, literal + 1));
  const rest = textOf(lexemes.slice(literal + 1, to));
  const computation = textOf(lexemes.slice(from, to));
  throw new TagSyntaxError(
    `The whole computation ${computation} is in place of a missing value, because '??' comes after other operators.`,
    `Write (${before} ${number}) ${rest}. If the computation is meant, write ${before} (${computation}).`,
  );
}

/**
 * Throws for `total - discount ?? 0`, in which 0 is in place of the whole difference. `before`: the token before the
 * `??`.
 */
export function checkDifference(
  before: Lexeme | undefined,
  left: Expression,
  right: Expression,
): void {
  if (left.kind !== "compute" || before?.text === ")") return;
  const { operator } = left;
  const instead = written(right);
  // A product or a quotient with a missing value may well be 0, and a text takes the place of all.
  const isSum = operator === "+" || operator === "-";
  if (!isSum && (right.kind !== "number" || Number(right.text) === 0)) return;
  const isRight = left.right.kind === "path";
  const last = written(isRight ? left.right : left.left);
  const isPath = isRight || (left.left.kind === "path" && right.kind === "number");
  if (!isPath || last === null || instead === null) return;
  const [one, other] = [written(left.left) ?? "a", written(left.right) ?? "b"];
  const parts = isRight ? [one, `(${last} ?? ${instead})`] : [`(${last} ?? ${instead})`, other];
  throw new TagSyntaxError(
    `The '?? ${instead}' is in place of the whole computation, not of '${last}'.`,
    `Write ${parts.join(` ${operator} `)}. If the computation is meant, put it in parentheses.`,
  );
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function notCompared(literal: Literal, meant: string | null): TagSyntaxError {
  const text = literal.kind === "literal";
  const value = text ? String(literal.value) : literal.text;
  const holds = text ? value !== "" : /[1-9]/.test(value);
  return new TagSyntaxError(
    `The ${text ? "text" : "number"} ${text ? quoted(value) : value} is not compared with anything, so it is always ${holds}.`,
    meant === null ? 'Compare it, as in status == "open".' : `Write ${meant}.`,
  );
}

/** Functions whose result is a number, with how to write the number of a name. */
const NUMBERS_OF_DATES: ReadonlyMap<FunctionName, string> = new Map<FunctionName, string>([
  ["$weekday", "The numbers are 1 (Monday) to 7 (Sunday): write due.weekday() == 1."],
  ["$month", "The numbers are 1 (January) to 12 (December): write due.month() == 1."],
  ["$quarter", "The numbers are 1 to 4: write due.quarter() == 1."],
  ["$year", "Write the year without quotes: due.year() == 2026."],
  ...(["$day", "$week", "$weekYear", "$hour", "$minute"] as const).map(
    (name) => [name, "Write a number without quotes."] as const,
  ),
]);

/** Throws {@link TagSyntaxError} for a comparison that is never meant, such as a month with a text. */
export function checkCompared(operator: Comparison, left: Expression, right: Expression): void {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    checkDatePart(one, other);
    if (other.kind === "number") checkThousands(other.text);
  }
  if (operator === "contains" && right.kind === "list") throw severalSought(left, right.items);
}

function checkDatePart(value: Expression, other: Expression): void {
  if (value.kind !== "call") return;
  const numbers = NUMBERS_OF_DATES.get(value.name);
  if (numbers === undefined) return;
  const name = `${value.name.slice(1)}()`;
  if (other.kind === "literal" && typeof other.value === "string" && !/^\d+$/.test(other.value)) {
    throw new TagSyntaxError(`'${name}' is a number, so it is never a text.`, numbers);
  }
  if (value.name === "$year" && other.kind === "number" && Number(other.text) < 1000) {
    throw new TagSyntaxError(
      `'${name}' is a year such as 2026.`,
      "For the years between two dates write born.yearsUntil($today).",
    );
  }
}

/** Throws {@link TagSyntaxError} for a number such as `1.500`, whose point is probably between thousands. */
export function checkThousands(number: string): void {
  if (!/^(?:\d{1,3}\.00|[1-9]\d{0,2}\.\d\d)0$/.test(number)) return;
  const value = number.replace(/\.?0+$/, "");
  throw new TagSyntaxError(
    `${number} is the number ${value}, because the point is before decimals.`,
    `Write ${number.replace(".", "")} without a separator, or ${value}.`,
  );
}

function severalSought(list: Expression, sought: readonly Expression[]): TagSyntaxError {
  const name = written(list) ?? "list";
  const each = sought.map((item) => `${name} contains ${written(item) ?? '"A"'}`);
  return new TagSyntaxError(
    "'contains' looks for one value.",
    `For all of them write ${each.join(" and ")}, and for any of them 'or' in place of 'and'.`,
  );
}

/** Throws {@link TagSyntaxError} for a list after `in` that is a range, or several texts in one pair of quotes. */
export function checkListed(value: Expression, items: readonly Expression[]): void {
  const [only, ...others] = items;
  if (only === undefined || others.length > 0) return;
  const name = written(value) ?? "value";
  if (only.kind === "compute" && only.operator === "-") {
    const { left, right } = only;
    if (left.kind !== "number" || right.kind !== "number") return;
    throw new TagSyntaxError(
      `[${left.text}-${right.text}] is a list with one number.`,
      `Write ${name} >= ${left.text} and ${name} <= ${right.text}.`,
    );
  }
  if (only.kind !== "literal" || typeof only.value !== "string" || !/[,;|]/.test(only.value))
    return;
  const texts = only.value.split(/\s*[,;|]\s*/).map((each) => JSON.stringify(each));
  throw new TagSyntaxError(
    "The list after 'in' has only one text.",
    `Put each text in its own quotes: ${name} in [${texts.join(", ")}].`,
  );
}

/**
 * Throws {@link TagSyntaxError} for conditions that are the same for all data: `a != "x" or a != "y"`, and
 * `a == "x" and a == "y"`.
 */
export function checkSettled(condition: Expression): void {
  if (condition.kind === "not") checkSettled(condition.operand);
  if (condition.kind !== "and" && condition.kind !== "or") return;
  const parts = partsOf(condition, condition.kind);
  const operator = condition.kind === "and" ? "==" : "!=";
  const compared = new Map<string, Expression>();
  for (const part of parts) {
    if (part.kind === "and" || part.kind === "or") checkSettled(part);
    if (part.kind !== "compare" || part.operator !== operator) continue;
    const { left, right } = part;
    if (left.kind !== "path" || written(right) === null || right.kind === "path") continue;
    const before = compared.get(left.source);
    if (before !== undefined && written(before) !== written(right)) {
      throw settled(condition, left, [before, right]);
    }
    compared.set(left.source, right);
  }
}

function partsOf(expression: Expression, kind: Junction["kind"]): readonly Expression[] {
  return expression.kind === kind
    ? [...partsOf(expression.left, kind), ...partsOf(expression.right, kind)]
    : [expression];
}

function settled(
  { kind }: Junction,
  { source }: PathExpression,
  values: readonly Expression[],
): TagSyntaxError {
  const list = `[${values.map((value) => written(value)).join(", ")}]`;
  return kind === "and"
    ? new TagSyntaxError(
        `The condition is never true: '${source}' cannot equal two values at once.`,
        `Write 'or' in place of 'and', or ${source} in ${list}.`,
      )
    : new TagSyntaxError(
        `The condition is always true: '${source}' always differs from one of the values.`,
        `Write 'and' in place of 'or', or ${source} not in ${list}.`,
      );
}
