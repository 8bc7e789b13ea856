import type { Diagnostic } from "@quire/contracts";
import { expressionsOf } from "../../../language/directive.ts";
import {
  type Comparison,
  type Expression,
  itemArgumentsOf,
  operandsOf,
  type PathExpression,
} from "../../../language/grammar/expression.ts";
import { sidesHint } from "../../../language/operations.ts";
import { OUTER } from "../../../language/parse-call.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

type Compare = Extract<Expression, { readonly kind: "compare" }>;

/** A comparison, and whether its function is in the parentheses of another function. */
interface Compared {
  readonly comparison: Compare;
  readonly isNested: boolean;
}

/**
 * Warns about comparisons of a key with itself in the parentheses of a function: `products.first(sku == this.sku)`, where
 * `this` is the item of `products`, not the one of a loop or function around it. `sku == sku` is an error. The blocks of
 * the part must be valid. `tags`: all tags of the part, in document order.
 */
export function sameItem(tags: readonly TagNode[]): Diagnostic[] {
  const open: (string | null)[] = [];
  const warnings: Diagnostic[] = [];
  for (const tag of tags) {
    const { directive } = tag;
    if (directive.kind.startsWith("end")) open.pop();
    const own = "alias" in directive ? [directive.alias] : [];
    const found = expressionsOf(directive)
      .flatMap((expression) => comparisonsIn(expression, 0))
      .filter(({ comparison }) => isOfOneItem(comparison, [...open, ...own]));
    warnings.push(...found.map((each) => warning(tag, each, open)));
    if ("alias" in directive) open.push(directive.alias);
    else if (directive.kind === "if" || directive.kind === "section") open.push(null);
  }
  return warnings;
}

/** Returns the comparisons within arguments for each item. `depth`: the number of functions around an expression. */
function comparisonsIn(expression: Expression, depth: number): Compared[] {
  const items = expression.kind === "call" ? itemArgumentsOf(expression) : [];
  return [
    ...(expression.kind === "compare" && depth > 0
      ? [{ comparison: expression, isNested: depth > 1 }]
      : []),
    ...operandsOf(expression).flatMap((each) => comparisonsIn(each, depth)),
    ...items.flatMap((each) => comparisonsIn(each, depth + 1)),
  ];
}

/** Whether both sides are the same key of `this`. `names`: the names of the items of loops. */
function isOfOneItem({ left, right }: Compare, names: readonly (string | null)[]): boolean {
  if (left.kind !== "path" || right.kind !== "path") return false;
  const [one, other] = [left, right].map(keysOf);
  const isNamed = [left, right].some(({ head }) => head !== null && names.includes(head));
  const isThis = left.head === null || right.head === null;
  return isThis && !isNamed && one !== "" && one === other;
}

function keysOf({ head, rest }: PathExpression): string {
  return (head === null ? rest : [head, ...rest]).join(".");
}

function warning(
  tag: TagNode,
  { comparison: { operator, left }, isNested }: Compared,
  open: readonly (string | null)[],
): Diagnostic {
  const isThisLeft = left.kind === "path" && left.head === null;
  const key = left.kind === "path" ? keysOf(left) : "";
  // The side with `this` is meant as the item around the function. It is written on the right.
  const sign = isThisLeft ? (TURNED[operator] ?? operator) : operator;
  const item = open.findLast((name) => name !== null) ?? null;
  const message = `In the tag ${tag.text}, both sides of '${operator}' are the same value, '${key}'.`;
  const hint = isNested
    ? `In the parentheses of a function, a name is a key of its items. For the item of the function around it write ${key} ${sign} ${OUTER}.${key}.`
    : (sidesHint(sign, key, key, item) ?? undefined);
  return { ...tagProblem(tag, "doubtful_computation", message, hint), severity: "warning" };
}

const TURNED: Readonly<Partial<Record<Comparison, Comparison>>> = {
  ...({ "<": ">", ">": "<", "<=": ">=", ">=": "<=" } as const),
};
