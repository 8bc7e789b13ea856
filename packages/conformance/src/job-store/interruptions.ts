import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type Claim, isQuireError, type JobStore, type JobWorker } from "@quire/contracts";
import type { JobPlace, JobStoreCase } from "./fixture.ts";
import {
  accept,
  acceptId,
  complete,
  completeAll,
  countsOf,
  newJobs,
  numbers,
  openWorker,
  until,
} from "./samples.ts";

const EVENTS = { withEvents: true } as const;
/** The lease of a worker whose end the store may not hear of. */
const LEASE_MS = 2000;

/** The cases about answers that are lost, and about a medium that is interrupted, by name. */
export const interruptionCases: Readonly<Record<string, JobStoreCase>> = {
  "calls that are under way when their worker is closed leave nothing with it": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(20), EVENTS);
    for (const number of numbers(10)) {
      const worker = await openWorker(number % 2 === 0 ? store : other);
      const calls = Promise.allSettled([worker.claim(3), worker.takeEvents(3), worker.claim(3)]);
      await worker.close();
      await calls;
      assert.deepEqual(await countsOf(other, id), { submitted: 20 });
    }
    const last = await openWorker(other);
    assert.equal((await last.claim(100)).jobs.length, 20);
    const events = await last.takeEvents(1000);
    assert.equal(events.filter(({ type }) => type === "batch_accepted").length, 1);
  },

  "if an interruption loses the answers of calls, another worker gets their jobs and events":
    async ({ store, other, interrupt }) => {
      if (interrupt === null) return;
      const id = await acceptId(store, newJobs(20), EVENTS);
      for (const number of numbers(8)) {
        const worker = await soon(() =>
          openWorker(number % 2 === 0 ? store : other, { leaseMs: LEASE_MS }),
        );
        const calls = Promise.allSettled([worker.claim(3), worker.takeEvents(3)]);
        await sleep(number - 1);
        await interrupt();
        await calls;
        await worker.close().catch(expectFailure);
      }
      const last = await soon(() => openWorker(other));
      const entries = new Set<number>();
      await until(async () => {
        for (const { entry } of (await soon(() => last.claim(20))).jobs) entries.add(entry);
        return entries.size === 20;
      }, "Another worker should get all jobs.");
      const types: string[] = [];
      await until(async () => {
        types.push(...(await last.takeEvents(100)).map(({ type }) => type));
        return types.includes("batch_accepted");
      }, "Another worker should get the events.");
      assert.equal(types.filter((type) => type === "batch_accepted").length, 1);
      assert.deepEqual(await countsOf(store, id), { pending: 20 });
    },

  "handles and workers can be used after an interruption": async ({ store, other, interrupt }) => {
    if (interrupt === null) return;
    const worker = await openWorker(other);
    assert.deepEqual((await worker.claim(1)).jobs, []);
    const wait = worker.waitForWork(600_000);
    await interrupt();
    const id = await soon(() => acceptId(store, newJobs(2), { idempotencyKey: "after" }));
    let isOver = false;
    void wait.then(() => {
      isOver = true;
    });
    await until(() => isOver, "The wait should end.");
    // A worker may lose its lease with the connection, but must report it.
    const done = await soon(async () =>
      completeAll(worker.lost.aborted ? await openWorker(other) : worker),
    );
    assert.ok(done.length <= 2);
    await until(
      async () => (await soon(() => other.getBatch(id)))?.status === "finished",
      "The batch should finish.",
    );
  },

  "a batch that is accepted during interruptions is whole, and exists once under its key": async ({
    store,
    other,
    interrupt,
  }) => {
    if (interrupt === null) return;
    const sizes = [1, 3, 40, 400, 1, 7, 150, 2];
    const accepted = sizes.map((size, index) => {
      const key = { idempotencyKey: `key ${index}` };
      const handle = index % 2 === 0 ? store : other;
      return soon(() => accept(handle, newJobs(size, `b${index}`), key));
    });
    for (const _ of numbers(3)) await sleep(20).then(interrupt);
    const batches = (await Promise.all(accepted)).map(({ batch }) => batch);
    const { items } = await soon(() => other.listBatches({ limit: 100 }));
    assert.deepEqual(items.map(({ id }) => id).sort(), batches.map(({ id }) => id).sort());
    for (const [index, { id }] of batches.entries()) {
      const kept = await other.getBatch(id);
      assert.equal(kept?.idempotencyKey, `key ${index}`);
      assert.equal(kept?.counts.submitted, sizes[index]);
    }
    const done = await completeAll(await openWorker(store));
    assert.equal(new Set(done.map(({ batchId, entry }) => `${batchId}/${entry}`)).size, 604);
  },

  "interruptions in the middle of work lose nothing and undo nothing": async (place) => {
    const { store, other, interrupt } = place;
    if (interrupt === null) return;
    const id = await acceptId(store, newJobs(80), EVENTS);
    const ended = new Set<number>();
    let problem: unknown = null;
    const isDone = () => ended.size === 80 || problem !== null;
    const workers = [store, other, other].map((handle) =>
      work(handle, ended, isDone).catch((error: unknown) => {
        problem = error;
      }),
    );
    for (let times = 0; times < 4 && !isDone(); times++) {
      await sleep(100);
      await interrupt();
    }
    await Promise.all(workers);
    if (problem !== null) throw problem;
    await assertMade(place, id);
  },
};

/** Completes jobs until all have ended. Adds the entries whose end was acknowledged or noticed. */
async function work(store: JobStore, ended: Set<number>, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    const worker = await soon(() => openWorker(store, { leaseMs: LEASE_MS }));
    try {
      while (!isDone()) await completeSome(worker, store, ended);
    } catch (error) {
      expectFailure(error);
    } finally {
      await worker.close().catch(expectFailure);
    }
  }
}

async function completeSome(worker: JobWorker, store: JobStore, ended: Set<number>): Promise<void> {
  const { jobs } = await worker.claim(4);
  if (jobs.length === 0) await sleep(30);
  for (const claim of jobs) {
    assert.ok(!ended.has(claim.entry), `Job ${claim.entry} had already ended.`);
    try {
      await complete(worker, claim);
      ended.add(claim.entry);
    } catch (error) {
      // If only the answer was lost, the job has ended.
      if (await soon(() => hasEnded(store, claim))) ended.add(claim.entry);
      throw error;
    }
  }
}

async function hasEnded(store: JobStore, { batchId, entry }: Claim): Promise<boolean> {
  return (await store.getJob(batchId, entry))?.job.endedAt != null;
}

async function assertMade({ store, other }: JobPlace, id: string): Promise<void> {
  assert.deepEqual(await soon(() => countsOf(other, id)), { completed: 80 });
  const { items } = await store.listJobs({ batchId: id, order: "ended", limit: 100 });
  assert.equal(new Set(items.map(({ entry }) => entry)).size, 80);
  const worker = await openWorker(other);
  const entries: (number | null)[] = [];
  let isFinished = false;
  await until(async () => {
    for (const { type, entry } of await worker.takeEvents(100)) {
      if (type === "job_succeeded") entries.push(entry);
      isFinished ||= type === "batch_finished";
    }
    return isFinished;
  }, "All events should be kept.");
  assert.deepEqual(
    entries.toSorted((a, b) => Number(a) - Number(b)),
    numbers(80),
  );
  assert.deepEqual((await worker.claim(10)).jobs, []);
}

/** Repeats a call while it fails because of an interruption. */
async function soon<T>(call: () => Promise<T>): Promise<T> {
  const end = performance.now() + 15_000;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      expectFailure(error);
      assert.ok(performance.now() < end, "After an interruption, calls should succeed again.");
      await sleep(20);
    }
  }
}

/** Throws unless an interruption explains the error. */
function expectFailure(error: unknown): void {
  const codes = ["job_store_failed", "lease_lost"];
  if (!isQuireError(error) || !codes.includes(error.code)) throw error;
}
