import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Claim, JobStore } from "@quire/contracts";
import type { JobStoreCase } from "./fixture.ts";
import {
  acceptId,
  claimOne,
  claimSoon,
  complete,
  completeAll,
  countsOf,
  entriesOf,
  failure,
  input,
  jobOf,
  newJob,
  newJobs,
  numbers,
  openWorker,
  result,
} from "./samples.ts";

const AGAIN = { type: "again", failure: failure({ retryable: true }) } as const;

/** The cases about claiming jobs and giving them back, by name. */
export const claimCases: Readonly<Record<string, JobStoreCase>> = {
  "a claim has everything that is needed to make the document": async ({ store, other }) => {
    const data = input({ bytes: new Uint8Array(), locale: "de" });
    const id = await acceptId(store, [newJob("a", { input: data })]);
    const worker = await openWorker(other);
    const { jobs, suspects } = await worker.claim(5);
    const [claim] = jobs;
    assert.ok(claim && jobs.length === 1);
    assert.equal(suspects, false);
    const { input: given, ...rest } = claim;
    assert.deepEqual([given.encoding, given.bytes.length, given.locale], ["json", 0, "de"]);
    assert.deepEqual(rest, {
      batchId: id,
      tenant: "",
      entry: 1,
      attempt: 1,
      failures: 0,
      fileName: "a.docx",
      notes: [],
      endWith: null,
    });
    const { status, attempts, endedAt } = await jobOf(store, id, 1);
    assert.deepEqual([status, attempts, endedAt], ["pending", 1, null]);
    assert.deepEqual(await countsOf(store, id), { pending: 1 });
  },

  "the jobs of a batch are claimed by entry, up to the limit, and never twice": async ({
    store,
    other,
  }) => {
    await acceptId(store, newJobs(40));
    const [one, two] = [await openWorker(store), await openWorker(other)];
    const claims: Claim[] = [];
    for (const [worker, limit] of [[one, 1] as const, [two, 3] as const, [one, 36] as const]) {
      const { jobs } = await worker.claim(limit);
      assert.equal(jobs.length, limit);
      claims.push(...jobs);
    }
    assert.deepEqual(entriesOf(claims), numbers(40));
    for (const worker of [one, two])
      assert.deepEqual(await worker.claim(5), { jobs: [], suspects: false });
  },

  "4 workers on 2 handles concurrently make each of 200 jobs once": async ({ store, other }) => {
    const ids = [await acceptId(store, newJobs(120, "a")), await acceptId(other, newJobs(80, "b"))];
    const done: string[] = [];
    const work = async (handle: JobStore, limit: number): Promise<void> => {
      const worker = await openWorker(handle);
      for (;;) {
        const { jobs } = await worker.claim(limit);
        if (jobs.length === 0) return;
        done.push(...jobs.map(({ batchId, entry }) => `${batchId}/${entry}`));
        await Promise.all(jobs.map((claim) => complete(worker, claim)));
      }
    };
    await Promise.all([work(store, 3), work(other, 5), work(store, 1), work(other, 16)]);
    assert.equal(done.length, 200);
    assert.equal(new Set(done).size, 200);
    assert.deepEqual(await countsOf(other, ids[0] ?? ""), { completed: 120 });
    assert.deepEqual(await countsOf(store, ids[1] ?? ""), { completed: 80 });
  },

  "concurrent claims of one worker do not conflict": async ({ store }) => {
    const id = await acceptId(store, newJobs(60));
    const worker = await openWorker(store);
    const claimed = await Promise.all(numbers(20).map(() => worker.claim(3)));
    const claims = claimed.flatMap(({ jobs }) => jobs);
    assert.deepEqual(
      entriesOf(claims).sort((a, b) => a - b),
      numbers(60),
    );
    const finished = await Promise.all(claims.map((claim) => complete(worker, claim)));
    assert.ok(finished.filter((each) => each).length >= 1);
    assert.deepEqual(await countsOf(store, id), { completed: 60 });
  },

  "a claim of a group gets a whole group if there are enough jobs": async ({ store, other }) => {
    assert.ok(Number.isInteger(store.group) && store.group > 0);
    assert.equal(other.group, store.group);
    await acceptId(store, newJobs(2 * store.group + 1));
    const worker = await openWorker(other);
    const sizes: number[] = [];
    for (const _ of numbers(4)) sizes.push((await worker.claim(store.group)).jobs.length);
    assert.deepEqual(sizes, [store.group, store.group, 1, 0]);
  },

  "no further job is taken once the taken ones have more data than maxBytes": async ({
    store,
    other,
  }) => {
    const sized = (size: number, index: number) =>
      newJob(`doc-${index}`, { input: input({ bytes: new Uint8Array(size).fill(32) }) });
    await acceptId(store, [5000, 300, 300, 300, 300, 10, 10, 10].map(sized));
    const worker = await openWorker(other);
    const take = async (maxBytes?: number) => {
      const { jobs } = await worker.claim(3, maxBytes === undefined ? {} : { maxBytes });
      return entriesOf(jobs);
    };
    assert.deepEqual(await take(100), [1], "The first one is taken even if it is too large.");
    assert.deepEqual(
      await take(301),
      [2, 3],
      "The second one exceeds the limit, so the third one is not taken.",
    );
    assert.deepEqual(await take(0), [4]);
    assert.deepEqual(await take(10_000), [5, 6, 7]);
    assert.deepEqual(await take(), [8]);
  },

  "a claim skips the tenants and batches that it excludes": async ({ store, other }) => {
    const one = await acceptId(store, newJobs(2, "a"), { tenant: "a" });
    const two = await acceptId(store, newJobs(2, "b"), { tenant: "a" });
    const three = await acceptId(store, newJobs(2, "c"), { tenant: "b" });
    const worker = await openWorker(other);
    const take = async (tenants: string[], batches: string[]) => {
      const { jobs } = await worker.claim(2, { without: { tenants, batches } });
      return jobs.map(({ batchId, tenant }) => [batchId, tenant]);
    };
    assert.deepEqual(await take(["a", "b"], []), []);
    assert.deepEqual(await take([], [one, two, three]), []);
    assert.deepEqual(await take(["b"], [one]), [
      [two, "a"],
      [two, "a"],
    ]);
    assert.deepEqual(await take(["a"], []), [
      [three, "b"],
      [three, "b"],
    ]);
    // Jobs that only need to be ended are also skipped.
    const noted = await claimOne(worker);
    const { outputFile, ...made } = result(noted.fileName);
    await worker.note(noted, { ...made, name: noted.fileName, size: outputFile.size });
    await worker.settle(noted, { type: "released" });
    await store.cancelBatch(one);
    assert.deepEqual(await take([], [one]), []);
    assert.deepEqual(await take([], []), [[one, "a"]]);
  },

  "a job to retry is claimed after its delay, not before": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(2));
    const worker = await openWorker(store);
    const waiting = await claimOne(worker);
    assert.equal(await worker.settle(waiting, { ...AGAIN, delayMs: 60_000 }), false);
    const { status, attempts, failure: kept } = await jobOf(other, id, 1);
    assert.deepEqual([status, attempts, kept], ["submitted", 1, null]);
    const another = await openWorker(other);
    // The other job does not wait for the delayed one.
    const claim = await claimOne(another);
    assert.equal(claim.entry, 2);
    const from = performance.now();
    await another.settle(claim, { ...AGAIN, delayMs: 600 });
    const [next] = await claimSoon(another, 1);
    assert.ok(performance.now() - from >= 590);
    assert.deepEqual([next?.entry, next?.attempt, next?.failures], [2, 2, 1]);
  },

  "a job that is released with a delay is claimed after it, not before": async ({
    store,
    other,
  }) => {
    await acceptId(store, newJobs(1));
    const [worker, another] = [await openWorker(store), await openWorker(other)];
    const claim = await claimOne(worker);
    const from = performance.now();
    await worker.settle(claim, { type: "released", delayMs: 600 });
    // On a slow machine, the time may be over at the first claim.
    const [next] = await claimSoon(another, 1);
    assert.ok(performance.now() - from >= 590);
    assert.deepEqual([next?.attempt, next?.failures], [2, 0]);
  },

  "a batch is not finished while a job of it waits for a retry": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(1));
    const worker = await openWorker(other);
    await worker.settle(await claimOne(worker), { ...AGAIN, delayMs: 60_000 });
    assert.deepEqual((await worker.claim(1)).jobs, []);
    assert.equal((await store.getBatch(id))?.status, "running");
    assert.deepEqual(await countsOf(store, id), { submitted: 1 });
  },

  "failures counts retryable errors, but not releases": async ({ store, other }) => {
    await acceptId(store, newJobs(1));
    const [one, two] = [await openWorker(store), await openWorker(other)];
    const seen: [number, number][] = [];
    for (const outcome of [AGAIN, { type: "released" } as const, AGAIN, AGAIN]) {
      const worker = seen.length % 2 === 0 ? one : two;
      const [claim] = await claimSoon(worker, 1);
      assert.ok(claim);
      seen.push([claim.attempt, claim.failures]);
      await worker.settle(claim, outcome.type === "again" ? { ...outcome, delayMs: 0 } : outcome);
    }
    const [last] = await claimSoon(two, 1);
    assert.deepEqual(
      [...seen, [last?.attempt, last?.failures]],
      [
        [1, 0],
        [2, 1],
        [3, 1],
        [4, 2],
        [5, 3],
      ],
    );
  },

  "any worker may take a released job at once": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(1));
    const [one, two] = [await openWorker(store), await openWorker(other)];
    for (let attempt = 1; attempt <= 12; attempt++) {
      const worker = attempt % 2 === 0 ? two : one;
      const { jobs, suspects } = await worker.claim(1);
      assert.deepEqual([jobs[0]?.attempt, suspects], [attempt, false]);
      assert.ok(jobs[0]);
      assert.equal(await worker.settle(jobs[0], { type: "released" }), false);
      assert.equal((await jobOf(other, id, 1)).status, "submitted");
    }
  },

  "a closed worker gives back its jobs at once, and gets no blame": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(3));
    for (let attempt = 1; attempt <= 7; attempt++) {
      const worker = await openWorker(attempt % 2 === 0 ? store : other);
      const { jobs, suspects } = await worker.claim(3);
      assert.deepEqual(
        [jobs.map((claim) => claim.attempt), suspects],
        [[attempt, attempt, attempt], false],
      );
      assert.equal(worker.isHeld, true);
      await worker.close();
      await worker.close();
      assert.equal(worker.isHeld, false);
      assert.deepEqual(await countsOf(other, id), { submitted: 3 });
    }
    assert.equal((await completeAll(await openWorker(other))).length, 3);
  },

  "a closed store gives back the jobs of its workers": async ({ store, other, isShared }) => {
    const id = await acceptId(store, newJobs(5));
    for (const limit of [2, 1]) await (await openWorker(store)).claim(limit);
    if (!isShared) return;
    await store.close();
    assert.deepEqual(await countsOf(other, id), { submitted: 5 });
    const done = await completeAll(await openWorker(other));
    assert.deepEqual(done.map(({ attempt }) => attempt).sort(), [1, 1, 2, 2, 2]);
  },

  "claiming a job does not wait for other handles": async ({ store, other }) => {
    await acceptId(store, newJobs(1));
    const worker = await openWorker(store);
    const claim = await claimOne(worker);
    const another = await openWorker(other);
    for (let times = 0; times < 5; times++) {
      assert.deepEqual((await another.claim(5)).jobs, []);
      assert.deepEqual((await another.claim(5, { alone: true })).jobs, []);
      await sleep(20);
    }
    assert.equal(await complete(worker, claim), true);
  },
};
