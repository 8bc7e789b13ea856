import {
  type Expression,
  type PathExpression,
  pathsOf,
  spellKey,
} from "../../../language/grammar/expression.ts";
import type { ModifierName } from "../../../language/grammar/modifier-signatures.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { hasOwn, isFromRoot, turnIn } from "../context/scope.ts";

/** Records that the key of `merge` is a value outside the loop, although the items have a value of that name. */
export function noteSameKey(name: ModifierName, key: Expression, env: Evaluation): void {
  const turn = name === "merge" ? turnIn(env.scope) : null;
  if (turn === null || turn.alias === null || turn.alias === "" || key.kind !== "path") return;
  const { head, rest } = key;
  if (head === null || !pathsOf(key).every((path) => isFromRoot(path, env.scope))) return;
  if (!hasOwn(turn.item, head)) return;
  const meant = [turn.alias, ...[head, ...rest].map(spellKey)].join("");
  env.doubts.push({
    code: "same_for_all_items",
    message: (tag) =>
      `The key of 'merge' in the tag ${tag} is the same for all rows, because '${key.source}' is a value outside the loop.`,
    hint: `Write merge(${meant}).`,
    pointers: [],
    isMissing: false,
  });
}

/** Returns the key of an item for a path through the list of its loop: `i.site` for `invoices.site`; or null. */
export function keyOfItem({ source }: PathExpression, { scope }: Evaluation): string | null {
  for (let at = scope; at !== null; at = at.outer) {
    const list = at.path.source;
    if (at.alias === null || at.alias === "" || at.index === null || list === "") continue;
    if (source.startsWith(`${list}.`)) return `${at.alias}${source.slice(list.length)}`;
  }
  return null;
}
