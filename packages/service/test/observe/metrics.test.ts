import {
  type ConverterJoining,
  type ConverterSeal,
  type QueueDepth,
  QuireError,
} from "@quire/core";
import fc from "fast-check";
import { Counter, Registry, register } from "prom-client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTelemetry } from "../../src/observe/create-telemetry.ts";
import type { ConverterRestart } from "../../src/observe/telemetry.ts";
import { valueIn } from "./exposition.ts";
import { answered, CANARY, seriesOf, step } from "./laboratory.ts";

const NONE = { docx: null, pdf: null };
const QUEUE: QueueDepth = { submitted: 7, pending: 3, oldestAt: NONE, capacity: 1000 };

/** Longer than the time limit for reading the queue. */
const PATIENCE_MS = 2_000;

const silent = () => createTelemetry({ defaultMetrics: false });

test("Layers of the converter's seal are 1 if they work and 0 if not, and omitted until they are tried", async () => {
  let seal: ConverterSeal | null = null;
  const telemetry = createTelemetry({ defaultMetrics: false, seal: () => seal });
  const before = await seriesOf(telemetry);
  expect(before.some(({ name }) => name === "quire_converter_seal")).toBe(false);
  seal = {
    ...{ cleaned: true, hardened: true, network: true },
    ...{ files: false, processes: false, calls: true, room: false },
  };
  const after = await seriesOf(telemetry);
  expect(valueIn(after, "quire_converter_seal", { layer: "network" })).toBe(1);
  expect(valueIn(after, "quire_converter_seal", { layer: "files" })).toBe(0);
});

test("PDFs are counted by way, and batches that are not converted together by reason", async () => {
  let joining: ConverterJoining | null = null;
  const telemetry = createTelemetry({ defaultMetrics: false, joining: () => joining });
  const documents = "quire_converter_documents_total";
  expect(valueIn(await seriesOf(telemetry), documents, { way: "joined" })).toBe(0);
  joining = { joined: 50, separate: 7, refused: { "a lane ended": 2 } };
  for (let scrape = 1; scrape <= 2; scrape++) {
    const series = await seriesOf(telemetry);
    expect(valueIn(series, documents, { way: "joined" })).toBe(50);
    expect(valueIn(series, documents, { way: "separate" })).toBe(7);
    const refused = valueIn(series, "quire_converter_refused_groups_total", {
      reason: "a lane ended",
    });
    expect(refused).toBe(2);
  }
});

describe("Requests", () => {
  test("are counted by method, route and status, and timed", async () => {
    const telemetry = silent();
    await answered(telemetry);
    await answered(telemetry, {}, 202);
    await answered(telemetry, {}, 202);
    const series = await seriesOf(telemetry);
    const labels = { method: "POST", route: "/2.0/docgen_batches" };
    expect(valueIn(series, "quire_http_requests_total", { ...labels, status: "200" })).toBe(1);
    expect(valueIn(series, "quire_http_requests_total", { ...labels, status: "202" })).toBe(2);
    expect(valueIn(series, "quire_http_request_seconds_count", labels)).toBe(3);
    expect(series.some(({ name }) => name === "quire_http_rejections_total")).toBe(false);
  });

  test("with an error response are counted by error code", async () => {
    const telemetry = silent();
    await answered(telemetry, {}, 404, "not_found");
    await answered(telemetry, {}, 503, "unavailable");
    await answered(telemetry, {}, 500, null);
    const series = await seriesOf(telemetry);
    for (const code of ["not_found", "unavailable", "other"]) {
      expect(valueIn(series, "quire_http_rejections_total", { code })).toBe(1);
    }
  });

  test("are counted as in flight until they end", async () => {
    const telemetry = silent();
    const { promise, resolve } = Promise.withResolvers<void>();
    const request = telemetry.request(
      { requestId: "r", method: "GET", route: "/healthz", headers: new Headers() },
      async () => {
        await promise;
        return { response: new Response(), outcome: { status: 200, code: null } };
      },
    );
    expect(valueIn(await seriesOf(telemetry), "quire_http_requests_in_flight")).toBe(1);
    resolve();
    await request;
    expect(valueIn(await seriesOf(telemetry), "quire_http_requests_in_flight")).toBe(0);
  });

  test("with hostile methods, routes and statuses have a limited number of series", async () => {
    const telemetry = silent();
    const requests = fc.record({
      method: fc.oneof(fc.string(), fc.constantFrom("GET", "constructor", "__proto__", "get")),
      route: fc.oneof(
        fc.string(),
        fc.string().map((path) => `/${path}`),
        fc.uuid().map((id) => `/2.0/${id}`),
      ),
      status: fc.oneof(fc.integer(), fc.double(), fc.integer({ min: 100, max: 599 })),
      code: fc.oneof(fc.constant(null), fc.string(), fc.constant("__proto__")),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, route, status, code }) => {
        await answered(telemetry, { method, route }, status, code);
      }),
      { numRuns: 1000 },
    );
    const series = await seriesOf(telemetry);
    const valuesOf = (name: string, label: string) =>
      new Set(series.flatMap((one) => (one.name === name ? [one.labels[label]] : [])));
    expect(valuesOf("quire_http_requests_total", "method")).toEqual(new Set(["GET", "other"]));
    expect(valuesOf("quire_http_requests_total", "route").size).toBeLessThanOrEqual(201);
    for (const status of valuesOf("quire_http_requests_total", "status")) {
      expect(status).toMatch(/^([1-5]\d\d|other)$/);
    }
    expect(valuesOf("quire_http_rejections_total", "code")).toEqual(new Set(["other"]));
    expect(valueIn(series, "quire_telemetry_failures_total", { part: "metrics" })).toBe(0);
  });
});

describe("Steps of jobs", () => {
  test("are timed by step and type, and attempts are counted by outcome", async () => {
    const telemetry = silent();
    const { observe } = telemetry;
    await observe(step("job"), () => observe(step("render"), async () => 1));
    await observe(step("job", { outputType: "docx" }), async () => 1);
    for (const code of ["conversion_failed", "aborted", "lease_lost"] as const) {
      const fail = () => Promise.reject(new QuireError(code, "No."));
      await expect(observe(step("job"), fail)).rejects.toMatchObject({ code });
    }
    await expect(observe(step("store"), () => Promise.reject("no"))).rejects.toBe("no");
    const series = await seriesOf(telemetry);
    const seconds = (labels: Record<string, string>) =>
      valueIn(series, "quire_step_seconds_count", labels);
    expect(seconds({ step: "job", output_type: "pdf" })).toBe(4);
    expect(seconds({ step: "job", output_type: "docx" })).toBe(1);
    expect(seconds({ step: "render", output_type: "pdf" })).toBe(1);
    const attempts = (outcome: string) =>
      valueIn(series, "quire_job_attempts_total", { output_type: "pdf", outcome });
    expect([attempts("completed"), attempts("failed"), attempts("given_up")]).toEqual([1, 1, 2]);
    const failures = (of: string, code: string) =>
      valueIn(series, "quire_step_failures_total", { step: of, code });
    expect(failures("job", "conversion_failed")).toBe(1);
    expect(failures("store", "other")).toBe(1);
  });

  test("begin before anything is awaited", () => {
    const { observe } = silent();
    let hasBegun = false;
    const done = observe(step("render"), async () => {
      hasBegun = true;
    });
    expect(hasBegun).toBe(true);
    return done;
  });
});

describe("The queue", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("is reported with its capacity and the age of the oldest batch of each kind", async () => {
    const oldestAt = { docx: Date.now() - 90_000, pdf: Date.now() - 400_000 };
    const depth = async () => ({ ...QUEUE, oldestAt });
    const series = await seriesOf(createTelemetry({ defaultMetrics: false, depth }));
    expect(valueIn(series, "quire_jobs", { state: "submitted" })).toBe(7);
    expect(valueIn(series, "quire_jobs", { state: "pending" })).toBe(3);
    expect(valueIn(series, "quire_queue_capacity")).toBe(1000);
    expect(valueIn(series, "quire_queue_oldest_seconds", { kind: "docx" })).toBe(90);
    expect(valueIn(series, "quire_queue_oldest_seconds", { kind: "pdf" })).toBe(400);
  });

  test("has an oldest age of zero if no job waits, or if the clock was set back", async () => {
    const oldestAt = { docx: null, pdf: Date.now() + 60_000 };
    const depth = async () => ({ ...QUEUE, oldestAt });
    const series = await seriesOf(createTelemetry({ defaultMetrics: false, depth }));
    for (const kind of ["docx", "pdf"]) {
      expect(valueIn(series, "quire_queue_oldest_seconds", { kind })).toBe(0);
    }
  });

  test("is read when metrics are read, at most once a second", async () => {
    let asked = 0;
    const depth = async () => ({ ...QUEUE, pending: ++asked });
    const telemetry = createTelemetry({ defaultMetrics: false, depth });
    await answered(telemetry);
    expect(asked).toBe(0);
    await Promise.all(Array.from({ length: 20 }, () => telemetry.metrics()));
    expect(asked).toBe(1);
    await vi.advanceTimersByTimeAsync(1100);
    expect(valueIn(await seriesOf(telemetry), "quire_jobs", { state: "pending" })).toBe(2);
  });

  test("is omitted and counted as a failure if it cannot be read, and comes back", async () => {
    let isDown = true;
    const depth = async () => {
      if (isDown) throw new Error(CANARY);
      return QUEUE;
    };
    const telemetry = createTelemetry({ defaultMetrics: false, depth });
    const down = await seriesOf(telemetry);
    expect(down.some(({ name }) => /^quire_(jobs|queue_.*)$/.test(name))).toBe(false);
    expect(valueIn(down, "quire_telemetry_failures_total", { part: "queue" })).toBe(1);
    isDown = false;
    await vi.advanceTimersByTimeAsync(1100);
    const up = await seriesOf(telemetry);
    expect(valueIn(up, "quire_queue_capacity")).toBe(1000);
    expect(valueIn(up, "quire_telemetry_failures_total", { part: "queue" })).toBe(1);
  });

  test("does not delay other metrics if it never responds, and is not read again until then", async () => {
    let asked = 0;
    const depth = () => {
      asked += 1;
      return new Promise<QueueDepth>(() => {});
    };
    const telemetry = createTelemetry({ defaultMetrics: false, depth });
    await answered(telemetry);
    for (const failures of [1, 2]) {
      const reading = seriesOf(telemetry);
      await vi.advanceTimersByTimeAsync(PATIENCE_MS);
      const series = await reading;
      expect(valueIn(series, "quire_queue_capacity")).toBeUndefined();
      expect(valueIn(series, "quire_telemetry_failures_total", { part: "queue" })).toBe(failures);
      expect(valueIn(series, "quire_http_request_seconds_count")).toBe(1);
      await vi.advanceTimersByTimeAsync(1100);
    }
    expect(asked).toBe(1);
  });

  test("is read once for concurrent readers if it is slow", async () => {
    let asked = 0;
    const depth = async () => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 1200));
      return QUEUE;
    };
    const telemetry = createTelemetry({ defaultMetrics: false, depth });
    const first = seriesOf(telemetry);
    await vi.advanceTimersByTimeAsync(1100);
    const second = seriesOf(telemetry);
    await vi.advanceTimersByTimeAsync(1100);
    for (const series of [await second, await first]) {
      expect(valueIn(series, "quire_queue_capacity")).toBe(1000);
      expect(valueIn(series, "quire_telemetry_failures_total", { part: "queue" })).toBe(0);
    }
    expect(asked).toBe(1);
  });

  test("is omitted without a function to read it", async () => {
    const series = await seriesOf(silent());
    expect(series.some(({ name }) => name.startsWith("quire_queue"))).toBe(false);
  });
});

describe("The converter", () => {
  test("has its restarts counted by reason, starting at zero, with all unknown reasons as one", async () => {
    const telemetry = silent();
    telemetry.converterRestarted("crashed");
    telemetry.converterRestarted("given up");
    telemetry.converterRestarted(CANARY as ConverterRestart);
    const series = await seriesOf(telemetry);
    const restarts = (reason: string) =>
      valueIn(series, "quire_converter_restarts_total", { reason });
    expect(["crashed", "given_up", "other", "worn"].map(restarts)).toEqual([1, 1, 1, 0]);
  });
});

describe("The registry", () => {
  test("is separate by default, never the global one", async () => {
    await answered(createTelemetry());
    expect(register.getMetricsAsArray()).toEqual([]);
  });

  test("may be the caller's, and cannot be used twice", async () => {
    const registry = new Registry();
    new Counter({ name: "mine_total", help: "Mine.", registers: [registry] }).inc();
    const series = await seriesOf(createTelemetry({ registry }));
    expect(valueIn(series, "mine_total")).toBe(1);
    expect(() => createTelemetry({ registry })).toThrow("already been registered");
  });

  test("contains metrics of the process unless they are turned off", async () => {
    const has = async (defaultMetrics: boolean) =>
      (await seriesOf(createTelemetry({ defaultMetrics }))).some(
        ({ name }) => name === "process_resident_memory_bytes",
      );
    expect([await has(true), await has(false)]).toEqual([true, false]);
  });
});
