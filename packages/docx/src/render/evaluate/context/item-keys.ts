import type { PathExpression } from "../../../language/grammar/expression.ts";
import type { ItemKey, Turn } from "../../references/bookmarks.ts";
import { sourceIndex } from "./origins.ts";

/** Returns a function that gives the items of blocks in one document a text: the same text for the same items. */
export function itemKeys(): ItemKey {
  // Created with the first object, because most documents do not compare any.
  let objects: Map<unknown, number> | null = null;
  let others = 0;
  const numberOf = (item: unknown): string => {
    if (typeof item !== "object" || item === null) {
      // Equal texts or numbers from different lists need not be the same item.
      others += 1;
      return `other ${others}`;
    }
    objects ??= new Map();
    const number = objects.get(item) ?? objects.size;
    objects.set(item, number);
    return `object ${number}`;
  };
  return (blocks, turn) =>
    blocks
      .map(({ path, by }) => {
        const own = turnOver(path, turn);
        if (own === null) return "";
        if (by === "object") return numberOf(own.item);
        return own.items === null ? "" : String(sourceIndex(own.items, own.index ?? 0));
      })
      .join();
}

/** Returns the iteration of the block with this list. */
function turnOver(path: PathExpression, turn: Turn | null): Turn | null {
  let at = turn;
  while (at !== null && at.path !== path) at = at.outer;
  return at;
}
