/** Writes tiny TrueType fonts, in which each character is a black box. */

/** A font to write. */
export interface TestFont {
  /** The family, or the content of several name records. */
  readonly family: string;
  /** Each has a box as tall as a capital letter. Default: ASCII. */
  readonly characters?: string;
  readonly weight?: number;
  readonly isItalic?: boolean;
  readonly isMonospaced?: boolean;
  readonly hasSerifs?: boolean;
  /** The width of each character, of 1000. Default 500. */
  readonly width?: number;
  /** Two characters that the font joins to one box. */
  readonly ligature?: string;
  /** Tables to leave out, or to replace. */
  readonly tables?: Readonly<Record<string, Uint8Array | null>>;
}

export const ASCII = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n)).join("");

/** Returns a `.ttf` file. */
export function testFont(font: TestFont): Uint8Array {
  return fontFile(tablesOf(font), 0);
}

/** Returns a `.ttc` file. */
export function fontCollection(fonts: readonly TestFont[]): Uint8Array {
  const starts: number[] = [];
  const head = 12 + fonts.length * 4;
  const files: Buffer[] = [];
  let at = head;
  for (const font of fonts) {
    const file = fontFile(tablesOf(font), at);
    starts.push(at);
    files.push(file);
    at += file.length;
  }
  return Buffer.concat([Buffer.from("ttcf"), u32(0x10000, fonts.length, ...starts), ...files]);
}

function fontFile(tables: ReadonlyMap<string, Uint8Array>, start: number): Buffer {
  const names = [...tables.keys()].sort();
  let at = start + 12 + names.length * 16;
  const records: Buffer[] = [];
  const contents: Buffer[] = [];
  for (const name of names) {
    const content = Buffer.from(tables.get(name) ?? []);
    records.push(Buffer.from(name), u32(0, at, content.length));
    const padded = Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4)]);
    contents.push(padded);
    at += padded.length;
  }
  return Buffer.concat([u32(0x10000), u16(names.length, 0, 0, 0), ...records, ...contents]);
}

function tablesOf(font: TestFont): ReadonlyMap<string, Uint8Array> {
  const { characters = ASCII, width = 500, ligature, weight = 400 } = font;
  const codes = [...new Set(` ${characters}`)].map((each) => each.codePointAt(0) ?? 0);
  codes.sort((a, b) => a - b);
  // Glyph 0 is for missing characters, and glyph 1 is the space.
  const count = codes.length + (ligature === undefined ? 1 : 2);
  const box = boxGlyph(width);
  const glyphs = Array.from({ length: count }, (_, n) => (n === 1 ? Buffer.alloc(0) : box));
  const offsets = [0];
  for (const glyph of glyphs) offsets.push((offsets.at(-1) ?? 0) + glyph.length);
  const tables = new Map<string, Uint8Array>([
    ["head", headTable()],
    ["hhea", Buffer.concat([u32(0x10000), u16(800, -200, 0, width, ...zeros(11), 1)])],
    ["hmtx", Buffer.concat([u16(width, 0), u16(...zeros(count - 1))])],
    ["maxp", Buffer.concat([u32(0x10000), u16(count, 4, 1, ...zeros(11))])],
    ["cmap", cmapTable(codes)],
    ["name", nameTable(font.family)],
    [
      "post",
      u32(0x30000, font.isItalic ? 0xfff40000 : 0, 0, font.isMonospaced ? 1 : 0, 0, 0, 0, 0),
    ],
    ["OS/2", os2Table(weight, font)],
    ["glyf", Buffer.concat(glyphs)],
    ["loca", u32(...offsets)],
  ]);
  if (ligature !== undefined) {
    const [first = 0, second = 0] = [...ligature].map(
      (each) => codes.indexOf(each.codePointAt(0) ?? 0) + 1,
    );
    tables.set("GSUB", ligatureTable(first, second, count - 1));
  }
  for (const [name, table] of Object.entries(font.tables ?? {})) {
    if (table === null) tables.delete(name);
    else tables.set(name, table);
  }
  return tables;
}

function headTable(): Buffer {
  const times = Buffer.alloc(16);
  return Buffer.concat([
    u32(0x10000, 0x10000, 0, 0x5f0f3cf5),
    u16(0, 1000),
    times,
    u16(0, 0, 500, 800, 0, 8, 2, 1, 0),
  ]);
}

/** A box from the base line to 800 of 1000. */
function boxGlyph(width: number): Buffer {
  const flags = Buffer.from([1, 1, 1, 1]);
  const x = u16(0, width, 0, -width);
  const y = u16(0, 0, 800, 0);
  return Buffer.concat([u16(1, 0, 0, width, 800, 3, 0), flags, x, y, Buffer.alloc(2)]);
}

function cmapTable(codes: readonly number[]): Buffer {
  const groups = codes.map((code, index) => u32(code, code, index + 1));
  const length = 16 + groups.length * 12;
  return Buffer.concat([
    u16(0, 1, 3, 10),
    u32(12),
    u16(12, 0),
    u32(length, 0, groups.length),
    ...groups,
  ]);
}

function nameTable(family: string): Buffer {
  const texts = [family, `${family}-Test`].map((text) => Buffer.from(text, "utf16le").swap16());
  const [name = Buffer.alloc(0), postscript = Buffer.alloc(0)] = texts;
  return Buffer.concat([
    u16(0, 2, 6 + 24),
    u16(3, 1, 0x409, 1, name.length, 0),
    u16(3, 1, 0x409, 6, postscript.length, name.length),
    ...texts,
  ]);
}

function os2Table(weight: number, { isItalic, hasSerifs }: TestFont): Buffer {
  const table = Buffer.alloc(96);
  table.writeUInt16BE(4, 0);
  table.writeUInt16BE(weight, 4);
  table.writeUInt16BE(5, 6);
  table.set([2, hasSerifs ? 2 : 11], 32);
  table.writeUInt16BE(isItalic ? 1 : 64, 62);
  table.writeUInt16BE(800, 68);
  return table;
}

/** Joins two glyphs to a third one, for every script. */
function ligatureTable(first: number, second: number, joined: number): Buffer {
  const tag = (name: string): Buffer => Buffer.from(name);
  const scripts = Buffer.concat([u16(1), tag("DFLT"), u16(8, 4, 0, 0, 0xffff, 1, 0)]);
  const features = Buffer.concat([u16(1), tag("liga"), u16(8, 0, 1, 0)]);
  const lookups = u16(1, 4, 4, 0, 1, 8, 1, 18, 1, 8, 1, 4, joined, 2, second, 1, 1, first);
  const header = u16(1, 0, 10, 10 + scripts.length, 10 + scripts.length + features.length);
  return Buffer.concat([header, scripts, features, lookups]);
}

function zeros(count: number): number[] {
  return Array.from({ length: count }, () => 0);
}

function u16(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 2);
  for (const [index, number] of numbers.entries()) bytes.writeUInt16BE(number & 0xffff, index * 2);
  return bytes;
}

function u32(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
  return bytes;
}
