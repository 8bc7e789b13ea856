import assert from "node:assert/strict";
import type { JobStore } from "@quire/contracts";
import { rejects, text } from "../assertions.ts";
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
  newJobs,
  openWorker,
  until,
} from "./samples.ts";

/** The cases about a tenant's usage of a store, by name. */
export const useCases: Readonly<Record<string, JobStoreCase>> = {
  "an unknown tenant uses nothing, and neither does any other": async ({ store }) => {
    const nothing = { waiting: 0, jobs: 0, bytes: 0 };
    assert.deepEqual(await store.gauge.use("nobody"), nothing);
    assert.deepEqual(await store.gauge.use(), nothing);
  },

  "each tenant's use is counted separately, on every handle": async ({ store, other }) => {
    await acceptId(store, [...newJobs(3), badJob()], { tenant: "a" });
    await acceptId(other, newJobs(2, "more"), { tenant: "a" });
    await acceptId(other, newJobs(1), { tenant: "b" });
    for (const handle of [store, other]) {
      assert.deepEqual(await counts(handle, "a"), [5, 6]);
      assert.deepEqual(await counts(handle, "b"), [1, 1]);
      assert.deepEqual(await counts(handle), [5, 6]);
    }
  },

  "a job that has ended no longer waits, and is kept": async ({ store, other }) => {
    await acceptId(store, newJobs(4), { tenant: "a" });
    const worker = await openWorker(store);
    const [first, second, third] = (await worker.claim(3)).jobs;
    assert.ok(first && second && third);
    assert.deepEqual(await counts(other, "a"), [4, 4]);
    await complete(worker, first);
    await fail(worker, second);
    await worker.settle(third, { type: "released" });
    assert.deepEqual(await counts(other, "a"), [2, 4]);
  },

  "cancelled and retried jobs, and jobs of a dead worker, are counted once": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(3), { tenant: "a" });
    await claimAndDie(store, 1);
    const worker = await openWorker(other);
    const [claim] = await claimSoon(worker, 1);
    assert.ok(claim);
    await store.cancelBatch(id);
    assert.deepEqual(await counts(store, "a"), [1, 3]);
    await fail(worker, claim);
    assert.deepEqual(await counts(store, "a"), [0, 3]);
    await store.retryFailed(id, { isTaken: () => false });
    assert.deepEqual(await counts(other, "a"), [3, 3]);
  },

  "concurrently accepted batches are all counted, and rejected ones are not": async ({
    store,
    other,
  }) => {
    const accepted = Array.from({ length: 10 }, (_, index) =>
      acceptId(index % 2 === 0 ? store : other, newJobs(3, `b${index}`), { tenant: "a" }),
    );
    async function* broken() {
      yield* newJobs(1500, "broken");
      throw new Error("The source ends here.");
    }
    await assert.rejects(accept(store, broken(), { tenant: "a" }));
    await Promise.all(accepted);
    assert.deepEqual(await counts(store, "a"), [30, 30]);
  },

  "a file that several batches use counts once for each tenant": async ({ store }) => {
    const templateBytes = text("x".repeat(100_000));
    await acceptId(store, newJobs(1), { tenant: "a", templateBytes });
    const { bytes } = await store.gauge.use("a");
    assert.ok(bytes >= 100_000, String(bytes));
    await acceptId(store, newJobs(1, "more"), { tenant: "a", templateBytes });
    const more = (await store.gauge.use("a")).bytes - bytes;
    assert.ok(more < 50_000, String(more));
    await acceptId(store, newJobs(1), { tenant: "b", templateBytes });
    assert.equal((await store.gauge.use("b")).bytes, bytes);
  },

  "forgotten batches are no longer counted": async ({ store, other }) => {
    await acceptId(store, newJobs(3), { tenant: "a" });
    await acceptId(store, newJobs(2, "stays"), { tenant: "a" });
    const worker = await openWorker(other, { keepFinishedMs: 0 });
    const claim = await claimOne(worker);
    const ended = completeAll(worker);
    await ended;
    await until(async () => {
      await worker.tidy();
      return (await store.gauge.use("a")).jobs < 5;
    }, "A batch that has ended should be forgotten.");
    await complete(worker, claim);
    await until(async () => {
      await worker.tidy();
      const { waiting, jobs, bytes } = await store.gauge.use("a");
      return waiting + jobs + bytes === 0;
    }, "When all its batches are forgotten, a tenant should use nothing.");
  },

  "a closed store rejects use": async ({ store }) => {
    await store.close();
    await rejects(store.gauge.use("a"), "job_store_failed");
  },
};

async function counts(store: JobStore, tenant?: string): Promise<[number, number]> {
  const { waiting, jobs } = await store.gauge.use(tenant);
  return [waiting, jobs];
}
