import type { PathExpression } from "../../../language/grammar/expression.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, resolve } from "../context/scope.ts";

/** Returns a suggestion for `items.length`: the function that counts a list or a string. */
export function lengthOf(value: unknown, path: string): string | null {
  if (Array.isArray(value)) return `$count(${path})`;
  return typeof value === "string" ? `$length(${path})` : null;
}

/** Keys that mean the number of elements or characters in other languages. */
const LENGTHS: ReadonlySet<string | undefined> = new Set(["length", "count", "size"]);

/**
 * Returns what to write for `items.length` of a list, and of a text, whose elements have no such key; null for other
 * paths.
 */
export function lengthMeant(path: PathExpression, env: Evaluation): string | null {
  const key = path.rest.at(-1);
  if (!LENGTHS.has(key) || key === undefined || !path.source.endsWith(`.${key}`)) return null;
  const source = path.source.slice(0, -key.length - 1);
  const of = resolve({ ...path, source, rest: path.rest.slice(0, -1) }, env);
  if (typeof of === "string") return `${source}.length()`;
  return Array.isArray(of) && !of.some((item) => hasOwn(item, key)) ? `${source}.count()` : null;
}

/** Records that a condition asks for `items.length`, which has no value. `paths`: those that it does not compare. */
export function noteLengths(paths: readonly PathExpression[], env: Evaluation): void {
  for (const path of paths) {
    if (!LENGTHS.has(path.rest.at(-1))) continue;
    const meant = lengthMeant(path, env);
    if (meant !== null) pushLength(path, meant, env);
  }
}

function pushLength({ source }: PathExpression, meant: string, env: Evaluation): void {
  env.doubts.push({
    code: "missing_in_condition",
    message: (tag) =>
      `In the tag ${tag}, '${source}' has no value, because the elements have no such key.`,
    hint: `Write ${meant}.`,
    pointers: [],
    isMissing: false,
  });
}
