import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import type { TaggedNameOp, TemplateNames } from "../../program/references.ts";
import type { ElementNode } from "../../template/nodes/nodes.ts";
import { TOP } from "./bookmark-places.ts";
import type { PartReferences, TaggedUse } from "./part-references.ts";
import { originOfUse } from "./reference-words.ts";

/** The references to bookmarks whose names have tags. */
interface TaggedNames {
  /** What checks each name, by the element that it comes before: the first one after the name. */
  readonly ops: ReadonlyMap<ElementNode, TaggedNameOp>;
  /** The names in lowercase of bookmarks that a document may omit; empty without such references. */
  readonly names: Iterable<string>;
}

/** Finds references to bookmarks whose names have tags. `known`: other names that every document has, in lowercase. */
export function taggedNames(
  parts: readonly PartReferences[],
  known: readonly string[],
  delimiters: Delimiters,
): TaggedNames {
  const ops = new Map<ElementNode, TaggedNameOp>();
  const uses = parts.flatMap(({ tagged, content }) =>
    tagged.filter(({ note }) => !note.isCopy).map((use) => ({ use, content })),
  );
  if (uses.length === 0) return { ops, names: [] };
  const names = templateNames(parts, known);
  for (const { use, content } of uses) {
    const after = elementAfter(use, content);
    if (after === undefined) continue;
    const origin = originOfUse({ ...use, named: [] }, delimiters);
    ops.set(after, { op: "taggedName", origin, isLink: use.isLink, names });
  }
  return { ops, names: names.doubtful.keys() };
}

function elementAfter(
  { field, shell }: TaggedUse,
  content: readonly ElementNode[],
): ElementNode | undefined {
  if (shell !== null) return shell.children.find((child) => child.kind === "element");
  return content[field.separate ?? field.end];
}

function templateNames(parts: readonly PartReferences[], known: readonly string[]): TemplateNames {
  const certain = new Set([...known, TOP]);
  const doubtful = new Map<string, string>();
  for (const { name, frame } of parts.flatMap(({ bookmarks }) => bookmarks)) {
    const key = name.toLowerCase();
    if (frame === null) certain.add(key);
    else if (!doubtful.has(key)) doubtful.set(key, name);
  }
  return { certain, doubtful };
}
