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

  "jobs of another kind do not block those of a worker": async ({ store, other }) => {
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
