import type { ErrorCode, StepObserver } from "@quire/core/host";
import type { RequestFacts } from "@quire/http/parts";
import type { QuotaName } from "../limits/quotas.ts";

/** The outcome of a request. */
export interface RequestOutcome {
  /** The HTTP status of the response. */
  readonly status: number;
  /** The code of the error object; null for success. */
  readonly code: string | null;
}

/** Measures and traces requests and jobs. */
export interface Telemetry {
  /**
   * Runs a request. `run` receives the `traceparent` of the request's span, which is the parent of the spans of jobs;
   * undefined if there is no span.
   */
  request(
    facts: RequestFacts,
    run: (trace: string | undefined) => Promise<{
      readonly response: Response;
      readonly outcome: RequestOutcome;
    }>,
  ): Promise<Response>;
  /** Observes the steps of jobs. Pass it to the engine as its option `observe`. */
  readonly observe: StepObserver;
  /** Called when a request or an event is rejected because of a quota. */
  quotaRefused?(quota: QuotaName): void;
  /** Called when a batch pauses because the storage or the converter does not work, and when it resumes. */
  batchPaused?(code: ErrorCode, state: "paused" | "resumed"): void;
  /** Returns the metrics in the format of Prometheus. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/**
 * Reasons for replacing a converter process. `deadline`: a document took too long; `stalled`: it made no progress;
 * `crashed`: it ended; `lost`: it was stopped from outside; `given up`: its response was no longer needed; `broken`: it
 * did not start; `worn`: it had converted its maximum number of documents or used too much memory.
 */
export const CONVERTER_RESTARTS = [
  "deadline",
  "stalled",
  "crashed",
  "lost",
  "given up",
  "broken",
  "worn",
] as const;

/** One of {@link CONVERTER_RESTARTS}. */
export type ConverterRestart = (typeof CONVERTER_RESTARTS)[number];

/** Telemetry that also counts events outside requests and jobs. */
export interface ServiceTelemetry extends Telemetry {
  /** Counts the replacement of a converter process. */
  converterRestarted(reason: ConverterRestart): void;
}
