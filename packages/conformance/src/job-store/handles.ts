import assert from "node:assert/strict";
import type { Claim, JobStore, JobWorker } from "@quire/contracts";
import type { JobPlace, JobStoreCase } from "./fixture.ts";
import {
  accept,
  acceptId,
  claimAndDie,
  claimOne,
  complete,
  completeAll,
  fail,
  failure,
  newBatch,
  newJob,
  newJobs,
  numbers,
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

/** Waits until there is a job, and claims it. */
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

/** The cases about a handle that reads after another handle has written, by name. */
export const freshReadCases: Readonly<Record<string, JobStoreCase>> = {
  "every write is visible to every read of another handle": async (place) => {
    for (const round of numbers(3)) await writeAndRead(place, round);
  },

  "a claim sees the writes of another handle": async ({ store, other }) => {
    const worker = await openWorker(other);
    assert.deepEqual((await worker.claim(10)).jobs, []);
    const id = await acceptId(store, newJobs(2), { tenant: "a" });
    for (const isHeld of [false, true, false, true, false]) {
      await store.holdTenant("a", isHeld);
      const { jobs } = await worker.claim(10);
      assert.equal(jobs.length, isHeld ? 0 : 2);
      for (const claim of jobs) await worker.settle(claim, { type: "released" });
    }
    await store.cancelBatch(id);
    assert.deepEqual((await worker.claim(10)).jobs, []);
  },

  "a known key, a taken name and a full store are seen at once": async (place) => {
    const { store, other } = place;
    const small = await place.openSmall(3);
    for (const number of numbers(5)) {
      const made = newBatch({ idempotencyKey: `key ${number}`, onConflict: "fail" });
      const jobs = [newJob(`name ${number}`)];
      const create = (handle: JobStore, id: string) =>
        handle.createBatch({ ...made, id }, jobs, () => "hash", { isTaken: () => false });
      const [from, to] = number % 2 === 0 ? [store, other] : [other, store];
      assert.equal((await create(from, `first ${number}`)).created, true);
      assert.equal((await create(to, `second ${number}`)).created, false);
      const without = await accept(to, jobs, { onConflict: "fail" });
      assert.equal(without.batch.counts.failed, 1);
    }
    await acceptId(small, newJobs(3));
    await assert.rejects(acceptId(small, newJobs(1)));
  },
};

async function writeAndRead({ store, other }: JobPlace, round: number): Promise<void> {
  const tenant = `tenant ${round}`;
  const id = `fresh ${round}`;
  /** Reads everything about the batch on the other handle. */
  const seen = async () => {
    const batch = await other.getBatch(id);
    if (batch === null) return null;
    const { items } = await other.listJobs({ batchId: id, order: "entry", limit: 10 });
    const ended = await other.listJobs({ batchId: id, order: "ended", limit: 10 });
    const [listed] = (await other.listBatches({ tenant, limit: 1 })).items;
    assert.deepEqual(listed, batch);
    for (const job of items) assert.deepEqual((await other.getJob(id, job.entry))?.job, job);
    assert.equal(items.filter(({ endedAt }) => endedAt !== null).length, ended.items.length);
    const { submitted, pending } = batch.counts;
    assert.equal((await other.gauge.use(tenant)).waiting, submitted + pending);
    return items.map(({ status }) => status).join(" ");
  };
  assert.equal(await seen(), null);
  await accept(store, newJobs(3, id), { id, tenant });
  assert.equal(await seen(), "submitted submitted submitted");
  const worker = await openWorker(store);
  const [first, second] = [await claimOne(worker), await claimOne(worker)];
  assert.equal(await seen(), "pending pending submitted");
  await complete(worker, first);
  assert.equal(await seen(), "completed pending submitted");
  await worker.settle(second, { type: "released" });
  assert.equal(await seen(), "completed submitted submitted");
  await fail(worker, await claimOne(worker));
  assert.equal(await seen(), "completed failed submitted");
  await store.cancelBatch(id);
  assert.equal(await seen(), "completed failed failed");
  await store.retryFailed(id, { isTaken: () => false });
  assert.equal(await seen(), "completed submitted submitted");
  await worker.close();
  assert.equal(await store.eraseTenant(tenant), 0);
  assert.equal(await seen(), null);
}
