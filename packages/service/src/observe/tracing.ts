import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  context as contexts,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  type TextMapGetter,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { JobStep } from "@quire/core/host";
import type { RequestFacts } from "@quire/http/parts";
import { methodLabel, OTHER } from "./labels.ts";
import { type LiveSpan, liveSpan } from "./live-span.ts";
import { parseTraceparent } from "./traceparent.ts";

/** Starts the spans of requests and of the steps of jobs. Never throws. */
export interface Tracing {
  /**
   * Starts the span of a request. `route` becomes part of its name, so it must be a pattern and never a path from the
   * client.
   */
  request(facts: RequestFacts): LiveSpan;
  /** Starts the span of a step. Steps that start within a job are children of the job's span. */
  step(step: JobStep): LiveSpan;
}

/** The current job, and the context of its span. */
interface RunningJob {
  readonly jobId: string;
  readonly context: Context;
}

const HEADERS: TextMapGetter<Headers> = {
  keys: (headers) => [...headers.keys()],
  get: (headers, name) => headers.get(name) ?? undefined,
};

/** Creates tracing with this tracer. `failed` is called when tracing fails. */
export function createTracing(tracer: Tracer, failed: () => void): Tracing {
  return new RequestTracing(tracer, failed);
}

class RequestTracing implements Tracing {
  readonly #tracer: Tracer;
  readonly #failed: () => void;
  /** Nests the spans of steps even if no context manager is registered. */
  readonly #jobs = new AsyncLocalStorage<RunningJob>();

  constructor(tracer: Tracer, failed: () => void) {
    this.#tracer = tracer;
    this.#failed = failed;
  }

  request({ requestId, method, route, headers }: RequestFacts): LiveSpan {
    const { parent, kind } = this.#parentOf(headers);
    const known = methodLabel(method) !== OTHER;
    const verb = known ? method : "HTTP";
    return this.#begin(route === OTHER ? verb : `${verb} ${route}`, parent, {
      kind,
      attributes: {
        "http.request.method": known ? method : "_OTHER",
        ...(route === OTHER ? {} : { "http.route": route }),
        "quire.request_id": requestId,
      },
    });
  }

  step(step: JobStep): LiveSpan {
    const { name, jobId, batchId, outputType } = step;
    if (name !== "job") return this.#begin(name, this.#contextOf(step), {});
    const span = this.#begin(name, remote(step.trace), {
      kind: SpanKind.CONSUMER,
      attributes: {
        "quire.batch_id": batchId,
        "quire.job_id": jobId,
        "quire.output_type": outputType,
      },
    });
    const running = { jobId, context: span.context };
    return {
      context: span.context,
      trace: span.trace,
      within: (run) => this.#jobs.run(running, () => span.within(run)),
      end: (attributes, error) => span.end(attributes, error),
    };
  }

  /**
   * Returns the parent context of a step. When documents are converted together, a step of another job is not a child
   * of the current job's span.
   */
  #contextOf({ jobId, trace: traceparent }: JobStep): Context {
    const job = this.#jobs.getStore();
    return job?.jobId === jobId ? job.context : remote(traceparent);
  }

  /**
   * Returns the parent of a request's span. If the server is instrumented, the parent is the span that it has already
   * started based on the headers.
   */
  #parentOf(headers: Headers): { readonly parent: Context; readonly kind: SpanKind } {
    try {
      const active = contexts.active();
      const around = trace.getSpanContext(active);
      if (around !== undefined && isSpanContextValid(around)) {
        return { parent: active, kind: SpanKind.INTERNAL };
      }
      const parent =
        propagation.fields().length > 0
          ? propagation.extract(active, headers, HEADERS)
          : remote(headers.get("traceparent"), active);
      return { parent, kind: SpanKind.SERVER };
    } catch {
      this.#failed();
      return { parent: ROOT_CONTEXT, kind: SpanKind.SERVER };
    }
  }

  #begin(name: string, parent: Context, options: SpanOptions): LiveSpan {
    let span: Span | null = null;
    try {
      span = this.#tracer.startSpan(name, options, parent);
      return liveSpan(span, parent, this.#failed);
    } catch {
      this.#failed();
      return liveSpan(null, parent, this.#failed);
    }
  }
}

/** Returns the context of a remote span; `base` if the traceparent is invalid or missing. */
function remote(traceparent: string | null, base = ROOT_CONTEXT): Context {
  const span = parseTraceparent(traceparent);
  return span === null ? base : trace.setSpanContext(base, span);
}
