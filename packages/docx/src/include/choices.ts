import type { Directive } from "../language/directive.ts";
import {
  closest,
  contentOf,
  type ElementNode,
  element,
  endsSection,
  indexInParent,
  insertAt,
  isVisible,
  type TagNode,
} from "../template/nodes/nodes.ts";

/**
 * Returns the tag of an include, or for one with several templates the tags of a block with a branch for each:
 * `{{if file == "a.docx"}}`, `{{include "a.docx"}}`, … Each is in its own paragraph, in place of the one of the tag.
 */
export function choicesOf(tag: TagNode): readonly TagNode[] {
  const { directive } = tag;
  if (directive.kind !== "include" || directive.by === null) return [tag];
  const { names, by } = directive;
  const paragraph = ownParagraph(tag);
  // The include reports it.
  if (paragraph === null) return [{ ...tag, directive: { ...directive, by: null } }];
  const tags = names.flatMap((name, index): TagNode[] => {
    const condition: Directive = {
      kind: index === 0 ? "if" : "elseif",
      condition: {
        kind: "compare",
        operator: "==",
        left: by,
        right: { kind: "literal", value: name },
      },
    };
    return [
      { ...tag, directive: condition, mustHold: true },
      { ...tag, directive: { kind: "include", names: [name], by: null } },
    ];
  });
  tags.push({ ...tag, directive: { kind: "endif" } });
  const { parent } = paragraph;
  if (parent === null) throw new Error("A paragraph is outside its part.");
  const at = indexInParent(paragraph);
  parent.children.splice(at, 1);
  insertAt(parent, at, ...tags.map(paragraphOf));
  return tags;
}

function paragraphOf(tag: TagNode): ElementNode {
  const text = element("w:t", "");
  const run = element("w:r", "");
  const paragraph = element("w:p", "");
  insertAt(text, 0, tag);
  insertAt(run, 0, text);
  insertAt(paragraph, 0, run);
  return paragraph;
}

/** Returns the paragraph that contains only this tag and does not end a section, or null. */
export function ownParagraph(tag: TagNode): ElementNode | null {
  const paragraph = closest(tag, "w:p");
  if (paragraph === null || tag.parent?.name !== "w:t" || endsSection(paragraph)) return null;
  for (const node of contentOf(paragraph)) if (node !== tag && isVisible(node)) return null;
  return paragraph;
}
