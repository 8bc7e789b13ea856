import type { Spread } from "../measure/statistics.ts";
import type { Machine } from "../report/results.ts";

/** The results of a run of the batch benchmarks. */
export interface JobsResults {
  /** The day of the run, as `2026-01-31`. */
  readonly date: string;
  readonly machine: Machine;
  readonly rounds: number;
  /** The durable job store alone. */
  readonly store: {
    readonly jobs: number;
    /** Jobs per second. */
    readonly accepted: Spread;
    readonly drained: Spread;
  };
  readonly batches: readonly JobsBatch[];
}

/** A batch and its parts. */
export interface JobsBatch {
  readonly documents: number;
  readonly output: "docx" | "pdf";
  readonly to: "files" | "S3";
  /** The time of each part alone, in ms, by the part's name. */
  readonly parts: Readonly<Record<string, Spread>>;
  /** The time of the engine for everything, in ms. */
  readonly engine: Spread;
  readonly engineInMemory: Spread;
  /** The engine's time divided by the sum of its parts, within a round. */
  readonly ratio: Spread;
  readonly ratioInMemory: Spread;
  /** The engine's peak memory over all rounds. */
  readonly peakMb: number;
}
