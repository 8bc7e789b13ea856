import { referencesIn, withNames } from "../template/fields/references.ts";
import type { ElementNode } from "../template/nodes/nodes.ts";

/**
 * Renames a bookmark, or the bookmark that an element refers to. `names`: the new names by the old ones. The old names
 * are in lower case, because Word ignores the case.
 */
export function renameBookmarks(node: ElementNode, names: ReadonlyMap<string, string>): void {
  const attribute = BOOKMARK_NAMES.get(node.name);
  if (attribute === undefined || names.size === 0) return;
  // If there is an address, the anchor refers to another document.
  if (node.name === "w:hyperlink" && node.attributes.includes(' r:id="')) return;
  const isField = node.name === "w:fldSimple";
  node.attributes = node.attributes.replace(
    attribute,
    (_, before: string, value: string) =>
      before + (isField ? referringTo(value, names) : newName(value, names)),
  );
}

const BOOKMARK_NAMES: ReadonlyMap<string, RegExp> = new Map([
  ["w:bookmarkStart", /( w:name=")([^"]*)/],
  ["w:hyperlink", /( w:anchor=")([^"]*)/],
  ["w:fldSimple", /( w:instr=")([^"]*)/],
]);

/** Returns the instruction of a field with its bookmarks renamed. */
export function referringTo(instruction: string, names: ReadonlyMap<string, string>): string {
  const found = referencesIn(instruction);
  return withNames(
    instruction,
    found.map((each) => ({ ...each, name: newName(each.name, names) })),
  );
}

function newName(name: string, names: ReadonlyMap<string, string>): string {
  return names.get(name.toLowerCase()) ?? name;
}
