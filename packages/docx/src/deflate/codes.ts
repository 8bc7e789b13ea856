import {
  DISTANCE_BITS,
  DISTANCES,
  END_OF_BLOCK,
  LENGTH_BASE,
  LENGTH_BITS,
  LENGTH_SYMBOL,
  LITERALS,
  MAX_MATCH,
  MIN_MATCH,
} from "./format.ts";
import { codeLengths, codesOf } from "./huffman.ts";

/** Constant bits, packed: each word holds up to 24 bits, shifted by 6, and the number of bits, shifted by 1. */
export type Words = readonly number[];

/** The codes of one block, and its header. */
export interface Codes {
  /** The header of a block with these codes that is not the last block (RFC 1951, 3.2.7). */
  readonly header: Words;
  /**
   * First, for each byte and for {@link END_OF_BLOCK}, the code shifted by 5, and its number of bits. From
   * {@link LENGTHS} on, the same for each match length, with the extra bits of the length. From {@link DISTANCE_CODES}
   * on, for each distance symbol, the code shifted by 10, its number of bits shifted by 5, and the number of bits of
   * the code and its extra bits.
   */
  readonly table: Int32Array;
}

export const LENGTHS: number = LITERALS;
export const DISTANCE_CODES: number = LENGTHS + MAX_MATCH + 1;
export const TABLE_SIZE: number = DISTANCE_CODES + DISTANCES;

/** Maximum length of distance codes, so that a code with its extra bits fits into 24 bits. */
const LONGEST_DISTANCE = 11;

/** Maximum length of literal codes, so that two of them fit into 24 bits. */
const LONGEST_LITERAL = 12;
const LONGEST_HEADER = 7;

/** Returns the best codes for these symbol frequencies. Every symbol gets a code. */
export function codesFor(literals: ArrayLike<number>, distances: ArrayLike<number>): Codes {
  const literalLengths = codeLengths(weights(literals), LONGEST_LITERAL);
  const distanceLengths = codeLengths(weights(distances), LONGEST_DISTANCE);
  const literal = codesOf(literalLengths);
  const distance = codesOf(distanceLengths);
  const table = new Int32Array(TABLE_SIZE);
  for (let byte = 0; byte <= END_OF_BLOCK; byte++) {
    table[byte] = ((literal[byte] as number) << 5) | (literalLengths[byte] as number);
  }
  for (let match = MIN_MATCH; match <= MAX_MATCH; match++) {
    const place = LENGTH_SYMBOL[match] as number;
    const symbol = END_OF_BLOCK + 1 + place;
    const bits = literalLengths[symbol] as number;
    const more = (match - (LENGTH_BASE[place] as number)) << bits;
    const all = bits + (LENGTH_BITS[place] as number);
    table[LENGTHS + match] = (((literal[symbol] as number) | more) << 5) | all;
  }
  for (let symbol = 0; symbol < DISTANCES; symbol++) {
    const bits = distanceLengths[symbol] as number;
    const all = bits + (DISTANCE_BITS[symbol] as number);
    table[DISTANCE_CODES + symbol] = ((distance[symbol] as number) << 10) | (bits << 5) | all;
  }
  return { header: headerOf(literalLengths, distanceLengths), table };
}

/** Returns the frequencies as positive integers, because a symbol that has not occurred yet may still occur. */
function weights(frequencies: ArrayLike<number>): number[] {
  return Array.from(frequencies, (frequency) => Math.max(1, Math.round(frequency * 16)));
}

/** The order of the header's own code lengths (RFC 1951, 3.2.7). */
const HEADER_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function headerOf(literalLengths: Uint8Array, distanceLengths: Uint8Array): Words {
  const lengths = new Uint8Array(LITERALS + DISTANCES);
  lengths.set(literalLengths);
  lengths.set(distanceLengths, LITERALS);
  const runs = runsOf(lengths);
  const frequencies = new Float64Array(HEADER_ORDER.length);
  for (const run of runs) frequencies[run & 31] = (frequencies[run & 31] as number) + 1;
  const codeBits = codeLengths(frequencies, LONGEST_HEADER);
  const codes = codesOf(codeBits);
  let length = HEADER_ORDER.length;
  while (length > 4 && codeBits[HEADER_ORDER[length - 1] as number] === 0) length -= 1;
  const packer = new Packer();
  packer.add(0, 1);
  packer.add(2, 2);
  packer.add(LITERALS - 257, 5);
  packer.add(DISTANCES - 1, 5);
  packer.add(length - 4, 4);
  for (const symbol of HEADER_ORDER.slice(0, length)) packer.add(codeBits[symbol] as number, 3);
  for (const run of runs) {
    const symbol = run & 31;
    packer.add(codes[symbol] as number, codeBits[symbol] as number);
    if (symbol >= REPEAT) packer.add(run >>> 5, RUN_BITS[symbol - REPEAT] as number);
  }
  return packer.finish();
}

/** Symbols of the header: 16 repeats the previous length, 17 and 18 repeat zeros. Each has extra bits. */
const REPEAT = 16;
const RUN_BITS = [2, 3, 7];

/** Returns the code lengths as written in the header: symbols, with their extra bits shifted by 5. */
function runsOf(lengths: Uint8Array): number[] {
  const runs: number[] = [];
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at] as number;
    let end = at + 1;
    while (end < lengths.length && lengths[end] === length) end += 1;
    let left = end - at;
    at = end;
    if (length === 0) {
      for (; left >= 11; left -= Math.min(left, 138)) {
        runs.push(18 | ((Math.min(left, 138) - 11) << 5));
      }
      for (; left >= 3; left -= Math.min(left, 10)) {
        runs.push(17 | ((Math.min(left, 10) - 3) << 5));
      }
    } else {
      runs.push(length);
      left -= 1;
      for (; left >= 3; left -= Math.min(left, 6)) {
        runs.push(REPEAT | ((Math.min(left, 6) - 3) << 5));
      }
    }
    for (; left > 0; left -= 1) runs.push(length);
  }
  return runs;
}

/** Collects bits into {@link Words}. */
export class Packer {
  readonly #words: number[] = [];
  #bits = 0;
  #count = 0;

  /** Adds the lowest bits of a number, at most 24. */
  add(value: number, bits: number): void {
    const room = 24 - this.#count;
    this.#bits |= (value & mask(Math.min(bits, room))) << this.#count;
    this.#count += Math.min(bits, room);
    if (this.#count < 24) return;
    this.#flush();
    if (bits > room) this.add(value >>> room, bits - room);
  }

  /** Adds bits that must not be split. */
  addWhole(value: number, bits: number): void {
    if (this.#count + bits > 24) this.#flush();
    this.#bits |= value << this.#count;
    this.#count += bits;
  }

  /** Returns the bits that were added since the last call. */
  finish(): number[] {
    if (this.#count > 0) this.#flush();
    return this.#words.splice(0);
  }

  #flush(): void {
    this.#words.push((this.#bits << 6) | (this.#count << 1));
    this.#bits = 0;
    this.#count = 0;
  }
}

function mask(bits: number): number {
  return (1 << bits) - 1;
}

/** Adds a match at a known distance to the bits of a packer. */
export function addMatch(
  packer: Packer,
  { table }: Codes,
  length: number,
  symbol: number,
  far: number,
): void {
  const word = table[LENGTHS + length] as number;
  packer.add(word >>> 5, word & 31);
  const code = table[DISTANCE_CODES + symbol] as number;
  packer.add(code >>> 10, (code >>> 5) & 31);
  packer.add(far - 1, DISTANCE_BITS[symbol] as number);
}
