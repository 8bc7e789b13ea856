import { readInstruction } from "../template/instructions.ts";
import type { BookmarkPlace, Use } from "./part-references.ts";

/** Switches of REF that show a number or a position instead of the bookmark's text. */
const NUMBERS: ReadonlySet<string> = new Set(["n", "r", "w", "p"]);

/**
 * Whether a document may need another result of a field than the template: blocks change the number, the page or the
 * text of a bookmark. `places` are the bookmarks that it names.
 */
export function isStale(
  { keyword, field, isLink }: Use,
  places: readonly BookmarkPlace[],
): boolean {
  if (isLink || field === null) return false;
  switch (keyword) {
    case "PAGEREF":
      return places.some(({ moved }) => moved);
    case "NOTEREF":
    case "FTNREF":
      return places.some(({ notesMoved }) => notesMoved);
    case "REF": {
      const { switches } = readInstruction(field.instruction);
      const isNumber = switches.some(({ name }) => NUMBERS.has(name.toLowerCase()));
      return places.some(({ moved, holdsData }) => (isNumber ? moved : holdsData));
    }
    default:
      return places.some(({ holdsData }) => holdsData);
  }
}

/** Whether LibreOffice keeps the result of a stale field, as it computes only numbers and texts of bookmarks. */
export function isKeptInPdf({ keyword }: Use): boolean {
  return !["PAGEREF", "NOTEREF", "FTNREF", "REF"].includes(keyword);
}
