/** A set of Unicode code points, one bit each: 136 KB. */
export type CodePoints = Uint32Array;

const LAST = 0x10ffff;

/** Creates an empty set. */
export function noCodePoints(): CodePoints {
  return new Uint32Array((LAST + 1) / 32);
}

/** Adds all code points from the first to the last, inclusive. */
export function addRange(to: CodePoints, first: number, last: number): void {
  for (let codePoint = first; codePoint <= last; codePoint += 1) {
    const word = codePoint >>> 5;
    to[word] = (to[word] ?? 0) | (1 << (codePoint & 31));
  }
}

/** Whether the set contains a code point. */
export function hasCodePoint(among: CodePoints, codePoint: number): boolean {
  return (((among[codePoint >>> 5] ?? 0) >>> (codePoint & 31)) & 1) === 1;
}

/** A range from the first code point to the last, inclusive. */
export type CodePointRange = readonly [first: number, last: number];

const RANGE = /^([0-9a-f]{1,6})(?:-([0-9a-f]{1,6}))?$/i;

/**
 * Parses ranges as printed by fontconfig: `20-7e a0 2013-2014`, hexadecimal, inclusive. Returns null if the text
 * contains anything else.
 */
export function parseRanges(text: string): CodePointRange[] | null {
  const ranges: CodePointRange[] = [];
  for (const each of text.split(" ")) {
    if (each === "") continue;
    const match = RANGE.exec(each);
    if (match === null) return null;
    const first = Number.parseInt(match[1] ?? "", 16);
    const last = match[2] === undefined ? first : Number.parseInt(match[2], 16);
    if (last < first || last > LAST) return null;
    ranges.push([first, last]);
  }
  return ranges;
}
