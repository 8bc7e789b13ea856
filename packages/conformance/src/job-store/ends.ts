import assert from "node:assert/strict";
import {
  type Claim,
  type JobWorker,
  type OutputNote,
  POISON_DEATHS,
  SUSPECT_DEATHS,
} from "@quire/contracts";
import type { JobStoreCase } from "./fixture.ts";
import {
  acceptId,
  claimAndDie,
  claimOne,
  claimSoon,
  complete,
  countsOf,
  jobOf,
  newJobs,
  openWorker,
  result,
} from "./samples.ts";

/** Notes that the document of a claim is about to be created. */
async function note(worker: JobWorker, claim: Claim): Promise<void> {
  const { outputFile, ...made } = result(claim.fileName);
  const noted: OutputNote = { ...made, name: claim.fileName, size: outputFile.size };
  await worker.note(claim, noted);
}

/** The cases about jobs that must no longer run and whose document may exist, by name. */
export const endCases: Readonly<Record<string, JobStoreCase>> = {
  "a job to be made has no endWith": async ({ store }) => {
    await acceptId(store, newJobs(1));
    assert.equal((await claimOne(await openWorker(store))).endWith, null);
  },

  "a job of a cancelled batch with a noted document goes to a worker": async (place) => {
    const { store, other } = place;
    const id = await acceptId(store, newJobs(3));
    const worker = await openWorker(store);
    const { jobs } = await worker.claim(2);
    for (const claim of jobs) await note(worker, claim);
    for (const claim of jobs) await worker.settle(claim, { type: "released" });
    const batch = await other.cancelBatch(id);
    assert.equal(batch.status, "running");
    assert.deepEqual(await countsOf(store, id), { submitted: 2, failed: 1 });
    const another = await openWorker(other);
    const { jobs: again } = await another.claim(10);
    assert.deepEqual(
      again.map(({ entry, notes, endWith }) => [entry, notes.length, endWith?.code]),
      [
        [1, 1, "aborted"],
        [2, 1, "aborted"],
      ],
    );
    const [first, second] = again;
    if (first === undefined || second === undefined || second.endWith === null) throw new Error();
    assert.equal(await complete(another, first), false);
    assert.equal(await another.settle(second, { type: "failed", failure: second.endWith }), true);
    assert.deepEqual(await countsOf(store, id), { completed: 1, failed: 2 });
    assert.equal((await store.getBatch(id))?.status, "finished");
  },

  "a running job of a cancelled batch goes to another worker when its worker dies": async (
    place,
  ) => {
    const { store, other } = place;
    const id = await acceptId(store, newJobs(1));
    const dead = await openWorker(store, { leaseMs: 1500, renewMs: 60_000 });
    await note(dead, await claimOne(dead));
    await other.cancelBatch(id);
    const worker = await openWorker(other);
    const [claim] = await claimSoon(worker, 1);
    if (claim === undefined) throw new Error();
    assert.deepEqual([claim.endWith?.code, claim.notes.length], ["aborted", 1]);
    await complete(worker, claim);
    assert.deepEqual(await countsOf(store, id), { completed: 1 });
  },

  "a job that crashed too many workers goes to a worker if its document was noted": async (
    place,
  ) => {
    const { store, other } = place;
    const id = await acceptId(store, newJobs(1));
    const worker = await openWorker(store);
    const claim = await claimOne(worker);
    await note(worker, claim);
    await worker.settle(claim, { type: "released" });
    for (let deaths = 0; deaths < POISON_DEATHS; deaths++) {
      await claimAndDie(deaths % 2 === 0 ? store : other, 1, {
        alone: deaths >= SUSPECT_DEATHS,
        begun: true,
      });
    }
    const [again] = await claimSoon(worker, 1);
    if (again === undefined) throw new Error();
    assert.deepEqual([again.endWith?.diagnostics[0]?.code, again.notes.length], ["poison", 1]);
    assert.equal((await jobOf(other, id, 1)).status, "pending");
    await complete(worker, again);
    assert.deepEqual(await countsOf(store, id), { completed: 1 });
  },
};
