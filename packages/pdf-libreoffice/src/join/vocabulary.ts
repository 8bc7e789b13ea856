import { joinReader } from "./join-documents.ts";

/**
 * Numbers of the forms that a rendered document is made of: elements in their parents, blocks of
 * properties, fields, scripts. A template is trusted for those that were seen to come out the same in
 * joined documents. Null when the document is not joined at all.
 */
export function vocabularyOf(document: Uint8Array): ReadonlySet<number> | null {
  const read = joinReader().read(document);
  return "reason" in read ? null : read.forms;
}
