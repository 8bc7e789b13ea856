import type { Spread } from "../measure/statistics.ts";
import type { Line, Machine, ScenarioResult } from "../report/results.ts";
import type { AccountKind } from "./account/account.ts";

/** The results of a run of the PDF benchmarks. */
export interface PdfResults {
  /** The day of the run, as `2026-01-31`. */
  readonly date: string;
  readonly machine: Machine;
  readonly settings: PdfSettings;
  readonly versions: Readonly<Record<string, string | null>>;
  /** The source of CPU times. */
  readonly account: AccountKind;
  readonly scenarios: readonly PdfScenarioResult[];
  readonly batches: readonly PdfBatchResult[];
  readonly series: readonly PdfSeries[];
}

/** The duration of the measurements. */
export interface PdfSettings {
  readonly rounds: number;
  /** Wall time per peer for the warm-up, and per round. */
  readonly warmUpMs: number;
  readonly windowMs: number;
  /** Minimum number of documents per round, even if they take longer; eight times as many for fast peers. */
  readonly fewest: number;
  readonly batchDocuments: number;
  readonly batchRounds: number;
  readonly seriesDocuments: number;
  /** Number of documents that a line of a series summarizes. */
  readonly seriesStep: number;
}

/** A scenario with the results of each peer. */
export interface PdfScenarioResult extends ScenarioResult {
  /** Number of pages of the first document's PDF. */
  readonly pages: number;
  readonly lines: readonly PdfLine[];
  /** How many times as many documents two lanes convert as one lane in the same time. */
  readonly secondLane: Spread | null;
}

/** The results of a peer in a scenario. */
export interface PdfLine extends Line {
  /** Wall time per document. */
  readonly wallMs: Spread;
  /** CPU time as a multiple of the CPU time of one lane. */
  readonly oneLaneRatio: Spread | null;
}

/** A batch of the engine, and the same documents converted one by one. */
export interface PdfBatchResult {
  readonly title: string;
  readonly documents: number;
  readonly lines: readonly PdfBatchLine[];
}

/** One way to create a batch. Times are per document. */
export interface PdfBatchLine {
  readonly how: string;
  readonly cpuMs: Spread;
  readonly wallMs: Spread;
  readonly ratio: Spread;
  readonly peakMb: number;
}

/** Many consecutive documents in one process. */
export interface PdfSeries {
  readonly title: string;
  /** The cost of the first document, including the start of LibreOffice. */
  readonly first: { readonly cpuMs: number; readonly wallMs: number };
  readonly points: readonly PdfPoint[];
  /** Number of restarts of LibreOffice. */
  readonly restarts: number;
}

/** Some documents of a series. */
export interface PdfPoint {
  /** Number of documents converted, including these. */
  readonly documents: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly slowestMs: number;
  /** CPU time per document. */
  readonly cpuMs: number;
  readonly residentMb: number;
}
