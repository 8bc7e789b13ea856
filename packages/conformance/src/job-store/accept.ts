import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { JobInput } from "@quire/contracts";
import { rejects, sameBytes, text } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import {
  accept,
  acceptId,
  badJob,
  claimOne,
  claimSoon,
  complete,
  completeAll,
  countsOf,
  failure,
  input,
  jobOf,
  listedJobs,
  newBatch,
  newJob,
  newJobs,
  openWorker,
  result,
} from "./samples.ts";

/** The cases about accepting batches and reading them back, by name. */
export const acceptCases: Readonly<Record<string, JobStoreCase>> = {
  "an accepted batch is visible to every handle, with all its fields": async ({ store, other }) => {
    const made = newBatch({
      tenant: "Bücher & Söhne",
      weight: 2,
      caller: "user-1",
      idempotencyKey: "request-1",
      template: { type: "file", id: "vorlagen/Brief 📄.docx", version: "v7" },
      folder: { type: "folder", id: "ausgang/2026" },
      outputType: "pdf",
      needsConverter: true,
      onConflict: "fail",
      settings: '{"output_type":"pdf","note":"ä\\u0000"}',
      trace: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    });
    const before = Date.now();
    const { batch, created } = await store.createBatch(made, newJobs(3), () => "hash", {
      isTaken: () => false,
    });
    const { templateBytes, needsConverter, withEvents, ...kept } = made;
    const { createdAt, ...record } = batch;
    assert.equal(created, true);
    assert.deepEqual(record, {
      ...kept,
      status: "running",
      cancelled: false,
      counts: { submitted: 3, pending: 0, completed: 0, completed_with_error: 0, failed: 0 },
      finishedAt: null,
    });
    assert.ok(createdAt >= before - 1000 && createdAt <= Date.now() + 1000);
    assert.deepEqual(await other.getBatch(made.id), batch);
  },

  "the jobs of a batch are numbered from 1 in order of arrival": async ({ store, other }) => {
    async function* source() {
      yield newJob("c");
      yield newJob("a");
      yield newJob("b");
    }
    const { batch } = await accept(store, source());
    const jobs = await listedJobs(other, { batchId: batch.id });
    assert.deepEqual(
      jobs.map(({ entry, fileName }) => [entry, fileName]),
      [
        [1, "c.docx"],
        [2, "a.docx"],
        [3, "b.docx"],
      ],
    );
    assert.deepEqual(await jobOf(other, batch.id, 2), {
      batchId: batch.id,
      entry: 2,
      status: "submitted",
      requestedName: "a",
      fileName: "a.docx",
      attempts: 0,
      result: null,
      failure: null,
      endedAt: null,
    });
  },

  "data is returned byte for byte, to readers and to workers": async ({ store, other }) => {
    const pool = Buffer.from("before-ä-after");
    const inputs: JobInput[] = [
      input({ bytes: text('{"name":"Müller 📄","n":1e400}'), locale: "de-CH" }),
      input({ encoding: "structured", bytes: Uint8Array.of(255, 15, 0, 10, 13, 0) }),
      input({ bytes: new Uint8Array(), timeZone: "Europe/Zurich" }),
      input({ bytes: randomBytes(300_000), locale: "ja", timeZone: "Asia/Tokyo" }),
      input({ bytes: pool.subarray(7, 9) }),
    ];
    const jobs = inputs.map((each, index) => newJob(`doc-${index}`, { input: each }));
    const { batch } = await accept(store, jobs);
    const worker = await openWorker(other);
    const claims = await claimSoon(worker, inputs.length);
    for (const [index, expected] of inputs.entries()) {
      sameInput((await other.getJob(batch.id, index + 1))?.input, expected);
      sameInput(claims[index]?.input, expected);
    }
  },

  "the data of a failed job is kept; a durable store also keeps the data of a completed one":
    async ({ store, other }) => {
      const data = input({ bytes: text('{"kept":true}') });
      const jobs = [newJob("a", { input: data }), newJob("b", { input: data })];
      const id = await acceptId(store, jobs);
      const worker = await openWorker(store);
      const [first, second] = await claimSoon(worker, 2);
      assert.ok(first && second);
      await worker.settle(first, { type: "failed", failure: failure() });
      await complete(worker, second);
      sameInput((await other.getJob(id, 1))?.input, data);
      const found = await other.getJob(id, 2);
      if (store.durable || found?.input !== null) sameInput(found?.input, data);
    },

  "an invalid entry fails at once, and the other entries are made": async ({ store, other }) => {
    const id = await acceptId(store, [newJob("a"), badJob("b/c"), badJob(), newJob("d")]);
    assert.deepEqual(await countsOf(other, id), { submitted: 2, failed: 2 });
    const { endedAt, ...bad } = await jobOf(other, id, 2);
    assert.ok(endedAt !== null);
    assert.deepEqual(bad, {
      batchId: id,
      entry: 2,
      status: "failed",
      requestedName: "b/c",
      fileName: null,
      attempts: 0,
      result: null,
      failure: failure(),
    });
    assert.equal((await jobOf(other, id, 3)).requestedName, null);
    assert.equal((await other.getJob(id, 2))?.input, null);
    const done = await completeAll(await openWorker(other));
    assert.deepEqual(
      done.map(({ entry }) => entry),
      [1, 4],
    );
    assert.deepEqual(await countsOf(store, id), { completed: 2, failed: 2 });
  },

  "a batch of invalid entries only is finished at once": async ({ store, other }) => {
    const { batch } = await accept(store, [badJob("a"), badJob("b")]);
    assert.equal(batch.status, "finished");
    assert.ok(batch.finishedAt !== null);
    assert.deepEqual(await other.getBatch(batch.id), batch);
    assert.deepEqual((await (await openWorker(other)).claim(10)).jobs, []);
  },

  "rejects a batch without jobs with invalid_request and does not store it": async ({
    store,
    other,
  }) => {
    const made = newBatch({ idempotencyKey: "key" });
    const options = { isTaken: () => false };
    await rejects(
      store.createBatch(made, [], () => "hash", options),
      "invalid_request",
    );
    assert.equal(await other.getBatch(made.id), null);
    const again = await other.createBatch(made, newJobs(1), () => "other", options);
    assert.equal(again.created, true);
  },

  "returns null for missing batches and jobs, or not_found where a batch is required": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(2));
    assert.equal(await other.getBatch("no-batch"), null);
    assert.equal(await other.getJob("no-batch", 1), null);
    for (const entry of [0, -1, 3, 1.5, 2 ** 53]) assert.equal(await other.getJob(id, entry), null);
    await rejects(other.cancelBatch("no-batch"), "not_found");
    await rejects(other.retryFailed("no-batch", { isTaken: () => false }), "not_found");
    for (const order of ["entry", "ended"] as const)
      await rejects(other.listJobs({ batchId: "no-batch", order, limit: 10 }), "not_found");
  },

  "a batch is finished when its last job has ended": async ({ store, other }) => {
    const { batch } = await accept(store, newJobs(2));
    const worker = await openWorker(other);
    assert.equal(await complete(worker, await claimOne(worker)), false);
    assert.equal((await store.getBatch(batch.id))?.status, "running");
    const last = await claimOne(worker);
    const outcome = result(last.fileName, { status: "completed_with_error" });
    assert.equal(await worker.settle(last, { type: "completed", result: outcome }), true);
    const ended = await store.getBatch(batch.id);
    assert.equal(ended?.status, "finished");
    assert.ok(ended.finishedAt !== null && ended.finishedAt >= batch.createdAt);
    assert.deepEqual(await countsOf(store, batch.id), { completed: 1, completed_with_error: 1 });
  },

  "a handle opened after all others are closed has everything": async (place) => {
    const { store, other, isShared } = place;
    const id = await acceptId(store, newJobs(3));
    const worker = await openWorker(store);
    await complete(worker, await claimOne(worker));
    await claimOne(worker);
    if (!isShared) return;
    await store.close();
    await other.close();
    const later = await place.open();
    assert.deepEqual(await countsOf(later, id), { submitted: 2, completed: 1 });
    const done = await completeAll(await openWorker(later));
    assert.deepEqual(done.map(({ entry, attempt }) => [entry, attempt]).sort(), [
      [2, 2],
      [3, 1],
    ]);
    assert.equal((await later.getBatch(id))?.status, "finished");
  },
};

function sameInput(actual: JobInput | null | undefined, expected: JobInput): void {
  assert.ok(actual, "The data should exist.");
  const { bytes, ...rest } = actual;
  const { bytes: expectedBytes, ...expectedRest } = expected;
  assert.deepEqual({ ...rest }, expectedRest);
  assert.ok(bytes instanceof Uint8Array);
  sameBytes(bytes, expectedBytes);
}
