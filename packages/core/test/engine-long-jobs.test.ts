import { type Outcome, preemptedError } from "@quire/contracts";
import { expect, test } from "vitest";
import { LongJobs } from "../src/engine/long-jobs.ts";

const DONE: Outcome = {
  type: "failed",
  failure: { code: "internal", message: "", retryable: false, diagnostics: [], cause: null },
};
const source = (tenant = "a") =>
  ({ batch: { tenant } as never, takesLong: false }) satisfies object;
const stop = async (): Promise<Outcome> => {
  throw preemptedError(3_000);
};

/** Runs a job, and returns whether it was preemptible. */
async function seen(jobs: LongJobs, id: string, of = source()): Promise<boolean | "later"> {
  let was: boolean | "later" = "later";
  await jobs.run({ id, source: of }, async (preemptible) => {
    was = preemptible;
    return DONE;
  });
  return was;
}

test("a job that was stopped for others is put back, and then runs to its end", async () => {
  const jobs = new LongJobs();
  const outcome = await jobs.run({ id: "1", source: source() }, stop);
  expect(outcome.type).toBe("released");
  expect(await seen(jobs, "1")).toBe(false);
  expect(await seen(jobs, "1")).toBe(true);
});

test("the next jobs of its batch run like it, until one takes little time", async () => {
  const jobs = new LongJobs();
  const batch = source();
  await jobs.run({ id: "1", source: batch }, stop);
  expect(await seen(jobs, "2", batch)).toBe(false);
  expect(await seen(jobs, "3", batch)).toBe(true);
});

test("a tenant has few long jobs in work, and another tenant's do not count", async () => {
  const jobs = new LongJobs();
  const ids = Array.from({ length: 100 }, (_, index) => `${index}`);
  for (const id of ids) await jobs.run({ id, source: source() }, stop);
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const all = ids.map((id) => jobs.run({ id, source: source() }, () => promise));
  const later = await Promise.all(all.slice(50));
  for (const outcome of later) {
    expect(outcome).toMatchObject({ type: "released" });
    expect(outcome.type === "released" && outcome.delayMs).toBeGreaterThan(20_000);
  }
  await jobs.run({ id: "b", source: source("b") }, stop);
  expect(await seen(jobs, "b", source("b"))).toBe(false);
  resolve(DONE);
  await Promise.all(all);
});

test("an error is passed on", async () => {
  const jobs = new LongJobs();
  const failing = jobs.run({ id: "1", source: source() }, async () => {
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  expect(await seen(jobs, "1")).toBe(true);
});
