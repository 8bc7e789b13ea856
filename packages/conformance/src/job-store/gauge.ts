import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { JobStore, OldestWaiting } from "@quire/contracts";
import { rejects } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import {
  accept,
  acceptId,
  badJob,
  claimAndDie,
  claimOne,
  claimSoon,
  complete,
  completeAll,
  fail,
  newJob,
  newJobs,
  openWorker,
} from "./samples.ts";

/** The cases about the depth of a queue, by name. */
export const gaugeCases: Readonly<Record<string, JobStoreCase>> = {
  "the depth of a store without waiting jobs is 0, with its capacity": async ({ openSmall }) => {
    const store = await openSmall(10);
    const empty = { submitted: 0, pending: 0, oldestAt: NONE, capacity: 10 };
    assert.deepEqual(await store.gauge.depth(), empty);
    await acceptId(store, [badJob()]);
    assert.deepEqual(await store.gauge.depth(), empty);
  },

  "waiting and running jobs are counted over all batches and tenants, on any handle": async ({
    store,
    other,
  }) => {
    await acceptId(store, [...newJobs(3), badJob()], { tenant: "a" });
    await acceptId(other, newJobs(2, "other"), { tenant: "b" });
    assert.deepEqual(await counts(store), [5, 0]);
    const worker = await openWorker(other);
    const { jobs } = await worker.claim(3);
    assert.deepEqual(await counts(store), [2, 3]);
    const [first, second, third] = jobs;
    assert.ok(first && second && third);
    await complete(worker, first);
    await fail(worker, second);
    await worker.settle(third, { type: "released" });
    assert.deepEqual(await counts(store), [3, 0]);
    await completeAll(worker);
    assert.deepEqual(await counts(other), [0, 0]);
  },

  "waiting jobs of cancelled and retried batches are counted": async ({ store }) => {
    const id = await acceptId(store, newJobs(4));
    const worker = await openWorker(store);
    const claim = await claimOne(worker);
    await store.cancelBatch(id);
    assert.deepEqual(await counts(store), [0, 1]);
    assert.deepEqual(await oldest(store), NONE);
    await complete(worker, claim);
    assert.deepEqual(await counts(store), [0, 0]);
    const { createdAt } = await store.retryFailed(id, { isTaken: () => false });
    assert.deepEqual(await counts(store), [3, 0]);
    assert.deepEqual(await oldest(store), { docx: createdAt, pdf: null });
  },

  "the jobs of a dead worker wait again": async ({ store, other }) => {
    await acceptId(store, newJobs(1));
    await claimAndDie(store, 1);
    await claimSoon(await openWorker(other), 1);
    assert.deepEqual(await counts(store), [0, 1]);
  },

  "the oldest batch of a kind is the oldest one with a waiting job": async ({ store, other }) => {
    const times = { docx: [] as number[], pdf: [] as number[] };
    for (const [index, kind] of (["pdf", "docx", "pdf", "docx"] as const).entries()) {
      const parts = { outputType: kind, needsConverter: kind === "pdf" };
      const id = await acceptId(store, newJobs(1, `b${index}`), parts);
      times[kind].push((await store.getBatch(id))?.createdAt ?? 0);
      await sleep(20);
    }
    for (const kind of ["docx", "pdf"] as const) {
      const worker = await openWorker(store, { takes: kind });
      for (const time of times[kind]) {
        assert.equal((await oldest(other))[kind], time);
        await claimOne(worker);
      }
      assert.equal((await oldest(other))[kind], null);
      if (kind === "docx") assert.equal((await oldest(other)).pdf, times.pdf[0]);
    }
  },

  "a PDF that needs no converter is of the kind docx": async ({ store }) => {
    const id = await acceptId(store, newJobs(1), { outputType: "pdf", needsConverter: false });
    const { createdAt = 0 } = (await store.getBatch(id)) ?? {};
    assert.deepEqual(await oldest(store), { docx: createdAt, pdf: null });
  },

  "a batch is not counted before it is accepted": async ({ store, other }) => {
    async function* source() {
      for (let number = 1; number <= 3000; number++) {
        if (number % 1000 === 0) assert.deepEqual(await counts(other), [0, 0]);
        yield newJob(`doc-${number}`);
      }
      assert.deepEqual(await oldest(other), NONE);
    }
    await accept(store, source());
    assert.deepEqual(await counts(other), [3000, 0]);
  },

  "a closed store rejects depth": async ({ store }) => {
    await store.close();
    await rejects(store.gauge.depth(), "job_store_failed");
  },
};

/** What `oldestAt` is without waiting jobs. */
const NONE: OldestWaiting = { docx: null, pdf: null };

async function oldest(store: JobStore): Promise<OldestWaiting> {
  return (await store.gauge.depth()).oldestAt;
}

async function counts(store: JobStore): Promise<[number, number]> {
  const { submitted, pending } = await store.gauge.depth();
  return [submitted, pending];
}
