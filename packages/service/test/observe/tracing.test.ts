import {
  context as contexts,
  propagation,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { QuireError } from "@quire/core";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { createTelemetry } from "../../src/observe/create-telemetry.ts";
import type { Telemetry } from "../../src/observe/telemetry.ts";
import { parseTraceparent } from "../../src/observe/traceparent.ts";
import { answered, CANARY, contextManager, facts, step, traced } from "./laboratory.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const INCOMING = `00-${TRACE}-${SPAN}-01`;

afterEach(() => {
  trace.disable();
  contexts.disable();
  propagation.disable();
});

/** Submits a batch. Returns the trace that a job store would keep. */
async function submit(telemetry: Telemetry, headers = new Headers()): Promise<string | null> {
  let stored: string | undefined;
  await telemetry.request(facts({ headers }), async (traceparent) => {
    stored = JSON.stringify({ trace: traceparent ?? null });
    return { response: new Response(), outcome: { status: 202, code: null } };
  });
  return JSON.parse(stored ?? "{}").trace;
}

/** Runs the steps of a job, with pauses. */
function workOff(telemetry: Telemetry, traceparent: string | null, jobId = "b-1.0") {
  const { observe } = telemetry;
  const of = (name: "job" | "render" | "convert" | "store") =>
    step(name, { jobId, trace: traceparent });
  return observe(of("job"), async () => {
    await observe(of("render"), () => Promise.resolve());
    await Promise.resolve();
    await observe(of("convert"), () => Promise.resolve());
    await observe(of("store"), () => Promise.resolve());
  });
}

describe("A request and the jobs that it submits", () => {
  test.each(["with", "without"])("are one trace, %s a registered context manager", async (how) => {
    if (how === "with") contexts.setGlobalContextManager(contextManager());
    const { telemetry, spans } = traced();
    const stored = await submit(telemetry);
    await workOff(telemetry, stored);
    const [request, render, convert, store, job] = spans();
    expect(spans().map(({ name }) => name)).toEqual([
      "POST /2.0/docgen_batches",
      "render",
      "convert",
      "store",
      "job",
    ]);
    expect(new Set(spans().map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(request?.parentSpanContext).toBeUndefined();
    expect(job?.parentSpanContext).toMatchObject({
      spanId: request?.spanContext().spanId,
      isRemote: true,
    });
    for (const inner of [render, convert, store]) {
      expect(inner?.parentSpanContext?.spanId).toBe(job?.spanContext().spanId);
      expect(inner?.kind).toBe(SpanKind.INTERNAL);
    }
    expect(request?.kind).toBe(SpanKind.SERVER);
    expect(job?.kind).toBe(SpanKind.CONSUMER);
    expect(job?.attributes).toEqual({
      "quire.batch_id": "b-1",
      "quire.job_id": "b-1.0",
      "quire.output_type": "pdf",
    });
    expect(request?.attributes).toEqual({
      "http.request.method": "POST",
      "http.route": "/2.0/docgen_batches",
      "http.response.status_code": 202,
      "quire.request_id": "r-1",
    });
  });

  test("keep their batch when many run at the same time", async () => {
    const { telemetry, spans } = traced();
    const traces = await Promise.all(Array.from({ length: 20 }, () => submit(telemetry)));
    await Promise.all(traces.map((one, index) => workOff(telemetry, one, `b-${index}.0`)));
    const jobs = spans().filter(({ name }) => name === "job");
    expect(jobs).toHaveLength(20);
    for (const job of jobs) {
      const { traceId, spanId } = job.spanContext();
      const inner = spans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId);
      expect(inner.map(({ name }) => name)).toEqual(["render", "convert", "store"]);
      expect(inner.every((span) => span.spanContext().traceId === traceId)).toBe(true);
    }
    expect(new Set(jobs.map((job) => job.spanContext().traceId)).size).toBe(20);
  });

  test("are one trace even if the job is started during another request", async () => {
    contexts.setGlobalContextManager(contextManager());
    const { telemetry, spans } = traced();
    const stored = await submit(telemetry);
    await telemetry.request(facts(), async () => {
      await workOff(telemetry, stored);
      return { response: new Response(), outcome: { status: 200, code: null } };
    });
    const job = spans().find(({ name }) => name === "job");
    expect(job?.spanContext().traceId).toBe(parseTraceparent(stored)?.traceId);
  });

  test("a job without a trace, or with an invalid one, starts a new trace", async () => {
    const { telemetry, spans } = traced();
    await workOff(telemetry, null);
    await workOff(telemetry, CANARY);
    const jobs = spans().filter(({ name }) => name === "job");
    expect(jobs.map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined]);
    expect(spans()).toHaveLength(8);
  });

  test("a step that is started within another job is not a child of that job", async () => {
    const { telemetry, spans } = traced();
    const { observe } = telemetry;
    await observe(step("job", { jobId: "a" }), () =>
      observe(step("convert", { jobId: "b", trace: INCOMING }), async () => {}),
    );
    const convert = spans().find(({ name }) => name === "convert");
    expect(convert?.parentSpanContext?.spanId).toBe(SPAN);
  });
});

describe("An incoming traceparent", () => {
  test("is continued", async () => {
    const { telemetry, spans } = traced();
    const stored = await submit(telemetry, new Headers({ traceparent: INCOMING }));
    expect(spans()[0]?.parentSpanContext).toMatchObject({
      traceId: TRACE,
      spanId: SPAN,
      isRemote: true,
    });
    const own = spans()[0]?.spanContext().spanId;
    expect(stored).toBe(`00-${TRACE}-${own}-01`);
  });

  test("with sampling off is respected, also for jobs", async () => {
    const { telemetry, spans } = traced();
    const headers = new Headers({ traceparent: `00-${TRACE}-${SPAN}-00` });
    const stored = await submit(telemetry, headers);
    expect(stored).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    await workOff(telemetry, stored);
    expect(spans()).toEqual([]);
  });

  test("that is invalid is ignored", async () => {
    const { telemetry, spans } = traced();
    const text = fc.string({ unit: fc.constantFrom(..."0123456789abcdef-fF \tz") });
    await fc.assert(
      fc.asyncProperty(text, async (traceparent) => {
        fc.pre(parseTraceparent(traceparent) === null);
        const stored = await submit(telemetry, new Headers({ traceparent }));
        expect(stored).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
        expect(spans().at(-1)?.parentSpanContext).toBeUndefined();
      }),
    );
  });

  test("is read by the registered propagator, from any header that it knows", async () => {
    const b3: TextMapPropagator = {
      fields: () => ["b3"],
      inject: () => {},
      extract: (context, carrier, { get }) => {
        const [traceId = "", spanId = ""] = String(get(carrier, "b3")).split("-");
        return trace.setSpanContext(context, { traceId, spanId, traceFlags: 1, isRemote: true });
      },
    };
    propagation.setGlobalPropagator(b3);
    const { telemetry, spans } = traced();
    await submit(telemetry, new Headers({ b3: `${TRACE}-${SPAN}-1` }));
    expect(spans()[0]?.parentSpanContext).toMatchObject({ traceId: TRACE, spanId: SPAN });
  });

  test("is ignored if the server is instrumented and has a span", async () => {
    contexts.setGlobalContextManager(contextManager());
    const { telemetry, spans } = traced();
    const server = new BasicTracerProvider().getTracer("server").startSpan("server");
    await contexts.with(trace.setSpan(contexts.active(), server), () =>
      submit(telemetry, new Headers({ traceparent: INCOMING })),
    );
    expect(spans()[0]?.parentSpanContext?.spanId).toBe(server.spanContext().spanId);
    expect(spans()[0]?.kind).toBe(SpanKind.INTERNAL);
  });
});

describe("Code within a request", () => {
  test("has the span of the request as active span", async () => {
    contexts.setGlobalContextManager(contextManager());
    const { telemetry, spans } = traced();
    let active: string | undefined;
    await telemetry.request(facts(), async () => {
      await Promise.resolve();
      active = trace.getActiveSpan()?.spanContext().spanId;
      return { response: new Response(), outcome: { status: 200, code: null } };
    });
    expect(active).toBe(spans()[0]?.spanContext().spanId);
  });
});

describe("Errors of spans", () => {
  test("are the code of the error, and mark the span as failed only for failures of the service", async () => {
    const { telemetry, spans } = traced();
    await answered(telemetry, {}, 404, "not_found");
    await answered(telemetry, {}, 503, "unavailable");
    const [missing, down] = spans();
    expect(missing?.attributes).toMatchObject({ "quire.error_code": "not_found" });
    expect(missing?.attributes).not.toHaveProperty("error.type");
    expect(missing?.status.code).toBe(SpanStatusCode.UNSET);
    expect(down?.attributes).toMatchObject({
      "error.type": "unavailable",
      "quire.error_code": "unavailable",
    });
    expect(down?.status).toEqual({ code: SpanStatusCode.ERROR });
  });

  test("of steps are the code of the error, without its message", async () => {
    const { telemetry, spans } = traced();
    const { observe } = telemetry;
    const error = new QuireError("conversion_failed", `No: ${CANARY}.`);
    const failing = observe(step("job"), () =>
      observe(step("convert"), () => Promise.reject(error)),
    );
    await expect(failing).rejects.toBe(error);
    await observe(step("store"), () => Promise.reject(new TypeError(CANARY))).catch(() => {});
    expect(spans().map(({ name, attributes }) => [name, attributes["error.type"]])).toEqual([
      ["convert", "conversion_failed"],
      ["job", "conversion_failed"],
      ["store", "other"],
    ]);
    for (const span of spans()) {
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
      expect(span.events).toEqual([]);
    }
  });
});

test("Data from clients appears neither in metrics nor in spans", async () => {
  const { telemetry, spans } = traced({
    depth: () => Promise.reject(new Error(CANARY)),
  });
  const headers = new Headers({
    authorization: `Bearer ${CANARY}`,
    traceparent: CANARY,
    tracestate: `v=${CANARY}`,
    baggage: `user=${CANARY}`,
    "user-agent": CANARY,
  });
  const error = new QuireError("storage_failed", CANARY, { cause: new Error(CANARY) });
  await answered(telemetry, { headers, method: CANARY, route: `${CANARY}?` }, 503, CANARY);
  await answered(telemetry, { headers }, 500, CANARY);
  await telemetry.request(facts({ headers }), () => Promise.reject(error)).catch(() => {});
  const fails = step("job", { tenant: CANARY, trace: CANARY });
  await telemetry.observe(fails, () => Promise.reject(error)).catch(() => {});
  expect(spans()).toHaveLength(4);
  const told = spans().map((span) => ({
    name: span.name,
    attributes: span.attributes,
    events: span.events,
    links: span.links,
    status: span.status,
    context: { ...span.spanContext(), state: span.spanContext().traceState?.serialize() },
    parent: span.parentSpanContext,
  }));
  expect(JSON.stringify(told)).not.toContain(CANARY);
  // Ids are traced but never measured.
  await answered(telemetry, { requestId: CANARY });
  await telemetry.observe(step("job", { jobId: CANARY, batchId: CANARY }), async () => {});
  expect((await telemetry.metrics()).text).not.toContain(CANARY);
});

describe("Without an SDK", () => {
  test("nothing is traced, and jobs continue the caller's trace if there is one", async () => {
    const telemetry = createTelemetry({ defaultMetrics: false });
    expect(await submit(telemetry)).toBeNull();
    expect(await submit(telemetry, new Headers({ traceparent: CANARY }))).toBeNull();
    expect(await submit(telemetry, new Headers({ traceparent: INCOMING }))).toBe(INCOMING);
    await workOff(telemetry, INCOMING);
  });

  test("an SDK that is registered later is used from then on", async () => {
    const telemetry = createTelemetry({ defaultMetrics: false });
    expect(await submit(telemetry)).toBeNull();
    const exporter = new InMemorySpanExporter();
    const spanProcessors = [new SimpleSpanProcessor(exporter)];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    const stored = await submit(telemetry);
    expect(stored).not.toBeNull();
    expect(exporter.getFinishedSpans()).toHaveLength(1);
  });
});
