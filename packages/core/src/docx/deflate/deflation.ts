import { crc32 } from "node:zlib";
import { BlockWriter } from "./block-writer.ts";
import type { Checksums } from "./checksum.ts";
import { MIN_MATCH, WINDOW } from "./format.ts";
import { KnownValues, SHORTEST_VALUE } from "./known-values.ts";
import type { Compressed, StaticPiece } from "./pieces.ts";
import type { TemplateCode } from "./template-code.ts";
import { LONGEST_VALUE, ValueHistory } from "./value-history.ts";

/** In shorter documents there is too little to be found in what values have in common. */
const LOOK_FROM = 20_000;

/**
 * Writes documents as DEFLATE streams, one at a time: the static texts of the template from what was
 * prepared, and values as literals. A static text that was written before is a match with where it stood
 * last, and so is what a value has in common with the value that stood there.
 */
export class Deflation {
  readonly #code: TemplateCode;
  readonly #lengths: Int32Array;
  readonly #checksums: Checksums;
  readonly #writer: BlockWriter;
  readonly #history = new ValueHistory();
  /** By static text: where it was written last, -1 if not yet. */
  readonly #last: Int32Array;
  /** The value behind it there, by its place in the history; -1 where there is none. */
  readonly #afterFrom: Int32Array;
  readonly #afterTo: Int32Array;
  /** Where pieces of static texts were written last. */
  readonly #parts = new Map<StaticPiece, number>();
  /** Null as long as values are not looked at for what they have in common. */
  #known: KnownValues | null = null;
  #memory: KnownValues | null = null;
  #isOpen = false;

  #crc = 0;
  #position = 0;
  /** The length of a match that may go on, and how far it reaches back. */
  #matched = 0;
  #far = 0;
  /** The static text before the value, -1 for none, and the value that stood behind it last. */
  #text = -1;
  #expectedFrom = -1;
  #expectedTo = -1;
  /** Where that one ended in the document. */
  #expectedEnd = -1;
  /** The value by its place in the history, -1 for none. What stands before `rest` is written. */
  #from = -1;
  #to = -1;
  #rest = -1;

  constructor(code: TemplateCode) {
    const { length } = code.lengths;
    this.#code = code;
    this.#lengths = code.lengths;
    this.#checksums = code.checksums;
    this.#writer = new BlockWriter(code.codes, code.repeats);
    this.#last = new Int32Array(length);
    this.#afterFrom = new Int32Array(length);
    this.#afterTo = new Int32Array(length);
  }

  /** Begins a document, and forgets the one before. */
  begin(): void {
    this.#last.fill(-1);
    this.#history.clear();
    this.#known = null;
    this.#parts.clear();
    this.#crc = 0;
    this.#position = 0;
    this.#matched = 0;
    this.#text = -1;
    this.#expectedFrom = -1;
    this.#from = -1;
    this.#isOpen = false;
  }

  #open(): void {
    this.#isOpen = true;
    this.#writer.begin(this.#code.codes);
    this.#writer.words(this.#code.codes.header);
  }

  /** Begins to look for what values have in common. */
  #lookBack(): void {
    this.#memory ??= new KnownValues(this.#history);
    this.#memory.clear();
    this.#known = this.#memory;
    this.#afterFrom.fill(-1);
  }

  /** Ends the document. The pieces are good until the next one begins. */
  finish(): Compressed {
    if (!this.#isOpen) this.#open();
    this.#endValue();
    this.#endMatch();
    return { crc32: this.#crc >>> 0, size: this.#position, pieces: this.#writer.end() };
  }

  /** Writes a static text, by its number. */
  text(index: number): void {
    const length = this.#lengths[index] as number;
    const last = this.#last[index] as number;
    const far = this.#position - last;
    this.#crc = this.#checksums.appended(this.#crc, index);
    const known = this.#known;
    let isKnown = false;
    if (this.#from >= 0 && known !== null && known.next === index) {
      // It stands behind the earlier value, too.
      isKnown = true;
      this.#matched += length;
    } else if (last < 0 || far > WINDOW || length < MIN_MATCH) {
      this.#spellTo(this.#to);
      this.#endMatch();
      this.#first(index, length);
    } else this.#again(length, far, last);
    this.#text = index;
    this.#from = -1;
    if (known !== null) {
      this.#expectedFrom = isKnown ? known.afterFrom : (this.#afterFrom[index] as number);
      this.#expectedTo = isKnown ? known.afterTo : (this.#afterTo[index] as number);
      this.#expectedEnd = isKnown ? -1 : last + length + this.#expectedTo - this.#expectedFrom;
      this.#afterFrom[index] = -1;
      known.written(index);
    } else if (last >= 0 && this.#position > LOOK_FROM) this.#lookBack();
    this.#last[index] = this.#position;
    this.#position += length;
  }

  /** A static text that was written before: what stood before it there may be matched, too. */
  #again(length: number, far: number, last: number): void {
    const hasValue = this.#from >= 0;
    const goesOn = this.#matched > 0 && this.#far === far;
    if (goesOn && (!hasValue || this.#rest === this.#to)) {
      this.#matched += length;
      return;
    }
    let matched = length;
    if (hasValue) {
      let common = 0;
      if (last === this.#expectedEnd && this.#expectedFrom >= 0) {
        const most = Math.min(this.#to - this.#rest, this.#expectedTo - this.#expectedFrom);
        common = this.#history.commonEnd(this.#to, this.#expectedTo, most);
      }
      this.#spellTo(this.#to - common);
      matched += common;
    }
    this.#endMatch();
    this.#writer.adapt();
    this.#matched = matched;
    this.#far = far;
  }

  /** A static text that is written for the first time, or too far behind where it was written last. */
  #first(index: number, length: number): void {
    if (!this.#isOpen && index === 0) {
      this.#isOpen = true;
      this.#writer.begin(this.#code.codes, this.#code.opening);
      return;
    }
    if (!this.#isOpen) this.#open();
    if (this.#writer.codes !== this.#code.codes) this.#tokens(index, 0, length);
    else this.#writer.program(this.#code, index, this.#last, this.#position);
  }

  /** Writes a value, as XML. */
  value(value: string): void {
    if (value.length <= LONGEST_VALUE) {
      this.#short(value);
      return;
    }
    for (let at = 0; at < value.length; ) {
      const end = at + LONGEST_VALUE;
      // Two halves of a character stay together.
      const isHalf = (value.charCodeAt(end - 1) & 0xfc00) === 0xd800;
      this.#short(value.slice(at, isHalf ? end - 1 : end));
      at = isHalf ? end - 1 : end;
    }
  }

  #short(value: string): void {
    if (!this.#isOpen) this.#open();
    if (this.#from >= 0) this.#endValue();
    const begin = this.#position;
    const history = this.#history;
    const to = history.add(value, ~this.#crc);
    this.#crc = ~history.register;
    const from = history.begin;
    this.#from = from;
    this.#to = to;
    this.#rest = from;
    this.#position += to - from;
    const known = this.#known;
    if (this.#text < 0 || known === null) return;
    this.#afterFrom[this.#text] = from;
    this.#afterTo[this.#text] = to;
    known.follows(from, to);
    if (this.#matched > 0 && this.#expectedFrom >= 0) {
      const most = Math.min(to - from, this.#expectedTo - this.#expectedFrom);
      const common = history.commonStart(from, this.#expectedFrom, most);
      this.#matched += common;
      this.#rest += common;
      if (common > 0) return;
    }
    if (!known.look(from, to, begin)) return;
    this.#endMatch();
    this.#matched = to - from;
    this.#far = known.far;
    this.#rest = to;
  }

  /** Writes what is left of the value, if there is one, up to a place in the history. */
  #spellTo(to: number): void {
    if (this.#from < 0 || this.#rest >= to) return;
    this.#endMatch();
    const known = this.#known;
    if (known !== null && this.#rest === this.#from && known.common > 0) {
      const alike = Math.min(known.common, to - this.#from);
      if (alike >= SHORTEST_VALUE) {
        this.#writer.match(alike, known.far);
        this.#rest += alike;
      }
    }
    const { bytes, base } = this.#history;
    this.#writer.spell(bytes, this.#rest - base, to - base);
    this.#rest = to;
  }

  /** Writes what is left of a value. What comes next is no match with what stood behind it before. */
  #endValue(): void {
    this.#spellTo(this.#to);
    this.#known?.written(-1);
    this.#from = -1;
    this.#text = -1;
  }

  /** Writes a piece of a static text. */
  partOf(piece: StaticPiece): void {
    const { index, from, to } = piece;
    if (!this.#isOpen) this.#open();
    this.#endValue();
    const bytes = (this.#code.bytes[index] as Uint8Array).subarray(from, to);
    this.#crc = crc32(bytes, this.#crc >>> 0) | 0;
    const far = this.#position - (this.#parts.get(piece) ?? Number.NEGATIVE_INFINITY);
    if (far <= WINDOW && bytes.length >= MIN_MATCH) {
      if (this.#far !== far) this.#endMatch();
      this.#matched += bytes.length;
      this.#far = far;
    } else {
      this.#endMatch();
      this.#tokens(index, from, to);
    }
    this.#parts.set(piece, this.#position);
    this.#position += bytes.length;
  }

  /** Writes a piece of a static text for the first time, with whatever codes there are. */
  #tokens(index: number, from: number, to: number): void {
    const { tokens, bytes } = this.#code;
    const list = tokens[index] as Int32Array;
    const own = bytes[index] as Uint8Array;
    const begin = this.#position - from;
    let place = 0;
    for (let at = 0; at < list.length && place < to; at++) {
      const token = list[at] as number;
      const first = Math.max(place, from);
      place += Math.max(-token, 1);
      const end = Math.min(place, to);
      let far = Number.POSITIVE_INFINITY;
      if (token < 0) {
        const [text, difference] = [list[at + 1] as number, list[at + 2] as number];
        at += 2;
        const last = text === index ? begin : (this.#last[text] as number);
        const isThere = text === index ? first - difference >= from : last >= 0;
        if (isThere) far = begin - last + difference;
      }
      if (first >= end) continue;
      if (far > WINDOW || end - first < MIN_MATCH) this.#writer.spell(own, first, end);
      else this.#writer.match(end - first, far);
    }
  }

  /** Writes the match that might have gone on. */
  #endMatch(): void {
    if (this.#matched > 0) this.#writer.match(this.#matched, this.#far);
    this.#matched = 0;
  }
}
