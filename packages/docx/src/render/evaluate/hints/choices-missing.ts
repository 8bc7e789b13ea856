import {
  type Expression,
  type PathExpression,
  pathsOf,
} from "../../../language/grammar/expression.ts";

/** Returns the hint for `phone ?? office.phone`, where neither has a value; null for other tags. */
export function neitherHint(expression: Expression, path: PathExpression): string | null {
  if (expression.kind !== "fallback" || expression.left !== path) return null;
  const { right } = expression;
  if (right.kind !== "path" || pathsOf(right).length !== 1) return null;
  return `Neither '${path.source}' nor '${right.source}' has a value in the data. Add one of them, or write :: optional in the tag.`;
}
