import assert from "node:assert/strict";
import {
  type Claim,
  type JobStore,
  type JobWorker,
  POISON_DEATHS,
  SUSPECT_DEATHS,
} from "@quire/contracts";
import type { JobStoreCase } from "./fixture.ts";
import {
  acceptId,
  claimAndDie,
  claimSoon,
  complete,
  completeAll,
  countsOf,
  jobOf,
  newJobs,
  openWorker,
  shortLease,
  until,
} from "./samples.ts";

/** The cases about jobs that crash workers, by name. */
export const suspectCases: Readonly<Record<string, JobStoreCase>> = {
  "a job that crashed several workers is only claimed alone, and may still be made": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(1, "suspect"));
    for (let deaths = 0; deaths < SUSPECT_DEATHS; deaths++)
      await claimAndDie(deaths % 2 === 0 ? store : other, 1);
    await acceptId(other, newJobs(2, "neighbour"));
    const worker = await openWorker(other);
    const claims = await claimSoon(worker, 2);
    await until(async () => {
      const { jobs, suspects } = await worker.claim(10);
      assert.deepEqual(jobs, []);
      return suspects;
    }, "The suspect should be reported.");
    assert.ok(claims.every(({ batchId }) => batchId !== id));
    for (const claim of claims) await complete(worker, claim);
    const { jobs } = await worker.claim(10, { alone: true });
    assert.deepEqual(
      jobs.map(({ batchId, entry, attempt }) => [batchId, entry, attempt]),
      [[id, 1, SUSPECT_DEATHS + 1]],
    );
    assert.ok(jobs[0]);
    assert.equal(await complete(worker, jobs[0]), true);
    assert.deepEqual(await worker.claim(10), { jobs: [], suspects: false });
  },

  "alone claims one suspect, and nothing without suspects": async ({ store, other }) => {
    await acceptId(store, newJobs(3));
    const worker = await openWorker(other);
    assert.deepEqual((await worker.claim(5, { alone: true })).jobs, []);
    for (let deaths = 0; deaths < SUSPECT_DEATHS; deaths++) await dieWith(store, 3);
    const one = await claimSoon(worker, 1, { alone: true });
    const more = await worker.claim(5, { alone: true });
    assert.equal(one.length + more.jobs.length, 2);
    assert.equal((await (await openWorker(store)).claim(5)).jobs.length, 0);
  },

  "a job that crashed too many workers fails, and the other jobs are made": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(3), { withEvents: true });
    for (let deaths = 0; deaths < SUSPECT_DEATHS; deaths++) await dieWith(store, 3);
    // Claimed alone, the other jobs succeed; the job that crashes workers is the second one.
    const killers: { worker: JobWorker; claim: Claim }[] = [];
    for (const handle of [store, other, store]) {
      const each = await openWorker(handle);
      const [claim] = await claimSoon(each, 1, { alone: true });
      assert.ok(claim);
      if (claim.entry !== 2) await complete(each, claim);
      else killers.push({ worker: each, claim });
    }
    for (const { worker: each, claim } of killers) await each.settle(claim, { type: "released" });
    for (let deaths = SUSPECT_DEATHS; deaths < POISON_DEATHS; deaths++)
      assert.equal((await claimAndDie(store, 1, { alone: true, begun: true })).claims[0]?.entry, 2);
    const worker = await openWorker(other);
    await until(async () => {
      assert.deepEqual((await worker.claim(1, { alone: true })).jobs, []);
      return (await store.getBatch(id))?.status === "finished";
    }, "The job should fail when its last worker's lease has expired.");
    assert.deepEqual(await countsOf(other, id), { completed: 2, failed: 1 });
    const poisoned = await jobOf(other, id, 2);
    assert.equal(poisoned.status, "failed");
    assert.deepEqual(
      poisoned.failure?.diagnostics.map(({ code }) => code),
      ["poison"],
    );
    const events = (await worker.takeEvents(100)).filter(({ type }) => type === "job_failed");
    assert.deepEqual(
      events.map(({ entry }) => entry),
      [2],
    );
    assert.deepEqual(await worker.claim(10), { jobs: [], suspects: false });
  },

  "the death of a worker does not count against a suspect that it was not making": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(1));
    for (let deaths = 0; deaths < SUSPECT_DEATHS; deaths++) await dieWith(store, 1);
    for (let deaths = SUSPECT_DEATHS; deaths < POISON_DEATHS + 1; deaths++)
      await claimAndDie(deaths % 2 === 0 ? store : other, 1, { alone: true });
    // A worker that made the document and died afterwards, and one that closed while making it.
    const made = await openWorker(store, shortLease(store));
    const closed = await openWorker(other);
    for (const worker of [made, closed]) {
      const [claim] = await claimSoon(worker, 1, { alone: true });
      assert.ok(claim);
      await worker.setBegun(claim, true);
      if (worker === closed) await worker.close();
      else await worker.setBegun(claim, false);
    }
    for (let deaths = SUSPECT_DEATHS; deaths < POISON_DEATHS - 1; deaths++)
      await claimAndDie(store, 1, { alone: true, begun: true });
    const worker = await openWorker(other);
    const [claim] = await claimSoon(worker, 1, { alone: true });
    assert.equal(claim?.endWith, null);
    assert.ok(claim);
    assert.equal(await complete(worker, claim), true);
    assert.deepEqual(await countsOf(store, id), { completed: 1 });
  },

  "a job that failed for its crashes can be retried like a new one": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(1));
    for (let deaths = 0; deaths < POISON_DEATHS; deaths++)
      await claimAndDie(store, 1, { alone: deaths >= SUSPECT_DEATHS, begun: true });
    const worker = await openWorker(other);
    await until(async () => {
      assert.deepEqual((await worker.claim(1)).jobs, []);
      return (await jobOf(store, id, 1)).status === "failed";
    }, "The job should fail.");
    await other.retryFailed(id, { isTaken: () => false });
    const [claim] = await completeAll(worker);
    assert.deepEqual([claim?.attempt, claim?.failures], [POISON_DEATHS + 1, 0]);
    assert.deepEqual(await countsOf(store, id), { completed: 1 });
  },
};

/** Opens a worker that dies while it has `count` jobs. */
async function dieWith(store: JobStore, count: number): Promise<void> {
  const { claims } = await claimAndDie(store, count);
  assert.equal(claims.length, count);
}
