import type { Spread } from "../measure/statistics.ts";
import type { GrowthPoint } from "../measure/task.ts";

/** Everything that a run found out about rendering: what its file of results holds. */
export interface Results {
  /** The day of the run, as `2026-01-31`. */
  readonly date: string;
  readonly machine: Machine;
  readonly settings: Settings;
  /** The version of each engine, by its title; null when it is not installed. */
  readonly versions: Readonly<Record<string, string | null>>;
  readonly scenarios: readonly ScenarioResult[];
  readonly growth: readonly Curve[];
  readonly batch: BatchResult | null;
}

/** Where the run was made. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly platform: string;
}

/** How long was measured, and how far curves were followed. */
export interface Settings {
  readonly rounds: number;
  /** CPU time before the first round. */
  readonly warmUpMs: number;
  /** Wall time of an engine in a round. */
  readonly windowMs: number;
  /** Documents of a round that are made even when they take longer. */
  readonly fewest: number;
  /** Data sets whose documents are compared. */
  readonly compared: number;
  readonly mostRows: number;
  readonly mostDocuments: number;
  readonly batchDocuments: number;
  readonly batchRounds: number;
  /** Where a curve ends. */
  readonly longestSeconds: number;
  readonly largestMb: number;
}

/** A scenario, and what each engine took for it. */
export interface ScenarioResult {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The title of the engine that the ratios compare with. */
  readonly baseline: string;
  readonly lines: readonly Line[];
}

/** An engine in a scenario. */
export interface Line {
  readonly engine: string;
  /** CPU time of a document. */
  readonly cpuMs: Spread;
  /** How many times less CPU time than the baseline, round by round. */
  readonly ratio: Spread;
  /** Mean size of the documents that were compared. */
  readonly bytes: number;
  readonly peakMb: number;
}

/** How an engine grows with the rows of a document, or with the number of documents. */
export interface Curve {
  readonly over: "rows" | "documents";
  readonly engine: string;
  readonly points: readonly CurvePoint[];
  /** Why it was not followed further; null when it was followed to its end. */
  readonly stopped: { readonly at: number; readonly why: string } | null;
}

/** One process. */
export interface CurvePoint extends GrowthPoint {
  readonly size: number;
}

/** A batch of files, by the engine and by the loop. */
export interface BatchResult {
  readonly documents: number;
  readonly lines: readonly BatchLine[];
}

/** One way of making the batch. CPU and wall time are those of a document. */
export interface BatchLine {
  readonly how: string;
  readonly cpuMs: Spread;
  readonly wallMs: Spread;
  readonly peakMb: Spread;
  readonly ratio: Spread;
}
