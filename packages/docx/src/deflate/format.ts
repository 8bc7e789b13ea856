/*
 * Constants of the DEFLATE format (RFC 1951): the code for each length or distance, and its number of extra
 * bits.
 */

/** The symbol that ends a block (RFC 1951, 3.2.5). */
export const END_OF_BLOCK = 256;

/** The number of symbols for literals, end of block and lengths, and the number of distance symbols. */
export const LITERALS = 286;
export const DISTANCES = 30;

/** The maximum and the minimum length of a match, and the maximum distance of a match. */
export const MAX_MATCH = 258;
export const MIN_MATCH = 3;
export const WINDOW = 32_768;

const LENGTH_EXTRA = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];

/** The shortest length of each length symbol, and the symbol of each length. Symbols are counted from 257. */
const lengthBase = new Int32Array(LENGTH_EXTRA.length);
const lengthSymbol = new Uint16Array(MAX_MATCH + 1);
let length = MIN_MATCH;
for (const [index, extra] of LENGTH_EXTRA.entries()) {
  // The last symbol stands only for the length 258.
  lengthBase[index] = index === LENGTH_EXTRA.length - 1 ? MAX_MATCH : length;
  for (let each = 0; each < 1 << extra && length <= MAX_MATCH; each++, length++) {
    lengthSymbol[length] = index;
  }
}
lengthSymbol[MAX_MATCH] = LENGTH_EXTRA.length - 1;

/** For each length, its symbol counted from 257; for each such symbol, its base and number of extra bits. */
export const LENGTH_SYMBOL: Uint16Array = lengthSymbol;
export const LENGTH_BASE: Int32Array = lengthBase;
export const LENGTH_BITS: Uint8Array = Uint8Array.from(LENGTH_EXTRA);

/** For each distance symbol, its number of extra bits. */
export const DISTANCE_BITS: Uint8Array = Uint8Array.from({ length: DISTANCES }, (_value, symbol) =>
  Math.max(0, (symbol >> 1) - 1),
);

/**
 * Returns the number of extra bits of a distance from 1 to {@link WINDOW}. These bits are the lowest bits of the
 * distance minus one.
 */
export function distanceExtra(far: number): number {
  return 30 - Math.clz32((far - 1) | 2);
}

/** Returns the symbol of a distance, given its number of extra bits. */
export function distanceSymbol(far: number, extra = distanceExtra(far)): number {
  return far <= 4 ? far - 1 : (extra << 1) + ((far - 1) >>> extra);
}
