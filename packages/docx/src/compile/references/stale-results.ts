import { instructionWithTags, keywordOf, UNKNOWN } from "../../template/fields/field-stack.ts";
import { readInstruction } from "../../template/fields/instructions.ts";
import { referencesIn } from "../../template/fields/references.ts";
import type { Bookmark } from "./bookmark-places.ts";
import type { PartReferences, ReadField, Use } from "./part-references.ts";

/** Switches of REF that show a number or a position instead of the bookmark's text. */
const NUMBERS: ReadonlySet<string> = new Set(["n", "r", "w", "p"]);

const REFERENCES: ReadonlySet<string> = new Set(["PAGEREF", "REF"]);

/** Whether a field shows the number of a note, which LibreOffice does not compute. */
export function isNumberOfNote(keyword: string): boolean {
  return keyword === "NOTEREF" || keyword === "FTNREF";
}

/**
 * Whether a field shows the text or the page of its bookmark. In a PDF, the result of such a field is right; the
 * results of other fields may be stale.
 */
export function isReference(keyword: string): boolean {
  return REFERENCES.has(keyword);
}

/**
 * Whether the result of a field in the template may be wrong in a document, because blocks or values change the number,
 * the page or the text of a bookmark. `bookmarks`: the bookmarks that the field names.
 */
export function isStale({ keyword, field, isLink }: Use, bookmarks: readonly Bookmark[]): boolean {
  if (isLink || field === null) return false;
  switch (keyword) {
    case "PAGEREF":
      return bookmarks.some(({ moved }) => moved);
    case "NOTEREF":
    case "FTNREF":
      return bookmarks.some(({ notesMoved }) => notesMoved);
    case "REF": {
      const { switches } = readInstruction(field.instruction);
      const isNumber = switches.some(({ name }) => NUMBERS.has(name.toLowerCase()));
      return bookmarks.some(({ moved, holdsData }) => (isNumber ? moved : holdsData));
    }
    default:
      return bookmarks.some(({ holdsData }) => holdsData);
  }
}

/**
 * Fields whose result Word computes from their instruction and keeps until the field is updated. DATE and TIME are not
 * included: Word computes them whenever it opens a document.
 */
const COMPUTED: ReadonlySet<string> = new Set([
  "=",
  "COMMENTS",
  "COMPARE",
  "CREATEDATE",
  "DOCPROPERTY",
  "DOCVARIABLE",
  "IF",
  "KEYWORDS",
  "PAGEREF",
  "PRINTDATE",
  "QUOTE",
  "REF",
  "SAVEDATE",
  "STYLEREF",
  "SUBJECT",
  "SYMBOL",
  "TITLE",
]);

/** Whether the result of a field depends on a tag in its instruction, so that only Word can compute it. */
export function isComputed(field: ReadField): boolean {
  return field.usesData && COMPUTED.has(keywordOf({ instruction: instructionWithTags(field) }));
}

/**
 * Returns the fields that show the text or the number of the nearest heading, where blocks may repeat or remove
 * headings. In headers and footers, Word computes them for each page anyway.
 */
export function staleStyles({ styles, moved, tree }: PartReferences): readonly ReadField[] {
  return moved && tree.root.name === "w:document" ? styles : [];
}

/** Whether a field with tags in its instruction shows the text or the page of a bookmark. */
export function isOfBookmark({ begin, instruction }: ReadField): boolean {
  return isReference(keywordOf({ instruction: instructionWithTags({ begin, instruction }) }));
}

/** Whether a field refers to a bookmark whose name has tags. */
export function isTaggedReference(field: ReadField): boolean {
  if (!field.usesData) return false;
  const instruction = instructionWithTags(field);
  const isReference = /^(?:REF|PAGEREF|HYPERLINK)$/.test(keywordOf({ instruction }));
  return isReference && referencesIn(instruction).some(({ name }) => name.includes(UNKNOWN));
}
