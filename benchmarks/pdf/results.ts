import type { Spread } from "../measure/statistics.ts";
import type { Line, Machine, ScenarioResult } from "../report/results.ts";
import type { AccountKind } from "./account/account.ts";

/** The results of a run of the PDF benchmarks. */
export interface PdfResults {
  /** The date of the run, such as `2026-01-31`. */
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

/** How much to measure. Times are in milliseconds. */
export interface PdfSettings {
  readonly rounds: number;
  /** Wall time per peer for the warm-up. `windowMs` is the wall time per round. */
  readonly warmUpMs: number;
  readonly windowMs: number;
  /** Minimum number of documents per round, even if they take longer. Fast peers get eight times as many. */
  readonly fewest: number;
  readonly batchDocuments: number;
  readonly batchRounds: number;
  readonly seriesDocuments: number;
  /** Number of documents that one line of a series summarizes. */
  readonly seriesStep: number;
}

/** A scenario with the results of each peer. */
export interface PdfScenarioResult extends ScenarioResult {
  /** Number of pages in the PDF of the first document. */
  readonly pages: number;
  readonly lines: readonly PdfLine[];
  /** The number of documents that two lanes convert, divided by the number that one lane converts in the same time. */
  readonly secondLane: Spread | null;
}

/** The results of a peer in a scenario. */
export interface PdfLine extends Line {
  /** Wall time per document in milliseconds. */
  readonly wallMs: Spread;
  /** CPU time as a multiple of the CPU time of one lane. */
  readonly oneLaneRatio: Spread | null;
}

/** A batch of the engine, compared with the same documents converted one by one. */
export interface PdfBatchResult {
  readonly title: string;
  readonly documents: number;
  readonly lines: readonly PdfBatchLine[];
}

/** One way to create a batch. Times are in milliseconds per document. */
export interface PdfBatchLine {
  readonly how: string;
  readonly cpuMs: Spread;
  readonly wallMs: Spread;
  readonly ratio: Spread;
  readonly peakMb: number;
}

/** Many documents converted one after the other in one process. */
export interface PdfSeries {
  readonly title: string;
  /** The cost of the first document, including the start of LibreOffice. */
  readonly first: { readonly cpuMs: number; readonly wallMs: number };
  readonly points: readonly PdfPoint[];
  /** Number of restarts of LibreOffice. */
  readonly restarts: number;
}

/** A group of consecutive documents in a series. */
export interface PdfPoint {
  /** Number of documents converted, including this group. */
  readonly documents: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly slowestMs: number;
  /** CPU time per document in milliseconds. */
  readonly cpuMs: number;
  readonly residentMb: number;
}
