import type { Diagnostic } from "../../errors.ts";
import { unescapeText } from "../package/xml.ts";
import type { Delimiters } from "../template/delimiters.ts";
import { outlineOf, placeOf } from "../template/mistakes/diagnostics.ts";
import { placeOfField } from "../template/places.ts";
import type { TagOrigin } from "./ops.ts";
import type { ReadField, Use } from "./part-references.ts";

/** How many characters of an instruction and of a paragraph messages quote. */
const QUOTED = 80;

/** The place of a reference, for messages. */
export function originOfUse(use: Use, delimiters: Delimiters): TagOrigin {
  const { field, shell, named, note, tree } = use;
  const text = field === null ? (named[0]?.name ?? "") : wordsOf(field);
  const element = shell ?? field?.begin;
  if (element === undefined) throw new Error("A reference is a field or a link.");
  const around = note.paragraph === null ? "" : outlineOf(note.paragraph).text.trim();
  const place = placeOfField(element, tree.part);
  return { place, text, delimiters, near: around.slice(0, QUOTED) };
}

/** The instruction as text on one line. */
function wordsOf({ instruction }: ReadField): string {
  const text = unescapeText(instruction.replaceAll("&quot;", '"').replaceAll("\0", "…"));
  return text.replaceAll(/\s+/g, " ").trim().slice(0, QUOTED);
}

/** The warning for a reference to a bookmark that the template does not have. */
export function brokenReference(use: Use, delimiters: Delimiters): Diagnostic {
  const { place, text, near } = originOfUse(use, delimiters);
  const { name = "" } = use.named.find(({ sure }) => sure) ?? {};
  const what = use.isLink ? "The link" : `The field ${text}`;
  return {
    severity: "warning",
    code: "reference_broken",
    message: `${what} refers to the bookmark '${name}', which the template does not have. In documents it is plain text.`,
    hint: use.isLink
      ? "Make the link again, or remove it."
      : "Delete the field in Word and insert the cross-reference again.",
    template: { ...placeOf(place), tag: text, near },
  };
}
