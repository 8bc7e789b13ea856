import { type Diagnostic, type Docx, isQuireError } from "@quire/core/docx";
import { type FontSet, listFonts } from "../fonts/font-set.ts";
import { fontNeedsOf } from "../fonts/needs.ts";
import { fontFindings } from "../fonts/preflight.ts";
import { type FontSubstitutes, fontSubstitutes } from "../fonts/substitutes.ts";

interface Known {
  readonly fonts: FontSet;
  readonly substitutes: FontSubstitutes;
}

/** Knows the fonts available to LibreOffice, and checks documents for missing fonts and characters. */
export class FontDesk {
  readonly #known: Known | null;

  private constructor(known: Known | null) {
    this.#known = known;
  }

  /** `environment`: the environment of LibreOffice. If its fonts cannot be listed, documents are not checked. */
  static async open(environment: Readonly<Record<string, string>>): Promise<FontDesk> {
    try {
      const fonts = await listFonts({ environment });
      if (fonts === null) return FontDesk.unlisted();
      return new FontDesk({ fonts, substitutes: fontSubstitutes({ environment }) });
    } catch (error) {
      if (isQuireError(error)) return FontDesk.unlisted();
      throw error;
    }
  }

  /** For a LibreOffice whose fonts cannot be listed. */
  static unlisted(): FontDesk {
    return new FontDesk(null);
  }

  /** A hash of the fonts; null if they could not be listed. */
  get hash(): string | null {
    return this.#known?.fonts.hash ?? null;
  }

  /** Warnings about the document's missing fonts and characters; null if the fonts could not be listed. */
  async findings(docx: Docx): Promise<Diagnostic[] | null> {
    if (this.#known === null) return null;
    const { fonts, substitutes } = this.#known;
    const needs = fontNeedsOf(docx);
    return fontFindings(needs, fonts, await substitutes.of(needs, fonts));
  }
}
