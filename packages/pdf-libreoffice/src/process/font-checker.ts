import { type Diagnostic, isQuireError } from "@quire/contracts";
import type { Docx } from "@quire/ooxml";
import { type FontSet, listFonts } from "../fonts/font-set.ts";
import { fontNeedsOf } from "../fonts/needs.ts";
import { fontWarnings } from "../fonts/preflight.ts";
import { type FontSubstitutes, fontSubstitutes } from "../fonts/substitutes.ts";

interface Known {
  readonly fonts: FontSet;
  readonly substitutes: FontSubstitutes;
}

/** Checks documents for fonts and characters that are not available to LibreOffice. */
export class FontChecker {
  readonly #known: Known | null;

  private constructor(known: Known | null) {
    this.#known = known;
  }

  /** Lists the fonts in the environment of LibreOffice. If this fails, documents are not checked. */
  static async open(environment: Readonly<Record<string, string>>): Promise<FontChecker> {
    try {
      const fonts = await listFonts({ environment });
      if (fonts === null) return FontChecker.unlisted();
      return new FontChecker({ fonts, substitutes: fontSubstitutes({ environment }) });
    } catch (error) {
      if (isQuireError(error)) return FontChecker.unlisted();
      throw error;
    }
  }

  /** Creates a checker for a LibreOffice whose fonts cannot be listed. */
  static unlisted(): FontChecker {
    return new FontChecker(null);
  }

  /** A hash of the fonts; null if they could not be listed. */
  get hash(): string | null {
    return this.#known?.fonts.hash ?? null;
  }

  /** Returns warnings about the document's missing fonts and characters; null if the fonts could not be listed. */
  async check(docx: Docx): Promise<Diagnostic[] | null> {
    if (this.#known === null) return null;
    const { fonts, substitutes } = this.#known;
    const needs = fontNeedsOf(docx);
    return fontWarnings(needs, fonts, await substitutes.of(needs, fonts));
  }
}
