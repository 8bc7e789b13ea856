import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { JobStore, NewBatch } from "@quire/contracts";
import { rejects } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import {
  accept,
  acceptId,
  claimOne,
  complete,
  completeAll,
  countsOf,
  namesOf,
  newBatch,
  newJob,
  newJobs,
  openWorker,
} from "./samples.ts";

const MANY = 12_000;
/** Maximum pause of the event loop on a slow machine. Writing all jobs of a large batch at once would take longer. */
const LONGEST_TICK_MS = 400;

/** The cases about accepting a batch completely or not at all, by name. */
export const atomicityCases: Readonly<Record<string, JobStoreCase>> = {
  "a batch from a slow source is invisible until it is accepted as a whole": async ({
    store,
    other,
  }) => {
    const made = newBatch({ caller: "user-1", withEvents: true });
    const worker = await openWorker(other);
    const ticks = watchTicks();
    async function* source() {
      for (let number = 1; number <= MANY; number++) {
        if (number % 500 === 0) await sleep(2);
        if (number % 3000 === 1) await assertNotThere(other, made);
        if (number % 3000 === 2) assert.deepEqual((await worker.claim(10)).jobs, []);
        yield newJob(`doc-${number}`);
      }
      await assertNotThere(other, made);
      assert.deepEqual(await worker.takeEvents(10), []);
    }
    await store.createBatch(made, source(), () => "hash", { isTaken: () => false });
    ticks.end();
    assert.deepEqual(await countsOf(other, made.id), { submitted: MANY });
    assert.equal((await other.getJob(made.id, MANY))?.job.fileName, `doc-${MANY}.docx`);
    assert.equal((await worker.claim(10)).jobs.length, 10);
  },

  "a batch of 12,000 available jobs does not block the event loop": async ({ store, other }) => {
    const ticks = watchTicks();
    const id = await acceptId(store, newJobs(MANY));
    ticks.end();
    assert.deepEqual(await countsOf(other, id), { submitted: MANY });
  },

  "nothing is accepted if the source throws at job 7,000 of 12,000": async ({ store, other }) => {
    const made = newBatch({ idempotencyKey: "key", withEvents: true });
    const broken = new Error("The source broke.");
    async function* source() {
      for (let number = 1; number <= MANY; number++) {
        if (number === 7000) {
          await assertNotThere(other, made);
          throw broken;
        }
        yield newJob(`doc-${number}`);
      }
    }
    const options = { isTaken: () => false };
    const refused = store.createBatch(made, source(), () => "hash", options);
    await assert.rejects(refused, (thrown) => thrown === broken);
    await assertNotThere(other, made);
    const worker = await openWorker(other);
    assert.deepEqual((await worker.claim(10)).jobs, []);
    assert.deepEqual(await worker.takeEvents(10), []);
    // The batch's key and names are free again.
    const key = { idempotencyKey: "key" };
    const { batch, created } = await accept(other, newJobs(3), key, { hash: "other" });
    assert.equal(created, true);
    assert.deepEqual(await namesOf(store, batch.id), ["doc-1.docx", "doc-2.docx", "doc-3.docx"]);
  },

  "the signal ends an acceptance with aborted, and nothing of it is kept": async ({
    store,
    other,
  }) => {
    const made = newBatch();
    const controller = new AbortController();
    async function* source() {
      for (let number = 1; number <= MANY; number++) {
        if (number === 3000) controller.abort(new Error("Enough."));
        if (number % 1000 === 0) await sleep(1);
        yield newJob(`doc-${number}`);
      }
    }
    const { signal } = controller;
    const isTaken = () => false;
    await rejects(
      store.createBatch(made, source(), () => "hash", { signal, isTaken }),
      "aborted",
    );
    await assertNotThere(other, made);
    await rejects(accept(store, newJobs(1), {}, { signal }), "aborted");
    const id = await acceptId(other, newJobs(1));
    assert.deepEqual(await namesOf(store, id), ["doc-1.docx"]);
  },

  "close ends an acceptance, and nothing of it is kept": async ({ store, other, isShared }) => {
    const made = newBatch();
    let closing: Promise<void> | undefined;
    async function* source() {
      for (let number = 1; number <= 3000; number++) {
        if (number === 1500) closing = store.close();
        if (number % 500 === 0) await sleep(2);
        yield newJob(`doc-${number}`);
      }
    }
    const created = store.createBatch(made, source(), () => "hash", { isTaken: () => false });
    await rejects(created, "job_store_failed");
    await closing;
    if (isShared) await assertNotThere(other, made);
  },

  "a store that is closed while the source ends accepts nothing": async ({
    store,
    other,
    isShared,
  }) => {
    const made = newBatch();
    async function* source() {
      yield newJob("a");
      void store.close();
      await sleep(20);
    }
    const created = store.createBatch(made, source(), () => "hash", { isTaken: () => false });
    await rejects(created, "job_store_failed");
    if (isShared) await assertNotThere(other, made);
  },

  "jobs are claimed and settled while another batch is being accepted": async ({
    store,
    other,
  }) => {
    const id = await acceptId(other, newJobs(20, "first"));
    const worker = await openWorker(other);
    async function* source() {
      for (let number = 1; number <= 40; number++) {
        if (number % 2 === 0) await complete(worker, await claimOne(worker));
        yield newJob(`second-${number}`);
      }
    }
    const { batch } = await accept(store, source());
    assert.deepEqual(await countsOf(other, id), { completed: 20 });
    assert.deepEqual(await countsOf(other, batch.id), { submitted: 40 });
  },

  "rejects a batch that is too large with limit_exceeded, and keeps nothing of it": async ({
    openSmall,
  }) => {
    const store = await openSmall(10);
    const made = newBatch({ idempotencyKey: "key" });
    const options = { isTaken: () => false };
    await rejects(
      store.createBatch(made, newJobs(11), () => "hash", options),
      "limit_exceeded",
    );
    await assertNotThere(store, made);
    const accepted = await store.createBatch(made, newJobs(10), () => "other", options);
    assert.equal(accepted.created, true);
    assert.equal((await namesOf(store, made.id))[0], "doc-1.docx");
  },

  "waiting and running jobs count for the limit, and ended ones do not": async ({ openSmall }) => {
    const store = await openSmall(10);
    await acceptId(store, newJobs(6));
    const worker = await openWorker(store);
    const claim = await claimOne(worker);
    await rejects(accept(store, newJobs(5)), "limit_exceeded");
    await complete(worker, claim);
    await acceptId(store, newJobs(5));
    assert.equal((await completeAll(worker)).length, 10);
    await acceptId(store, newJobs(10));
  },

  "if two batches exceed the limit only together, one is accepted": async ({ openSmall }) => {
    const store = await openSmall(10);
    async function* slowly() {
      yield* newJobs(8);
      await sleep(30);
    }
    const both = [accept(store, slowly()), accept(store, slowly())];
    const outcomes = await Promise.allSettled(both);
    const refused = both.filter((_, index) => outcomes[index]?.status === "rejected");
    assert.equal(refused.length, 1);
    await rejects(Promise.all(refused), "limit_exceeded");
    const { items } = await store.listBatches({ limit: 10 });
    assert.deepEqual(
      items.map(({ counts }) => counts.submitted),
      [8],
    );
  },

  "a known key returns its batch even when the store is full": async ({ openSmall }) => {
    const store = await openSmall(10);
    const { batch } = await accept(store, newJobs(10), { idempotencyKey: "key" });
    const again = await accept(store, newJobs(10), { idempotencyKey: "key" });
    assert.deepEqual(again, { batch, created: false });
    await rejects(accept(store, newJobs(10), { idempotencyKey: "other" }), "limit_exceeded");
  },

  "failed jobs are not retried if more would wait than the store takes": async ({ openSmall }) => {
    const store = await openSmall(10);
    const id = await acceptId(store, newJobs(6));
    await store.cancelBatch(id);
    const next = await acceptId(store, newJobs(5));
    const before = await store.getBatch(id);
    const options = { isTaken: () => false };
    await rejects(store.retryFailed(id, options), "limit_exceeded");
    assert.deepEqual(await store.getBatch(id), before);
    await store.cancelBatch(next);
    assert.equal((await store.retryFailed(id, options)).counts.submitted, 6);
  },

  "a closed store rejects every call, and closing it twice is not an error": async ({ store }) => {
    const id = await acceptId(store, newJobs(1));
    const worker = await openWorker(store);
    await store.close();
    await store.close();
    const options = { isTaken: () => false };
    const calls: (() => Promise<unknown>)[] = [
      () => store.createBatch(newBatch(), newJobs(1), () => "hash", options),
      () => store.getBatch(id),
      () => store.listBatches({ limit: 1 }),
      () => store.getJob(id, 1),
      () => store.listJobs({ batchId: id, order: "entry", limit: 1 }),
      () => store.cancelBatch(id),
      () => store.retryFailed(id, options),
      () => openWorker(store),
      () => worker.claim(1),
      () => worker.takeEvents(1),
    ];
    for (const call of calls) await rejects(call(), "job_store_failed");
    await worker.close();
  },
};

/** Fails if any method returns the batch. */
async function assertNotThere(store: JobStore, { id, template }: NewBatch): Promise<void> {
  assert.equal(await store.getBatch(id), null);
  assert.equal(await store.getJob(id, 1), null);
  assert.deepEqual((await store.listBatches({ limit: 10 })).items, []);
  const query = { order: "entry", limit: 10 } as const;
  assert.deepEqual((await store.listJobs({ ...query, template: template.id })).items, []);
  await rejects(store.listJobs({ ...query, batchId: id }), "not_found");
  await rejects(store.cancelBatch(id), "not_found");
}

/** Measures the pauses of the event loop until `end` is called, which fails if one was too long. */
function watchTicks(): { end: () => void } {
  const start = performance.now();
  let last = start;
  let longest = 0;
  const tick = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(tick, 5);
  return {
    end: () => {
      clearInterval(timer);
      tick();
      // Everything takes longer on a busy machine.
      const most = Math.max(LONGEST_TICK_MS, (last - start) / 2);
      assert.ok(longest < most, `The event loop was blocked for ${longest} ms.`);
    },
  };
}
