import assert from "node:assert/strict";
import { rejects } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import { accept, acceptId, completeAll, namesOf, newJobs, openWorker, tidyAll } from "./samples.ts";

/** The cases about the deletion of finished batches, by name. */
export const deletionCases: Readonly<Record<string, JobStoreCase>> = {
  "only finished batches are deleted, when keepFinishedMs has passed": async ({ store, other }) => {
    const key = { idempotencyKey: "key" };
    const finished = await acceptId(store, newJobs(3), key);
    await completeAll(await openWorker(store));
    const running = await acceptId(store, newJobs(2, "next"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const keepFinishedMs of [null, 3_600_000]) {
      await tidyAll(await openWorker(other, { keepFinishedMs }));
      assert.equal((await store.getBatch(finished))?.status, "finished");
    }
    await tidyAll(await openWorker(other, { keepFinishedMs: 1 }));
    assert.equal(await store.getBatch(finished), null);
    assert.equal(await store.getJob(finished, 1), null);
    const query = { order: "entry", limit: 10 } as const;
    await rejects(store.listJobs({ ...query, batchId: finished }), "not_found");
    const { items } = await store.listBatches({ limit: 10 });
    assert.deepEqual(
      items.map(({ id }) => id),
      [running],
    );
    assert.equal((await store.listJobs({ ...query, template: TEMPLATE })).items.length, 2);
    // The batch's key and names are free again.
    const again = await accept(other, newJobs(3), key, { hash: "other" });
    assert.equal(again.created, true);
    assert.equal((await namesOf(store, again.batch.id))[0], "doc-1.docx");
    assert.equal((await completeAll(await openWorker(store))).length, 5);
  },

  "a batch is not deleted while it has events that have not been delivered": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(2), { withEvents: true });
    await completeAll(await openWorker(store));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const worker = await openWorker(other, { keepFinishedMs: 1 });
    const [first, ...others] = await worker.takeEvents(10);
    assert.ok(first);
    await worker.tellEvents([first.sequence]);
    await tidyAll(worker);
    assert.equal((await store.getBatch(id))?.status, "finished");
    assert.ok(others.every(({ batch }) => batch.id === id));
    await worker.tellEvents(others.map(({ sequence }) => sequence));
    await tidyAll(worker);
    assert.equal(await store.getBatch(id), null);
  },

  "a retried batch is not deleted before it is finished again": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(2));
    await store.cancelBatch(id);
    await store.retryFailed(id, { isTaken: () => false });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const worker = await openWorker(other, { keepFinishedMs: 1 });
    await tidyAll(worker);
    assert.equal((await completeAll(worker)).length, 2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await tidyAll(worker);
    assert.equal(await store.getBatch(id), null);
  },
};

const TEMPLATE = "templates/letter.docx";
