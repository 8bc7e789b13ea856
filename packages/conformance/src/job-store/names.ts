import assert from "node:assert/strict";
import { rejects } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import {
  accept,
  acceptId,
  claimOne,
  complete,
  completeAll,
  fail,
  jobOf,
  namesOf,
  newJob,
  newJobs,
  openWorker,
} from "./samples.ts";

/** The cases about the names of documents, by name. */
export const nameCases: Readonly<Record<string, JobStoreCase>> = {
  "equal names within a batch are reserved in the order of its jobs": async ({ store, other }) => {
    const wanted = ["a", "b", "a", "A", "a (1)", "a"];
    const id = await acceptId(
      store,
      wanted.map((name) => newJob(name)),
    );
    assert.deepEqual(await namesOf(other, id), [
      "a.docx",
      "b.docx",
      "a (1).docx",
      "A (2).docx",
      "a (1) (1).docx",
      "a (3).docx",
    ]);
    const jobs = await completeAll(await openWorker(other));
    assert.deepEqual(
      jobs.map(({ fileName }) => fileName),
      await namesOf(store, id),
    );
  },

  "a job has the reserved file name, and keeps the requested one": async ({ store, other }) => {
    const jobs = [newJob("Brief.DOCX", { fileName: "Brief.DOCX" }), newJob("brief")];
    const id = await acceptId(store, jobs);
    assert.deepEqual(await namesOf(other, id), ["Brief.DOCX", "brief (1).docx"]);
    assert.equal((await jobOf(other, id, 2)).requestedName, "brief");
  },

  "names that differ only by case or by their Unicode form are the same name": async ({
    store,
    other,
  }) => {
    await acceptId(store, [newJob("Müller".normalize("NFC")), newJob("ÄRGER")]);
    const id = await acceptId(other, [newJob("MÜLLER".normalize("NFD")), newJob("ärger")]);
    assert.deepEqual(await namesOf(store, id), [
      "MÜLLER (1).docx".normalize("NFC"),
      "ärger (1).docx",
    ]);
  },

  "the names of a batch are taken in the same folder only, until it has ended": async ({
    store,
    other,
  }) => {
    const first = await acceptId(store, newJobs(2));
    const same = await acceptId(other, newJobs(2));
    const folder = { type: "folder", id: "another" } as const;
    const elsewhere = await acceptId(other, newJobs(2), { folder, tenant: "b" });
    assert.deepEqual(await namesOf(store, same), ["doc-1 (1).docx", "doc-2 (1).docx"]);
    assert.deepEqual(await namesOf(store, elsewhere), ["doc-1.docx", "doc-2.docx"]);
    const worker = await openWorker(store);
    await complete(worker, await claimOne(worker));
    await other.cancelBatch(same);
    assert.equal((await store.getBatch(first))?.status, "running");
    const third = await acceptId(other, newJobs(1), { tenant: "c" });
    assert.deepEqual(await namesOf(store, third), ["doc-1 (1).docx"]);
    await completeAll(worker);
    const later = await acceptId(other, newJobs(2));
    assert.deepEqual(await namesOf(store, later), ["doc-1.docx", "doc-2.docx"]);
  },

  "a name that the folder already contains is not reserved": async ({ store, other }) => {
    const asked: string[] = [];
    const standing = new Set(["doc-1.docx", "doc-1 (1).docx", "grösse.docx"]);
    const isTaken = (folded: string): boolean => {
      asked.push(folded);
      return standing.has(folded);
    };
    const jobs = [...newJobs(2), newJob("GRÖSSE".normalize("NFD"))];
    const { batch } = await accept(store, jobs, {}, { isTaken });
    assert.deepEqual(await namesOf(other, batch.id), [
      "doc-1 (2).docx",
      "doc-2.docx",
      "GRÖSSE (1).docx",
    ]);
    assert.ok(standing.isSubsetOf(new Set(asked)));
    await completeAll(await openWorker(other), fail);
    await other.retryFailed(batch.id, { isTaken });
    assert.ok(asked.length > 5, "A retry also asks.");
    for (const name of asked)
      assert.equal(name, name.normalize("NFC").toLowerCase(), "isTaken should get folded names.");
  },

  "a job that must not be renamed fails with conflict, and has no name": async ({
    store,
    other,
  }) => {
    await acceptId(store, [newJob("elsewhere")]);
    const jobs = ["a", "a", "elsewhere", "standing", "b"].map((name) => newJob(name));
    const isTaken = (folded: string): boolean => folded === "standing.docx";
    const { batch } = await accept(other, jobs, { onConflict: "fail" }, { isTaken });
    const names = ["a.docx", null, null, null, "b.docx"];
    assert.deepEqual(await namesOf(store, batch.id), names);
    for (const entry of [2, 3, 4]) {
      const { status, requestedName, failure, attempts } = await jobOf(store, batch.id, entry);
      assert.deepEqual([status, failure?.code, attempts], ["failed", "conflict", 0]);
      assert.equal(requestedName, jobs[entry - 1]?.requestedName);
    }
    assert.deepEqual([batch.counts.submitted, batch.counts.failed], [2, 3]);
    const done = await completeAll(await openWorker(other));
    assert.deepEqual(
      done.filter(({ batchId }) => batchId === batch.id).map(({ entry }) => entry),
      [1, 5],
    );
  },

  "concurrent batches on two handles with the same names get different names": async ({
    store,
    other,
  }) => {
    async function* slowly() {
      for (const job of newJobs(40)) {
        await new Promise(setImmediate);
        yield job;
      }
    }
    const accepted = await Promise.all(
      [store, other, store, other].map((handle) => accept(handle, slowly())),
    );
    const all = await Promise.all(accepted.map(({ batch }) => namesOf(other, batch.id)));
    assert.equal(new Set(all.flat()).size, 160);
    for (const names of all) {
      for (const [index, name] of names.entries())
        assert.match(name ?? "", new RegExp(`^doc-${index + 1}( \\([123]\\))?\\.docx$`));
    }
  },

  "rename returns another name, reserves it and keeps it for the job": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(1));
    const worker = await openWorker(store);
    const claim = await claimOne(worker);
    const second = await worker.rename(claim);
    assert.equal(second, "doc-1 (1).docx");
    assert.equal((await jobOf(other, id, 1)).fileName, second);
    const third = await worker.rename(claim);
    assert.ok(third !== second && third !== claim.fileName);
    const next = await acceptId(other, [newJob("doc-1"), newJob("doc-1 (1)"), newJob("x")]);
    const names = [...(await namesOf(store, next)), third];
    assert.equal(new Set([...names, claim.fileName, second]).size, 6);
    await store.cancelBatch(next);
    await worker.settle(claim, { type: "released" });
    const again = await claimOne(worker);
    assert.deepEqual([again.batchId, again.fileName], [id, third]);
    await complete(worker, again);
    assert.equal((await jobOf(other, id, 1)).fileName, third);
  },

  "jobs that are renamed on two handles concurrently get different names": async ({
    store,
    other,
  }) => {
    const ids = [await acceptId(store, newJobs(10)), await acceptId(other, newJobs(10))];
    const workers = [await openWorker(store), await openWorker(other)];
    const names = await Promise.all(
      workers.map(async (worker) => {
        const { jobs } = await worker.claim(10);
        return Promise.all(jobs.map((claim) => worker.rename(claim)));
      }),
    );
    const kept = await Promise.all(ids.map((id) => namesOf(store, id)));
    assert.equal(new Set(names.flat()).size, 20);
    assert.deepEqual(names.flat().sort(), kept.flat().sort());
  },

  "rename rejects conflict when the policy is to fail, and the job may end with it": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(1), { onConflict: "fail" });
    const worker = await openWorker(store);
    const claim = await claimOne(worker);
    await rejects(worker.rename(claim), "conflict");
    const { status, fileName } = await jobOf(other, id, 1);
    assert.deepEqual([status, fileName], ["pending", "doc-1.docx"]);
    assert.equal(await fail(worker, claim), true);
  },

  "retried jobs keep their names, or get others if those are taken": async ({ store, other }) => {
    const { batch } = await accept(
      store,
      [...newJobs(2), newJob("made"), newJob("made")],
      {},
      { isTaken: (folded) => folded === "doc-1.docx" },
    );
    const names = ["doc-1 (1).docx", "doc-2.docx", "made.docx", "made (1).docx"];
    assert.deepEqual(await namesOf(other, batch.id), names);
    const worker = await openWorker(store);
    for (const claim of (await worker.claim(10)).jobs)
      await (claim.entry === 3 ? complete(worker, claim) : fail(worker, claim));
    await acceptId(other, [newJob("doc-2")]);
    await other.retryFailed(batch.id, { isTaken: (folded) => folded === "made.docx" });
    const now = await namesOf(store, batch.id);
    assert.deepEqual([now[0], now[2], now[3]], [names[0], names[2], names[3]]);
    assert.ok(now[1] !== null && !names.includes(now[1] ?? ""), "Another batch has its name now.");
  },

  "a job whose name was taken gets it on a retry when it is free": async ({ store, other }) => {
    const parts = { onConflict: "fail" } as const;
    const { batch } = await accept(store, newJobs(2), parts, {
      isTaken: (folded) => folded === "doc-1.docx",
    });
    await completeAll(await openWorker(store));
    const still = await other.retryFailed(batch.id, { isTaken: () => true });
    assert.deepEqual([still.status, still.counts.failed], ["finished", 1]);
    assert.equal((await jobOf(store, batch.id, 1)).failure?.code, "conflict");
    const now = await other.retryFailed(batch.id, { isTaken: () => false });
    assert.deepEqual([now.status, now.counts.submitted], ["running", 1]);
    assert.deepEqual(await namesOf(store, batch.id), ["doc-1.docx", "doc-2.docx"]);
    assert.equal((await completeAll(await openWorker(other))).length, 1);
  },
};
