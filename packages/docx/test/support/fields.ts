import { r } from "../../../ooxml/test/support/docx.ts";

const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

const code = (text: string): string =>
  `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;

/**
 * Returns a field as Word writes it. The instruction may be split into runs; a NUL in it represents a PAGE field. A
 * result in plain text is put into a run.
 */
export function complex(instruction: string | readonly string[], result: string): string {
  const pieces = typeof instruction === "string" ? instruction.split(/(\0)/) : instruction;
  const written = pieces.map((piece) => (piece === "\0" ? complex(" PAGE ", "1") : code(piece)));
  const shown = result.startsWith("<") || result === "" ? result : r(result);
  return `${mark("begin")}${written.join("")}${mark("separate")}${shown}${mark("end")}`;
}

/** Returns a field as an element around its result. */
export function simple(instruction: string, result: string): string {
  return `<w:fldSimple w:instr="${instruction}">${r(result)}</w:fldSimple>`;
}

let bookmarks = 1_000;

/** Returns runs with text and a bookmark around it. */
export function marked(name: string, text: string): string {
  bookmarks += 1;
  return `<w:bookmarkStart w:id="${bookmarks}" w:name="${name}"/>${r(text)}<w:bookmarkEnd w:id="${bookmarks}"/>`;
}
