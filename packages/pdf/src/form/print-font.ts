import { type PDFContext, type PDFRef, StandardFontEmbedder } from "../read/pdf-lib.ts";

/** A standard font for printing text. It contains the characters of the WinAnsi encoding. */
export interface PrintFont {
  /** A resource dictionary that contains the font as `F`. */
  readonly resources: PDFRef;
  /** The font's height above the baseline and its depth below it, at font size 1. */
  readonly ascent: number;
  readonly descent: number;
  /** Returns the width of printable text at font size 1. */
  width(text: string): number;
  /** Returns printable text as an operand of `Tj`. */
  encode(text: string): string;
  /** Returns the first code point that the font cannot print; null if it can print all of them. */
  unprintable(text: string): number | null;
}

/** The fonts that a document uses. */
export class PrintFonts {
  readonly #context: PDFContext;
  readonly #fonts = new Map<string, PrintFont>();

  constructor(context: PDFContext) {
    this.#context = context;
  }

  /** Returns the standard font with this name. */
  get(name: string): PrintFont {
    const known = this.#fonts.get(name);
    if (known !== undefined) return known;
    const font = printFont(this.#context, name);
    this.#fonts.set(name, font);
    return font;
  }

  /** The resource dictionaries of the fonts that were requested. */
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

/** Special spaces, and special hyphens and the minus sign, which print as `-`. */
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const HYPHENS = /[\u2010\u2011\u2212]/g;
/** Invisible characters for line breaks and the direction of writing. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Replaces lookalike and invisible characters in text, so that WinAnsi can print it. */
export function asPrinted(text: string): string {
  return text.normalize("NFC").replace(SPACES, " ").replace(HYPHENS, "-").replace(INVISIBLE, "");
}

/** Formats a code point for messages, such as `U+4E2D`. */
export function codePointName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}
