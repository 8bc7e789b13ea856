import type { PathExpression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, turnIn } from "../context/scope.ts";

/** Number of items of a loop that are searched for a name. */
const MAX_ITEMS = 500;

/**
 * Returns the hint for a condition that only tests `odd`, `even`, `negative` or `positive`, a name that the data has
 * nowhere; null for other names, because a missing value is false. `tag`: the tag as written.
 */
export function hintForFlag(
  { head, rest }: PathExpression,
  tag: string,
  env: Evaluation,
): string | null {
  if (head === null || rest.length > 0 || !/^(?:odd|even|negative|positive)$/i.test(head))
    return null;
  for (let at = env.scope; at !== null; at = at.outer) {
    if (at.items?.slice(0, MAX_ITEMS).some((item) => hasOwn(item, head))) return null;
  }
  const name = head.toLowerCase();
  if (name === "odd" || name === "even") {
    if (turnIn(env.scope) === null) return null;
    return `Write $number % 2 == ${name === "odd" ? 1 : 0} in place of '${head}'.`;
  }
  // In a block, the name may be a value that is not always there.
  const [, value] = /([\p{L}_][\p{L}\p{N}_.]*)\s*::/u.exec(tag) ?? [];
  if (value === undefined) return null;
  const isElement = /^(?:cell|row|column|paragraph|shape)$/.test(value);
  return `Compare the value: write ${isElement ? "amount" : value} ${name === "negative" ? "<" : ">"} 0 in place of '${head}'.`;
}
