import type { Spread } from "../measure/statistics.ts";
import type { Machine } from "../report/results.ts";

/** The results of a run of the batch benchmarks. */
export interface JobsResults {
  /** The date of the run, such as `2026-01-31`. */
  readonly date: string;
  readonly machine: Machine;
  readonly rounds: number;
  /** The results of the durable job store alone. */
  readonly store: {
    readonly jobs: number;
    /** Jobs per second, like `drained`. */
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
  /** The time of each part alone, in milliseconds, by the name of the part. */
  readonly parts: Readonly<Record<string, Spread>>;
  /** The total time of the engine, in milliseconds. */
  readonly engine: Spread;
  readonly engineInMemory: Spread;
  /** The engine's time divided by the sum of its parts in the same round. */
  readonly ratio: Spread;
  readonly ratioInMemory: Spread;
  /** The engine's peak memory in all rounds. */
  readonly peakMb: number;
}
