import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from "prom-client";
import { QUOTA_NAMES } from "../limits/quotas.ts";
import { ATTEMPT_OUTCOMES, OTHER, OUTPUT_TYPES } from "./labels.ts";
import { CONVERTER_RESTARTS, type ConverterRestart } from "./telemetry.ts";

/** The parts of the telemetry that can fail. */
export const PARTS = ["metrics", "queue", "quotas", "tracing"] as const;
/** One of {@link PARTS}. */
export type TelemetryPart = (typeof PARTS)[number];

/** The metrics of a service, except the gauges of its queue, its quotas and the converter's seal. */
export interface Meters {
  readonly requests: Counter<"method" | "route" | "status">;
  readonly requestSeconds: Histogram<"method" | "route">;
  readonly rejections: Counter<"code">;
  readonly quotaRefusals: Counter<"quota">;
  readonly inFlight: Gauge;
  readonly attempts: Counter<"output_type" | "outcome">;
  readonly stepSeconds: Histogram<"step" | "output_type">;
  readonly stepFailures: Counter<"step" | "code">;
  readonly converterRestarts: Counter<"reason">;
  readonly pausedBatches: Gauge<"code">;
  readonly failures: Counter<"part">;
}

/** The codes of failures that pause a batch. */
const PAUSE_CODES = ["storage_failed", "unavailable"] as const;
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const STEP_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300,
];

/** Registers the metrics. Throws if the registry already has a metric with the same name. */
export function createMeters(registry: Registry, withProcess: boolean): Meters {
  if (withProcess) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const meters = { ...requestMeters(registers), ...jobMeters(registers) };
  // These counters start at 0, so that their first event is visible as an increase.
  for (const output_type of OUTPUT_TYPES) {
    for (const outcome of ATTEMPT_OUTCOMES) meters.attempts.inc({ output_type, outcome }, 0);
  }
  for (const restart of CONVERTER_RESTARTS) {
    meters.converterRestarts.inc({ reason: reasonLabel(restart) }, 0);
  }
  for (const code of PAUSE_CODES) meters.pausedBatches.set({ code }, 0);
  for (const quota of QUOTA_NAMES) meters.quotaRefusals.inc({ quota }, 0);
  for (const part of PARTS) meters.failures.inc({ part }, 0);
  return meters;
}

/** Returns the reason as one word. */
export function reasonLabel(reason: ConverterRestart): string {
  return CONVERTER_RESTARTS.includes(reason) ? reason.replaceAll(" ", "_") : OTHER;
}

type Registers = Registry[];

function requestMeters(registers: Registers) {
  return {
    requests: new Counter({
      name: "quire_http_requests_total",
      help: "Completed requests, by method, route pattern and status.",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "quire_http_request_seconds",
      help: "Seconds from a request to its response, without the time for sending the response body.",
      labelNames: ["method", "route"],
      buckets: REQUEST_SECONDS,
      registers,
    }),
    rejections: new Counter({
      name: "quire_http_rejections_total",
      help: "Requests with an error response (4xx or 5xx), by error code.",
      labelNames: ["code"],
      registers,
    }),
    quotaRefusals: new Counter({
      name: "quire_quota_refusals_total",
      help: "Requests and events that were rejected because of a used-up quota, by quota.",
      labelNames: ["quota"],
      registers,
    }),
    inFlight: new Gauge({
      name: "quire_http_requests_in_flight",
      help: "Received requests without a complete response, including waiting ones.",
      registers,
    }),
    failures: new Counter({
      name: "quire_telemetry_failures_total",
      help: "Failures of metrics and tracing, by part. Requests and jobs are not affected.",
      labelNames: ["part"],
      registers,
    }),
  } satisfies Partial<Meters>;
}

function jobMeters(registers: Registers) {
  return {
    attempts: new Counter({
      name: "quire_job_attempts_total",
      help:
        "Job attempts that ended in this process. A failed attempt may be followed by another; given_up: cancelled, " +
        "shut down or taken over by another process.",
      labelNames: ["output_type", "outcome"],
      registers,
    }),
    stepSeconds: new Histogram({
      name: "quire_step_seconds",
      help: "Duration of a step of an attempt in seconds, including failed steps; job is the whole attempt.",
      labelNames: ["step", "output_type"],
      buckets: STEP_SECONDS,
      registers,
    }),
    stepFailures: new Counter({
      name: "quire_step_failures_total",
      help: "Failed steps of attempts, by error code. A failed step also fails its attempt.",
      labelNames: ["step", "code"],
      registers,
    }),
    pausedBatches: new Gauge({
      name: "quire_paused_batches",
      help: "Batches that are paused in this process because the storage or the converter does not work, by error code.",
      labelNames: ["code"],
      registers,
    }),
    converterRestarts: new Counter({
      name: "quire_converter_restarts_total",
      help: "Converter processes that ended and were replaced, by reason.",
      labelNames: ["reason"],
      registers,
    }),
  } satisfies Partial<Meters>;
}
