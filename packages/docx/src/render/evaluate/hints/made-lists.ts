import { type PathExpression, pathsOf } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { madeOf } from "../context/origins.ts";
import { hasOwn, resolve, turnNamed } from "../context/scope.ts";

/**
 * Returns the hint for an element of `for c in [red, green]` without a value: its name is missing, or the texts have no
 * quotes. Returns null for other paths.
 */
export function hintForMadeList(path: PathExpression, env: Evaluation): string | null {
  const { head, rest } = path;
  if (head === null || rest.length > 0 || turnNamed(head, env.scope)?.item !== undefined)
    return null;
  const loop = env.opened?.get(head) ?? "";
  const [, inside = ""] = /\sin\s+\[([^[\]"']+)\]/.exec(loop) ?? [];
  const names = inside.split(",").map((name) => name.trim());
  const isText = names.some(
    (name) => /^\p{L}[\p{L}\p{N}_-]*$/u.test(name) && !hasOwn(env.data, name),
  );
  const part = partMissing(path, env);
  const isOfData = names.some((name) => hasOwn(env.data, name));
  if (part !== null && (isOfData || !isText)) return hintForPart(part.path.source);
  if (inside === "" || !isText) return null;
  return `The elements of the list are names of values. If they are texts, put them in quotes: [${names.map((name) => `"${name}"`).join(", ")}].`;
}

/** Returns the hint for a list in brackets that names a missing value. */
export function hintForPart(source: string): string {
  return `The list names '${source}', which has no value: correct its name, add it to the data, or write what counts in its place with ??.`;
}

/** A path, and where it is looked up. */
interface Part {
  readonly path: PathExpression;
  readonly env: Evaluation;
}

/**
 * Returns the missing path behind an item without a value: `b` in `for d in [a, b]` and in `for d in [a - b]`. Returns
 * null for other paths.
 */
export function partMissing({ head, rest }: PathExpression, env: Evaluation): Part | null {
  const turn = head === null || rest.length > 0 ? null : turnNamed(head, env.scope);
  if (turn === null || turn.items === null || turn.index === null) return null;
  if (turn.item !== undefined && turn.item !== null) return null;
  const made = madeOf(turn.items, turn.index);
  if (made === null) return null;
  const around = { ...env, scope: made.scope };
  const path = pathsOf(made.element).find((each) => resolve(each, around) === undefined);
  return path === undefined ? null : { path, env: around };
}
