import type { FontFindings } from "./font-findings.ts";

/** A piece of text within one element. */
export interface TextPiece {
  readonly text: string;
  /** The family, and whether the text is bold and italic. Equal for equal fonts. */
  readonly font: string;
  readonly family: string;
  /** Writes the text to the SVG. */
  write(text: string): void;
}

/** Text that the renderer measures as a whole: from one position to the next. */
export class TextLine {
  readonly #pieces: TextPiece[] = [];
  /** Whether the SVG sets distances or positions of single letters. */
  isSpaced = false;

  add(piece: TextPiece): void {
    this.#pieces.push(piece);
  }

  /**
   * Writes the text. The renderer shapes the whole line with each of its fonts. It drops the line if two fonts give
   * different numbers of glyphs, as when only one of them has a ligature for "fi". Therefore no letters of a line with
   * several fonts are joined. `sheet` has the families of style sheets, which any text may have; null if no style sheet
   * changes fonts.
   */
  finish(findings: FontFindings, sheet: readonly string[] | null): void {
    const isComplete = this.#pieces
      .map(({ text, family }) =>
        findings.characters(text.normalize("NFC"), [family, ...(sheet ?? [])]),
      )
      .every(Boolean);
    const words = this.#pieces.filter(({ text }) => /\S/.test(text));
    const hasSeveral =
      new Set(words.map(({ font }) => font)).size > 1 || (words.length > 1 && sheet !== null);
    const isMixed = hasSeveral || !isComplete;
    if (isMixed && this.#isUncertain(words, hasSeveral, findings)) findings.isUncertain = true;
    for (const { text, write } of this.#pieces) {
      write(isMixed && !this.isSpaced ? text.replace(JOINABLE, "$&\u200c") : text);
    }
  }

  #isUncertain(words: readonly TextPiece[], hasSeveral: boolean, findings: FontFindings): boolean {
    const all = words.map(({ text }) => text.normalize("NFC")).join("");
    if (!this.isSpaced && !OTHER_SCRIPTS.test(all)) return false;
    return hasSeveral || !findings.drawsInOneFont(all, words[0]?.family ?? "");
  }
}

/** Characters that fonts may join with the next one, before a character to join with. */
const JOINABLE =
  /[!-~\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}](?![\s\p{M}\p{Default_Ignorable_Code_Point}])/gu;

/** Letters whose number of glyphs depends on the font even if they are not joined. */
const OTHER_SCRIPTS =
  /(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Common}|\p{Script=Inherited})\p{L}/u;
