import assert from "node:assert/strict";
import { rejects } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import {
  acceptId,
  badJob,
  claimAndDie,
  claimOne,
  claimSoon,
  complete,
  completeAll,
  countsOf,
  entriesOf,
  fail,
  failure,
  jobOf,
  listedJobs,
  newJobs,
  openWorker,
  until,
} from "./samples.ts";

const FREE = { isTaken: () => false };
const AGAIN = { type: "again", failure: failure(), delayMs: 60_000 } as const;

/** The cases about cancelling batches and retrying failed jobs, by name. */
export const cancelCases: Readonly<Record<string, JobStoreCase>> = {
  "no job of a cancelled batch starts, and waiting jobs fail with aborted": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(5));
    const worker = await openWorker(store);
    await complete(worker, await claimOne(worker));
    const batch = await other.cancelBatch(id);
    assert.deepEqual([batch.status, batch.cancelled], ["finished", true]);
    assert.ok(batch.finishedAt !== null);
    assert.deepEqual(await store.getBatch(id), batch);
    assert.deepEqual(await countsOf(store, id), { completed: 1, failed: 4 });
    const job = await jobOf(store, id, 4);
    assert.deepEqual([job.failure?.code, job.attempts], ["aborted", 0]);
    assert.deepEqual(await worker.claim(10), { jobs: [], suspects: false });
  },

  "jobs that run when their batch is cancelled may end either way": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(6));
    const worker = await openWorker(store);
    const [made, failed, released, again] = (await worker.claim(4)).jobs;
    assert.ok(made && failed && released && again);
    const batch = await other.cancelBatch(id);
    assert.deepEqual([batch.status, batch.cancelled], ["running", true]);
    assert.deepEqual(await countsOf(store, id), { pending: 4, failed: 2 });
    assert.equal(await complete(worker, made), false);
    assert.equal(await fail(worker, failed), false);
    assert.equal(await worker.settle(released, { type: "released" }), false);
    assert.equal(await worker.settle(again, AGAIN), true);
    assert.deepEqual(await countsOf(other, id), { completed: 1, failed: 5 });
    for (const { entry } of [released, again]) {
      const { status, failure: why } = await jobOf(other, id, entry);
      assert.deepEqual([status, why?.code], ["failed", "aborted"]);
    }
    assert.deepEqual((await worker.claim(10)).jobs, []);
  },

  "jobs of a dead or closed worker do not start again when their batch is cancelled": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(2));
    const closed = await openWorker(store);
    await claimOne(closed);
    await claimAndDie(store, 1);
    await other.cancelBatch(id);
    await closed.close();
    const worker = await openWorker(other);
    await until(async () => {
      assert.deepEqual((await worker.claim(5)).jobs, []);
      return (await store.getBatch(id))?.status === "finished";
    }, "The batch should finish when the lease has expired.");
    assert.deepEqual(await countsOf(store, id), { failed: 2 });
  },

  "jobs that wait for a retry end with their cancelled batch": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(2));
    const worker = await openWorker(store);
    await worker.settle(await claimOne(worker), AGAIN);
    assert.equal((await other.cancelBatch(id)).status, "finished");
    assert.deepEqual(await countsOf(store, id), { failed: 2 });
  },

  "cancelling a finished batch changes nothing": async ({ store, other }) => {
    const id = await acceptId(store, [...newJobs(2), badJob()]);
    await completeAll(await openWorker(store));
    const before = await store.getBatch(id);
    assert.deepEqual(await other.cancelBatch(id), before);
    assert.deepEqual(await store.getBatch(id), before);
    const cancelled = await acceptId(store, newJobs(2));
    const once = await store.cancelBatch(cancelled);
    const jobs = await listedJobs(store, { batchId: cancelled });
    assert.deepEqual(await other.cancelBatch(cancelled), once);
    assert.deepEqual(await listedJobs(other, { batchId: cancelled }), jobs);
  },

  "cancelling does not affect other batches": async ({ store, other }) => {
    const first = await acceptId(store, newJobs(2));
    const second = await acceptId(other, newJobs(2));
    await other.cancelBatch(first);
    assert.equal((await completeAll(await openWorker(store))).length, 2);
    assert.deepEqual(await countsOf(other, second), { completed: 2 });
  },

  "cancelling on two handles while jobs are claimed ends each job once": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(30), { withEvents: true });
    const worker = await openWorker(other);
    const [{ jobs }] = await Promise.all([
      worker.claim(10),
      store.cancelBatch(id),
      other.cancelBatch(id),
    ]);
    const { counts } = await store.cancelBatch(id);
    assert.deepEqual([counts.pending, counts.failed], [jobs.length, 30 - jobs.length]);
    for (const claim of jobs) await complete(worker, claim);
    assert.equal((await store.getBatch(id))?.status, "finished");
    const events = await worker.takeEvents(1000);
    const ended = events.filter(({ type }) => type === "job_failed" || type === "job_succeeded");
    assert.equal(new Set(ended.map(({ entry }) => entry)).size, 30);
    assert.equal(ended.length, 30);
  },

  "failed jobs are retried with their data, except invalid entries": async ({ store, other }) => {
    const id = await acceptId(store, [...newJobs(3), badJob("x"), badJob()]);
    const worker = await openWorker(store);
    const { jobs } = await worker.claim(3);
    const [made, first, second] = jobs;
    assert.ok(made && first && second);
    await complete(worker, made);
    await fail(worker, first);
    await fail(worker, second);
    const before = await jobOf(other, id, 1);
    const batch = await other.retryFailed(id, FREE);
    assert.deepEqual([batch.status, batch.finishedAt], ["running", null]);
    assert.deepEqual(await countsOf(store, id), { submitted: 2, completed: 1, failed: 2 });
    assert.deepEqual(await store.getBatch(id), batch);
    const claims = await claimSoon(worker, 2);
    assert.deepEqual(
      claims.map(({ entry, attempt, failures }) => [entry, attempt, failures]).sort(),
      [
        [2, 2, 0],
        [3, 2, 0],
      ],
    );
    assert.deepEqual(
      claims.map((claim) => Buffer.from(claim.input.bytes).toString()),
      ['{"a":1}', '{"a":1}'],
    );
    for (const claim of claims) await complete(worker, claim);
    assert.deepEqual(await countsOf(other, id), { completed: 3, failed: 2 });
    assert.equal((await other.getBatch(id))?.status, "finished");
    assert.deepEqual(await jobOf(other, id, 1), before, "A completed job should not change.");
  },

  "rejects retrying an unfinished batch with conflict": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(2));
    const worker = await openWorker(store);
    await fail(worker, await claimOne(worker));
    const before = await store.getBatch(id);
    await rejects(other.retryFailed(id, FREE), "conflict");
    assert.deepEqual(await store.getBatch(id), before);
  },

  "a batch without failed jobs remains finished when it is retried": async ({ store, other }) => {
    const id = await acceptId(store, [...newJobs(2), badJob()]);
    await completeAll(await openWorker(store));
    const before = await store.getBatch(id);
    assert.deepEqual(await other.retryFailed(id, FREE), before);
    assert.deepEqual(await store.getBatch(id), before);
  },

  "if two callers retry a batch concurrently, one succeeds": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(20));
    await store.cancelBatch(id);
    const tries = [store.retryFailed(id, FREE), other.retryFailed(id, FREE)];
    const outcomes = await Promise.allSettled(tries);
    const refused = tries.filter((_, index) => outcomes[index]?.status === "rejected");
    assert.equal(refused.length, 1);
    await rejects(Promise.all(refused), "conflict");
    assert.deepEqual(await countsOf(other, id), { submitted: 20 });
    assert.equal((await completeAll(await openWorker(other))).length, 20);
  },

  "a job is claimed once, even after its batch was cancelled and retried": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(4));
    const worker = await openWorker(store);
    const [first, second] = (await worker.claim(2)).jobs;
    assert.ok(first && second);
    await worker.settle(first, AGAIN);
    await worker.settle(second, { type: "released" });
    for (let times = 0; times < 3; times++) {
      await other.cancelBatch(id);
      const { cancelled, status } = await store.retryFailed(id, FREE);
      assert.deepEqual([cancelled, status], [false, "running"]);
    }
    const { jobs } = await worker.claim(20);
    assert.deepEqual(entriesOf(jobs).sort(), [1, 2, 3, 4]);
    assert.deepEqual((await (await openWorker(other)).claim(20)).jobs, []);
    for (const claim of jobs) await complete(worker, claim);
    assert.deepEqual(await countsOf(other, id), { completed: 4 });
  },
};
