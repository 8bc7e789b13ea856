import { type PDFContext, type PDFRef, StandardFontEmbedder } from "../read/pdf-lib.ts";

/** One of the standard fonts for printing text. It can print the characters of the WinAnsi encoding. */
export interface PrintFont {
  /** Resources that contain the font as `F`. */
  readonly resources: PDFRef;
  /** The font's extent above and below the baseline, for a size of 1. */
  readonly ascent: number;
  readonly descent: number;
  /** The width of printable text, for a size of 1. */
  width(text: string): number;
  /** Printable text, as an operand of `Tj`. */
  encode(text: string): string;
  /** The first character that the font cannot print, or null. */
  unprintable(text: string): number | null;
}

/** The fonts of a document being printed, each once. */
export class PrintFonts {
  readonly #context: PDFContext;
  readonly #fonts = new Map<string, PrintFont>();

  constructor(context: PDFContext) {
    this.#context = context;
  }

  /** A standard font by its name. */
  get(name: string): PrintFont {
    const known = this.#fonts.get(name);
    if (known !== undefined) return known;
    const font = printFont(this.#context, name);
    this.#fonts.set(name, font);
    return font;
  }

  /** The resources of the fonts that were requested. */
  get resources(): readonly PDFRef[] {
    return [...this.#fonts.values()].map(({ resources }) => resources);
  }
}

type StandardName = Parameters<typeof StandardFontEmbedder.for>[0];

const THOUSAND = 1000;

function printFont(context: PDFContext, name: string): PrintFont {
  const { font, encoding } = StandardFontEmbedder.for(name as StandardName);
  const glyphs = new Map<string, { readonly width: number; readonly code: string }>();
  for (const codePoint of encoding.supportedCodePoints) {
    const { code, name: glyph } = encoding.encodeUnicodeCodePoint(codePoint);
    glyphs.set(String.fromCodePoint(codePoint), {
      width: (font.getWidthOfGlyph(glyph) ?? 0) / THOUSAND,
      code: code.toString(16).padStart(2, "0"),
    });
  }
  const dict = { Type: "Font", Subtype: "Type1", BaseFont: name, Encoding: "WinAnsiEncoding" };
  const ref = context.register(context.obj(dict));
  return {
    resources: context.register(context.obj({ Font: { F: ref } })),
    ascent: (font.Ascender ?? 0) / THOUSAND,
    descent: -(font.Descender ?? 0) / THOUSAND,
    width(text) {
      let width = 0;
      for (const character of text) width += glyphs.get(character)?.width ?? 0;
      return width;
    },
    encode: (text) =>
      `<${Array.from(text, (character) => glyphs.get(character)?.code ?? "").join("")}>`,
    unprintable(text) {
      for (const character of text) {
        if (!glyphs.has(character)) return character.codePointAt(0) ?? 0;
      }
      return null;
    },
  };
}

/** Special spaces; hyphens and the minus sign, which print as `-`. */
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const HYPHENS = /[\u2010\u2011\u2212]/g;
/** Invisible characters for line breaks and the direction of writing. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Replaces lookalike and invisible characters in text, so that WinAnsi can print it. */
export function asPrinted(text: string): string {
  return text.normalize("NFC").replace(SPACES, " ").replace(HYPHENS, "-").replace(INVISIBLE, "");
}

/** A code point in messages: `U+4E2D`. */
export function codePointName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}
