import { type Diagnostic, type Docx, isQuireError } from "@quire/core/docx";
import { type FontSet, listFonts } from "../fonts/font-set.ts";
import { fontNeedsOf } from "../fonts/needs.ts";
import { fontFindings } from "../fonts/preflight.ts";
import { type FontSubstitutes, fontSubstitutes } from "../fonts/substitutes.ts";

/** Knows the fonts of this machine, and what of a document they do not have. */
export class FontDesk {
  readonly #fonts: FontSet | null;
  readonly #substitutes: FontSubstitutes;

  private constructor(fonts: FontSet | null, substitutes: FontSubstitutes) {
    this.#fonts = fonts;
    this.#substitutes = substitutes;
  }

  /** `environment`: LibreOffice's. Where the fonts cannot be listed, nothing is found. */
  static async open(environment: Readonly<Record<string, string>>): Promise<FontDesk> {
    const fonts = await listFonts({ environment }).catch((error: unknown) => {
      if (isQuireError(error)) return null;
      throw error;
    });
    return new FontDesk(fonts, fontSubstitutes({ environment }));
  }

  /** A hash of the fonts; null when they could not be listed. */
  get hash(): string | null {
    return this.#fonts?.hash ?? null;
  }

  /** What a reader of the PDF will miss of the document's fonts, as warnings. */
  async findings(docx: Docx): Promise<Diagnostic[]> {
    if (this.#fonts === null) return [];
    const needs = fontNeedsOf(docx);
    return fontFindings(needs, this.#fonts, await this.#substitutes.of(needs, this.#fonts));
  }
}
