import { joinReader } from "./join-documents.ts";

/**
 * Returns the numbers of a rendered document's structural forms (see `formOf`); null if the document cannot be joined.
 * A template is trusted for the forms that had the same result in joined documents and in single ones.
 */
export function vocabularyOf(document: Uint8Array): ReadonlySet<number> | null {
  const read = joinReader().read(document);
  return "reason" in read ? null : read.forms;
}
