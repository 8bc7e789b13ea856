import type { Comparison, Expression } from "./grammar/expression.ts";
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
