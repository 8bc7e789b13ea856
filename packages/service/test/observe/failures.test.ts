import {
  context as contexts,
  propagation,
  type Span,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { QuireError } from "@quire/core";
import { Registry } from "prom-client";
import { afterEach, describe, expect, test } from "vitest";
import { createTelemetry } from "../../src/observe/create-telemetry.ts";
import type { Telemetry } from "../../src/observe/telemetry.ts";
import { valueIn } from "./exposition.ts";
import { answered, contextManager, facts, seriesOf, step, traced } from "./laboratory.ts";

afterEach(() => {
  trace.disable();
  contexts.disable();
  propagation.disable();
});

function broken(): never {
  throw new Error("Broken.");
}

const BROKEN_TRACER: Tracer = { startSpan: broken, startActiveSpan: broken };

/** A tracer whose spans throw on every call. */
const BROKEN_SPANS: Tracer = {
  startSpan: () => new Proxy({} as Span, { get: () => broken }),
  startActiveSpan: broken,
};

/** Checks that telemetry has no effect on requests and jobs. */
async function expectUntouched(telemetry: Telemetry): Promise<void> {
  let runs = 0;
  const response = new Response();
  const request = telemetry.request(facts(), async () => {
    runs += 1;
    return { response, outcome: { status: 200, code: null } };
  });
  expect(await request).toBe(response);
  const result = { of: "the step" };
  const error = new QuireError("render_failed", "No.");
  for (const name of ["job", "render"] as const) {
    const succeed = async () => {
      runs += 1;
      return result;
    };
    expect(await telemetry.observe(step(name), succeed)).toBe(result);
    const fail = () => {
      runs += 1;
      return Promise.reject(error);
    };
    await expect(telemetry.observe(step(name), fail)).rejects.toBe(error);
    const fall = () => {
      runs += 1;
      throw error;
    };
    await expect(telemetry.observe(step(name), fall)).rejects.toBe(error);
  }
  await expect(telemetry.request(facts(), () => Promise.reject(error))).rejects.toBe(error);
  expect(runs).toBe(7);
}

describe("Requests and jobs are not affected, and run once,", () => {
  test("if everything works", async () => {
    await expectUntouched(traced().telemetry);
    await expectUntouched(createTelemetry({ defaultMetrics: false }));
  });

  test.each([
    ["begin spans", BROKEN_TRACER],
    ["end them", BROKEN_SPANS],
  ])("if the tracer cannot %s, which is counted", async (_what, tracer) => {
    const telemetry = createTelemetry({ defaultMetrics: false, tracer });
    await expectUntouched(telemetry);
    const failures = valueIn(await seriesOf(telemetry), "quire_telemetry_failures_total", {
      part: "tracing",
    });
    expect(failures).toBeGreaterThanOrEqual(8);
  });

  test("if the propagator fails, which is counted", async () => {
    propagation.setGlobalPropagator({ fields: () => ["x"], inject: broken, extract: broken });
    const { telemetry, spans } = traced();
    await expectUntouched(telemetry);
    expect(spans()).toHaveLength(8);
    const series = await seriesOf(telemetry);
    expect(valueIn(series, "quire_telemetry_failures_total", { part: "tracing" })).toBe(2);
  });

  test.each([
    ["before it runs anything", broken],
    [
      "after it has run it",
      (_context: unknown, run: () => unknown) => {
        run();
        broken();
      },
    ],
    ["and runs nothing", () => undefined],
    [
      "and runs it twice",
      (_context: unknown, run: () => unknown) => {
        run();
        return run();
      },
    ],
  ])("if the context manager fails %s", async (_when, fail) => {
    contexts.setGlobalContextManager({
      ...contextManager(),
      with: fail as ReturnType<typeof contextManager>["with"],
    });
    await expectUntouched(traced().telemetry);
  });

  test("if metrics cannot be recorded, which is counted", async () => {
    const registry = new Registry();
    const telemetry = createTelemetry({ defaultMetrics: false, registry });
    const attempts = registry.getSingleMetric("quire_job_attempts_total");
    Object.assign(attempts ?? {}, { inc: broken });
    await expectUntouched(telemetry);
    const series = await seriesOf(telemetry);
    expect(valueIn(series, "quire_telemetry_failures_total", { part: "metrics" })).toBe(3);
  });

  test("if even that cannot be counted", async () => {
    const registry = new Registry();
    const telemetry = createTelemetry({ defaultMetrics: false, registry, tracer: BROKEN_TRACER });
    for (const metric of registry.getMetricsAsArray()) Object.assign(metric, { inc: broken });
    await expectUntouched(telemetry);
  });
});

test("Thousands of requests leave as little behind as one", async () => {
  const telemetry = createTelemetry({ defaultMetrics: false });
  const size = async () => (await seriesOf(telemetry)).length;
  await answered(telemetry);
  const one = await size();
  for (let index = 0; index < 5000; index += 1) {
    await answered(telemetry, { requestId: `r-${index}` });
  }
  expect(await size()).toBe(one);
});
