import type { PathExpression } from "../../language/grammar/expression.ts";
import { type Evaluation, loopNamed } from "./context/evaluation.ts";
import { isThere } from "./context/scope.ts";

/** Returns a hint for a path that begins with the name of an item outside the loop of the item; null for others. */
export function hintOutsideLoop({ head }: PathExpression, env: Evaluation): string | null {
  const loop = head === null ? undefined : loopNamed(head, env);
  if (head === null || loop === undefined || isThere(head, env)) return null;
  const [keyword = "for"] = /tablerow|tablecolumn/.exec(loop) ?? [];
  const known = `'${head}' is known only between ${loop} and its 'end${keyword}'`;
  return env.isInHeader
    ? `${known}. A header or footer can use it if the section break of its pages is in the loop.`
    : `${known}: move the tag there.`;
}

/**
 * Returns the hint for a path whose value a condition only tests. Before the loop, a single name is probably a key that
 * the data may lack, which has the name of the item by chance.
 */
export function testedOutsideLoop(path: PathExpression, env: Evaluation): string | null {
  const mayBeKey = path.rest.length === 0 && env.opened?.get(path.head ?? "") === undefined;
  return mayBeKey ? null : hintOutsideLoop(path, env);
}
