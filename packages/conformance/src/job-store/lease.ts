import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Claim, JobWorker } from "@quire/contracts";
import { rejects } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import {
  acceptId,
  claimAndDie,
  claimOne,
  claimSoon,
  complete,
  countsOf,
  entriesOf,
  failure,
  jobOf,
  newJobs,
  numbers,
  openWorker,
  result,
  shortLease,
  until,
} from "./samples.ts";

/** The cases about leases and fencing, by name. */
export const leaseCases: Readonly<Record<string, JobStoreCase>> = {
  "the jobs of a worker whose lease has expired are claimed by another worker": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(3));
    const dead = await claimAndDie(store, 2);
    assert.equal(dead.worker.isHeld, false);
    const worker = await openWorker(other);
    const claims = await claimSoon(worker, 3);
    assert.deepEqual(
      claims.map(({ entry, attempt, failures }) => [entry, attempt, failures]).sort(),
      [
        [1, 2, 0],
        [2, 2, 0],
        [3, 1, 0],
      ],
    );
    for (const claim of claims) await complete(worker, claim);
    assert.deepEqual(await countsOf(store, id), { completed: 3 });
  },

  "a worker that has lost its lease changes nothing and gets lease_lost": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(1));
    const { worker: dead, claims } = await claimAndDie(store, 1);
    const [old] = claims;
    assert.ok(old);
    const worker = await openWorker(other);
    const [claim] = await claimSoon(worker, 1);
    assert.ok(claim);
    const before = await jobOf(other, id, 1);
    for (const call of late(dead, old)) await rejects(call(), "lease_lost");
    await rejects(dead.claim(1), "lease_lost");
    assert.equal(dead.lost.aborted, true);
    assert.equal(dead.isHeld, false);
    assert.deepEqual(await jobOf(other, id, 1), before);
    assert.equal(await complete(worker, claim), true);
    for (const call of late(dead, old)) await rejects(call(), "lease_lost");
    assert.equal((await jobOf(store, id, 1)).status, "completed");
    await dead.close();
  },

  "a claim belongs to its worker": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(1));
    const [owner, stranger] = [await openWorker(store), await openWorker(other)];
    const claim = await claimOne(owner);
    for (const call of late(stranger, claim)) await rejects(call(), "lease_lost");
    assert.equal((await jobOf(other, id, 1)).status, "pending");
    assert.equal(await complete(owner, claim), true);
  },

  "a claim is valid for one attempt, even with the same worker": async ({ store }) => {
    const id = await acceptId(store, newJobs(1));
    const worker = await openWorker(store);
    const first = await claimOne(worker);
    await worker.settle(first, { type: "released" });
    for (const call of late(worker, first)) await rejects(call(), "lease_lost");
    const second = await claimOne(worker);
    for (const call of late(worker, first)) await rejects(call(), "lease_lost");
    assert.equal((await jobOf(store, id, 1)).status, "pending");
    assert.equal(await complete(worker, second), true);
    await rejects(worker.settle(second, { type: "failed", failure: failure() }), "lease_lost");
    assert.equal((await jobOf(store, id, 1)).status, "completed");
    assert.equal(worker.lost.aborted, false, "A settled claim is not a lost lease.");
    assert.equal(worker.isHeld, true);
  },

  "methods with a claim reject lease_lost after their worker is closed": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(1));
    const worker = await openWorker(store);
    const claim = await claimOne(worker);
    await worker.close();
    for (const call of late(worker, claim)) await rejects(call(), "lease_lost");
    await rejects(worker.claim(1), "job_store_failed");
    assert.deepEqual(await countsOf(other, id), { submitted: 1 });
    assert.equal(await complete(await openWorker(other), claim).catch(() => null), null);
  },

  "a lease is renewed while the event loop is blocked for longer": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(4));
    const worker = await openWorker(store, { leaseMs: 600 });
    const another = await openWorker(other);
    const { jobs } = await worker.claim(3);
    const end = performance.now() + 1200;
    while (performance.now() < end);
    assert.equal(worker.isHeld, true);
    const rest = (await another.claim(10)).jobs;
    assert.deepEqual(entriesOf(rest), [4]);
    for (const claim of jobs) await complete(worker, claim);
    assert.equal(worker.lost.aborted, false);
    assert.deepEqual(await countsOf(other, id), { pending: 1, completed: 3 });
  },

  "a waiting worker keeps its jobs for longer than its lease": async ({ store, other }) => {
    await acceptId(store, newJobs(1));
    const worker = await openWorker(store, { leaseMs: 1000 });
    const claim = await claimOne(worker);
    const another = await openWorker(other);
    for (let times = 0; times < 8; times++) {
      await sleep(200);
      assert.equal(worker.isHeld, true);
      assert.deepEqual((await another.claim(1)).jobs, []);
    }
    assert.equal(await complete(worker, claim), true);
  },

  "isHeld is false when another worker has the jobs": async ({ store, other }) => {
    await acceptId(store, newJobs(1));
    const short = await openWorker(store, shortLease(store));
    await claimOne(short);
    const another = await openWorker(other);
    await until(async () => {
      const isTaken = (await another.claim(1)).jobs.length > 0;
      if (isTaken) assert.equal(short.isHeld, false);
      return isTaken;
    }, "The lease should expire.");
  },

  "the jobs of many dying workers are made once when one survives": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(60));
    await Promise.all([store, other, store, other].map((handle) => claimAndDie(handle, 10)));
    const worker = await openWorker(other);
    const done: Claim[] = [];
    await until(async () => {
      // On a slow machine, several workers may have died with a job, which is then a suspect.
      for (const alone of [false, true]) {
        const { jobs } = await worker.claim(60, { alone });
        for (const claim of jobs) await complete(worker, claim);
        done.push(...jobs);
      }
      return done.length >= 60;
    }, "The survivor should get all jobs.");
    assert.deepEqual(
      entriesOf(done).sort((a, b) => a - b),
      numbers(60),
    );
    assert.deepEqual(await countsOf(store, id), { completed: 60 });
  },
};

/** Calls of each method that takes a claim; `settle` with each type of outcome. */
function late(worker: JobWorker, claim: Claim): (() => Promise<unknown>)[] {
  const made = result(claim.fileName);
  const { outputFile, ...note } = made;
  return [
    () => worker.setBegun(claim, true),
    () => worker.note(claim, { ...note, name: claim.fileName, size: 3 }),
    () => worker.rename(claim),
    () => worker.settle(claim, { type: "completed", result: made }),
    () => worker.settle(claim, { type: "failed", failure: failure() }),
    () => worker.settle(claim, { type: "again", failure: failure(), delayMs: 0 }),
    () => worker.settle(claim, { type: "released" }),
  ];
}
