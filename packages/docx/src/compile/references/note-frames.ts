import type { ElementNode } from "../../template/nodes/nodes.ts";
import type { Frame } from "./frames.ts";

/** The elements of notes, by the elements that refer to them. */
const NOTES: ReadonlyMap<string, string> = new Map([
  ["w:footnoteReference", "w:footnote"],
  ["w:endnoteReference", "w:endnote"],
  ["w:commentReference", "w:comment"],
]);

/** The frames of the references to notes. */
export class NoteFrames {
  readonly #frames = new Map<string, Frame | null>();

  /** Adds an element, if it is a reference to a note. */
  add(element: ElementNode, frame: Frame | null): void {
    const note = NOTES.get(element.name);
    if (note !== undefined) this.#frames.set(`${note} ${attributeOf(element, "w:id")}`, frame);
  }

  /** Returns the frame of the reference to a note; null for any other element, and without a reference. */
  frameOf(note: ElementNode): Frame | null {
    return this.#frames.get(`${note.name} ${attributeOf(note, "w:id")}`) ?? null;
  }
}

/** Returns the value of an attribute; empty if it is missing. */
export function attributeOf({ attributes }: ElementNode, attribute: string): string {
  const start = attributes.indexOf(` ${attribute}="`);
  if (start === -1) return "";
  const from = start + attribute.length + 3;
  return attributes.slice(from, attributes.indexOf('"', from));
}
