import type { Diagnostic } from "@quire/core";
import { cliWords } from "../terminal/cli-words.ts";
import { count } from "../terminal/format.ts";
import { oneLine, placeOf, pointerOf } from "../terminal/print-error.ts";

/** The maximum numbers of different problems that are kept, and of entries that are kept for each problem. */
const MAX_PROBLEMS = 200;
const MAX_PLACES = 10;

/** The position of an entry in a data file. */
export interface EntryPlace {
  /** The number of the entry, from 1. */
  readonly entry: number;
  readonly line: number | null;
}

/** An entry that has a problem. */
interface ProblemPlace extends EntryPlace {
  /** JSON Pointers to the first values of the entry that have the problem. */
  readonly pointers: readonly string[];
  /** The number of further values of the entry that have the problem. */
  more: number;
}

/** A problem of the template or of some entries. */
export interface FoundProblem {
  /** The first occurrence. */
  readonly diagnostic: Diagnostic;
  /** The number of entries that have the problem; 0 for a problem of the template itself. */
  readonly entries: number;
  /** The first of these entries. */
  readonly places: readonly ProblemPlace[];
  /** JSON Pointer to the value with the problem; null if the pointer is not the same in every entry. */
  readonly pointer: string | null;
}

/** Lists each problem once, however many entries have it. Keeps no data. */
export class ProblemList {
  readonly #found = new Map<string, Found>();
  #unlisted = 0;

  /**
   * Adds a problem. Problems of entries must be added in the order of the entries. `place` is null for a problem of the
   * template itself.
   */
  add(diagnostic: Diagnostic, place: EntryPlace | null): void {
    const key = keyOf(diagnostic);
    const found = this.#found.get(key);
    if (found !== undefined) {
      found.add(diagnostic, place);
      return;
    }
    if (this.#found.size < MAX_PROBLEMS) this.#found.set(key, new Found(diagnostic, place));
    else this.#unlisted += 1;
  }

  /** The number of occurrences that were not kept, because there were too many different problems. */
  get unlisted(): number {
    return this.#unlisted;
  }

  /** The kept problems: first errors, then warnings, both in the order in which they were found. */
  get problems(): readonly FoundProblem[] {
    const rank = ({ diagnostic }: FoundProblem): number =>
      diagnostic.severity === "error" ? 0 : 1;
    return [...this.#found.values()].sort((a, b) => rank(a) - rank(b));
  }

  /** Returns the list as lines of text. `entries` is the total number of entries. */
  lines(entries: number): string[] {
    const lines = this.problems.flatMap((problem) => [...linesOf(problem, entries), ""]);
    if (this.#unlisted > 0) {
      lines.push(`… and ${count(this.#unlisted)} more problems; --json lists all of them`, "");
    }
    return lines;
  }
}

class Found implements FoundProblem {
  readonly diagnostic: Diagnostic;
  readonly places: ProblemPlace[] = [];
  entries = 0;
  pointer: string | null;
  #last: number | null = null;

  constructor(diagnostic: Diagnostic, place: EntryPlace | null) {
    this.diagnostic = diagnostic;
    this.pointer = onlyPointerOf(diagnostic);
    this.add(diagnostic, place);
  }

  add(diagnostic: Diagnostic, place: EntryPlace | null): void {
    if (place === null) return;
    if (onlyPointerOf(diagnostic) !== this.pointer) this.pointer = null;
    const pointers = pointersOf(diagnostic);
    const { count = 1 } = diagnostic;
    const isNext = place.entry !== this.#last;
    this.#last = place.entry;
    if (isNext) {
      this.entries += 1;
      if (this.places.length < MAX_PLACES) {
        this.places.push({ ...place, pointers, more: count - Math.max(pointers.length, 1) });
      }
      return;
    }
    const listed = this.places.at(-1);
    if (listed?.entry === place.entry) listed.more += count;
  }
}

/** Returns JSON Pointers to the first values that have the problem. */
function pointersOf(diagnostic: Diagnostic): readonly string[] {
  const { pointers } = diagnostic;
  if (pointers !== undefined) return pointers.map(oneLine);
  const pointer = pointerOf(diagnostic);
  return pointer === null ? [] : [pointer];
}

/** Returns the JSON Pointer to the value with the problem, or null unless there is exactly one such value. */
function onlyPointerOf(diagnostic: Diagnostic): string | null {
  return diagnostic.pointers === undefined ? pointerOf(diagnostic) : null;
}

/** Returns the key of a problem. Problems with equal keys are listed as one, even if their pointers differ. */
function keyOf({ severity, code, message, hint, template }: Diagnostic): string {
  const { part, paragraph, tag, near } = template ?? {};
  return JSON.stringify([severity, code, message, hint, part, paragraph, tag, near]);
}

function linesOf({ diagnostic, ...found }: FoundProblem, entries: number): string[] {
  const { severity, message, hint } = diagnostic;
  const lines = [`${severity}: ${oneLine(cliWords(message))}`];
  const place = placeOf(diagnostic);
  if (place !== "") lines.push(`  ${place}`);
  if (hint !== undefined) lines.push(`  ${oneLine(cliWords(hint))}`);
  if (found.entries > 0) lines.push(`  ${placesInWords(found, entries)}`);
  return lines;
}

/**
 * Describes the entries that have a problem: `12 of 50,000 entries, data at /name: 17 (line 18), 30 (line 31), …`.
 * `all` is the total number of entries. If the pointers differ, each entry is listed with its own pointers.
 */
export function placesInWords(
  { entries, places, pointer }: Omit<FoundProblem, "diagnostic">,
  all: number,
): string {
  const head = all === 1 ? "1 entry" : `${count(entries)} of ${count(all)} entries`;
  const data = pointer === null ? "" : `, data at ${pointer}`;
  const list = places.map((place) => placeInWords(place, pointer === null));
  return `${head}${data}: ${list.join(", ")}${entries > places.length ? ", …" : ""}`;
}

function placeInWords({ entry, line, pointers, more }: ProblemPlace, withPointer: boolean): string {
  const words: string[] = [];
  if (line !== null) words.push(`line ${line}`);
  if (withPointer) words.push(...pointers);
  if (more > 0) words.push(`and ${count(more)} more`);
  return `${entry}${words.length === 0 ? "" : ` (${words.join(", ")})`}`;
}
