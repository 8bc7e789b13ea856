import type { ElementNode } from "../template/nodes.ts";
import { referencesIn, withNames } from "../template/references.ts";

/** Renames a bookmark, or the bookmark that an element refers to. `names`: the new names by the old ones. */
export function renameBookmarks(node: ElementNode, names: ReadonlyMap<string, string>): void {
  const attribute = BOOKMARK_NAMES.get(node.name);
  if (attribute === undefined || names.size === 0) return;
  node.attributes = node.attributes.replace(
    attribute,
    (_, before: string, value: string) => before + (names.get(value) ?? referringTo(value, names)),
  );
}

const BOOKMARK_NAMES: ReadonlyMap<string, RegExp> = new Map([
  ["w:bookmarkStart", /( w:name=")([^"]*)/],
  ["w:hyperlink", /( w:anchor=")([^"]*)/],
  ["w:fldSimple", /( w:instr=")([^"]*)/],
]);

/** Renames the bookmark in the instruction of a field. */
export function referringTo(instruction: string, names: ReadonlyMap<string, string>): string {
  const found = referencesIn(instruction);
  return withNames(
    instruction,
    found.map((each) => ({ ...each, name: names.get(each.name) ?? each.name })),
  );
}
