import assert from "node:assert/strict";
import type { Claim, JobRecord, JobStore, StoredEvent } from "@quire/contracts";
import { listedJobs } from "./samples.ts";

/** The observed state of a batch. */
interface BatchModel {
  readonly size: number;
  /** The ended jobs, as they were listed when they ended. */
  readonly ended: Map<number, JobRecord>;
  /** The entries in the order in which they ended. An entry that was retried occurs several times. */
  readonly endings: number[];
  /** The marker for the next page of ended jobs. */
  marker: string | undefined;
  isFinished: boolean;
  finishes: number;
}

/** The expected state of a store after any sequence of calls. Throws if the store differs. */
export class JobStoreModel {
  readonly #batches = new Map<string, BatchModel>();
  readonly #attempts = new Map<string, number>();

  /** The ids of all batches. */
  get ids(): string[] {
    return [...this.#batches.keys()];
  }

  /** Records that a batch with `size` jobs was accepted. */
  accepted(id: string, size: number): void {
    assert.ok(!this.#batches.has(id));
    this.#batches.set(id, {
      size,
      ended: new Map(),
      endings: [],
      marker: undefined,
      isFinished: false,
      finishes: 0,
    });
  }

  /** Records that a job was claimed. `held`: the claims that are valid at this time. */
  claimed(claim: Claim, held: readonly Claim[]): void {
    const { batchId, entry, attempt } = claim;
    const key = `${batchId}/${entry}`;
    assert.ok(
      !held.some((each) => each.batchId === batchId && each.entry === entry),
      `${key} belongs to another worker.`,
    );
    assert.ok(
      attempt > (this.#attempts.get(key) ?? 0),
      `${key} has already had attempt ${attempt}.`,
    );
    this.#attempts.set(key, attempt);
  }

  /** Records that the failed jobs of a batch were submitted again. */
  retried(id: string): void {
    const batch = this.#batch(id);
    for (const [entry, { status, fileName }] of batch.ended)
      if (status === "failed" && fileName !== null) batch.ended.delete(entry);
    batch.isFinished = batch.ended.size === batch.size;
  }

  /** Whether every job of the batch had ended at the last check. */
  isFinished(id: string): boolean {
    return this.#batch(id).isFinished;
  }

  /** Checks everything that can be read from the store. */
  async check(store: JobStore, held: readonly Claim[]): Promise<void> {
    const open: string[] = [];
    for (const [id, batch] of this.#batches) {
      await this.#follow(store, id, batch);
      const jobs = await listedJobs(store, { batchId: id, limit: 4 });
      assert.equal(jobs.length, batch.size);
      for (const job of jobs) {
        const isEnded = job.endedAt !== null;
        assert.deepEqual(job, batch.ended.get(job.entry) ?? { ...job, endedAt: null });
        if (!isEnded) assert.ok(job.status === "submitted" || job.status === "pending");
        if (!isEnded && job.fileName !== null) open.push(job.fileName.toLowerCase());
      }
      await checkCounts(store, id, jobs);
      this.#noteFinish(batch);
    }
    assert.equal(new Set(open).size, open.length, "No two jobs should have the same name.");
    for (const { batchId, entry, attempt } of held) {
      const found = await store.getJob(batchId, entry);
      assert.deepEqual([found?.job.status, found?.job.attempts], ["pending", attempt]);
    }
  }

  /** Checks the events, and the listings from their beginning, when everything has ended. */
  async checkEnd(store: JobStore, events: readonly StoredEvent[]): Promise<void> {
    for (const [id, batch] of this.#batches) {
      assert.equal(batch.ended.size, batch.size);
      const { items } = await store.listJobs({ batchId: id, order: "ended", limit: 1000 });
      const last = batch.endings.filter((entry, at) => batch.endings.lastIndexOf(entry) === at);
      assert.deepEqual(
        items.map(({ entry }) => entry),
        last,
      );
      const own = events.filter(({ batchId }) => batchId === id);
      if (own.length === 0) continue;
      const entriesOf = (...types: StoredEvent["type"][]): (number | null)[] =>
        own.filter(({ type }) => types.includes(type)).map(({ entry }) => entry);
      assert.deepEqual(entriesOf("job_failed", "job_succeeded"), batch.endings);
      assert.equal(entriesOf("batch_finished").length, batch.finishes);
      assert.deepEqual([own[0]?.type, entriesOf("batch_accepted").length], ["batch_accepted", 1]);
      const begun = items.map(({ attempts }) => attempts).reduce((a, b) => a + b, 0);
      assert.equal(entriesOf("job_started").length, begun);
    }
  }

  /** Checks the jobs that have ended since the last check. */
  async #follow(store: JobStore, id: string, batch: BatchModel): Promise<void> {
    for (let isMore = true; isMore; ) {
      const { marker } = batch;
      const page = await store.listJobs({ batchId: id, order: "ended", limit: 3, marker });
      assert.ok(page.nextMarker !== null);
      batch.marker = page.nextMarker;
      for (const job of page.items) {
        assert.ok(!batch.ended.has(job.entry), `${id}/${job.entry} ended twice.`);
        batch.ended.set(job.entry, job);
        batch.endings.push(job.entry);
      }
      isMore = page.items.length > 0;
    }
  }

  #noteFinish(batch: BatchModel): void {
    const isFinished = batch.ended.size === batch.size;
    if (isFinished && !batch.isFinished) batch.finishes += 1;
    batch.isFinished = isFinished;
  }

  #batch(id: string): BatchModel {
    const batch = this.#batches.get(id);
    assert.ok(batch);
    return batch;
  }
}

async function checkCounts(
  store: JobStore,
  batchId: string,
  jobs: readonly JobRecord[],
): Promise<void> {
  const batch = await store.getBatch(batchId);
  assert.ok(batch);
  for (const [status, count] of Object.entries(batch.counts))
    assert.equal(jobs.filter((job) => job.status === status).length, count, status);
  const isFinished = jobs.every(({ endedAt }) => endedAt !== null);
  assert.equal(batch.status, isFinished ? "finished" : "running");
  assert.equal(batch.finishedAt !== null, isFinished);
}
