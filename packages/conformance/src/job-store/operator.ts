import assert from "node:assert/strict";
import { rejects } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import {
  accept,
  acceptId,
  claimAndDie,
  claimOne,
  claimSoon,
  complete,
  completeAll,
  namesOf,
  newJobs,
  openWorker,
  tidyAll,
  until,
} from "./samples.ts";

const NOTHING = { waiting: 0, jobs: 0, bytes: 0 };

/** The cases about holding and erasing tenants, by name. */
export const operatorCases: Readonly<Record<string, JobStoreCase>> = {
  "no job of a held tenant starts, and jobs of other tenants do": async ({ store, other }) => {
    const held = await acceptId(store, newJobs(3), { tenant: "a" });
    await store.holdTenant("a", true);
    await store.holdTenant("a", true);
    const later = await acceptId(other, newJobs(1, "later"), { tenant: "a" });
    const free = await acceptId(store, newJobs(2), { tenant: "b" });
    const worker = await openWorker(other);
    const done = await completeAll(worker);
    assert.deepEqual(new Set(done.map(({ batchId }) => batchId)), new Set([free]));
    await other.holdTenant("a", false);
    await other.holdTenant("a", false);
    const rest = await completeAll(worker);
    assert.deepEqual(new Set(rest.map(({ batchId }) => batchId)), new Set([held, later]));
  },

  "a running job continues when its tenant is held, and does not start again": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(2), { tenant: "a" });
    const worker = await openWorker(store);
    const first = await claimOne(worker);
    const second = await claimOne(worker);
    await other.holdTenant("a", true);
    await complete(worker, first);
    await worker.settle(second, { type: "released" });
    assert.deepEqual((await worker.claim(5)).jobs, []);
    assert.equal((await store.getBatch(id))?.counts.completed, 1);
  },

  "a suspect of a held tenant is not retried": async ({ store }) => {
    await acceptId(store, newJobs(1), { tenant: "a" });
    for (let death = 0; death < 2; death++) {
      const worker = await openWorker(store);
      await until(async () => {
        const { suspects, jobs } = await worker.claim(0);
        return suspects || jobs.length === 0;
      }, "Jobs of a dead worker should be available again.");
      await worker.close();
      await claimAndDie(store, 1);
    }
    await store.holdTenant("a", true);
    const worker = await openWorker(store);
    assert.deepEqual((await worker.claim(1, { alone: true })).jobs, []);
    await store.holdTenant("a", false);
    assert.equal((await claimSoon(worker, 1, { alone: true })).length, 1);
  },

  "batches of a held tenant can be cancelled": async ({ store }) => {
    await store.holdTenant("a", true);
    const id = await acceptId(store, newJobs(3), { tenant: "a" });
    assert.equal((await store.cancelBatch(id)).status, "finished");
  },

  "all batches of a tenant are erased, in any state, and none of other tenants": async ({
    store,
    other,
  }) => {
    const parts = { tenant: "a", idempotencyKey: "key", withEvents: true };
    const mine = await acceptId(store, newJobs(3), parts);
    const stays = await acceptId(store, newJobs(3), { ...parts, tenant: "b" });
    const worker = await openWorker(store);
    await completeAll(worker);
    const waiting = await acceptId(store, newJobs(1500, "more"), { tenant: "a" });
    assert.equal(await other.eraseTenant("a"), 0);
    for (const id of [mine, waiting]) {
      assert.equal(await store.getBatch(id), null);
      assert.equal(await store.getJob(id, 1), null);
    }
    assert.deepEqual(await store.gauge.use("a"), NOTHING);
    assert.equal((await store.gauge.depth()).submitted, 0);
    assert.deepEqual((await store.listBatches({ limit: 10 })).items.length, 1);
    assert.equal((await store.getBatch(stays))?.counts.completed, 3);
    const events = await worker.takeEvents(100);
    assert.deepEqual(new Set(events.map(({ batchId }) => batchId)), new Set([stays]));
    // The batch's names and key are free again.
    const again = await accept(store, newJobs(3), parts, { hash: "other" });
    assert.equal(again.created, true);
    await completeAll(worker);
    assert.equal(await store.eraseTenant("nobody"), 0);
  },

  "a batch with a running job is erased after the job has ended": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(3), { tenant: "a" });
    const worker = await openWorker(store);
    const claim = await claimOne(worker);
    assert.equal(await other.eraseTenant("a"), 1);
    assert.deepEqual((await worker.claim(5)).jobs, []);
    await complete(worker, claim);
    assert.equal(await other.eraseTenant("a"), 0);
    assert.equal(await store.getBatch(id), null);
  },

  "jobs of a dead worker are erased, even with a noted document": async ({ store, other }) => {
    await acceptId(store, newJobs(2), { tenant: "a" });
    await claimAndDie(store, 1);
    await until(
      async () => (await other.eraseTenant("a")) === 0,
      "Jobs of a dead worker should be erased.",
    );
    assert.deepEqual(await store.gauge.use(), NOTHING);
  },

  "a closed store rejects holding and erasing": async ({ store }) => {
    await store.close();
    await rejects(store.holdTenant("a", true), "job_store_failed");
    await rejects(store.eraseTenant("a"), "job_store_failed");
  },
};

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
