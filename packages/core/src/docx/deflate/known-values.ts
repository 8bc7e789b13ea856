import { MAX_MATCH, WINDOW } from "./format.ts";
import type { ValueHistory } from "./value-history.ts";

/** So many values are remembered, those with so many bytes. */
const PLACES = 1024;
export const SHORTEST_VALUE = 5;

/** Remembers values, and what stood behind them, so that what comes again is a match with what was before. */
export class KnownValues {
  readonly #history: ValueHistory;
  /** Where they begin and end in the history, -1 for none; and where they begin in the document. */
  readonly #froms = new Int32Array(PLACES);
  readonly #tos = new Int32Array(PLACES);
  readonly #begins = new Int32Array(PLACES);
  /** The static text behind each, -1 where that is another thing; the value behind that. */
  readonly #nexts = new Int32Array(PLACES);
  readonly #afterFroms = new Int32Array(PLACES);
  readonly #afterTos = new Int32Array(PLACES);
  /** The place of the value that was looked for last, and of the one before the last static text; -1 for none. */
  #place = -1;
  #placeBefore = -1;

  /** So many bytes the value has in common with an earlier one, from the first on, and how far back. */
  common = 0;
  far = 0;
  /** When it is the whole of it: the static text behind that one, -1 for none, and the value behind that. */
  next = -1;
  afterFrom = -1;
  afterTo = -1;

  constructor(history: ValueHistory) {
    this.#history = history;
  }

  /** Forgets everything. */
  clear(): void {
    this.#froms.fill(-1);
    this.written(-1);
    this.#placeBefore = -1;
  }

  /**
   * Looks for a value by its place in the history, and remembers it; true when all of it is known. `begin`
   * is where it begins in the document.
   */
  look(from: number, to: number, begin: number): boolean {
    if (to - from < SHORTEST_VALUE) return false;
    const place = this.#placeOf(from);
    const knownFrom = this.#froms[place] as number;
    const knownLength = (this.#tos[place] as number) - knownFrom;
    const far = begin - (this.#begins[place] as number);
    const next = this.#nexts[place] as number;
    const afterFrom = this.#afterFroms[place] as number;
    const afterTo = this.#afterTos[place] as number;
    this.#froms[place] = from;
    this.#tos[place] = to;
    this.#begins[place] = begin;
    this.#nexts[place] = -1;
    this.#afterFroms[place] = -1;
    this.#place = place;
    if (knownFrom < 0 || far > WINDOW) return false;
    const most = Math.min(to - from, knownLength, MAX_MATCH);
    const common = this.#history.commonStart(from, knownFrom, most);
    if (common < SHORTEST_VALUE) return false;
    this.common = common;
    this.far = far;
    if (common < to - from || common < knownLength) return false;
    this.next = next;
    this.afterFrom = afterFrom;
    this.afterTo = afterTo;
    return true;
  }

  #placeOf(from: number): number {
    const { bytes, base } = this.#history;
    const at = from - base;
    const hash =
      ((bytes[at] as number) * 31) ^
      ((bytes[at + 1] as number) * 131) ^
      ((bytes[at + 2] as number) * 521) ^
      ((bytes[at + 3] as number) * 7);
    return hash & (PLACES - 1);
  }

  /** The value is written, and a static text follows; -1 for something else. */
  written(next: number): void {
    if (this.#place >= 0) this.#nexts[this.#place] = next;
    this.#placeBefore = next < 0 ? -1 : this.#place;
    this.#place = -1;
    this.common = 0;
    this.next = -1;
  }

  /** A value follows the static text. */
  follows(from: number, to: number): void {
    if (this.#placeBefore < 0) return;
    this.#afterFroms[this.#placeBefore] = from;
    this.#afterTos[this.#placeBefore] = to;
  }
}
