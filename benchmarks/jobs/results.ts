import type { Spread } from "../measure/statistics.ts";
import type { Machine } from "../report/results.ts";

/** Everything that a run of the benchmarks of batches found out. */
export interface JobsResults {
  /** The day of the run, as `2026-01-31`. */
  readonly date: string;
  readonly machine: Machine;
  readonly rounds: number;
  /** What the durable job store does alone. */
  readonly store: {
    readonly jobs: number;
    /** Jobs a second. */
    readonly accepted: Spread;
    readonly drained: Spread;
  };
  readonly batches: readonly JobsBatch[];
}

/** A batch, and its parts. */
export interface JobsBatch {
  readonly documents: number;
  readonly output: "docx" | "pdf";
  readonly to: "files" | "S3";
  /** Each part alone, in ms, by its name. */
  readonly parts: Readonly<Record<string, Spread>>;
  /** All of it by the engine, in ms. */
  readonly engine: Spread;
  readonly engineInMemory: Spread;
  /** How much longer the engine takes than its parts in sum, as a ratio of the same round. */
  readonly ratio: Spread;
  readonly ratioInMemory: Spread;
  /** The engine's memory at its most, of all rounds. */
  readonly peakMb: number;
}
