import type Encoder from "bwip-js/generic";

/** The number of pixels of a module. */
export const MODULE_PIXELS = 4;

/** A linear barcode as the encoder returns it, in modules. */
export interface BarSymbol {
  /** The widths of bars and spaces, beginning with a bar. */
  readonly sbs: readonly number[];
  /** The lower ends of the bars: below zero for the longer bars of an EAN or UPC. */
  readonly bbs?: readonly number[];
  /** The parts of the text, each with its approximate place from the left, and its size in modules. */
  readonly txt?: readonly (readonly [
    text: string,
    x: number,
    y: number | null,
    font: string,
    size: number,
  ])[];
}

/** The text below the bars: rows of pixels, where 1 is black, and the white modules at each side. */
export interface Caption {
  readonly rows: readonly (readonly number[])[];
  readonly side: number;
}

/** The sizes of text in pixels that is not split into digits. Long text is smaller. */
const LARGEST = 40;
const SMALLEST = 24;

/** The distance between bars and text, and the length by which the bars of an EAN or UPC are longer, in pixels. */
const GAP = MODULE_PIXELS;
const LONGER = 5 * MODULE_PIXELS;

/** Pixels at least half black are black. */
const HALF = 128;

interface Glyph {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly advance: number;
  /** Missing for a space. */
  readonly bytes?: Uint8Array;
}

interface Placed {
  readonly glyph: Glyph;
  /** The start of the character, in pixels from the first bar. */
  readonly x: number;
}

/**
 * Draws the text below the bars in OCR-B, whose shapes come with the encoder. All numbers are computed exactly, so each
 * host draws the same pixels. `quiet`: the minimum number of white modules at each side.
 */
export function captionOf(
  { sbs, bbs = [], txt = [] }: BarSymbol,
  quiet: number,
  fonts: typeof Encoder.FontLib,
): Caption {
  const modules = sbs.reduce((sum, width) => sum + width, 0);
  const isLonger = (bar: number): boolean => (bbs[bar] ?? 0) < 0;
  const isSplit = bbs.some((_end, bar) => isLonger(bar));
  const glyphs = glyphsOf(fonts);
  const text = txt.map(([part]) => part).join("");
  const room = (modules + 2 * quiet) * MODULE_PIXELS;
  const placed = isSplit
    ? inAreas(txt, areasBetween(sbs, isLonger), modules, glyphs)
    : centered(text, modules * MODULE_PIXELS, room, glyphs);
  const side = sideOf(placed, modules, quiet);
  const canvas = canvasFor(placed, (modules + 2 * side) * MODULE_PIXELS);
  for (const { glyph, x } of placed) canvas.draw(glyph, x + side * MODULE_PIXELS);
  let at = side;
  for (const [index, width] of sbs.entries()) {
    if (index % 2 === 0 && isLonger(index / 2)) canvas.bar(at, width);
    at += width;
  }
  return { rows: canvas.rows, side };
}

type GlyphOf = (character: string) => Glyph;

function glyphsOf(fonts: typeof Encoder.FontLib): (size: number) => GlyphOf {
  const font = fonts.lookup("OCR-B");
  return (size) => (character) => fonts.getglyph(font, character.charCodeAt(0), size, size);
}

function lineAt(text: string, from: number, glyphOf: GlyphOf): Placed[] {
  let x = from;
  return Array.from(text, (character) => {
    const glyph = glyphOf(character);
    const placed = { glyph, x };
    x += glyph.advance;
    return placed;
  });
}

/** The modules between two of the longer bars. */
interface Area {
  readonly from: number;
  readonly to: number;
}

/** Returns the places for digits: where shorter bars are between longer ones. */
function areasBetween(
  widths: readonly number[],
  isLonger: (bar: number) => boolean,
): readonly Area[] {
  const areas: Area[] = [];
  let [at, from, isEmpty] = [0, 0, true];
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0 && isLonger(index / 2)) {
      if (!isEmpty) areas.push({ from, to: at });
      [from, isEmpty] = [at + width, true];
    } else if (index % 2 === 0) isEmpty = false;
    at += width;
  }
  return areas;
}

/** The modules for a digit of an EAN or UPC, and between the bars and a digit beside them. */
const DIGIT = 7;
const BESIDE = 3;

/** Returns the digits in the middle of their areas. Digits without an area are beside the bars. */
function inAreas(
  digits: NonNullable<BarSymbol["txt"]>,
  areas: readonly Area[],
  modules: number,
  glyphs: (size: number) => GlyphOf,
): readonly Placed[] {
  const placed: Placed[] = [];
  const place = (glyph: Glyph, inkFrom: number): void => {
    placed.push({ glyph, x: Math.round(inkFrom) - glyph.left });
  };
  const glyphOf = ([digit, , , , size]: (typeof digits)[number]): Glyph =>
    glyphs(size * MODULE_PIXELS)(digit);
  for (const digit of digits) {
    const [, x] = digit;
    const glyph = glyphOf(digit);
    if (x < 0) place(glyph, -BESIDE * MODULE_PIXELS - glyph.width);
    else if (x > modules) place(glyph, (modules + BESIDE) * MODULE_PIXELS);
  }
  for (const { from, to } of areas) {
    const own = digits.filter(([, x]) => x >= from && x < to);
    const start = (from + to - own.length * DIGIT) / 2;
    for (const [index, digit] of own.entries()) {
      const glyph = glyphOf(digit);
      place(glyph, (start + (index + 1 / 2) * DIGIT) * MODULE_PIXELS - glyph.width / 2);
    }
  }
  return placed;
}

/** Returns the text in the middle of the bars, in the largest size for which it has room. */
function centered(
  text: string,
  width: number,
  room: number,
  glyphs: (size: number) => GlyphOf,
): readonly Placed[] {
  for (let size = LARGEST; ; size -= MODULE_PIXELS) {
    const line = lineAt(text, 0, glyphs(size));
    const length = line.reduce((sum, { glyph }) => sum + glyph.advance, 0);
    const start = Math.floor((width - length) / 2);
    if (length <= room || size === SMALLEST) {
      return line.map(({ glyph, x }) => ({ glyph, x: x + start }));
    }
  }
}

/** Returns the white modules at each side, which contain the first and last digit of some kinds. */
function sideOf(placed: readonly Placed[], modules: number, quiet: number): number {
  let most = quiet * MODULE_PIXELS;
  for (const { glyph, x } of placed) {
    const start = x + glyph.left;
    most = Math.max(most, -start, start + glyph.width - modules * MODULE_PIXELS);
  }
  return Math.ceil(most / MODULE_PIXELS);
}

/** Pixels below the bars. */
interface Canvas {
  readonly rows: readonly number[][];
  draw(glyph: Glyph, x: number): void;
  /** Draws the lower end of a bar. */
  bar(from: number, modules: number): void;
}

function canvasFor(placed: readonly Placed[], width: number): Canvas {
  const above = placed.reduce((most, { glyph }) => Math.max(most, glyph.top), 0);
  const below = placed.reduce((most, { glyph }) => Math.max(most, glyph.height - glyph.top), 0);
  const rows = Array.from({ length: Math.max(GAP + above + below, LONGER) }, () =>
    new Array<number>(width).fill(0),
  );
  return {
    rows,
    draw: ({ bytes, top, left, width: columns, height }, x) => {
      for (let at = 0; at < columns * height; at++) {
        const row = rows[GAP + above - top + Math.floor(at / columns)];
        const column = x + left + (at % columns);
        if ((bytes?.[at] ?? 0) >= HALF && row !== undefined && column >= 0 && column < width) {
          row[column] = 1;
        }
      }
    },
    bar: (from, modules) => {
      for (const row of rows.slice(0, LONGER)) {
        row.fill(1, from * MODULE_PIXELS, (from + modules) * MODULE_PIXELS);
      }
    },
  };
}
