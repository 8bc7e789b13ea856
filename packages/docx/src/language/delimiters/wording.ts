import type { Delimiters } from "./delimiters.ts";

/** A sentence for an author. Its tags have the delimiters of the author's template. */
export type Wording = string | ((delimiters: Delimiters) => string);

/**
 * Returns a sentence with tags. Each `{{` and `}}` written in it becomes the template's delimiter. Inserted values are
 * not changed, because they may be quoted from the template.
 */
export function withTags(texts: TemplateStringsArray, ...quoted: readonly Wording[]): Wording {
  return (delimiters) => {
    let sentence = "";
    let isOpened = false;
    const add = (piece: string): void => {
      // Without a space, a piece that begins with the delimiter's last character would extend the delimiter.
      sentence += isOpened && piece[0] === delimiters.start.at(-1) ? ` ${piece}` : piece;
      isOpened &&= piece === "";
    };
    for (const [index, text] of texts.entries()) {
      for (const piece of text.split(/(\{\{|\}\})/)) {
        add(delimiter(piece, sentence, delimiters));
        isOpened ||= piece === "{{";
      }
      add(spell(quoted[index] ?? "", delimiters));
    }
    return sentence;
  };
}

/** Returns the sentence with the delimiters of a template. */
export function spell(wording: Wording, delimiters: Delimiters): string {
  return typeof wording === "string" ? wording : wording(delimiters);
}

/**
 * Converts a piece of a sentence: `{{` becomes the opening delimiter, and `}}` the closing one, after a space if the
 * text before it ends with the delimiter's first character. Other text is unchanged.
 */
function delimiter(piece: string, before: string, { start, end }: Delimiters): string {
  if (piece === "{{") return start;
  if (piece !== "}}") return piece;
  return before.endsWith(end[0] ?? "") ? ` ${end}` : end;
}
