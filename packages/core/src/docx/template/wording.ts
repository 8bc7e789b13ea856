import type { Delimiters } from "./delimiters.ts";

/** A sentence for an author. One that spells tags does so with the delimiters of the author's template. */
export type Wording = string | ((delimiters: Delimiters) => string);

/**
 * A sentence that spells tags: each `{{` and `}}` written in it stands for the template's delimiters. What
 * is put into it is told as it is, for it may be quoted from the template.
 */
export function withTags(texts: TemplateStringsArray, ...quoted: readonly Wording[]): Wording {
  return (delimiters) => {
    let told = "";
    let isOpened = false;
    const add = (piece: string): void => {
      // Apart from the start of the tag, if it begins with the same character.
      told += isOpened && piece[0] === delimiters.start.at(-1) ? ` ${piece}` : piece;
      isOpened &&= piece === "";
    };
    for (const [index, text] of texts.entries()) {
      for (const piece of text.split(/(\{\{|\}\})/)) {
        add(delimiter(piece, told, delimiters));
        isOpened ||= piece === "{{";
      }
      add(spell(quoted[index] ?? "", delimiters));
    }
    return told;
  };
}

/** The sentence with the delimiters of a template. */
export function spell(wording: Wording, delimiters: Delimiters): string {
  return typeof wording === "string" ? wording : wording(delimiters);
}

/** A piece of a sentence with tags: its delimiter, apart from a character before it that is like it, or itself. */
function delimiter(piece: string, before: string, { start, end }: Delimiters): string {
  if (piece === "{{") return start;
  if (piece !== "}}") return piece;
  return before.endsWith(end[0] ?? "") ? ` ${end}` : end;
}
