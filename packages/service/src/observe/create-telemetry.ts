import { type Tracer, trace } from "@opentelemetry/api";
import type {
  ConverterJoining,
  ConverterSeal,
  ErrorCode,
  JobStep,
  QueueDepth,
  StepObserver,
} from "@quire/core/host";
import type { RequestFacts } from "@quire/http/parts";
import { Registry } from "prom-client";
import type { QuotaName } from "../limits/quotas.ts";
import { createJoiningCounters } from "./joining-counters.ts";
import {
  attemptOutcome,
  errorLabel,
  methodLabel,
  OTHER,
  outputTypeLabel,
  routeLabels,
  statusLabel,
  stepLabel,
  wireCodeLabel,
} from "./labels.ts";
import { createMeters, type Meters, reasonLabel, type TelemetryPart } from "./meters.ts";
import { createQueueGauges, type QueueGauges } from "./queue-gauges.ts";
import { createQuotaGauges, type QuotaFacts } from "./quota-gauges.ts";
import { createSealGauge } from "./seal-gauge.ts";
import type { ConverterRestart, RequestOutcome, ServiceTelemetry } from "./telemetry.ts";
import { createTracing, type Tracing } from "./tracing.ts";

/** Options of {@link createTelemetry}. */
export interface TelemetryOptions {
  /**
   * Returns the depth of the queue, usually `() => engine.depth()`. Called when metrics are read, at most once a
   * second. If the call fails or takes more than 2 s, the gauges of the queue are omitted. Default: no gauges of the
   * queue.
   */
  readonly depth?: () => Promise<QueueDepth>;
  /** The quotas of tenants, usually `{ limits, most: () => mostUsed(stores) }`. Default: no gauges of quotas. */
  readonly quotas?: QuotaFacts;
  /** Returns the seal of the converter, usually `() => converter.seal?.() ?? null`. Default: no metric. */
  readonly seal?: () => ConverterSeal | null;
  /**
   * Returns how the converter has converted the documents of batches, usually `() => converter.joining?.() ?? null`.
   * Default: no metric.
   */
  readonly joining?: () => ConverterJoining | null;
  /**
   * The tracer. Default: the tracer of the SDK that is registered with `@opentelemetry/api`, even if it is registered
   * later. Without an SDK, nothing is traced.
   */
  readonly tracer?: Tracer;
  /** The registry of the metrics. Default: a new registry. */
  readonly registry?: Registry;
  /** Whether to measure the process too: memory, event loop, garbage collection. Default: true. */
  readonly defaultMetrics?: boolean;
}

/** The outcome of a request; null if its handler rejected. */
type Ended = RequestOutcome | null;

/**
 * Records Prometheus metrics and OpenTelemetry traces. Telemetry failures are counted and never affect requests or
 * jobs. Names of tenants, data and messages are neither measured nor traced. Ids are traced but not measured. Throws if
 * the registry already has metrics with the same names.
 */
export function createTelemetry(options: TelemetryOptions = {}): ServiceTelemetry {
  return new Observer(options);
}

class Observer implements ServiceTelemetry {
  readonly #registry: Registry;
  readonly #meters: Meters;
  readonly #tracing: Tracing;
  readonly #queue: QueueGauges | null;
  readonly #routeLabel = routeLabels();
  readonly observe: StepObserver = (step, run) => this.#observe(step, run);

  constructor(options: TelemetryOptions) {
    const { registry = new Registry(), defaultMetrics = true, depth } = options;
    this.#registry = registry;
    this.#meters = createMeters(registry, defaultMetrics);
    const tracer = options.tracer ?? trace.getTracer("@quire/http");
    this.#tracing = createTracing(tracer, () => this.#failed("tracing"));
    if (options.quotas !== undefined) {
      createQuotaGauges(registry, options.quotas, () => this.#failed("quotas"));
    }
    if (options.seal !== undefined) createSealGauge(registry, options.seal);
    if (options.joining !== undefined) createJoiningCounters(registry, options.joining);
    this.#queue =
      depth === undefined ? null : createQueueGauges(registry, depth, () => this.#failed("queue"));
  }

  async request(
    facts: RequestFacts,
    run: (
      trace: string | undefined,
    ) => Promise<{ readonly response: Response; readonly outcome: RequestOutcome }>,
  ): Promise<Response> {
    const startedAt = performance.now();
    const route = this.#routeLabel(facts.route);
    const span = this.#tracing.request({ ...facts, route });
    this.#measure(({ inFlight }) => inFlight.inc());
    let ended: Ended = null;
    try {
      const { response, outcome } = await span.within(() => run(span.trace));
      ended = outcome;
      return response;
    } finally {
      this.#measure((meters) =>
        countRequest(meters, { method: facts.method, route, startedAt }, ended),
      );
      const code = codeOf(ended);
      const isFault = ended === null || ended.status >= 500;
      span.end(
        {
          ...(ended === null ? {} : { "http.response.status_code": ended.status }),
          ...(code === null ? {} : { "quire.error_code": code }),
        },
        isFault ? (code ?? OTHER) : null,
      );
    }
  }

  async metrics(): Promise<{ readonly contentType: string; readonly text: string }> {
    // The gauges are refreshed first. If that fails, the output lacks them but already counts the failure.
    await this.#queue?.refresh();
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  quotaRefused(quota: QuotaName): void {
    this.#measure(({ quotaRefusals }) => quotaRefusals.inc({ quota }));
  }

  batchPaused(code: ErrorCode, state: "paused" | "resumed"): void {
    this.#measure(({ pausedBatches }) => pausedBatches.inc({ code }, state === "paused" ? 1 : -1));
  }

  converterRestarted(reason: ConverterRestart): void {
    this.#measure(({ converterRestarts }) =>
      converterRestarts.inc({ reason: reasonLabel(reason) }),
    );
  }

  async #observe<T>(step: JobStep, run: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const span = this.#tracing.step(step);
    let code: string | null = null;
    try {
      return await span.within(run);
    } catch (error) {
      code = errorLabel(error);
      throw error;
    } finally {
      this.#measure((meters) => countStep(meters, step, startedAt, code));
      span.end({}, code);
    }
  }

  #measure(act: (meters: Meters) => void): void {
    try {
      act(this.#meters);
    } catch {
      this.#failed("metrics");
    }
  }

  #failed(part: TelemetryPart): void {
    try {
      this.#meters.failures.inc({ part });
    } catch {
      // The failure cannot be reported anywhere else.
    }
  }
}

/** Returns the code of an error response; null for success. */
function codeOf(ended: Ended): string | null {
  if (ended === null) return OTHER;
  if (ended.status < 400) return null;
  return ended.code === null ? OTHER : wireCodeLabel(ended.code);
}

function countRequest(
  { inFlight, requests, requestSeconds, rejections }: Meters,
  request: { readonly method: string; readonly route: string; readonly startedAt: number },
  ended: Ended,
): void {
  inFlight.dec();
  const { route } = request;
  const method = methodLabel(request.method);
  requests.inc({ method, route, status: ended === null ? OTHER : statusLabel(ended.status) });
  requestSeconds.observe({ method, route }, secondsSince(request.startedAt));
  const code = codeOf(ended);
  if (code !== null) rejections.inc({ code });
}

function countStep(
  { stepSeconds, stepFailures, attempts }: Meters,
  { name, outputType }: JobStep,
  startedAt: number,
  code: string | null,
): void {
  const step = stepLabel(name);
  const output_type = outputTypeLabel(outputType);
  stepSeconds.observe({ step, output_type }, secondsSince(startedAt));
  if (code !== null) stepFailures.inc({ step, code });
  if (step === "job") attempts.inc({ output_type, outcome: attemptOutcome(code) });
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
