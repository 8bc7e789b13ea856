import { MAX_MATCH, WINDOW } from "./format.ts";
import { scratch } from "./scratch.ts";
import { VALUE_BYTES } from "./value-bytes.ts";

const BYTES = VALUE_BYTES;

/** Maximum number of values to remember, and the minimum length of each, in bytes. */
const PLACES = 1024;
const SHORTEST_VALUE = 5;

/** The range of each value in the value bytes (or -1), and its start in the document. */
const FROMS = scratch(new Int32Array(PLACES));
const TOS = scratch(new Int32Array(PLACES));
const BEGINS = scratch(new Int32Array(PLACES));

/** The static text after each value, or -1 for something else, and the value after that text. */
const NEXTS = scratch(new Int32Array(PLACES));
const AFTER_FROMS = scratch(new Int32Array(PLACES));
const AFTER_TOS = scratch(new Int32Array(PLACES));

/** Returns the number of equal bytes that start at these two positions, at most `most`. */
export function commonStart(a: number, b: number, most: number): number {
  let common = 0;
  while (common < most && BYTES[a + common] === BYTES[b + common]) common += 1;
  return common;
}

/** Returns the number of equal bytes that end at these two positions, at most `most`. */
export function commonEnd(a: number, b: number, most: number): number {
  let common = 0;
  while (common < most && BYTES[a - 1 - common] === BYTES[b - 1 - common]) common += 1;
  return common;
}

/** Remembers values and what followed them, so that a repeated value becomes a match. */
export class KnownValues {
  /** The slots of the value looked up last and of the value before the last static text, or -1. */
  #place = -1;
  #placeBefore = -1;

  /** The distance of the value that was found. */
  far = 0;
  /**
   * The static text after the value that was found, or -1, and the value after that text. Set only for a whole value.
   */
  next = -1;
  afterFrom = -1;
  afterTo = -1;

  /** Forgets everything. */
  clear(): void {
    FROMS.fill(-1);
    this.written(-1);
    this.#placeBefore = -1;
  }

  /**
   * Looks up a value and remembers it. Returns the number of bytes at its start that are the same as in an earlier
   * value. `begin`: the value's start in the document.
   */
  look(from: number, to: number, begin: number): number {
    const length = to - from;
    if (length < SHORTEST_VALUE) return 0;
    const place = placeOf(from, to);
    const knownFrom = FROMS[place] as number;
    const knownLength = (TOS[place] as number) - knownFrom;
    const far = begin - (BEGINS[place] as number);
    const next = NEXTS[place] as number;
    const afterFrom = AFTER_FROMS[place] as number;
    const afterTo = AFTER_TOS[place] as number;
    FROMS[place] = from;
    TOS[place] = to;
    BEGINS[place] = begin;
    NEXTS[place] = -1;
    AFTER_FROMS[place] = -1;
    this.#place = place;
    if (knownFrom < 0 || far > WINDOW) return 0;
    const common = commonStart(from, knownFrom, Math.min(length, knownLength, MAX_MATCH));
    if (common < SHORTEST_VALUE) return 0;
    this.far = far;
    if (common === length && common === knownLength) {
      this.next = next;
      this.afterFrom = afterFrom;
      this.afterTo = afterTo;
    }
    return common;
  }

  /** Records what follows the written value. `next`: the number of the static text; -1 for something else. */
  written(next: number): void {
    if (this.#place >= 0) NEXTS[this.#place] = next;
    this.#placeBefore = next < 0 ? -1 : this.#place;
    this.#place = -1;
    this.next = -1;
  }

  /** Records the value that follows the static text. */
  follows(from: number, to: number): void {
    if (this.#placeBefore < 0) return;
    AFTER_FROMS[this.#placeBefore] = from;
    AFTER_TOS[this.#placeBefore] = to;
  }
}

function placeOf(from: number, to: number): number {
  const hash =
    ((BYTES[from] as number) * 31) ^
    ((BYTES[from + 1] as number) * 131) ^
    ((BYTES[from + 2] as number) * 521) ^
    ((BYTES[from + 3] as number) * 7) ^
    ((BYTES[to - 1] as number) * 613) ^
    ((BYTES[to - 2] as number) * 1277) ^
    ((BYTES[to - 3] as number) * 257) ^
    ((to - from) * 97);
  return hash & (PLACES - 1);
}
