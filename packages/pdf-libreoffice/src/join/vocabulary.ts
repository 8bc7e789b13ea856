import { joinReader } from "./join-documents.ts";

/**
 * The numbers of a rendered document's structural forms: elements in their parents, blocks of properties, fields,
 * scripts. A template is trusted for forms that came out the same in joined documents. Null if the document cannot be
 * joined.
 */
export function vocabularyOf(document: Uint8Array): ReadonlySet<number> | null {
  const read = joinReader().read(document);
  return "reason" in read ? null : read.forms;
}
