import type { Claim, JobFailure, JobResult } from "@quire/contracts";
import { describe, expect, test, vi } from "vitest";
import { Pauses } from "../src/engine/pauses.ts";
import { type BatchPause, QuireError, type Storage } from "../src/index.ts";
import { all, entry, makeEngine, names, place, request, withCreate } from "./support/engine.ts";

const FULL: JobFailure = {
  code: "storage_failed",
  message: "There is no space left.",
  diagnostics: [],
  retryable: true,
  cause: null,
};
const MADE = { converter: null } as JobResult;

function claim(batchId: string, entry = 1, tenant = "a"): Claim {
  return { batchId, entry, tenant } as Claim;
}

/** Returns pauses with a clock that the test sets, and the list of reported changes. */
function paused(maxPauseMs?: number | null) {
  const clock = { ms: 0 };
  const reports: string[] = [];
  const onPause = ({ batchId }: BatchPause, state: string): void => {
    reports.push(`${batchId} ${state}`);
  };
  const options = maxPauseMs === undefined ? { onPause } : { onPause, maxPauseMs };
  return { clock, reports, pauses: new Pauses(options, true, () => clock.ms) };
}

describe("a failure of the storage", () => {
  test("does not count while nothing succeeds, and the pause grows to ten seconds", () => {
    const { clock, pauses, reports } = paused();
    const delays: (number | null)[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const delay = pauses.failed(claim("one"), FULL);
      delays.push(delay);
      expect(pauses.blocked).toEqual(["one"]);
      clock.ms += delay ?? 0;
      expect(pauses.blocked).toEqual([]);
    }
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
    expect(reports).toEqual(["one paused"]);
    expect(pauses.current).toEqual([
      { batchId: "one", tenant: "a", failure: FULL, since: expect.any(Date) },
    ]);
    clock.ms += 1;
    expect(pauses.succeeded(claim("one"), MADE)).toBe(true);
    expect(reports).toEqual(["one paused", "one resumed"]);
    expect([pauses.current, pauses.blocked]).toEqual([[], []]);
  });

  test("counts against a job if others succeeded since its previous failure", () => {
    const { clock, pauses } = paused();
    expect(pauses.failed(claim("one", 1), FULL)).not.toBeNull();
    clock.ms += 10;
    pauses.succeeded(claim("one", 2), MADE);
    clock.ms += 10;
    expect(pauses.failed(claim("one", 1), FULL)).toBeNull();
    expect(pauses.failed(claim("one", 3), FULL)).not.toBeNull();
  });

  test("does not count against jobs of another tenant, whose storage may be a different one", () => {
    const { clock, pauses } = paused();
    pauses.failed(claim("one", 1, "a"), FULL);
    clock.ms += 10;
    expect(pauses.succeeded(claim("two", 1, "b"), MADE)).toBe(false);
    clock.ms += 10;
    expect(pauses.failed(claim("one", 1, "a"), FULL)).not.toBeNull();
  });

  test("counts again after the maximum pause", () => {
    const { clock, pauses } = paused(60_000);
    pauses.failed(claim("one"), FULL);
    clock.ms = 59_000;
    expect(pauses.failed(claim("one"), FULL)).not.toBeNull();
    clock.ms = 61_000;
    expect(pauses.failed(claim("one"), FULL)).toBeNull();
  });

  test("that is over within two seconds is not reported", () => {
    const { clock, pauses, reports } = paused();
    pauses.failed(claim("one"), FULL);
    clock.ms = 1_500;
    pauses.failed(claim("one"), FULL);
    pauses.succeeded(claim("one"), MADE);
    expect(reports).toEqual([]);
  });
});

test("documents without a conversion do not resume a batch that waits for the converter", () => {
  const { pauses } = paused();
  const gone: JobFailure = { ...FULL, code: "unavailable" };
  pauses.failed(claim("pdf"), gone);
  expect(pauses.succeeded(claim("docx"), MADE)).toBe(false);
  const converted = { converter: { program: "LibreOffice" } } as JobResult;
  expect(pauses.succeeded(claim("pdf", 2), converted)).toBe(true);
});

test.each(["invalid_data", "render_failed", "timeout"] as const)(
  "a failure with the code %s pauses nothing",
  (code) => {
    const { pauses } = paused();
    expect(pauses.failed(claim("one"), { ...FULL, code })).toBeNull();
    expect(pauses.failed(claim("one"), { ...FULL, retryable: false })).toBeNull();
    expect(pauses.blocked).toEqual([]);
  },
);

test("a store in memory waits for a minute, because a caller may wait for the end", () => {
  const clock = { ms: 0 };
  const pauses = new Pauses({}, false, () => clock.ms);
  expect(pauses.failed(claim("one"), FULL)).not.toBeNull();
  clock.ms = 61_000;
  expect(pauses.failed(claim("one"), FULL)).toBeNull();
});

test("an error of onPause is ignored", () => {
  const clock = { ms: 0 };
  const onPause = (): void => {
    throw new Error("The terminal is gone.");
  };
  const pauses = new Pauses({ onPause }, true, () => clock.ms);
  pauses.failed(claim("one"), FULL);
  clock.ms = 3_000;
  expect(pauses.failed(claim("one"), FULL)).toBe(1000);
});

/** Returns a storage whose `create` fails until `repair()` is called. */
function failing(): { readonly storage: Storage; repair(): void } {
  const inner = place();
  let isBroken = true;
  const storage = withCreate(inner, async (...args) => {
    if (isBroken) throw new QuireError("storage_failed", "No space.", { retryable: true });
    return inner.create(...args);
  });
  return {
    storage,
    repair() {
      isBroken = false;
    },
  };
}

/** Runs a test with fake timers, which never wait. */
async function withoutWaiting(run: () => Promise<void>): Promise<void> {
  vi.useFakeTimers();
  try {
    let isRunning = true;
    const running = run().finally(() => {
      isRunning = false;
    });
    while (isRunning) await vi.advanceTimersByTimeAsync(100);
    await running;
  } finally {
    vi.useRealTimers();
  }
}

test("a batch of an engine pauses while its storage fails, resumes by itself, and fails no entry", () =>
  withoutWaiting(async () => {
    const { storage, repair } = failing();
    const reports: string[] = [];
    await using engine = makeEngine({
      storage,
      onPause: ({ failure }, state) => {
        reports.push(`${state}: ${failure.message}`);
        expect(engine.pauses()).toHaveLength(state === "paused" ? 1 : 0);
        if (state === "paused") repair();
      },
    });
    const entries = Array.from({ length: 30 }, (_, index) => entry(`letter-${index}`));
    const { id } = await engine.createBatch(request(entries));
    const jobs = await all(engine.jobs(id));
    expect(jobs.filter(({ status }) => status !== "completed")).toEqual([]);
    expect(await names(storage)).toHaveLength(30);
    expect(reports).toEqual(["paused: No space.", "resumed: No space."]);
  }));

test("a paused batch can be cancelled, and its engine can be closed", () =>
  withoutWaiting(async () => {
    const { storage } = failing();
    const engine = makeEngine({ storage, onPause: () => void engine.cancelBatch(id) });
    const { id } = await engine.createBatch(request([entry("a"), entry("b")]));
    const jobs = await all(engine.jobs(id));
    expect(jobs.map(({ failure }) => failure?.code)).toEqual(["aborted", "aborted"]);
    expect(engine.pauses()).toEqual([]);
    await engine.close();
  }));

test("with a maximum pause of zero, jobs fail after their attempts", () =>
  withoutWaiting(async () => {
    const { storage } = failing();
    await using engine = makeEngine({ storage, maxPauseMs: 0 });
    const { id } = await engine.createBatch(request([entry("a")]));
    const [job] = await all(engine.jobs(id));
    expect(job?.failure).toMatchObject({ code: "storage_failed", message: "No space." });
    expect(engine.pauses()).toEqual([]);
  }));
