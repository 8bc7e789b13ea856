import { BitWriter, type Opening } from "./bit-writer.ts";
import { type Codes, codesFor } from "./codes.ts";
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
import type { TemplateCode } from "./template-code.ts";

/** After so many symbols the codes are made anew, fit for those; then after so many times as many. */
const FIRST_SAMPLE = 4096;
const SAMPLE_GROWTH = 16;

/** A match with another text takes so many words of a program. */
const MATCH_WORDS = 3;

/** Writes the blocks of a DEFLATE stream: literals and matches. */
export class BlockWriter extends BitWriter {
  codes: Codes;
  readonly #literals = new Float64Array(LITERALS);
  readonly #distances = new Float64Array(DISTANCES);
  /** Whether codes are made anew. */
  readonly #adapts: boolean;
  #symbols = 0;
  #sample = FIRST_SAMPLE;

  constructor(codes: Codes, adapts: boolean) {
    super();
    this.codes = codes;
    this.#adapts = adapts;
  }

  /** Begins a stream: with these codes, and where it is known with what it begins. */
  begin(codes: Codes, opening: Opening | null = null): void {
    this.reset();
    this.codes = codes;
    if (this.#symbols > 0) {
      this.#literals.fill(0);
      this.#distances.fill(0);
    }
    this.#symbols = 0;
    this.#sample = FIRST_SAMPLE;
    if (opening !== null) this.open(opening);
  }

  /** Ends the stream. */
  end(): readonly Uint8Array[] {
    this.room(0);
    this.put(this.codes.end, this.codes.endBits);
    // An empty last block of the fixed codes: which block is the last was not known when it began.
    this.put(3, 10);
    return this.finish();
  }

  /** Writes some of the bytes as literals. */
  spell(bytes: Uint8Array, from: number, to: number): void {
    this.room((to - from) * 2);
    this.#symbols += to - from;
    const { literal, literalBits } = this.codes;
    const literals = this.#literals;
    const { view } = this;
    let { place, bits, count } = this;
    for (let at = from; at < to; at++) {
      const byte = bytes[at] as number;
      literals[byte] = (literals[byte] as number) + 1;
      bits |= (literal[byte] as number) << count;
      count += literalBits[byte] as number;
      if (++at < to) {
        // Two literals are no more than 24 bits.
        const next = bytes[at] as number;
        literals[next] = (literals[next] as number) + 1;
        bits |= (literal[next] as number) << count;
        count += literalBits[next] as number;
      }
      view.setUint32(place, bits, true);
      place += count >>> 3;
      bits >>>= count & 24;
      count &= 7;
    }
    this.place = place;
    this.bits = bits;
    this.count = count;
  }

  /** Writes a match of any length, as one or several. */
  match(length: number, far: number): void {
    let left = length;
    while (left > MAX_MATCH) {
      // What is left must be no match of one or two.
      const first = left - MAX_MATCH < MIN_MATCH ? left - MIN_MATCH : MAX_MATCH;
      this.#match(first, far);
      left -= first;
    }
    this.#match(left, far);
  }

  #match(length: number, far: number): void {
    this.room(0);
    const { codes, view } = this;
    const extra = distanceExtra(far);
    const symbol = distanceSymbol(far, extra);
    const literal = END_OF_BLOCK + 1 + (LENGTH_SYMBOL[length] as number);
    this.#literals[literal] = (this.#literals[literal] as number) + 1;
    this.#distances[symbol] = (this.#distances[symbol] as number) + 1;
    this.#symbols += 1;
    let { place, count } = this;
    let bits = this.bits | ((codes.length[length] as number) << count);
    count += codes.lengthBits[length] as number;
    view.setUint32(place, bits, true);
    place += count >>> 3;
    bits >>>= count & 24;
    count &= 7;
    const more = (far - 1) & ((1 << extra) - 1);
    bits |=
      ((codes.distance[symbol] as number) | (more << (codes.distanceCodeBits[symbol] as number))) <<
      count;
    count += codes.distanceBits[symbol] as number;
    view.setUint32(place, bits, true);
    this.place = place + (count >>> 3);
    this.bits = bits >>> (count & 24);
    this.count = count & 7;
  }

  /**
   * Writes a static text of a template by its program, made for the codes in use. `last`: by text, where it
   * was written last; `position`: where this one begins.
   */
  program(code: TemplateCode, index: number, last: Int32Array, position: number): void {
    const program = code.programs[index] as Int32Array;
    let at = 0;
    while (at < program.length) {
      at = this.#run(program, at, last, position);
      if (at === program.length) break;
      this.#spellMatch(code, index, at);
      at += MATCH_WORDS;
    }
  }

  /** Writes words of a program; where it stops, at a match with what is not there, or at the end. */
  #run(program: Int32Array, from: number, last: Int32Array, position: number): number {
    this.room(program.length * 4);
    const { view } = this;
    const { distance, distanceCodeBits, distanceBits } = this.codes;
    let { place, bits, count } = this;
    let at = from;
    for (; at < program.length; at++) {
      const word = program[at] as number;
      if (word & 1) {
        const source = last[program[at + 1] as number] as number;
        const far = position - source + (program[at + 2] as number);
        if (source < 0 || far > WINDOW) break;
        bits |= (word >>> 6) << count;
        count += (word >>> 1) & 31;
        view.setUint32(place, bits, true);
        place += count >>> 3;
        bits >>>= count & 24;
        count &= 7;
        at += MATCH_WORDS - 1;
        const extra = distanceExtra(far);
        const symbol = distanceSymbol(far, extra);
        const more = (far - 1) & ((1 << extra) - 1);
        bits |=
          ((distance[symbol] as number) | (more << (distanceCodeBits[symbol] as number))) << count;
        count += distanceBits[symbol] as number;
      } else {
        bits |= (word >>> 6) << count;
        count += (word >>> 1) & 31;
      }
      view.setUint32(place, bits, true);
      place += count >>> 3;
      bits >>>= count & 24;
      count &= 7;
    }
    this.place = place;
    this.bits = bits;
    this.count = count;
    return at;
  }

  /** Spells what would be a match with another text. */
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
    // The word without the length of the match, with which it ends.
    const word = program[at] as number;
    const count = ((word >>> 1) & 31) - (this.codes.lengthBits[length] as number);
    this.put((word >>> 6) & ((1 << count) - 1), count);
    this.spell(bytes[index] as Uint8Array, from, from + length);
  }

  /** When enough has been written, goes on in a new block with codes for that. */
  adapt(): void {
    if (this.#symbols < this.#sample || !this.#adapts) return;
    this.room(0);
    this.put(this.codes.end, this.codes.endBits);
    this.codes = codesFor(this.#literals, this.#distances);
    this.words(this.codes.header);
    this.#literals.fill(0);
    this.#distances.fill(0);
    this.#symbols = 0;
    this.#sample *= SAMPLE_GROWTH;
  }
}
