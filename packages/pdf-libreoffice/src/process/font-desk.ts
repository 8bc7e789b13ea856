import { type Diagnostic, type Docx, isQuireError } from "@quire/core/docx";
import { type FontSet, listFonts } from "../fonts/font-set.ts";
import { fontNeedsOf } from "../fonts/needs.ts";
import { fontFindings } from "../fonts/preflight.ts";
import { type FontSubstitutes, fontSubstitutes } from "../fonts/substitutes.ts";

interface Known {
  readonly fonts: FontSet;
  readonly substitutes: FontSubstitutes;
}

/** Knows the fonts that LibreOffice has, and what of a document they do not have. */
export class FontDesk {
  readonly #known: Known | null;

  private constructor(known: Known | null) {
    this.#known = known;
  }

  /** `environment`: LibreOffice's. Where the fonts cannot be listed, it knows none. */
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

  /** Of a LibreOffice whose fonts nobody can list. */
  static unlisted(): FontDesk {
    return new FontDesk(null);
  }

  /** A hash of the fonts; null when they could not be listed. */
  get hash(): string | null {
    return this.#known?.fonts.hash ?? null;
  }

  /** What a reader of the PDF will miss of the document's fonts, as warnings; null when that cannot be known. */
  async findings(docx: Docx): Promise<Diagnostic[] | null> {
    if (this.#known === null) return null;
    const { fonts, substitutes } = this.#known;
    const needs = fontNeedsOf(docx);
    return fontFindings(needs, fonts, await substitutes.of(needs, fonts));
  }
}
