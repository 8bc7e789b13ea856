import type { PathExpression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, turnNamed } from "../context/scope.ts";

/** Returns the hint for an element of `for c in [red, green]`, whose texts have no quotes; null for other paths. */
export function hintForMadeList({ head, rest }: PathExpression, env: Evaluation): string | null {
  if (head === null || rest.length > 0 || turnNamed(head, env.scope)?.item !== undefined)
    return null;
  const loop = env.opened?.get(head) ?? "";
  const [, inside = ""] = /\sin\s+\[([^[\]"']+)\]/.exec(loop) ?? [];
  const names = inside.split(",").map((name) => name.trim());
  const isText = names.some(
    (name) => /^\p{L}[\p{L}\p{N}_-]*$/u.test(name) && !hasOwn(env.data, name),
  );
  if (inside === "" || !isText) return null;
  return `The elements of the list are names of values. If they are texts, put them in quotes: [${names.map((name) => `"${name}"`).join(", ")}].`;
}
