import type { Spread } from "../measure/statistics.ts";
import type { Machine } from "../report/results.ts";

/** The results of a run that measures starting programs and loading packages. */
export interface StartResults {
  /** The date of the run, such as `2026-01-31`. */
  readonly date: string;
  readonly machine: Machine;
  readonly rounds: number;
  /** The programs. The first one is the baseline: an empty program. */
  readonly lines: readonly StartLine[];
}

/** The results of one program. */
export interface StartLine {
  readonly title: string;
  /** CPU time of the process, from its start to its end, in milliseconds. */
  readonly cpuMs: Spread;
  /** The CPU time divided by the time of the empty program, round by round. */
  readonly ratio: Spread;
  /** The CPU time divided by the time for loading docxtemplater, round by round; only for libraries. */
  readonly peerRatio?: Spread;
}
