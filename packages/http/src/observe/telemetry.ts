import type { StepObserver } from "@quire/core/host";
import type { QuotaName } from "../quotas.ts";

/** What is known of a request before it is answered. */
export interface RequestFacts {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern, never the path: `/2.0/docgen_jobs/{job_id}`. */
  readonly route: string;
  readonly headers: Headers;
}

/** What came of it. */
export interface RequestOutcome {
  readonly status: number;
  /** The code of the error object; null for success. */
  readonly code: string | null;
}

/** Measures and follows what happens. */
export interface Telemetry {
  /** Runs a request. `run` is given the `traceparent` under which others may go on, if there is one. */
  request(
    facts: RequestFacts,
    run: (trace: string | undefined) => Promise<{
      readonly response: Response;
      readonly outcome: RequestOutcome;
    }>,
  ): Promise<Response>;
  /** For the engine's option `observe`. */
  readonly observe: StepObserver;
  /** Called when a quota refuses something. */
  quotaRefused?(quota: QuotaName): void;
  /** What Prometheus reads. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/**
 * Why a process of the converter was replaced. `deadline`: a document took too long; `stalled`: nothing was done any
 * more; `crashed`: it ended; `lost`: it was stopped from outside; `given up`: nobody wanted its answer any more;
 * `broken`: it did not come up; `worn`: it had converted enough, or held too much memory.
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

/** Telemetry that is also told of what neither requests nor jobs show. */
export interface ServiceTelemetry extends Telemetry {
  /** Counts a process of the converter that was replaced. */
  converterRestarted(reason: ConverterRestart): void;
}
