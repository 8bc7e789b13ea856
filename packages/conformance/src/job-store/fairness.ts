import assert from "node:assert/strict";
import { type JobWorker, SUSPECT_DEATHS } from "@quire/contracts";
import type { JobStoreCase } from "./fixture.ts";
import {
  acceptId,
  claimAndDie,
  claimOne,
  claimSoon,
  complete,
  completeAll,
  newJobs,
  openWorker,
} from "./samples.ts";

/** The cases about the order of claims, by name. */
export const fairnessCases: Readonly<Record<string, JobStoreCase>> = {
  "a tenant's few jobs do not wait for thousands of another tenant": async ({ store, other }) => {
    const many = await acceptId(store, newJobs(5000, "a"), { tenant: "a" });
    const worker = await openWorker(other);
    await work(worker, 100);
    const few = await acceptId(other, newJobs(10, "b"), { tenant: "b" });
    const order = await workUntil(worker, few, 10);
    assert.ok(order.length <= 50, `They were done only after ${order.length} jobs.`);
    const counts = (await store.getBatch(many))?.counts;
    assert.equal(counts?.completed, 100 + order.length - 10);
  },

  "workers on several handles together are fair": async ({ store, other }) => {
    await acceptId(store, newJobs(2000, "a"), { tenant: "a" });
    const workers = [await openWorker(store), await openWorker(other)];
    for (const worker of workers) await work(worker, 48);
    const few = await acceptId(other, newJobs(10, "b"), { tenant: "b" });
    let claimed = 0;
    for (let left = 10; left > 0; ) {
      for (const worker of workers) {
        const batches = await work(worker, 4);
        claimed += batches.length;
        left -= batches.filter((id) => id === few).length;
      }
      assert.ok(claimed <= 60, `${left} of them were not among ${claimed} claimed jobs.`);
    }
  },

  "a small batch does not wait for a large one of the same tenant": async ({ store, other }) => {
    await acceptId(store, newJobs(5000, "a"));
    const worker = await openWorker(other);
    await work(worker, 100);
    const few = await acceptId(other, newJobs(10, "b"));
    const order = await workUntil(worker, few, 10);
    assert.ok(order.length <= 50, `They were done only after ${order.length} jobs.`);
  },

  "a new batch does not wait until each other batch of its tenant has had many jobs": async ({
    store,
    other,
  }) => {
    const worker = await openWorker(other);
    for (let number = 0; number < 30; number++) await acceptId(store, newJobs(20, `a-${number}`));
    await workInGroups(worker, 16, 48);
    const one = await acceptId(other, newJobs(1, "b"));
    const order = await workInGroups(worker, 16, 48);
    assert.ok(order.includes(one), "The job is not among the next 48.");
  },

  "a tenant with many batches has no larger share than a tenant with one": async ({
    store,
    other,
  }) => {
    for (let number = 0; number < 8; number++)
      await acceptId(store, newJobs(60, `a-${number}`), { tenant: "a" });
    const one = await acceptId(other, newJobs(200, "b"), { tenant: "b" });
    const order = await work(await openWorker(other), 200);
    assertAbout(order.filter((id) => id === one).length, 100);
  },

  "a tenant of weight 2 gets twice as much as a tenant of weight 1": async ({ store, other }) => {
    await acceptId(store, newJobs(300, "a"), { tenant: "a" });
    const heavy = await acceptId(other, newJobs(300, "b"), { tenant: "b", weight: 2 });
    const order = await work(await openWorker(other), 240);
    assertAbout(order.filter((id) => id === heavy).length, 160);
  },

  "a tenant that was idle for long gets only its share later": async ({ store, other }) => {
    const few = await acceptId(store, newJobs(4, "b"), { tenant: "b" });
    const long = await acceptId(store, newJobs(1000, "a"), { tenant: "a" });
    const worker = await openWorker(other);
    await workUntil(worker, few, 4);
    await work(worker, 200);
    const next = await acceptId(store, newJobs(400, "c"), { tenant: "b" });
    const order = await work(worker, 200);
    assertAbout(order.filter((id) => id === next).length, 100);
    assertAbout(order.filter((id) => id === long).length, 100);
  },
};

/** Completes `count` jobs, four at a time. Returns their batches in order. */
function work(worker: JobWorker, count: number): Promise<string[]> {
  return workInGroups(worker, 4, count);
}

/** Completes `count` jobs and claims `group` jobs at a time. Returns their batches in order. */
async function workInGroups(worker: JobWorker, group: number, count: number): Promise<string[]> {
  const order: string[] = [];
  while (order.length < count) {
    const { jobs } = await worker.claim(group);
    assert.ok(jobs.length > 0, "There should be jobs to claim.");
    await Promise.all(jobs.map((claim) => complete(worker, claim)));
    order.push(...jobs.map(({ batchId }) => batchId));
  }
  return order;
}

/** Works until `count` jobs of a batch are done. Returns the batches of all jobs in order. */
async function workUntil(worker: JobWorker, batchId: string, count: number): Promise<string[]> {
  const order: string[] = [];
  for (let done = 0; done < count; ) {
    const next = await work(worker, 1);
    done += next.filter((id) => id === batchId).length;
    order.push(...next);
    assert.ok(order.length < 1000, "The jobs should get their turn.");
  }
  return order;
}

/** Fails if the count differs from the expected one by more than one or two turns of a tenant. */
function assertAbout(count: number, expected: number): void {
  assert.ok(Math.abs(count - expected) <= 24, `The count was ${count}, not about ${expected}.`);
}

const PDF = { outputType: "pdf", needsConverter: true } as const;
/** A PDF form is filled, not converted. */
const FORM = { outputType: "pdf" } as const;

/** The cases about which jobs a worker takes, by name. */
export const kindCases: Readonly<Record<string, JobStoreCase>> = {
  "a worker takes only the jobs of its kind": async ({ store, other }) => {
    const pdf = await acceptId(store, newJobs(2, "a"), PDF);
    const form = await acceptId(store, newJobs(2, "b"), FORM);
    const docx = await acceptId(other, newJobs(2, "c"));
    const makesDocx = await openWorker(other, { takes: "docx" });
    const makesPdf = await openWorker(store, { takes: "pdf" });
    assert.deepEqual(await batchesOf(makesPdf, 1), [pdf]);
    assert.deepEqual(await batchesOf(makesDocx, 10), [form, form, docx, docx].sort());
    assert.deepEqual(await makesDocx.claim(10), { jobs: [], suspects: false });
    assert.deepEqual(await batchesOf(makesPdf, 10), [pdf]);
    assert.deepEqual(await makesPdf.claim(10), { jobs: [], suspects: false });
    const both = [
      await acceptId(store, newJobs(1, "d"), PDF),
      await acceptId(store, newJobs(1, "e")),
    ];
    const makesAll = await openWorker(other, { takes: "all" });
    assert.deepEqual(await batchesOf(makesAll, 10), both.sort());
  },

  "a worker is not blocked by jobs of another kind": async ({ store, other }) => {
    for (const takes of ["pdf", "docx"] as const) {
      const [own, others] = takes === "pdf" ? [PDF, {}] : [{}, PDF];
      await acceptId(store, newJobs(100, `${takes}-a`), { tenant: "a", ...others });
      await acceptId(other, newJobs(20, `${takes}-b`), { tenant: "a", ...own });
      await acceptId(other, newJobs(20, `${takes}-c`), { tenant: "b", ...own });
      const worker = await openWorker(other, { takes });
      assert.equal((await completeAll(worker)).length, 40);
      await completeAll(await openWorker(store));
    }
  },

  "a job that was put back keeps its kind": async ({ store, other }) => {
    const [makesDocx, makesPdf] = [
      await openWorker(store, { takes: "docx" }),
      await openWorker(other, { takes: "pdf" }),
    ];
    await acceptId(store, newJobs(1), PDF);
    await makesPdf.settle(await claimOne(makesPdf), { type: "released" });
    assert.deepEqual((await makesDocx.claim(10)).jobs, []);
    const again = await claimOne(makesPdf);
    assert.equal(again.attempt, 2);
    await makesPdf.close();
    assert.deepEqual((await makesDocx.claim(10)).jobs, []);
    assert.equal((await completeAll(await openWorker(other))).length, 1);
  },

  "only a worker of its kind gets a suspect, and hears of it": async ({ store, other }) => {
    await acceptId(store, newJobs(1), PDF);
    for (let deaths = 0; deaths < SUSPECT_DEATHS; deaths++) await claimAndDie(store, 1);
    const makesPdf = await openWorker(store, { takes: "pdf" });
    const makesDocx = await openWorker(other, { takes: "docx" });
    const [suspect] = await claimSoon(makesPdf, 1, { alone: true });
    assert.ok(suspect);
    await makesPdf.settle(suspect, { type: "released" });
    assert.deepEqual(await makesDocx.claim(10), { jobs: [], suspects: false });
    assert.deepEqual((await makesDocx.claim(1, { alone: true })).jobs, []);
    assert.deepEqual(await makesPdf.claim(10), { jobs: [], suspects: true });
    assert.equal(await complete(makesPdf, await claimOne(makesPdf, { alone: true })), true);
  },
};

/** Claims jobs. Returns their batches, sorted. */
async function batchesOf(worker: JobWorker, limit: number): Promise<string[]> {
  const { jobs } = await worker.claim(limit);
  return jobs.map(({ batchId }) => batchId).sort();
}
