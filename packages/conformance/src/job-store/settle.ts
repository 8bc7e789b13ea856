import assert from "node:assert/strict";
import type { JobFailure, JobResult, OutputNote } from "@quire/contracts";
import type { JobStoreCase } from "./fixture.ts";
import {
  acceptId,
  type claimAndDie,
  claimOne,
  claimSoon,
  complete,
  failure,
  jobOf,
  listedJobs,
  newJobs,
  openWorker,
  result,
  shortLease,
} from "./samples.ts";

const WARNING = {
  severity: "warning",
  code: "missing_value",
  message: "There is no value for the tag.",
  hint: "Give the value “invoice.total”.",
  template: {
    part: "word/header1.xml",
    tag: "{{invoice.total}}",
    paragraph: 3,
    heading: "Übersicht 📄",
    table: 1,
    row: 2,
    cell: 4,
    near: "Total: {{invoice.total}} CHF",
  },
  pointer: "/document_generation_data/0/user_input/a~1b",
} as const;
const ERROR = { severity: "error", code: "x", message: "It failed." } as const;

const RESULTS: readonly JobResult[] = [
  result("a.docx"),
  result("Müller & Söhne (2) 📄.pdf", {
    status: "completed_with_error",
    pages: 12,
    converter: { program: "LibreOffice 7.4.7.2", fonts: "cd".repeat(32), options: "ef" },
    errors: [ERROR, WARNING],
    warnings: [WARNING],
  }),
  result("b.pdf", { pages: 1, converter: { program: "Other", fonts: null, options: "" } }),
];

const FAILURES: readonly JobFailure[] = [
  failure(),
  failure({
    code: "conversion_failed",
    message: "The document “Übersicht” could not be converted.\nSee the cause.",
    diagnostics: [WARNING, ERROR],
    retryable: true,
    cause: 'It said: "\0 no" (soffice ended with 81)',
  }),
];

/** The cases about how attempts end, and about notes, by name. */
export const settleCases: Readonly<Record<string, JobStoreCase>> = {
  "the result of a job is returned unchanged, by every handle": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(RESULTS.length));
    const worker = await openWorker(store);
    const before = Date.now();
    for (const each of RESULTS) {
      const claim = await claimOne(worker);
      await worker.settle(claim, { type: "completed", result: each });
      const job = await jobOf(other, id, claim.entry);
      const { endedAt, ...record } = job;
      assert.deepEqual(record, {
        batchId: id,
        entry: claim.entry,
        status: each.status,
        requestedName: `doc-${claim.entry}`,
        fileName: `doc-${claim.entry}.docx`,
        attempts: 1,
        result: each,
        failure: null,
      });
      assert.ok(endedAt !== null && endedAt >= before - 1000 && endedAt <= Date.now() + 1000);
    }
    const jobs = await listedJobs(other, { batchId: id });
    assert.deepEqual(
      jobs.map((job) => job.result),
      RESULTS,
    );
  },

  "the failure of a job is returned unchanged, by every handle": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(FAILURES.length));
    const worker = await openWorker(store);
    for (const each of FAILURES) {
      const claim = await claimOne(worker);
      await worker.settle(claim, { type: "failed", failure: each });
      const job = await jobOf(other, id, claim.entry);
      assert.deepEqual([job.status, job.result, job.failure], ["failed", null, each]);
      assert.ok(job.endedAt !== null);
    }
    const jobs = await listedJobs(other, { batchId: id, status: "failed" });
    assert.deepEqual(
      jobs.map((job) => job.failure),
      FAILURES,
    );
  },

  "notes are returned unchanged, in order, with the job's next claim": async ({ store, other }) => {
    await acceptId(store, newJobs(2));
    const notes = RESULTS.map(noteOf);
    const dead = await claimSoonAndNote(store, notes.slice(0, 2));
    const worker = await openWorker(other);
    const claims = await claimSoon(worker, 2);
    const claim = claims.find(({ entry }) => entry === dead);
    assert.ok(claim);
    assert.deepEqual(claim.notes, notes.slice(0, 2));
    assert.deepEqual(claims.find(({ entry }) => entry !== dead)?.notes, []);
    for (const note of notes.slice(2)) await worker.note(claim, note);
    await worker.settle(claim, { type: "released" });
    const [next] = await claimSoon(await openWorker(store), 1);
    assert.deepEqual(next?.notes, notes);
  },

  "notes survive errors, the end of the worker and the retry of a failed job": async ({
    store,
    other,
  }) => {
    const id = await acceptId(store, newJobs(1));
    const notes = RESULTS.map(noteOf);
    const expected: OutputNote[] = [];
    let worker = await openWorker(store);
    for (const [index, note] of notes.entries()) {
      const [claim] = await claimSoon(worker, 1);
      assert.ok(claim);
      assert.deepEqual(claim.notes, expected);
      await worker.note(claim, note);
      expected.push(note);
      if (index === 0) {
        await worker.settle(claim, { type: "again", failure: failure(), delayMs: 0 });
      } else if (index === 1) {
        await worker.close();
        worker = await openWorker(other);
      } else await worker.settle(claim, { type: "failed", failure: failure() });
    }
    await other.retryFailed(id, { isTaken: () => false });
    const last = await claimOne(worker);
    assert.deepEqual(last.notes, expected);
    assert.equal(await complete(worker, last), true);
  },

  "noting does not end a job": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(1));
    const worker = await openWorker(store);
    const claim = await claimOne(worker);
    await worker.note(claim, noteOf(result("doc-1.docx")));
    const { status, fileName, result: made } = await jobOf(other, id, 1);
    assert.deepEqual([status, fileName, made], ["pending", "doc-1.docx", null]);
    assert.equal(await complete(worker, claim), true);
  },

  "a failed job that is made later has a result and no failure": async ({ store, other }) => {
    const id = await acceptId(store, newJobs(1));
    const worker = await openWorker(store);
    await worker.settle(await claimOne(worker), { type: "failed", failure: failure() });
    await other.retryFailed(id, { isTaken: () => false });
    const waiting = await jobOf(store, id, 1);
    assert.deepEqual([waiting.status, waiting.failure, waiting.endedAt], ["submitted", null, null]);
    await complete(worker, await claimOne(worker));
    const made = await jobOf(other, id, 1);
    assert.deepEqual([made.status, made.failure, made.attempts], ["completed", null, 2]);
    assert.ok(made.result && made.endedAt !== null);
  },
};

function noteOf({ outputFile, ...rest }: JobResult): OutputNote {
  return { ...rest, name: outputFile.name, size: outputFile.size };
}

/** Lets a worker claim a job, add these notes and then lose its lease. Returns the job's entry. */
async function claimSoonAndNote(
  store: Parameters<typeof claimAndDie>[0],
  notes: readonly OutputNote[],
): Promise<number> {
  const worker = await openWorker(store, shortLease(store));
  const claim = await claimOne(worker);
  for (const note of notes) await worker.note(claim, note);
  return claim.entry;
}
