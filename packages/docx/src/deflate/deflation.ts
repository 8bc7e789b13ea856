import { Buffer } from "node:buffer";
import { constants, crc32, deflateRawSync } from "node:zlib";
import type { Compressed } from "@quire/ooxml/internal/write";
import { BlockWriter } from "./block-writer.ts";
import type { Checksums } from "./checksum.ts";
import { MAX_MATCH, MIN_MATCH, WINDOW } from "./format.ts";
import { commonEnd, commonStart, KnownValues } from "./known-values.ts";
import type { LinePiece, StaticPiece } from "./pieces.ts";
import { scratch } from "./scratch.ts";
import type { TemplateCode } from "./template-code.ts";
import { appendedValue, piecesOf, VALUE_BYTES, VALUE_ENDS, valueBytes } from "./value-bytes.ts";
import { writeTokens } from "./write-tokens.ts";

const BYTES = VALUE_BYTES;
const ENDS = VALUE_ENDS;

/** Values of at least this length are compressed with zlib, because they contain enough repetition. */
const LONG = 2048;

/** If this many consecutive values after a static text matched no earlier value, the next 224 are not looked up. */
const PATIENCE = 32;

/** Maximum number of static texts of a part. */
export const MAX_TEXTS = 10_000;

/** For each static text, its length, and the position at which it was written last, or -1. */
const LENGTHS = scratch(new Int32Array(MAX_TEXTS));
const LAST = scratch(new Int32Array(MAX_TEXTS));

/** For each static text, the range in the value bytes of the value after that occurrence, or -1. */
const AFTER_FROMS = scratch(new Int32Array(MAX_TEXTS));
const AFTER_TOS = scratch(new Int32Array(MAX_TEXTS));

/** For each static text, the number of consecutive values after it that matched no earlier value. Wraps after 255. */
const MISSES = scratch(new Uint8Array(MAX_TEXTS));

/**
 * Values are compared with earlier ones only in documents longer than this. Shorter documents repeat too few values.
 */
const LOOK_FROM = 20_000;

/**
 * Writes documents as DEFLATE streams, one at a time. Static texts come from the prepared template, and values are
 * literals. A static text that was written before becomes a match with its last occurrence. If a value has a part in
 * common with the value that previously followed the same static text, this part becomes a match, too.
 */
export class Deflation {
  readonly #code: TemplateCode;
  readonly #checksums: Checksums;
  readonly #writer: BlockWriter;
  /** The position at which each piece of a static text was written last. */
  readonly #parts = new Map<StaticPiece, number>();
  /** Null while values are not compared with earlier ones. */
  #known: KnownValues | null = null;
  #memory: KnownValues | null = null;
  /** The last known number of rounds of {@link valueBytes}. When it changes, the earlier values are gone. */
  #round = 0;
  #isOpen = false;

  #crc = 0;
  #position = 0;
  /** The length of a match that may continue, and its distance. */
  #matched = 0;
  #far = 0;
  /** The static text directly before the next value, or -1, and the range of the value that followed it before. */
  #text = -1;
  #expectedFrom = -1;
  #expectedTo = -1;
  /** Where that earlier value ended in the document, or -1 if unknown. */
  #expectedEnd = -1;

  constructor(code: TemplateCode) {
    this.#code = code;
    this.#checksums = code.checksums;
    this.#writer = new BlockWriter(code.codes, code.repeats);
  }

  /** Starts a document and forgets the previous one. */
  begin(): void {
    const { lengths } = this.#code;
    LENGTHS.set(lengths);
    LAST.fill(-1, 0, lengths.length);
    this.#round = valueBytes.rounds;
    this.#known = null;
    this.#parts.clear();
    this.#crc = 0;
    this.#position = 0;
    this.#matched = 0;
    this.#text = -1;
    this.#expectedFrom = -1;
    this.#expectedEnd = -1;
    this.#isOpen = false;
  }

  #open(): void {
    this.#isOpen = true;
    this.#writer.begin(this.#code.codes);
    this.#writer.words(this.#code.codes.header);
  }

  /** Starts comparing values with earlier ones. */
  #lookBack(): void {
    this.#memory ??= new KnownValues();
    this.#known = this.#memory;
    MISSES.fill(0, 0, this.#code.lengths.length);
    this.#forget();
  }

  /** Forgets all earlier values. */
  #forget(): void {
    this.#round = valueBytes.rounds;
    this.#known?.clear();
    AFTER_FROMS.fill(-1, 0, this.#code.lengths.length);
    this.#expectedFrom = -1;
    this.#expectedEnd = -1;
  }

  /** Ends the document. The pieces are valid until the next document begins. */
  finish(): Compressed {
    if (!this.#isOpen) this.#open();
    this.#endMatch();
    return { crc32: this.#crc >>> 0, size: this.#position, pieces: this.#writer.end() };
  }

  /** Writes the static text with this number. */
  text(index: number): void {
    const length = LENGTHS[index] as number;
    const last = LAST[index] as number;
    const far = this.#position - last;
    this.#crc = this.#checksums.appended(this.#crc, index);
    const known = this.#known;
    // The same static text followed the earlier value, too.
    const isBehind = known !== null && known.next === index;
    if (isBehind || (this.#matched > 0 && this.#far === far)) this.#matched += length;
    else if (last < 0 || far > WINDOW || length < MIN_MATCH) {
      this.#endMatch();
      this.#first(index, length);
    } else {
      this.#endMatch();
      this.#writer.adapt();
      this.#matched = length;
      this.#far = far;
    }
    this.#text = index;
    if (known !== null) {
      this.#expectedFrom = isBehind ? known.afterFrom : (AFTER_FROMS[index] as number);
      this.#expectedTo = isBehind ? known.afterTo : (AFTER_TOS[index] as number);
      this.#expectedEnd =
        isBehind || this.#expectedFrom < 0
          ? -1
          : last + length + this.#expectedTo - this.#expectedFrom;
      AFTER_FROMS[index] = -1;
      known.written(index);
    } else if (last >= 0 && this.#position > LOOK_FROM) this.#lookBack();
    LAST[index] = this.#position;
    this.#position += length;
  }

  /** Writes a static text that has no earlier occurrence, is too far from the last one, or is too short for a match. */
  #first(index: number, length: number): void {
    if (!this.#isOpen && index === 0) {
      this.#isOpen = true;
      this.#writer.begin(this.#code.codes, this.#code.opening);
      return;
    }
    if (!this.#isOpen) this.#open();
    if (this.#writer.codes !== this.#code.codes) this.#tokens(index, 0, length);
    else this.#writer.program(this.#code, index, LAST, this.#position);
  }

  /** Writes a line, whose values are the latest ones in {@link valueBytes}. */
  line(pieces: readonly LinePiece[]): void {
    if (!this.#isOpen && pieces[0] === null) this.#open();
    if (valueBytes.rounds !== this.#round) this.#forget();
    let from = valueBytes.written;
    let next = 0;
    for (const piece of pieces) {
      if (piece !== null) {
        this.static(piece);
        continue;
      }
      const to = ENDS[next++] as number;
      if (to > from) this.#value(from, to);
      from = to;
    }
    valueBytes.written = from;
  }

  static(piece: StaticPiece): void {
    if (piece.whole) this.text(piece.index);
    else this.#partOf(piece);
  }

  /** Writes a value, as XML. */
  value(value: string): void {
    if (!this.#isOpen) this.#open();
    if (value.length >= LONG) {
      for (const piece of piecesOf(value)) this.#long(Buffer.from(piece));
      return;
    }
    const to = valueBytes.put(value);
    if (valueBytes.rounds !== this.#round) this.#forget();
    this.#value(valueBytes.written, to);
    valueBytes.written = to;
  }

  /** Compresses a value with zlib. */
  #long(bytes: Uint8Array): void {
    this.#endMatch();
    this.#known?.written(-1);
    this.#text = -1;
    this.#crc = crc32(bytes, this.#crc >>> 0) | 0;
    this.#position += bytes.length;
    this.#writer.splice(deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
  }

  /** Writes a value, given its range in the value bytes. */
  #value(from: number, to: number): void {
    if (to - from >= LONG) {
      this.#long(BYTES.subarray(from, to));
      return;
    }
    const known = this.#known;
    const text = this.#text;
    const begin = this.#position;
    let rest = from;
    if (known !== null && text >= 0) {
      if (this.#matched > 0 && this.#expectedFrom >= 0) {
        const most = Math.min(to - from, this.#expectedTo - this.#expectedFrom);
        const common = commonStart(from, this.#expectedFrom, most);
        this.#matched += common;
        rest += common;
      }
      AFTER_FROMS[text] = from;
      AFTER_TOS[text] = to;
      known.follows(from, to);
      if (rest === from) rest += this.#knownBegin(known, from, to, begin, text);
    } else {
      known?.written(-1);
      this.#expectedEnd = -1;
    }
    this.#text = -1;
    this.#position = begin + to - from;
    this.#crc = appendedValue(this.#crc, from, to);
    if (rest === to) return;
    const tail = this.#expectedEnd < 0 ? 0 : this.#commonTail(rest, to);
    this.#endMatch();
    this.#writer.spell(BYTES, rest, to - tail);
    if (tail === 0) return;
    this.#matched = tail;
    this.#far = this.#position - this.#expectedEnd;
  }

  /**
   * Returns the number of bytes that a value has in common with the end of the value that previously followed the same
   * static text; 0 if there are too few for a match.
   */
  #commonTail(from: number, to: number): number {
    if (this.#position - this.#expectedEnd > WINDOW) return 0;
    const most = Math.min(to - from, this.#expectedTo - this.#expectedFrom, MAX_MATCH);
    const common = commonEnd(to, this.#expectedTo, most);
    return common < MIN_MATCH ? 0 : common;
  }

  /** Starts a match with an earlier value that has the same start, if there is one. Returns the length of the match. */
  #knownBegin(known: KnownValues, from: number, to: number, begin: number, text: number): number {
    const misses = MISSES[text] as number;
    const common = misses < PATIENCE ? known.look(from, to, begin) : 0;
    MISSES[text] = common === 0 ? misses + 1 : 0;
    if (common === 0) return 0;
    this.#endMatch();
    this.#matched = common;
    this.#far = known.far;
    return common;
  }

  /** Writes a piece of a static text. */
  #partOf(piece: StaticPiece): void {
    const { index, from, to } = piece;
    if (!this.#isOpen) this.#open();
    this.#known?.written(-1);
    this.#text = -1;
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

  #tokens(index: number, from: number, to: number): void {
    writeTokens(this.#writer, this.#code, { index, from, to }, LAST, this.#position);
  }

  /** Writes the pending match, if any. */
  #endMatch(): void {
    if (this.#matched > 0) this.#writer.match(this.#matched, this.#far);
    this.#matched = 0;
  }
}
