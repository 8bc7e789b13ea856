/**
 * Returns the wording for a block whose repetitions are printed in one list item without separators. `subject` begins
 * the sentence.
 */
export function joinedInListItem(
  subject: string,
  tag: string,
): { readonly code: string; readonly message: string; readonly hint: string } {
  return {
    code: "joined_in_list_item",
    message: `${subject} run together in one list item: a block within one paragraph repeats text.`,
    hint: `To repeat the list item, put ${tag} and its end into separate paragraphs, before and after this one. To keep one line, put a separator before the end.`,
  };
}
