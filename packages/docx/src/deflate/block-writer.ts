import { BitWriter, type Opening, OUT_VIEW } from "./bit-writer.ts";
import { type Codes, codesFor, DISTANCE_CODES, LENGTHS, TABLE_SIZE } from "./codes.ts";
import {
  DISTANCES,
  distanceExtra,
  distanceSymbol,
  END_OF_BLOCK,
  LENGTH_SYMBOL,
  LITERALS,
  MAX_MATCH,
  MIN_MATCH,
  WINDOW,
} from "./format.ts";
import { scratch } from "./scratch.ts";
import type { TemplateCode } from "./template-code.ts";

/** The codes in use, as in {@link Codes}, and how often each was used. */
const TABLE = scratch(new Int32Array(TABLE_SIZE));
const LITERAL_COUNTS = scratch(new Int32Array(LITERALS));
const DISTANCE_COUNTS = scratch(new Int32Array(DISTANCES));

const VIEW = OUT_VIEW;
const SYMBOLS = LENGTH_SYMBOL;

/**
 * After this number of symbols, the codes are rebuilt to fit the previous output. Each rebuild multiplies the number by
 * the growth factor.
 */
const FIRST_SAMPLE = 4096;
const SAMPLE_GROWTH = 64;

/** Number of words in a program for a match with another static text. */
const MATCH_WORDS = 3;

/** Maximum number of words of a program that are written at once. */
const RUN_WORDS = 16_384;

/** Writes the blocks of a DEFLATE stream: literals and matches. */
export class BlockWriter extends BitWriter {
  codes: Codes;
  /** Whether codes are rebuilt. */
  readonly #adapts: boolean;
  #symbols = 0;
  #sample = FIRST_SAMPLE;

  constructor(codes: Codes, adapts: boolean) {
    super();
    this.codes = codes;
    this.#adapts = adapts;
  }

  /** Starts a stream with these codes. `opening`: the prepared start of the stream, if any. */
  begin(codes: Codes, opening: Opening | null = null): void {
    this.reset();
    this.#use(codes);
    this.#sample = FIRST_SAMPLE;
    if (opening !== null) this.open(opening);
  }

  #use(codes: Codes): void {
    this.codes = codes;
    TABLE.set(codes.table);
    LITERAL_COUNTS.fill(0);
    DISTANCE_COUNTS.fill(0);
    this.#symbols = 0;
  }

  #endBlock(): void {
    this.room(0);
    const end = TABLE[END_OF_BLOCK] as number;
    this.put(end >>> 5, end & 31);
  }

  /** Ends the stream. */
  end(): readonly Uint8Array[] {
    this.#endBlock();
    // Writes an empty last block with the fixed codes: when the previous block began, it was not known whether it would
    // be the last one.
    this.put(3, 10);
    return this.finish();
  }

  /** Writes a range of `bytes` as literals. */
  spell(bytes: Uint8Array, from: number, to: number): void {
    this.room((to - from) * 2);
    this.#symbols += to - from;
    let { place, bits, count } = this;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      const word = TABLE[byte] as number;
      LITERAL_COUNTS[byte] = (LITERAL_COUNTS[byte] as number) + 1;
      bits |= (word >>> 5) << count;
      count += word & 31;
      if (++at < to) {
        // Two literals take at most 24 bits.
        const next = bytes[at] as number;
        const nextWord = TABLE[next] as number;
        LITERAL_COUNTS[next] = (LITERAL_COUNTS[next] as number) + 1;
        bits |= (nextWord >>> 5) << count;
        count += nextWord & 31;
      }
      VIEW.setUint32(place, bits, true);
      place += count >> 3;
      bits >>= count & 24;
      count &= 7;
    }
    this.place = place;
    this.bits = bits;
    this.count = count;
  }

  /** Writes a match of any length, split into several matches if necessary. */
  match(length: number, far: number): void {
    let left = length;
    while (left > MAX_MATCH) {
      // The rest must not be a match of length one or two.
      const first = left - MAX_MATCH < MIN_MATCH ? left - MIN_MATCH : MAX_MATCH;
      this.#match(first, far);
      left -= first;
    }
    this.#match(left, far);
  }

  #match(length: number, far: number): void {
    this.room(0);
    const extra = distanceExtra(far);
    const symbol = distanceSymbol(far, extra);
    const literal = END_OF_BLOCK + 1 + (SYMBOLS[length] as number);
    LITERAL_COUNTS[literal] = (LITERAL_COUNTS[literal] as number) + 1;
    DISTANCE_COUNTS[symbol] = (DISTANCE_COUNTS[symbol] as number) + 1;
    this.#symbols += 1;
    const word = TABLE[LENGTHS + length] as number;
    const code = TABLE[DISTANCE_CODES + symbol] as number;
    let { place, count } = this;
    let bits = this.bits | ((word >>> 5) << count);
    count += word & 31;
    VIEW.setUint32(place, bits, true);
    place += count >> 3;
    bits >>= count & 24;
    count &= 7;
    const more = (far - 1) & ((1 << extra) - 1);
    bits |= ((code >>> 10) | (more << ((code >>> 5) & 31))) << count;
    count += code & 31;
    VIEW.setUint32(place, bits, true);
    this.place = place + (count >> 3);
    this.bits = bits >> (count & 24);
    this.count = count & 7;
  }

  /**
   * Writes a static text of a template by its program, which was created for the codes in use. `last`: for each static
   * text, where it was last written; `position`: where this text begins.
   */
  program(code: TemplateCode, index: number, last: Int32Array, position: number): void {
    const program = code.programs[index] as Int32Array;
    for (let at = 0; at < program.length; ) {
      const end = Math.min(at + RUN_WORDS, program.length);
      at = this.#run(program, at, end, last, position);
      if (at >= end) continue;
      this.#spellMatch(code, index, at);
      at += MATCH_WORDS;
    }
  }

  /**
   * Writes words of a program up to `end`, but stops before a match whose source was not written or is too far back.
   * Returns the position at which it stopped.
   */
  #run(program: Int32Array, from: number, end: number, last: Int32Array, position: number): number {
    this.room((end - from) * 4);
    let { place, bits, count } = this;
    let at = from;
    for (; at < end; at++) {
      const word = program[at] as number;
      if (word & 1) {
        const source = last[program[at + 1] as number] as number;
        const far = position - source + (program[at + 2] as number);
        if (source < 0 || far > WINDOW) break;
        bits |= (word >>> 6) << count;
        count += (word >>> 1) & 31;
        VIEW.setUint32(place, bits, true);
        place += count >> 3;
        bits >>= count & 24;
        count &= 7;
        at += MATCH_WORDS - 1;
        const extra = distanceExtra(far);
        const symbol = distanceSymbol(far, extra);
        const more = (far - 1) & ((1 << extra) - 1);
        const code = TABLE[DISTANCE_CODES + symbol] as number;
        bits |= ((code >>> 10) | (more << ((code >>> 5) & 31))) << count;
        count += code & 31;
      } else {
        bits |= (word >>> 6) << count;
        count += (word >>> 1) & 31;
      }
      VIEW.setUint32(place, bits, true);
      place += count >> 3;
      bits >>= count & 24;
      count &= 7;
    }
    this.place = place;
    this.bits = bits;
    this.count = count;
    return at;
  }

  /** Writes a match with another static text as literals. */
  #spellMatch({ programs, elsewhere, bytes }: TemplateCode, index: number, at: number): void {
    const program = programs[index] as Int32Array;
    let matches = 0;
    for (let before = 0; before < at; before++) {
      if (((program[before] as number) & 1) === 0) continue;
      matches += 1;
      before += MATCH_WORDS - 1;
    }
    const from = elsewhere[index]?.[2 * matches] as number;
    const length = elsewhere[index]?.[2 * matches + 1] as number;
    // The word without the match length at its end.
    const word = program[at] as number;
    const count = ((word >>> 1) & 31) - ((TABLE[LENGTHS + length] as number) & 31);
    this.put((word >>> 6) & ((1 << count) - 1), count);
    this.spell(bytes[index] as Uint8Array, from, from + length);
  }

  /**
   * Writes blocks that were created elsewhere and end on a byte boundary, and continues in a new block with the codes
   * in use.
   */
  splice(blocks: Uint8Array): void {
    this.#endBlock();
    // An empty stored block (RFC 1951, 3.2.4) starts its length on a byte boundary.
    this.put(0, 3);
    if (this.count > 0) this.put(0, 8 - this.count);
    this.put(0, 16);
    this.put(0xffff, 16);
    this.append(blocks);
    this.words(this.codes.header);
  }

  /** Continues in a new block with codes that fit the output, once enough has been written. */
  adapt(): void {
    if (this.#symbols < this.#sample || !this.#adapts) return;
    this.#endBlock();
    this.#use(codesFor(LITERAL_COUNTS, DISTANCE_COUNTS));
    this.words(this.codes.header);
    this.#sample *= SAMPLE_GROWTH;
  }
}
