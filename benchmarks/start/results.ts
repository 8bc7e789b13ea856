import type { Spread } from "../measure/statistics.ts";
import type { Machine } from "../report/results.ts";

/** The results of a run about starting programs and loading packages. */
export interface StartResults {
  /** The day of the run, as `2026-01-31`. */
  readonly date: string;
  readonly machine: Machine;
  readonly rounds: number;
  /** The first line is the baseline: an empty program. */
  readonly lines: readonly StartLine[];
}

/** One program. */
export interface StartLine {
  readonly title: string;
  /** CPU time of its process, from the start to the end. */
  readonly cpuMs: Spread;
  /** The CPU time divided by the time of the empty program, round by round. */
  readonly ratio: Spread;
  /** The CPU time divided by the time to load docxtemplater, round by round; only for libraries. */
  readonly peerRatio?: Spread;
}
