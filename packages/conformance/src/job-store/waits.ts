import assert from "node:assert/strict";
import type { Claim, JobStore, JobWorker } from "@quire/contracts";
import type { JobStoreCase } from "./fixture.ts";
import {
  acceptId,
  claimAndDie,
  claimOne,
  completeAll,
  fail,
  failure,
  newJobs,
  openWorker,
  shortLease,
  until,
} from "./samples.ts";

/** Longer than any case may take: a wait that ends in time has heard of the work, or looks for it by itself. */
const LONG_MS = 600_000;

/** The cases about waiting for work, by name. */
export const waitCases: Readonly<Record<string, JobStoreCase>> = {
  "a wait for work ends when a batch is accepted on another handle": async ({ store, other }) => {
    const worker = await idleWorker(other);
    const claimed = claimAfterWait(worker);
    await acceptId(store, newJobs(1));
    assert.equal((await claimed).attempt, 1);
  },

  "a wait that begins after the news also ends": async ({ store, other }) => {
    const worker = await idleWorker(other);
    await acceptId(store, newJobs(1));
    assert.equal((await claimAfterWait(worker)).attempt, 1);
  },

  "a wait for work ends when failed jobs are retried": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(1));
    const worker = await openWorker(other);
    await fail(worker, await claimOne(worker));
    assert.deepEqual((await worker.claim(1)).jobs, []);
    const claimed = claimAfterWait(worker);
    await store.retryFailed(id, { isTaken: () => false });
    assert.equal((await claimed).attempt, 2);
  },

  "a wait for work ends when another worker puts a job back, at once or with a delay": async ({
    store,
    other,
  }) => {
    await acceptId(store, newJobs(1));
    const worker = await openWorker(store);
    const waits = await openWorker(other);
    const again = { type: "again", failure: failure({ retryable: true }), delayMs: 300 } as const;
    for (const outcome of [{ type: "released" }, again] as const) {
      const claim = await claimOne(worker);
      assert.deepEqual((await waits.claim(1)).jobs, []);
      const claimed = claimAfterWait(waits);
      await worker.settle(claim, outcome);
      await waits.settle(await claimed, { type: "released" });
    }
  },

  "a wait for work ends when another worker is closed or dies": async ({ store, other }) => {
    await acceptId(store, newJobs(1));
    const closes = await openWorker(store);
    await claimOne(closes);
    const waits = await idleWorker(other);
    const claimed = claimAfterWait(waits);
    await closes.close();
    await waits.settle(await claimed, { type: "released" });
    await claimAndDie(store, 1);
    assert.ok((await claimAfterWait(waits)).attempt > 3);
  },

  "a wait for work ends when a held tenant is released": async ({ store, other }) => {
    await store.holdTenant("a", true);
    await acceptId(store, newJobs(1), { tenant: "a" });
    const worker = await idleWorker(other);
    const claimed = claimAfterWait(worker);
    await store.holdTenant("a", false);
    assert.equal((await claimed).tenant, "a");
  },

  "every worker that waits hears of new work": async ({ store, other }) => {
    const workers = [await idleWorker(store), await idleWorker(other), await idleWorker(other)];
    const claims = workers.map((worker) => claimAfterWait(worker));
    await acceptId(store, newJobs(3));
    const entries = (await Promise.all(claims)).map(({ entry }) => entry);
    assert.deepEqual(entries.sort(), [1, 2, 3]);
  },

  "a wait ends when its time is over or its signal is aborted": async ({ store }) => {
    const worker = await idleWorker(store);
    await ends(worker.waitForWork(30));
    await ends(worker.waitForWork(0));
    await ends(worker.waitForWork(LONG_MS, AbortSignal.abort()));
    const stop = new AbortController();
    const waits = [worker.waitForWork(LONG_MS, stop.signal), worker.waitForWork(30)];
    stop.abort();
    await ends(Promise.all(waits));
    await acceptId(store, newJobs(2));
    assert.equal((await completeAll(worker)).length, 2);
  },

  "a wait ends when its worker is closed, is lost, or its store is closed": async ({
    store,
    other,
  }) => {
    const [closed, lost] = [await idleWorker(store), await openWorker(other, shortLease(other))];
    const waits = [closed.waitForWork(LONG_MS), lost.waitForWork(LONG_MS)];
    await closed.close();
    await until(async () => {
      await (await openWorker(store)).claim(1);
      return !lost.isHeld;
    }, "The lease should expire.");
    await lost.claim(1).catch(() => {});
    await ends(Promise.all(waits));
    for (const worker of [closed, lost]) await ends(worker.waitForWork(LONG_MS));
    const last = await idleWorker(other);
    const wait = last.waitForWork(LONG_MS);
    await other.close();
    await ends(wait);
    await ends(last.waitForWork(LONG_MS));
  },
};

/** Opens a worker that has found no work. */
async function idleWorker(store: JobStore): Promise<JobWorker> {
  const worker = await openWorker(store);
  assert.deepEqual((await worker.claim(1)).jobs, []);
  return worker;
}

/** Waits for a job as long as there is none, and claims it. */
async function claimAfterWait(worker: JobWorker): Promise<Claim> {
  for (;;) {
    await ends(worker.waitForWork(LONG_MS));
    const { jobs } = await worker.claim(1);
    if (jobs[0] !== undefined) return jobs[0];
  }
}

/** Fails if a wait does not end in time. */
async function ends(wait: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = wait.then(() => {
    isOver = true;
  });
  await until(() => isOver, "The wait should end.");
  await over;
}
