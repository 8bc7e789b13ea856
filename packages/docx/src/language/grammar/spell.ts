import { type CallExpression, type Expression, quotedKey, spellKey } from "./expression.ts";

/** How tightly an expression binds its operands. Operands that bind less tightly need parentheses. */
const BINDING: Readonly<Partial<Record<Expression["kind"], number>>> = {
  or: 0,
  and: 1,
  not: 2,
  compare: 3,
  isPresent: 3,
  isEmpty: 3,
  fallback: 4,
};
const [SUM, PRODUCT, SINGLE] = [5, 6, 7] as const;

/** Returns an expression as an author may write it in a tag. Functions are written with a dot: `items.sum(price)`. */
export function spellExpression(expression: Expression): string {
  switch (expression.kind) {
    case "path":
      return expression.source;
    case "number":
      return expression.text;
    case "literal":
      return spellLiteral(expression.value);
    case "moment":
      return expression.name;
    case "variable":
      return expression.of === null ? expression.name : `${expression.of}.${expression.name}`;
    case "not":
      return `not ${within(expression.operand, 2)}`;
    case "negate":
      return `-${within(expression.operand, SINGLE)}`;
    case "isPresent":
    case "isEmpty":
      return `${within(expression.operand, 4)} ${expression.kind}`;
    case "and":
    case "or": {
      const binding = BINDING[expression.kind] ?? 0;
      return `${within(expression.left, binding)} ${expression.kind} ${within(expression.right, binding + 1)}`;
    }
    case "compare":
      return `${within(expression.left, 4)} ${expression.operator} ${within(expression.right, 4)}`;
    case "fallback":
      return `${within(expression.left, 4)} ?? ${within(expression.right, SUM)}`;
    case "compute": {
      const binding = bindingOf(expression);
      return `${within(expression.left, binding)} ${expression.operator} ${within(expression.right, binding + 1)}`;
    }
    case "call":
      return spellCall(expression);
    case "member":
      return `${within(expression.of, SINGLE)}${expression.keys.map(spellKey).join("")}`;
    case "element":
      return `${within(expression.of, SINGLE)}[${spellExpression(expression.key)}]`;
    case "list":
      return `[${expression.items.map((each) => within(each, 4)).join(", ")}]`;
  }
}

/** Whether two expressions are written alike, so that they have the same value at the same place. */
export function isSpelledAlike(one: Expression, other: Expression): boolean {
  return one.kind === other.kind && spellExpression(one) === spellExpression(other);
}

function spellLiteral(value: string | boolean | null): string {
  if (value === "\n") return "$newline";
  return typeof value === "string" ? quotedKey(value).slice(1, -1) : String(value);
}

function spellCall({ name, arguments: given, descending }: CallExpression): string {
  const [of, ...others] = given;
  const texts = others.map(
    (each, index) => `${spellExpression(each)}${descending[index] === true ? " desc" : ""}`,
  );
  if (name === "$if" || of === undefined || of.kind === "number") {
    return `${name}(${[...(of === undefined ? [] : [spellExpression(of)]), ...texts].join(", ")})`;
  }
  if (name === "$running") return `${name}(${spellExpression(of)})`;
  return `${within(of, SINGLE)}.${name.slice(1)}(${texts.join(", ")})`;
}

/** Like {@link spellExpression}, in parentheses if a function or a key cannot follow otherwise: `(a - b)`. */
export function spellOperand(expression: Expression): string {
  return expression.kind === "negate" || expression.kind === "number"
    ? `(${spellExpression(expression)})`
    : within(expression, SINGLE);
}

function within(operand: Expression, least: number): string {
  const text = spellExpression(operand);
  return bindingOf(operand) < least ? `(${text})` : text;
}

function bindingOf(expression: Expression): number {
  if (expression.kind === "compute") return /[*/%]/.test(expression.operator) ? PRODUCT : SUM;
  return BINDING[expression.kind] ?? SINGLE;
}
