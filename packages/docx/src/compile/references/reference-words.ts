import type { Diagnostic } from "@quire/contracts";
import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { spell, withTags } from "../../language/delimiters/wording.ts";
import type { TagOrigin } from "../../program/tag-ops.ts";
import { instructionWithTags, keywordOf } from "../../template/fields/field-stack.ts";
import { readInstruction } from "../../template/fields/instructions.ts";
import { outlineOf, placeOf } from "../../template/nodes/diagnostics.ts";
import type { ElementNode } from "../../template/nodes/nodes.ts";
import { placeOfField } from "../../template/nodes/places.ts";
import type { PartTree } from "../../template/tree.ts";
import { type Block, isLoop } from "./item-blocks.ts";
import type { Unlike } from "./item-pairs.ts";
import type { IndexField, ReadField, Use } from "./part-references.ts";
import { isNumberOfNote } from "./stale-results.ts";

/** Maximum length of a quoted instruction or paragraph in a message. */
const QUOTED = 80;

/** Returns the origin of a reference, for messages. */
export function originOfUse(
  use: Pick<Use, "tree" | "field" | "shell" | "named" | "note">,
  delimiters: Delimiters,
): TagOrigin {
  const { field, shell, named } = use;
  const text = field === null ? (named[0]?.name ?? "") : wordsOf(field);
  const element = shell ?? field?.begin;
  if (element === undefined) throw new Error("A reference is a field or a link.");
  return originAt(element, text, use, delimiters);
}

function originAt(
  element: ElementNode,
  text: string,
  { tree, note: { paragraph } }: Pick<Use, "tree" | "note">,
  delimiters: Delimiters,
): TagOrigin {
  const around = paragraph === null ? "" : outlineOf(paragraph).text.trim();
  const place = placeOfField(element, tree.part);
  return { place, text, delimiters, near: around.slice(0, QUOTED) };
}

/** Returns the instruction as text on one line. */
function wordsOf(field: ReadField): string {
  const instruction = instructionWithTags(field);
  const text = unescapeText(instruction.replaceAll("&quot;", '"').replaceAll("\0", "…"));
  return text.replaceAll(/\s+/g, " ").trim().slice(0, QUOTED);
}

/** Returns the warning for a reference to a bookmark that the template does not have. */
export function brokenReference(use: Use, delimiters: Delimiters): Diagnostic {
  const { place, text, near } = originOfUse(use, delimiters);
  const { name = "" } = use.named.find(({ sure }) => sure) ?? {};
  const what = use.isLink ? "The link" : `The field ${text}`;
  return {
    severity: "warning",
    code: "reference_broken",
    message: `${what} refers to the bookmark '${name}', which the template does not have. Documents show it as plain text.`,
    hint: use.isLink
      ? "Insert the link again, or remove it."
      : "Delete the field in Word and insert the cross-reference again.",
    template: { ...placeOf(place), tag: text, near },
  };
}

/**
 * Returns the warning for a reference that a block repeats although its bookmark, which another block repeats, belongs
 * to items of another list.
 */
export function unlikeBlocks(
  use: Use,
  name: string,
  { ofReference, ofBookmark }: Unlike,
  delimiters: Delimiters,
): Diagnostic {
  const { place, text, near } = originOfUse(use, delimiters);
  const what = use.isLink ? "The link" : `The field ${text}`;
  const [loop, other] = [ofReference, ofBookmark].map(textOfLoop);
  return {
    severity: "warning",
    code: "same_for_all_items",
    message: `${what} is in ${loop}, and its bookmark '${name}' is in ${other}, which repeats other items. So every repetition leads to the first bookmark.`,
    hint: "Repeat both over the same list, or put the reference into the loop of the bookmark.",
    template: { ...placeOf(place), tag: text, near },
  };
}

/** Returns the tag of a block, preferably of a loop: a section may also be a condition. */
function textOfLoop(blocks: readonly Block[]): string {
  return (blocks.find(isLoop) ?? blocks[0])?.tag.text ?? "";
}

/**
 * Why the result of a field is stale. `data`: the field depends on the data. `blocks`: blocks change what the field
 * counts or repeats. `tag`: the field's result in the template has a tag that is known only inside a loop, so documents
 * omit the tag.
 */
export type StaleCause = "blocks" | "data" | { readonly tag: string };

/** Returns the warning for a field whose result only Word computes. */
export function staleField(
  field: ReadField,
  { tree, cause }: { readonly tree: PartTree; readonly cause: StaleCause },
  delimiters: Delimiters,
): Diagnostic {
  const text = wordsOf(field);
  const { place, near } = originAt(field.begin, text, { tree, note: field.note }, delimiters);
  if (typeof cause !== "string") {
    return {
      severity: "warning",
      code: "stale_field",
      message: `The field ${text} was updated in the template, so Word copied ${cause.tag} into its result, but this tag has a value only in another block. Documents leave it out until the field is updated. Word offers this when the document is opened. A PDF may lack the text.`,
      hint: "Move the field into that block, or replace the field with a tag that has a value at this place.",
      template: { ...placeOf(place), tag: text, near },
    };
  }
  const isData = cause === "data";
  const reason = isData ? "its value depends on the data" : "blocks change the document";
  const inPdf = isData ? "shows the old result" : "may show a wrong result";
  const hint = isData
    ? keywordOf(field) === "IF"
      ? withTags`Replace the field with a block, such as {{if country == "CH"}} … {{else}} … {{endif}}.`
      : /\b(?:SUM|AVERAGE|COUNT|MIN|MAX|PRODUCT)\(/i.test(text)
        ? withTags`Replace the field with a tag that adds up the list, such as {{items.sum(price)}}, with the names of your list and of its key.`
        : withTags`Replace the field with a tag that computes the value, such as {{amount * 2}}.`
    : isNumberOfNote(keywordOf(field))
      ? "For PDFs, refer to the note without its number, such as 'see the note on page 3' with a page reference."
      : withTags`Replace the field with a tag, such as {{$number}} in a loop.`;
  return {
    severity: "warning",
    code: "stale_field",
    message: `The field ${text} shows the result from the template, but ${reason}. Word offers to update it when the document is opened. A PDF ${inPdf}.`,
    hint: spell(hint, delimiters),
    template: { ...placeOf(place), tag: text, near },
  };
}

/**
 * Returns the warning for an index that shows the entries from the template. `tag` is one of the tags in the entries;
 * null if there are none.
 */
export function staleIndex(
  { field, keyword, tree }: IndexField,
  tag: string | null,
  delimiters: Delimiters,
): Diagnostic {
  const text = wordsOf(field);
  const { place, near } = originAt(field.begin, text, { tree, note: field.note }, delimiters);
  const name = nameOf(keyword, field);
  const reason =
    tag === null
      ? `The ${name} shows the entries from the template, but blocks change the document.`
      : `The ${name} was updated in the template, so its entries had tags, such as ${tag}. Documents leave out these entries.`;
  return {
    severity: "warning",
    code: "stale_index",
    message: `${reason} Word offers to update the ${name} when the document is opened. A PDF shows it without an update.`,
    hint: "For PDFs, use --update-indexes, or update_indexes in the request.",
    template: { ...placeOf(place), tag: text, near },
  };
}

function nameOf(keyword: string, { instruction }: ReadField): string {
  switch (keyword) {
    case "TOC": {
      const { switches } = readInstruction(instruction);
      const isOfFigures = switches.some(({ name }) => name.toLowerCase() === "c");
      return isOfFigures ? "table of figures" : "table of contents";
    }
    case "TOA":
      return "table of authorities";
    default:
      return keyword.toLowerCase();
  }
}
