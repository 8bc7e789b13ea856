import type { Outcome } from "@quire/ooxml/internal/picture/outcome";
import { ByteReader } from "./byte-reader.ts";
import { type CharacterSet, readCharacters } from "./character-set.ts";

/** What a family looks like, as a generic family of CSS. */
export type FontKind = "serif" | "sans-serif" | "monospace";

/** A font in a font file. */
export interface FontFace {
  /** The names of its family, one or several, such as the English and the Japanese one. */
  readonly families: readonly string[];
  /** From 1 to 1000: 400 is normal, 700 is bold. */
  readonly weight: number;
  readonly isItalic: boolean;
  readonly kind: FontKind;
  readonly characters: CharacterSet;
}

/** Maximum number of fonts in a collection (.ttc). */
const MAX_FACES = 64;

/**
 * Reads the fonts of a TrueType or OpenType file, or of a collection of them. On failure, returns the reason, which
 * completes the sentence "The font file … ". The checks are at least as strict as in the renderer, which skips a
 * font that it cannot read. Never throws.
 */
export function readFontFile(bytes: Uint8Array): Outcome<{ readonly faces: readonly FontFace[] }> {
  if (bytes.length === 0) return { problem: "is empty" };
  try {
    const file = new ByteReader(bytes);
    const problem = OTHER_FILES.get(file.tag(0));
    if (problem !== undefined) return { problem };
    const faces = startsOfFaces(file).map((start) => readFace(file, start));
    return { faces };
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.message };
    if (error instanceof RangeError) return { problem: "is damaged or not complete" };
    throw error;
  }
}

/** Rejects a font. The message completes the sentence "The font file … ". */
class Refusal extends Error {}

const OTHER_FILES: ReadonlyMap<string, string> = new Map([
  ["wOFF", "is a WOFF file, which is compressed for web pages: give its .ttf or .otf file"],
  ["wOF2", "is a WOFF2 file, which is compressed for web pages: give its .ttf or .otf file"],
  ["typ1", "is a Type 1 font: give a .ttf or .otf file"],
]);

function startsOfFaces(file: ByteReader): readonly number[] {
  switch (file.tag(0)) {
    case "\0\x01\0\0":
    case "true":
    case "OTTO":
      return [0];
    case "ttcf": {
      const count = file.u32(8);
      if (count === 0 || count > MAX_FACES) throw new Refusal(`has ${count} fonts, not 1 to 64`);
      return Array.from({ length: count }, (_, index) => file.u32(12 + index * 4));
    }
    default:
      throw new Refusal("is not a TrueType or OpenType font");
  }
}

function readFace(file: ByteReader, start: number): FontFace {
  const tables = readTables(file, start);
  const need = (tag: string, length: number): ByteReader => {
    const table = tables.get(tag);
    if (table !== undefined && table.length >= length) return table;
    throw new Refusal(`is damaged: the table '${tag}' is missing or too short`);
  };
  checkOutlines(tables);
  const head = need("head", 54);
  const unitsPerEm = head.u16(18);
  if (unitsPerEm < 16 || unitsPerEm > 16_384) throw new Refusal("is damaged: it has no valid size");
  need("hhea", 36);
  need("hmtx", 4);
  if (need("maxp", 6).u16(4) === 0) throw new Refusal("has no glyphs");
  const characters = readCharacters(need("cmap", 4));
  if (characters.isEmpty) {
    throw new Refusal("has no Unicode characters, like old symbol fonts: give another font");
  }
  return { families: readFamilies(need("name", 6)), characters, ...styleOf(tables) };
}

type Tables = ReadonlyMap<string, ByteReader>;

function readTables(file: ByteReader, start: number): Tables {
  const tables = new Map<string, ByteReader>();
  for (let index = 0; index < file.u16(start + 4); index++) {
    const at = start + 12 + index * 16;
    tables.set(file.tag(at), file.part(file.u32(at + 8), file.u32(at + 12)));
  }
  return tables;
}

/** Rejects fonts of which the renderer would draw nothing although they have the characters. */
function checkOutlines(tables: Tables): void {
  const hasOutlines = tables.has("CFF ") || (tables.has("glyf") && tables.has("loca"));
  const color = tables.get("COLR");
  if (!hasOutlines || (color !== undefined && color.u16(0) > 0)) {
    throw new Refusal(
      "has no plain outlines, like most fonts of colored emoji, so its text cannot be drawn: give another font",
    );
  }
}

function styleOf(tables: Tables): Pick<FontFace, "weight" | "isItalic" | "kind"> {
  const os2 = tables.get("OS/2");
  const post = tables.get("post");
  const isSlanted = post !== undefined && post.u32(4) !== 0;
  const isFixed = post !== undefined && post.u32(12) !== 0;
  if (os2 === undefined) {
    return { weight: 400, isItalic: isSlanted, kind: isFixed ? "monospace" : "sans-serif" };
  }
  const kind = isSerif(os2) ? "serif" : "sans-serif";
  return {
    weight: os2.u16(4),
    isItalic: isSlanted || (os2.u16(62) & 1) === 1,
    kind: isFixed ? "monospace" : kind,
  };
}

/** Whether a font says that it has serifs: by its PANOSE numbers, or by its class if these are not set. */
function isSerif(os2: ByteReader): boolean {
  const [family, serifs] = [os2.u8(32), os2.u8(33)];
  if (family === 2 && serifs > 1) return serifs <= 10;
  const serifClass = os2.u8(30);
  return (serifClass >= 1 && serifClass <= 5) || serifClass === 7;
}

/** The numbers of names in the `name` table. */
const FAMILY = 1;
const POSTSCRIPT_NAME = 6;
const TYPOGRAPHIC_FAMILY = 16;

/** Names that can be written in CSS without escapes. */
const USABLE = /^(?! )[^"',;\\{}<>&\p{Cc}]{1,100}(?<! )$/u;

function readFamilies(table: ByteReader): readonly string[] {
  const names = readNames(table);
  const typographic = names.get(TYPOGRAPHIC_FAMILY) ?? [];
  const all = typographic.length > 0 ? typographic : (names.get(FAMILY) ?? []);
  const families = [...new Set(all)].filter((name) => USABLE.test(name));
  if (families.length > 0 && names.has(POSTSCRIPT_NAME)) return families;
  throw new Refusal("has no valid name for its family");
}

/** Returns the names by number: those in Unicode, or otherwise the plain ones of old Macintosh fonts. */
function readNames(table: ByteReader): ReadonlyMap<number, readonly string[]> {
  const unicode = new Map<number, string[]>();
  const plain = new Map<number, string[]>();
  const storage = table.u16(4);
  for (let index = 0; index < table.u16(2); index++) {
    const at = 6 + index * 12;
    const [platform, encoding, number] = [table.u16(at), table.u16(at + 2), table.u16(at + 6)];
    const text = table.part(storage + table.u16(at + 10), table.u16(at + 8));
    if (platform === 0 || (platform === 3 && encoding <= 1)) append(unicode, number, utf16(text));
    else if (platform === 1 && encoding === 0) append(plain, number, ascii(text));
  }
  return new Map([...plain, ...unicode]);
}

function append(names: Map<number, string[]>, number: number, name: string): void {
  const known = names.get(number);
  if (known === undefined) names.set(number, [name]);
  else known.push(name);
}

function utf16(text: ByteReader): string {
  let name = "";
  for (let at = 0; at + 1 < text.length; at += 2) name += String.fromCharCode(text.u16(at));
  return name;
}

/** Other characters become U+0000, so that the name is not used. */
function ascii(text: ByteReader): string {
  let name = "";
  for (let at = 0; at < text.length; at++) {
    const byte = text.u8(at);
    name += String.fromCharCode(byte < 0x80 ? byte : 0);
  }
  return name;
}
