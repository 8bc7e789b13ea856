import {
  type Expression,
  operandsOf,
  type PathExpression,
} from "../../language/grammar/expression.ts";
import { written } from "../../language/literal-conditions.ts";
import type { Evaluation } from "./context/evaluation.ts";
import { isThere } from "./context/scope.ts";
import { keysOf } from "./hints/candidate-keys.ts";

/** Matches text and names that begin with a capital letter. */
const CAPITAL = /^\p{Lu}/u;

/**
 * Returns the hint for `city == "Rome" or Oslo`, in which the name is meant as text; null for other names. Only a name
 * with a capital letter after such a text counts, in data without such keys: a missing value may be meant.
 */
export function hintForUncompared(
  condition: Expression,
  { head, rest, source }: PathExpression,
  env: Evaluation,
): string | null {
  if (head === null || rest.length > 0 || !/^\p{Lu}\p{Ll}/u.test(head) || hasCapitals(env))
    return null;
  const before = comparedBefore(condition, source);
  const value = before === null ? null : written(before.left);
  if (before === null || value === null) return null;
  const texts = `[${written(before.right)}, "${source}"]`;
  return `Text goes in quotes, and each text needs its comparison: write ${value} ${before.operator === "!=" ? "not in" : "in"} ${texts}.`;
}

/** Whether the data, or an item of a block, has a key that begins with a capital letter. */
function hasCapitals(env: Evaluation): boolean {
  const holders: unknown[] = [env.data];
  for (let at = env.scope; at !== null; at = at.outer) holders.push(at.item);
  return holders.some((holder) => keysOf(holder).some((key) => CAPITAL.test(key)));
}

type Compared = Extract<Expression, { kind: "compare" }>;

/** Returns the comparison with a text before a path in a chain of 'and' or 'or', or null. */
function comparedBefore(condition: Expression, source: string): Compared | null {
  if (condition.kind !== "and" && condition.kind !== "or") {
    const [first] = operandsOf(condition);
    return condition.kind === "not" && first !== undefined ? comparedBefore(first, source) : null;
  }
  const { left, right } = condition;
  if (right.kind === "path" && right.source === source) return lastCompared(left);
  return comparedBefore(left, source) ?? comparedBefore(right, source);
}

/** Returns the last comparison of a chain if it is one of a path with a text that begins with a capital letter. */
function lastCompared(chain: Expression): Compared | null {
  if (chain.kind === "and" || chain.kind === "or") {
    return chain.right.kind === "path" ? lastCompared(chain.left) : lastCompared(chain.right);
  }
  if (chain.kind !== "compare" || chain.left.kind !== "path") return null;
  const { operator, right } = chain;
  const isText = right.kind === "literal" && CAPITAL.test(String(right.value));
  return isText && (operator === "==" || operator === "!=") ? chain : null;
}

/** A text without quotes that reads as a difference of two names. */
interface HyphenatedText {
  readonly text: string;
  readonly names: readonly string[];
}

/** Returns the text of `status == in-progress`, in which no name has a value; null for other computations. `tag`: the tag as written. */
export function hyphenatedText(
  expression: Expression,
  tag: string,
  env: Evaluation,
): HyphenatedText | null {
  const names = namesIn(expression);
  if (names === null || names.some((name) => isThere(name, env))) return null;
  const text = names.join("-");
  const at = tag.indexOf(text);
  return at >= 0 && /[!=]=\s*$/.test(tag.slice(0, at)) ? { text, names } : null;
}

/** Returns the names of a difference that has only names; null for other expressions. */
function namesIn(expression: Expression): readonly string[] | null {
  if (expression.kind === "path")
    return expression.head === null || expression.rest.length > 0 ? null : [expression.head];
  if (expression.kind !== "compute" || expression.operator !== "-") return null;
  const [left, right] = [namesIn(expression.left), namesIn(expression.right)];
  return left === null || right === null ? null : [...left, ...right];
}
