import { hasPlace, type PathExpression } from "../../../language/grammar/expression.ts";
import type { TagOrigin } from "../../../program/tag-ops.ts";
import { joinedInCell, joinedInListItem } from "../../../template/mistakes/joined-items.ts";
import type { Joined } from "../../../template/nodes/tag-uses.ts";
import type { Diagnostics } from "../context/document-diagnostics.ts";
import type { Evaluation } from "../context/evaluation.ts";
import { pointerOf } from "../context/pointers.ts";

/** A block, with the list that it repeats. */
interface Block {
  readonly origin: TagOrigin;
  readonly list: PathExpression;
  /** The name of the items; null in a section. */
  readonly alias: string | null;
  readonly mayJoin: Joined | undefined;
}

/**
 * Warns about items that run together in one list item or cell. Only the data shows this: a list may have one item, and
 * a section may be a condition. Signs of one character, such as stars, may be meant.
 */
export function noteJoined(
  { origin, list, alias, mayJoin }: Block,
  items: readonly unknown[],
  env: Evaluation,
  diagnostics: Diagnostics,
): void {
  if (mayJoin === undefined || items.length < 2 || items.every(isSign)) return;
  const name = hasPlace(list) ? `'${list.source}'` : origin.text;
  const { code, message, hint } =
    mayJoin === "cell"
      ? joinedInCell(name, `${alias ?? "i"} in ${listIn(origin.text) ?? list.source}`)
      : joinedInListItem(`The items of ${name}`, origin.text);
  diagnostics.warn(origin, code, message, pointerOf(list, env), () => hint);
}

function isSign(item: unknown): boolean {
  return typeof item === "string" && item.length < 3;
}

/** Returns the list in the tag of a loop, with its functions. */
function listIn(tag: string): string | null {
  return /^\S*\s*for\s+\S+\s+in\s+([^{}]+?)\s*(?:::[^{}]*)?\}+$/.exec(tag)?.[1] ?? null;
}
