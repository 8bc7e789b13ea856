import assert from "node:assert/strict";
import type { JobStoreCase } from "./fixture.ts";
import { accept, acceptId, countsOf, jobOf, newJob, openWorker, result } from "./samples.ts";

const KEPT = result("kept.docx");

/** The cases about jobs that are accepted with the result of an earlier batch, by name. */
export const earlierResultCases: Readonly<Record<string, JobStoreCase>> = {
  "a job with an earlier result is accepted as ended, and is not claimed": async ({
    store,
    other,
  }) => {
    const withErrors = result("wrong.docx", { status: "completed_with_error" });
    const jobs = [
      newJob("a"),
      newJob("kept", { result: KEPT }),
      newJob("b"),
      newJob("wrong", { result: withErrors }),
    ];
    const id = await acceptId(store, jobs);
    assert.deepEqual(await countsOf(store, id), {
      submitted: 2,
      completed: 1,
      completed_with_error: 1,
    });
    const kept = await jobOf(other, id, 2);
    assert.deepEqual(
      [kept.status, kept.fileName, kept.attempts, kept.result],
      ["completed", "kept.docx", 0, KEPT],
    );
    assert.ok(kept.endedAt !== null);
    assert.deepEqual((await jobOf(other, id, 4)).result, withErrors);
    const { jobs: claims } = await (await openWorker(other)).claim(10);
    assert.deepEqual(
      claims.map(({ entry }) => entry),
      [1, 3],
    );
  },

  "a batch whose jobs all have earlier results is finished at once": async ({ store, other }) => {
    const jobs = [newJob("kept", { result: KEPT })];
    const { batch } = await accept(store, jobs, { withEvents: true });
    assert.equal((await other.getBatch(batch.id))?.status, "finished");
    const { items } = await other.listJobs({ batchId: batch.id, limit: 10, order: "ended" });
    assert.deepEqual(
      items.map(({ entry }) => entry),
      [1],
    );
    const events = await (await openWorker(other)).takeEvents(10);
    assert.deepEqual(
      events.map(({ type }) => type),
      ["batch_accepted", "job_succeeded", "batch_finished"],
    );
    assert.equal((await other.gauge.depth()).submitted, 0);
  },

  "a job with an earlier result has its document's name, which other jobs cannot get": async ({
    store,
    other,
  }) => {
    const jobs = [newJob("kept", { result: KEPT }), newJob("KEPT"), newJob("free")];
    const isTaken = (name: string): boolean => name === "kept.docx";
    const { batch } = await accept(store, jobs, { onConflict: "fail" }, { isTaken });
    assert.deepEqual(await countsOf(other, batch.id), { submitted: 1, completed: 1, failed: 1 });
    assert.equal((await jobOf(other, batch.id, 2)).failure?.code, "conflict");
  },

  "of two jobs with the same earlier result, the second must run": async ({ store, other }) => {
    const jobs = [newJob("kept", { result: KEPT }), newJob("kept", { result: KEPT })];
    const id = await acceptId(store, jobs, { onConflict: "rename" });
    const second = await jobOf(other, id, 2);
    assert.deepEqual(
      [second.status, second.fileName, second.result],
      ["submitted", "kept (1).docx", null],
    );
  },
};
