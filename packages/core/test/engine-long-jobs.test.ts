import { type Outcome, preemptedError } from "@quire/contracts";
import { expect, test } from "vitest";
import { LongJobs } from "../src/engine/long-jobs.ts";

const DONE: Outcome = {
  type: "failed",
  failure: { code: "internal", message: "", retryable: false, diagnostics: [], cause: null },
};
const job = (id: string, { tenant = "a", batch = `batch of ${id}` } = {}) => ({
  id,
  source: { batch: { id: batch, tenant } },
});
const stop = async (): Promise<Outcome> => {
  throw preemptedError(3_000);
};

/** Runs a job. Returns whether the job was preemptible, or `put back` if it did not run. */
async function seen(jobs: LongJobs, of: ReturnType<typeof job>): Promise<boolean | "put back"> {
  let was: boolean | "put back" = "put back";
  await jobs.run(of, async ({ preemptible }) => {
    was = preemptible;
    return DONE;
  });
  return was;
}

/** Starts a long job of a batch. Returns a function that ends the job. */
async function running(jobs: LongJobs, batch: string): Promise<() => Promise<Outcome>> {
  await jobs.run(job("running", { batch }), stop);
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const work = jobs.run(job("running", { batch }), () => promise);
  return () => {
    resolve(DONE);
    return work;
  };
}

test("a job that was stopped for others is put back, and then runs to its end", async () => {
  const jobs = new LongJobs();
  const outcome = await jobs.run(job("1"), stop);
  expect(outcome).toMatchObject({ type: "released", delayMs: expect.any(Number) });
  expect(await seen(jobs, job("1"))).toBe(false);
  expect(await seen(jobs, job("1"))).toBe(true);
});

test("the other jobs of its batch count as long until one of them has ended", async () => {
  const jobs = new LongJobs();
  await jobs.run(job("1", { batch: "b" }), stop);
  expect(await seen(jobs, job("2", { batch: "b" }))).toBe(false);
  expect(await seen(jobs, job("3", { batch: "b" }))).toBe(true);
  expect(await seen(jobs, job("1", { batch: "b" }))).toBe(false);
});

test("a batch is blocked while its tenant has the maximum number of long jobs in progress", async () => {
  const jobs = new LongJobs();
  const ends: (() => Promise<Outcome>)[] = [];
  for (let count = 0; jobs.blocked.length === 0 && count < 1_000; count++) {
    ends.push(await running(jobs, `b${count}`));
  }
  expect(jobs.blocked).toEqual(ends.map((_, index) => `b${index}`));
  expect(await seen(jobs, job("next", { batch: "b0" }))).toBe("put back");
  expect(await seen(jobs, job("short"))).toBe(true);
  await jobs.run(job("1", { tenant: "other" }), stop);
  expect(await seen(jobs, job("1", { tenant: "other" }))).toBe(false);
  await ends[0]?.();
  expect(jobs.blocked).toEqual([]);
  expect(await seen(jobs, job("next", { batch: "b0" }))).toBe(true);
  for (const end of ends) await end();
});

test("jobs that wait for a process are not begun once a job of their batch was long", async () => {
  const jobs = new LongJobs();
  const others = [job("2", { batch: "b" }), job("3")];
  const mayBegin: (() => boolean)[] = [];
  const turn = Promise.withResolvers<void>();
  const outcomes = others.map((other) =>
    jobs.run(other, async (attempt) => {
      mayBegin.push(attempt.mayBegin);
      await turn.promise;
      if (!attempt.mayBegin()) throw preemptedError(0);
      return DONE;
    }),
  );
  expect(mayBegin.map((may) => may())).toEqual([true, true]);
  await jobs.run(job("1", { batch: "b" }), stop);
  turn.resolve();
  expect(await Promise.all(outcomes)).toMatchObject([{ type: "released" }, DONE]);
  await jobs.run(job("1", { batch: "b" }), async () => DONE);
  expect(await seen(jobs, job("2", { batch: "b" }))).toBe(true);
});

test("a batch that has finished is forgotten", async () => {
  const jobs = new LongJobs();
  await jobs.run(job("1", { batch: "b" }), stop);
  jobs.finished("b");
  expect(await seen(jobs, job("2", { batch: "b" }))).toBe(true);
});

test("an error is passed on", async () => {
  const jobs = new LongJobs();
  const failing = jobs.run(job("1"), async () => {
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  expect(await seen(jobs, job("1"))).toBe(true);
});
