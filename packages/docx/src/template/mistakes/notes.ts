import type { Diagnostic } from "@quire/contracts";
import { descendants, type ElementNode } from "../nodes/nodes.ts";

const REFERENCES: ReadonlySet<string> = new Set(["w:footnoteReference", "w:endnoteReference"]);

/** Reports the first note that refers to a note: Word does not support this, and a note could refer to itself. */
export function checkNotes(root: ElementNode, part: string): Diagnostic[] {
  if (root.name !== "w:footnotes" && root.name !== "w:endnotes") return [];
  for (const node of descendants(root)) {
    if (node.kind !== "element" || !REFERENCES.has(node.name)) continue;
    return [
      {
        severity: "error",
        code: "note_in_note",
        message: `A note in ${part} refers to another note.`,
        hint: "Put the text of the other note into this one: in Word, a note cannot refer to another note.",
        template: { part },
      },
    ];
  }
  return [];
}
