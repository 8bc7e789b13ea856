import assert from "node:assert/strict";
import type { JobWorker, StoredEvent } from "@quire/contracts";
import { sameBytes, text } from "../assertions.ts";
import type { JobStoreCase } from "./fixture.ts";
import {
  acceptId,
  badJob,
  claimAndDie,
  claimOne,
  complete,
  completeAll,
  fail,
  jobOf,
  newJobs,
  openWorker,
  shortLease,
  tidyAll,
  until,
} from "./samples.ts";

const EVENTS = { withEvents: true };

/** The cases about events and pinned files, by name. */
export const eventCases: Readonly<Record<string, JobStoreCase>> = {
  "events of a batch are delivered in order, on any handle": async ({ store, other }) => {
    const id = await acceptId(store, [...newJobs(2), badJob()], EVENTS);
    const worker = await openWorker(store);
    await complete(worker, await claimOne(worker));
    await fail(worker, await claimOne(worker));
    const events = await takeAll(await openWorker(other));
    assert.deepEqual(briefly(events), [
      "batch_accepted null",
      "job_failed 3",
      "job_started 1",
      "job_succeeded 1",
      "job_started 2",
      "job_failed 2",
      "batch_finished null",
    ]);
    for (const { batchId, at } of events) {
      assert.equal(batchId, id);
      assert.ok(Math.abs(at - Date.now()) < 60_000);
    }
    const sequences = events.map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      [...new Set(sequences)].sort((a, b) => a - b),
    );
  },

  "events are kept only for batches that request them": async ({ store, other }) => {
    await acceptId(store, newJobs(2));
    const id = await acceptId(other, newJobs(1), EVENTS);
    const worker = await openWorker(other);
    await completeAll(worker);
    const events = await takeAll(worker);
    assert.equal(events.length, 4);
    assert.ok(events.every(({ batchId }) => batchId === id));
  },

  "events of all batches are taken up to the limit, and once": async ({ store, other }) => {
    for (let number = 0; number < 6; number++)
      await acceptId(number % 2 === 0 ? store : other, newJobs(1), EVENTS);
    const [one, two] = [await openWorker(store), await openWorker(other)];
    const taken: StoredEvent[] = [];
    for (const [worker, limit] of [[one, 2] as const, [two, 1] as const, [one, 100] as const]) {
      const events = await worker.takeEvents(limit);
      assert.ok(events.length <= limit);
      taken.push(...events);
    }
    const sequences = taken.map(({ sequence }) => sequence);
    assert.equal(new Set(sequences).size, sequences.length);
    assert.equal(sequences.length, 6);
    for (const worker of [one, two]) assert.deepEqual(await worker.takeEvents(10), []);
  },

  "delivered events are not repeated, and the others go to another worker": async ({
    store,
    other,
  }) => {
    await acceptId(store, newJobs(1), EVENTS);
    const first = await openWorker(store);
    await complete(first, await claimOne(first));
    const taken = await first.takeEvents(3);
    assert.equal(taken.length, 3);
    const [delivered, ...undelivered] = taken;
    assert.ok(delivered);
    await first.tellEvents([delivered.sequence]);
    await first.close();
    const second = await openWorker(other);
    const again = await second.takeEvents(2);
    assert.deepEqual(again, undelivered);
    await second.tellEvents(again.map(({ sequence }) => sequence));
    assert.deepEqual(briefly(await second.takeEvents(10)), ["batch_finished null"]);
    assert.deepEqual(await second.takeEvents(10), []);
  },

  "an event is taken with its batch and its job": async ({ store, other }) => {
    const id = await acceptId(store, [...newJobs(1), badJob()], EVENTS);
    const worker = await openWorker(other);
    await complete(worker, await claimOne(worker));
    for (const event of await worker.takeEvents(10)) {
      assert.deepEqual(event.batch, await store.getBatch(id));
      const job = event.entry === null ? null : await jobOf(store, id, event.entry);
      assert.deepEqual(event.job, job);
    }
  },

  "events of a worker whose lease expires go to another worker": async ({ store, other }) => {
    await acceptId(store, newJobs(1), EVENTS);
    const dead = await openWorker(store, shortLease(store));
    const taken = await dead.takeEvents(10);
    assert.deepEqual(briefly(taken), ["batch_accepted null"]);
    const worker = await openWorker(other);
    const again: StoredEvent[] = [];
    await until(async () => {
      // A store may detect dead workers only when jobs are claimed.
      await worker.claim(1);
      again.push(...(await worker.takeEvents(1)));
      return again.some(({ type }) => type === "batch_accepted");
    }, "The events should be delivered again.");
    // If the worker with the expired lease takes events now, these events must not be lost either.
    const late = await acceptId(other, newJobs(1), EVENTS);
    await dead.takeEvents(10).catch(() => []);
    await until(async () => {
      again.push(...(await worker.takeEvents(10)));
      return again.some(({ type, batchId }) => type === "batch_accepted" && batchId === late);
    }, "Another worker should deliver the events of a dead worker.");
  },

  "a job that crashes workers has a start event for each attempt and one end event": async ({
    store,
    other,
  }) => {
    await acceptId(store, newJobs(1), EVENTS);
    await claimAndDie(store, 1);
    const worker = await openWorker(other);
    await until(async () => (await completeAll(worker)).length > 0, "The job should be claimed.");
    assert.deepEqual(briefly(await takeAll(worker)), [
      "batch_accepted null",
      "job_started 1",
      "job_started 1",
      "job_succeeded 1",
      "batch_finished null",
    ]);
  },

  "the template is pinned with its batch, even if the storage changes": async ({
    store,
    other,
  }) => {
    const template = { type: "file", id: "t.docx", version: "1" } as const;
    const bytes = text("as it was");
    const id = await acceptId(store, newJobs(1), { template, templateBytes: bytes });
    for (const handle of [store, other]) {
      const worker = await openWorker(handle);
      const pinned = await worker.pinned(id, "t.docx", () => Promise.reject(new Error("Not now.")));
      sameBytes(pinned, bytes);
    }
  },

  "a long template is kept as long as a batch has it": async ({ store, other }) => {
    const long = Buffer.alloc(3_000_000, "A long template. ");
    const template = { type: "file", id: "t.docx", version: "1" } as const;
    const pin = { template, templateBytes: long };
    const ended = await acceptId(store, newJobs(1), pin);
    const never = () => Promise.reject(new Error("Not now."));
    sameBytes(await (await openWorker(other)).pinned(ended, "t.docx", never), long);
    await completeAll(await openWorker(store));
    const running = await acceptId(other, newJobs(1, "next"), pin);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const worker = await openWorker(store, { keepFinishedMs: 1 });
    await tidyAll(worker);
    assert.equal(await store.getBatch(ended), null);
    sameBytes(await worker.pinned(running, "t.docx", never), long);
    const part = await worker.pinned(running, "part.docx", async () => long.subarray(1));
    sameBytes(part, long.subarray(1));
    sameBytes(await (await openWorker(other)).pinned(running, "part.docx", never), part);
  },

  "a file is read once for a batch and is the same for all workers": async ({ store, other }) => {
    const ids = [await acceptId(store, newJobs(1)), await acceptId(store, newJobs(1))] as const;
    const [one, two] = [await openWorker(store), await openWorker(other)];
    sameBytes(await one.pinned(ids[0], "part.docx", async () => text("first")), text("first"));
    const second = await two.pinned(ids[0], "part.docx", async () => text("second"));
    sameBytes(second, text("first"));
    // Other files and other batches are separate.
    sameBytes(await two.pinned(ids[0], "x.docx", async () => text("other")), text("other"));
    sameBytes(await two.pinned(ids[1], "part.docx", async () => text("third")), text("third"));
    const empty = await one.pinned(ids[1], "empty.docx", async () => new Uint8Array());
    assert.equal(empty.length, 0);
    sameBytes(await two.pinned(ids[1], "empty.docx", async () => text("late")), empty);
  },

  "if several workers read a file concurrently, the first result is used by all": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(1));
    const workers = await Promise.all([store, other, store, other].map((each) => openWorker(each)));
    const all = await Promise.all(
      workers.map((worker, index) =>
        worker.pinned(id, "part.docx", async () => {
          await new Promise((resolve) => setTimeout(resolve, 30 - 5 * index));
          return text(`read by ${index}`);
        }),
      ),
    );
    for (const bytes of all) sameBytes(bytes, all[0] ?? new Uint8Array());
  },

  "a file is read again after a failure": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(1));
    const broken = new Error("The file cannot be read.");
    const worker = await openWorker(store);
    const pinned = worker.pinned(id, "part.docx", () => Promise.reject(broken));
    await assert.rejects(pinned, (thrown) => thrown === broken);
    const bytes = await (await openWorker(other)).pinned(id, "part.docx", async () => text("now"));
    sameBytes(bytes, text("now"));
  },
};

/** Takes and delivers all events. */
async function takeAll(worker: JobWorker): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (;;) {
    const events = await worker.takeEvents(3);
    if (events.length === 0) return all;
    await worker.tellEvents(events.map(({ sequence }) => sequence));
    all.push(...events);
  }
}

function briefly(events: readonly StoredEvent[]): string[] {
  return events.map(({ type, entry }) => `${type} ${entry}`);
}
