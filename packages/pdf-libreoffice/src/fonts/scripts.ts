/**
 * Kinds of characters. LibreOffice uses a separate font for each kind. The kinds are bits, because text may contain
 * several of them.
 */
export const LATIN = 1;
export const ASIAN = 2;
export const COMPLEX = 4;

/** Characters that take the font of the text around them: punctuation, symbols, private use. */
const WEAK = 0;

/**
 * The first code point of each range and the kind of the range, as in LibreOffice. A range extends to the start of the
 * next one.
 */
const BEGINNINGS: readonly (readonly [first: number, kind: number])[] = [
  [0x0000, WEAK],
  [0x0021, LATIN],
  [0x00a0, WEAK],
  [0x00a1, LATIN],
  [0x0300, WEAK],
  [0x0370, LATIN],
  [0x0590, COMPLEX],
  [0x10a0, LATIN],
  [0x1100, ASIAN],
  [0x1200, LATIN],
  [0x1700, COMPLEX],
  [0x18b0, LATIN],
  [0x1900, COMPLEX],
  [0x1aae, WEAK],
  [0x1b00, COMPLEX],
  [0x1c80, LATIN],
  [0x1cc0, COMPLEX],
  [0x1cc8, WEAK],
  [0x1d00, LATIN],
  [0x1dc0, WEAK],
  [0x1e00, LATIN],
  [0x2000, WEAK],
  [0x2800, LATIN],
  [0x2900, WEAK],
  [0x2c00, LATIN],
  [0x2d30, COMPLEX],
  [0x2de0, LATIN],
  [0x2e00, WEAK],
  [0x2e80, ASIAN],
  [0x4dc0, WEAK],
  [0x4e00, ASIAN],
  [0xa4d0, COMPLEX],
  [0xa640, LATIN],
  [0xa6a0, COMPLEX],
  [0xa6f8, WEAK],
  [0xa720, LATIN],
  [0xa800, COMPLEX],
  [0xa960, ASIAN],
  [0xa980, COMPLEX],
  [0xab30, LATIN],
  [0xabc0, COMPLEX],
  [0xac00, ASIAN],
  [0xd7fc, WEAK],
  [0xf900, ASIAN],
  [0xfb00, LATIN],
  [0xfb1d, COMPLEX],
  [0xfe00, WEAK],
  [0xfe30, ASIAN],
  [0xfe50, WEAK],
  [0xfe70, COMPLEX],
  [0xff00, ASIAN],
  [0xfff0, WEAK],
  [0x10000, WEAK],
];

const PLANE = 0x10000;

/** Supplementary ideographs. */
const FIRST_IDEOGRAPH = 0x20000;
const LAST_IDEOGRAPH = 0x3ffff;

const KINDS = kindsOfPlane();

/** Returns the kind of a character; 0 if the character takes the font of the characters around it. */
export function kindOf(codePoint: number): number {
  if (codePoint < PLANE) return KINDS[codePoint] ?? WEAK;
  return codePoint >= FIRST_IDEOGRAPH && codePoint <= LAST_IDEOGRAPH ? ASIAN : WEAK;
}

function kindsOfPlane(): Uint8Array {
  const kinds = new Uint8Array(PLANE);
  BEGINNINGS.forEach(([first, kind], at) => {
    kinds.fill(kind, first, BEGINNINGS[at + 1]?.[0] ?? PLANE);
  });
  return kinds;
}

/** Characters that LibreOffice ignores if no font has them: controls, joiners, selectors, spaces. */
const NEEDS_NO_GLYPH = /^[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zs}\p{Zl}\p{Zp}\p{Cf}]$/u;

/** Whether something would be missing for a reader if no font had this character. */
export function needsGlyph(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint > 0x20;
  return !NEEDS_NO_GLYPH.test(String.fromCodePoint(codePoint));
}

/** Scripts with a character that every font for the script contains. */
const REPRESENTATIVES: readonly (readonly [script: RegExp, codePoint: number])[] = [
  [/^\p{Script=Han}$/u, 0x4e00],
  [/^[\p{Script=Hiragana}\p{Script=Katakana}]$/u, 0x3042],
  [/^\p{Script=Hangul}$/u, 0xac00],
  [/^\p{Script=Arabic}$/u, 0x0627],
  [/^\p{Script=Hebrew}$/u, 0x05d0],
  [/^\p{Script=Thai}$/u, 0x0e01],
  [/^\p{Script=Devanagari}$/u, 0x0915],
];

/** Returns a representative character of a character's script; null for scripts that nearly every font contains. */
export function representativeOf(codePoint: number): number | null {
  if (kindOf(codePoint) === LATIN || kindOf(codePoint) === WEAK) return null;
  const character = String.fromCodePoint(codePoint);
  return REPRESENTATIVES.find(([script]) => script.test(character))?.[1] ?? codePoint;
}
