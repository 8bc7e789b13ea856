import type { PdfFile } from "../../pdf/pdf-file.ts";
import {
  PdfName,
  PdfOperator,
  PdfReader,
  PdfRef,
  PdfText,
  type PdfValue,
  unusual,
} from "../../pdf/pdf-syntax.ts";

/** The properties of a font with single-byte codes that affect the text that it shows. */
export interface PdfFont {
  /** Without the six-letter subset prefix. */
  readonly name: string;
  /** The text of a code, or the code itself if the font is not a subset. */
  readonly textOf: (code: number) => string;
  /** The width of a code, in thousandths of the font size. */
  readonly widthOf: (code: number) => number;
}

const SUBSET = /^[A-Z]{6}\+/;
const SIMPLE: ReadonlySet<string> = new Set(["TrueType", "Type1"]);

/** Reads a font. Throws `UnsupportedPdf` for types that LibreOffice does not write. */
export function readFont(file: PdfFile, value: PdfValue): PdfFont {
  const dict = file.dict(value);
  const type = dict.get("Subtype");
  const base = dict.get("BaseFont");
  const widths = file.resolve(dict.get("Widths"));
  const first = file.resolve(dict.get("FirstChar"));
  if (!(type instanceof PdfName) || !SIMPLE.has(type.name) || !(base instanceof PdfName)) {
    return unusual("a font of an unknown kind");
  }
  if (!Array.isArray(widths) || typeof first !== "number") return unusual("a font without widths");
  const table = dict.get("ToUnicode");
  const subset = SUBSET.test(base.name);
  const texts = table instanceof PdfRef ? readTexts(file, table) : null;
  return {
    name: base.name.replace(SUBSET, ""),
    textOf: (code) =>
      texts?.get(code) ?? (subset ? unusual("a glyph without a character") : `code ${code}`),
    widthOf: (code) => {
      const width = widths[code - first];
      return typeof width === "number" ? width : unusual("a glyph without a width");
    },
  };
}

/** Reads the text of each code of a font, as UTF-16 bytes. */
function readTexts(file: PdfFile, table: PdfRef): Map<number, string> {
  const reader = new PdfReader(file.contentOf(table).toString("latin1"));
  const texts = new Map<number, string>();
  const values: PdfValue[] = [];
  while (!reader.ended()) {
    const value = reader.read();
    if (!(value instanceof PdfOperator)) {
      values.push(value);
      continue;
    }
    if (value.name === "endbfchar") {
      for (let at = 0; at + 1 < values.length; at += 2) {
        texts.set(codeOf(values[at]), bytesOf(values[at + 1]));
      }
    } else if (value.name === "endbfrange") return unusual("an unusual ToUnicode map");
    values.length = 0;
  }
  return texts;
}

function codeOf(value: PdfValue | undefined): number {
  const bytes = bytesOf(value);
  return bytes.length === 1 ? bytes.charCodeAt(0) : unusual("a code of several bytes");
}

function bytesOf(value: PdfValue | undefined): string {
  return value instanceof PdfText ? value.bytes : unusual("an unusual ToUnicode map");
}
