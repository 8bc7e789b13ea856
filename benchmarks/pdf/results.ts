import type { Spread } from "../measure/statistics.ts";
import type { Line, Machine, ScenarioResult } from "../report/results.ts";
import type { AccountKind } from "./account/account.ts";

/** Everything that a run of the PDF benchmarks found out. */
export interface PdfResults {
  /** The day of the run, as `2026-01-31`. */
  readonly date: string;
  readonly machine: Machine;
  readonly settings: PdfSettings;
  readonly versions: Readonly<Record<string, string | null>>;
  /** Where CPU time was read. */
  readonly account: AccountKind;
  readonly scenarios: readonly PdfScenarioResult[];
  readonly batches: readonly PdfBatchResult[];
  readonly series: readonly PdfSeries[];
}

/** How long was measured. */
export interface PdfSettings {
  readonly rounds: number;
  /** Wall time of a peer before the first round, and in each. */
  readonly warmUpMs: number;
  readonly windowMs: number;
  /** Documents of a round that are converted even when they take longer; eight times as many where they are fast. */
  readonly fewest: number;
  readonly batchDocuments: number;
  readonly batchRounds: number;
  readonly seriesDocuments: number;
  /** Documents of a series that are told of together. */
  readonly seriesStep: number;
}

/** A scenario, and what each peer took for it. */
export interface PdfScenarioResult extends ScenarioResult {
  /** Of the PDF of the first document. */
  readonly pages: number;
  readonly lines: readonly PdfLine[];
  /** How many times more documents in the same time two lanes convert than one. */
  readonly secondLane: Spread | null;
}

/** A peer in a scenario. */
export interface PdfLine extends Line {
  /** Wall time, divided by the number of documents. */
  readonly wallMs: Spread;
  /** How many times the CPU time of one lane. */
  readonly oneLaneRatio: Spread | null;
}

/** A batch by the engine, and the same documents one by one. */
export interface PdfBatchResult {
  readonly title: string;
  readonly documents: number;
  readonly lines: readonly PdfBatchLine[];
}

/** One way of making a batch. Times are those of a document. */
export interface PdfBatchLine {
  readonly how: string;
  readonly cpuMs: Spread;
  readonly wallMs: Spread;
  readonly ratio: Spread;
  readonly peakMb: number;
}

/** Many documents in one process, one after the other. */
export interface PdfSeries {
  readonly title: string;
  /** What the document before all others took, with the start of LibreOffice. */
  readonly first: { readonly cpuMs: number; readonly wallMs: number };
  readonly points: readonly PdfPoint[];
  /** How often another LibreOffice took over. */
  readonly restarts: number;
}

/** Some documents of a series. */
export interface PdfPoint {
  /** How many were converted, with these. */
  readonly documents: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly slowestMs: number;
  /** Of one document. */
  readonly cpuMs: number;
  readonly residentMb: number;
}
