import type { Spread } from "../measure/statistics.ts";
import type { GrowthPoint } from "../measure/task.ts";

/** The results of a rendering benchmark, as stored in its file. */
export interface Results {
  /** The date of the run, such as `2026-01-31`. */
  readonly date: string;
  readonly machine: Machine;
  readonly settings: Settings;
  /** The version of each engine by its title; null if the engine is not installed. */
  readonly versions: Readonly<Record<string, string | null>>;
  readonly scenarios: readonly ScenarioResult[];
  readonly growth: readonly Curve[];
  readonly batch: BatchResult | null;
}

/** The machine of the run. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly platform: string;
}

/** How much to measure, and where curves end. */
export interface Settings {
  readonly rounds: number;
  /** CPU time in milliseconds before the first round. */
  readonly warmUpMs: number;
  /** Wall time in milliseconds of an engine in a round. */
  readonly windowMs: number;
  /** Minimum number of documents per round, even if they take longer. */
  readonly fewest: number;
  /** Number of data sets whose documents are compared. */
  readonly compared: number;
  readonly mostRows: number;
  readonly mostDocuments: number;
  readonly batchDocuments: number;
  readonly batchRounds: number;
  /** The limits at which a curve ends. */
  readonly longestSeconds: number;
  readonly largestMb: number;
}

/** A scenario with the results of each engine. */
export interface ScenarioResult {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The title of the baseline: the engine with the lowest median, except Quire. */
  readonly baseline: string;
  readonly lines: readonly Line[];
}

/** The results of an engine in a scenario. */
export interface Line {
  readonly engine: string;
  /** CPU time per document in milliseconds. */
  readonly cpuMs: Spread;
  /** The CPU time of the baseline divided by the engine's CPU time, round by round. */
  readonly ratio: Spread;
  /** Mean size of the compared documents in bytes. */
  readonly bytes: number;
  readonly peakMb: number;
}

/** Whether a title belongs to Quire. */
export function isOwn(engine: string): boolean {
  return engine.startsWith("Quire");
}

/** How an engine's cost grows with the rows of a document, or with the number of documents. */
export interface Curve {
  readonly over: "rows" | "documents";
  readonly engine: string;
  readonly points: readonly CurvePoint[];
  /** Where and why the curve stopped; null if it is complete. */
  readonly stopped: { readonly at: number; readonly why: string } | null;
}

/** The measurement of one process. */
export interface CurvePoint extends GrowthPoint {
  readonly size: number;
}

/** A batch of files, created by Quire's engine and by a loop. */
export interface BatchResult {
  readonly documents: number;
  readonly lines: readonly BatchLine[];
}

/** One way to create the batch. CPU and wall time are in milliseconds per document. */
export interface BatchLine {
  readonly how: string;
  readonly cpuMs: Spread;
  readonly wallMs: Spread;
  readonly peakMb: Spread;
  readonly ratio: Spread;
}
