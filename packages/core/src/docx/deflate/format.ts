/*
 * The numbers of the DEFLATE format (RFC 1951): which code stands for which length or distance, and how
 * many bits follow it.
 */

/** The symbol that ends a block (RFC 1951, 3.2.5). */
export const END_OF_BLOCK = 256;

/** The symbols for literals, the end of a block and lengths; and those for distances. */
export const LITERALS = 286;
export const DISTANCES = 30;

/** The longest match, and how far back it may begin. */
export const MAX_MATCH = 258;
export const MIN_MATCH = 3;
export const WINDOW = 32_768;

const LENGTH_EXTRA = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
];

/** By the symbol's place behind 257: the shortest length that it stands for, and its further bits. */
const lengthBase = new Int32Array(LENGTH_EXTRA.length);
const lengthSymbol = new Uint16Array(MAX_MATCH + 1);
let length = MIN_MATCH;
for (const [index, extra] of LENGTH_EXTRA.entries()) {
  // The last one stands for 258 alone.
  lengthBase[index] = index === LENGTH_EXTRA.length - 1 ? MAX_MATCH : length;
  for (let each = 0; each < 1 << extra && length <= MAX_MATCH; each++, length++) {
    lengthSymbol[length] = index;
  }
}
lengthSymbol[MAX_MATCH] = LENGTH_EXTRA.length - 1;

/** By length: its symbol, counted from 257; by that symbol: the base and the number of further bits. */
export const LENGTH_SYMBOL: Uint16Array = lengthSymbol;
export const LENGTH_BASE: Int32Array = lengthBase;
export const LENGTH_BITS: Uint8Array = Uint8Array.from(LENGTH_EXTRA);

/** By symbol of a distance: the number of its further bits. */
export const DISTANCE_BITS: Uint8Array = Uint8Array.from({ length: DISTANCES }, (_value, symbol) =>
  Math.max(0, (symbol >> 1) - 1),
);

/** The number of further bits of a distance from 1 to {@link WINDOW}: they are the lowest of one less than it. */
export function distanceExtra(far: number): number {
  return 30 - Math.clz32((far - 1) | 2);
}

/** The symbol for a distance, given the number of its further bits. */
export function distanceSymbol(far: number, extra = distanceExtra(far)): number {
  return far <= 4 ? far - 1 : (extra << 1) + ((far - 1) >>> extra);
}
