import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, ROOT_CONTEXT } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { JobStep } from "@quire/core";
import type { RequestFacts } from "@quire/http/parts";
import { createTelemetry, type TelemetryOptions } from "../../src/observe/create-telemetry.ts";
import type { Telemetry } from "../../src/observe/telemetry.ts";
import { readExposition, type Series } from "./exposition.ts";

export const CANARY = "canary-7b3e";

/** Returns telemetry with an SDK whose spans can be read. */
export function traced(options: TelemetryOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer("test");
  const telemetry = createTelemetry({ tracer, defaultMetrics: false, ...options });
  return { telemetry, spans: (): ReadableSpan[] => exporter.getFinishedSpans() };
}

export function facts(over: Partial<RequestFacts> = {}): RequestFacts {
  return {
    requestId: "r-1",
    method: "POST",
    route: "/2.0/docgen_batches",
    headers: new Headers(),
    ...over,
  };
}

export function step(name: JobStep["name"], over: Partial<JobStep> = {}): JobStep {
  const job = {
    jobId: "b-1.0",
    batchId: "b-1",
    tenant: "t",
    outputType: "pdf",
    trace: null,
  } as const;
  return { name, ...job, ...over };
}

/** Runs a request that gets a response with this status. */
export function answered(
  telemetry: Telemetry,
  over: Partial<RequestFacts> = {},
  status = 200,
  code: string | null = null,
): Promise<Response> {
  return telemetry.request(facts(over), async () => ({
    response: new Response(null, { status: status >= 200 && status <= 599 ? status : 500 }),
    outcome: { status, code },
  }));
}

export async function seriesOf(telemetry: Telemetry): Promise<Series[]> {
  const { contentType, text } = await telemetry.metrics();
  if (!contentType.startsWith("text/plain; version=0.0.4")) throw new Error(contentType);
  return readExposition(text);
}

/** Returns a context manager like the one that SDKs for Node.js register. */
export function contextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  return {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, run, self, ...given) =>
      storage.run(context, () => Reflect.apply(run, self, given)),
    bind: (_context, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  };
}
