import type { FaceData } from "./font-data.ts";
import { SAME_WIDTHS } from "./same-widths.ts";

/** The width of a character. */
export interface CharacterWidth {
  /** In units of the font. */
  readonly units: number;
  /** Whether the width is only a guess. */
  readonly isGuess: boolean;
  /** Whether the font lacks the character, so that it is taken from another font. */
  readonly isOther: boolean;
}

/** A font in one weight and slant. */
export interface Face {
  /** The distance between two lines, in ems. */
  readonly line: number;
  /** The widths that the font has, in its units. */
  readonly table: ReadonlyMap<number, number>;
  /** Returns the width of a character. */
  readonly widthOf: (codePoint: number) => CharacterWidth;
}

/** A face, and whether it has the widths of the font that was asked for. */
export interface FoundFace {
  readonly face: Face;
  readonly isKnown: boolean;
}

/** The number of units in an em. */
export const UNITS = 2048;

/** The tables of fonts; null until they are loaded. */
let data: Pick<typeof import("./font-data.ts"), "CHARACTERS" | "FACES"> | null = null;

/** Loads the widths of characters. Rendering does not wait for anything, so a template that needs them loads them. */
export async function loadFontData(): Promise<void> {
  data ??= await import("./font-data.ts");
}

/** The tables of families whose widths are known, by the names of these families in lowercase. */
const TABLES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SAME_WIDTHS).flatMap(([table, names]) =>
    names.map((name) => [name, table] as const),
  ),
  ["cambria math", "caladea"],
  ["arial unicode ms", "sans"],
]);

/** Returns a font. A font whose widths are unknown is measured as Arial. */
export function faceOf(family: string, isBold: boolean, isItalic: boolean): FoundFace {
  const known = TABLES.get(family.trim().toLowerCase());
  const style = `${isBold ? "Bold" : ""}${isItalic ? "Italic" : ""}` || "Regular";
  return { face: loaded(`${known ?? "sans"} ${style}`), isKnown: known !== undefined };
}

const faces = new Map<string, Face>();

function loaded(name: string): Face {
  const known = faces.get(name);
  if (known !== undefined) return known;
  const found = data?.FACES.find(([each]) => each === name);
  if (found === undefined) throw new Error(`The font '${name}' is not loaded.`);
  const face = readFace(found);
  faces.set(name, face);
  return face;
}

function readFace([name, line, widths]: FaceData): Face {
  const table = readTable(widths);
  // A character that a font lacks is usually taken from a font without serifs.
  const others = name.startsWith("sans") ? table : loaded(`sans ${name.split(" ")[1]}`).table;
  const measure = (codePoint: number): CharacterWidth => {
    const units = unitsIn(table, codePoint);
    if (units > 0) return { units, isGuess: false, isOther: false };
    const taken = unitsIn(others, codePoint);
    if (taken === 0) return withoutWidth(codePoint);
    return { units: taken * OTHER_FONT, isGuess: true, isOther: true };
  };
  const measured = new Map<number, CharacterWidth>();
  return {
    line: line / UNITS,
    table,
    widthOf(codePoint) {
      const known = measured.get(codePoint);
      if (known !== undefined) return known;
      const width = measure(codePoint);
      if (measured.size < MAX_MEASURED) measured.set(codePoint, width);
      return width;
    },
  };
}

/** Maximum number of characters of a face whose widths are remembered. */
const MAX_MEASURED = 5_000;

/** How much wider a character may be in the font from which it is taken. */
const OTHER_FONT = 1.2;

/** Returns the width of a character in a table, or of its letter without accents; 0 if it has neither. */
function unitsIn(table: ReadonlyMap<number, number>, codePoint: number): number {
  const base = (): number => String.fromCodePoint(codePoint).normalize("NFD").codePointAt(0) ?? 0;
  return table.get(codePoint) ?? table.get(base()) ?? 0;
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function readTable(widths: string): ReadonlyMap<number, number> {
  const table = new Map<number, number>();
  let at = 0;
  let again = 0;
  let units = 0;
  for (const codePoint of codePoints()) {
    if (again > 0) again -= 1;
    else {
      units = digitAt(widths, at) * DIGITS.length + digitAt(widths, at + 1);
      at += 2;
      if (widths[at] === "=") {
        again = digitAt(widths, at + 1);
        at += 2;
      }
    }
    if (units > 0) table.set(codePoint, units);
  }
  return table;
}

function digitAt(widths: string, at: number): number {
  return DIGITS.indexOf(widths.charAt(at));
}

function* codePoints(): Generator<number> {
  for (const range of (data?.CHARACTERS ?? "").split(" ")) {
    const [first = 0, last = first] = range.split("-").map((each) => Number.parseInt(each, 16));
    for (let each = first; each <= last; each += 1) yield each;
  }
}

/** Characters that take no room: accents, marks for directions, joiners, and soft hyphens. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;
/** Characters of East Asia, which are as wide as the text is high. */
const SQUARE =
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]$/u;
const EMOJI = /^[\p{Emoji_Presentation}\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}]$/u;

/** The width of an emoji, in ems. Fonts differ. */
const EMOJI_WIDTH = 1.4;
/** The width of a character that no rule is for, in ems. */
const UNKNOWN_WIDTH = 0.8;

/** Returns the width of a character that no table has. */
function withoutWidth(codePoint: number): CharacterWidth {
  const character = String.fromCodePoint(codePoint);
  if (NO_WIDTH.test(character)) return { units: 0, isGuess: false, isOther: false };
  if (SQUARE.test(character)) return { units: UNITS, isGuess: false, isOther: true };
  if (SPACES.test(character)) return { units: UNITS / 2, isGuess: false, isOther: false };
  if (EMOJI.test(character)) return { units: UNITS * EMOJI_WIDTH, isGuess: false, isOther: true };
  return { units: UNITS * UNKNOWN_WIDTH, isGuess: true, isOther: true };
}

/** Spaces of other widths, none of which is wider than half an em, but for two. */
const SPACES = /^[\u2000-\u200a\u202f\u205f]$/u;
