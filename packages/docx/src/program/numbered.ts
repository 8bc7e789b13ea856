/** Items with a separate number in each iteration. */
export type NumberOf = "drawing" | "mark" | "comment";

/** Content outside the text that refers to it. */
export type NoteKind = "footnote" | "endnote" | "comment";
