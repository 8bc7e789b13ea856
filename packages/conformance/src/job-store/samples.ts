import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AcceptedBatch,
  type Claim,
  type ClaimOptions,
  isQuireError,
  type JobCounts,
  type JobFailure,
  type JobInput,
  type JobQuery,
  type JobRecord,
  type JobResult,
  type JobStore,
  type JobWorker,
  type JobWorkerOptions,
  type NewBatch,
  type NewBatchOptions,
  type NewJob,
} from "@quire/contracts";
import { text } from "../assertions.ts";

let lastBatch = 0;

/** Returns a batch that any worker may take. */
export function newBatch(parts: Partial<NewBatch> = {}): NewBatch {
  lastBatch += 1;
  return {
    id: `batch-${lastBatch}`,
    tenant: "",
    weight: 1,
    caller: null,
    idempotencyKey: null,
    template: { type: "file", id: "templates/letter.docx", version: "v1" },
    templateBytes: text("a template"),
    folder: { type: "folder", id: "out" },
    outputType: "docx",
    needsConverter: false,
    onConflict: "rename",
    withEvents: false,
    settings: '{"output_type":"docx"}',
    trace: null,
    ...parts,
  };
}

/** Returns the data of a job. */
export function input(parts: Partial<JobInput> = {}): JobInput {
  return { encoding: "json", bytes: text('{"a":1}'), locale: null, timeZone: null, ...parts };
}

/** Returns an entry that requests the name `<name>.docx`. */
export function newJob(name: string, parts: Partial<NewJob> = {}): NewJob {
  return {
    requestedName: name,
    fileName: `${name}.docx`,
    input: input(),
    failure: null,
    ...parts,
  };
}

/** Returns an entry that failed before it started. */
export function badJob(requestedName: string | null = null): NewJob {
  return { requestedName, fileName: null, input: null, failure: failure() };
}

/** Returns entries with different names. */
export function newJobs(count: number, prefix = "doc"): NewJob[] {
  return Array.from({ length: count }, (_, index) => newJob(`${prefix}-${index + 1}`));
}

/** Returns the result of a job. */
export function result(name = "doc-1.docx", parts: Partial<JobResult> = {}): JobResult {
  return {
    status: "completed",
    outputFile: { ref: { type: "file", id: `out/${name}` }, version: "1", name, size: 3 },
    sha256: "ab".repeat(32),
    pages: null,
    converter: null,
    errors: [],
    warnings: [],
    ...parts,
  };
}

/** Returns the failure of a job. */
export function failure(parts: Partial<JobFailure> = {}): JobFailure {
  return {
    code: "invalid_data",
    message: "The data is not what the template needs.",
    diagnostics: [],
    retryable: false,
    cause: null,
    ...parts,
  };
}

/** Accepts a batch of these jobs. */
export function accept(
  store: JobStore,
  jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
  parts: Partial<NewBatch> = {},
  options: Partial<NewBatchOptions> & { readonly hash?: string } = {},
): Promise<AcceptedBatch> {
  const { hash = "hash", isTaken = () => false, signal } = options;
  return store.createBatch(newBatch(parts), jobs, () => hash, { isTaken, signal });
}

/** Accepts a batch and returns its id. */
export async function acceptId(
  store: JobStore,
  jobs: Iterable<NewJob>,
  parts: Partial<NewBatch> = {},
): Promise<string> {
  return (await accept(store, jobs, parts)).batch.id;
}

/** Opens a worker that keeps its lease. */
export function openWorker(
  store: JobStore,
  options: Partial<JobWorkerOptions> = {},
): Promise<JobWorker> {
  return store.openWorker({ takes: "all", leaseMs: 30_000, keepFinishedMs: null, ...options });
}

/** Returns the options for a lease that is not renewed, but lasts long enough for a few calls. */
export function shortLease({ durable }: JobStore): Pick<JobWorkerOptions, "leaseMs" | "renewMs"> {
  return { leaseMs: durable ? 2000 : 500, renewMs: 60_000 };
}

/** Ends a claim with a document. */
export function complete(worker: JobWorker, claim: Claim): Promise<boolean> {
  return worker.settle(claim, { type: "completed", result: result(claim.fileName) });
}

/** Ends a claim with a failure. */
export function fail(worker: JobWorker, claim: Claim): Promise<boolean> {
  return worker.settle(claim, { type: "failed", failure: failure() });
}

/** Claims one job, which must exist. */
export async function claimOne(worker: JobWorker, options?: ClaimOptions): Promise<Claim> {
  const { jobs } = await worker.claim(1, options);
  assert.ok(jobs[0], "There should be a job to claim.");
  return jobs[0];
}

/** Waits until `count` jobs can be claimed, and claims them. */
export async function claimSoon(
  worker: JobWorker,
  count: number,
  options?: ClaimOptions,
): Promise<Claim[]> {
  const claims: Claim[] = [];
  await until(async () => {
    claims.push(...(await worker.claim(count - claims.length, options)).jobs);
    return claims.length >= count;
  }, `${count} jobs should be ready to be claimed.`);
  return claims;
}

/** Claims all ready jobs, and completes them or ends them as given. Returns the claims. */
export async function completeAll(worker: JobWorker, end = complete): Promise<Claim[]> {
  const done: Claim[] = [];
  for (;;) {
    const { jobs } = await worker.claim(16);
    if (jobs.length === 0) return done;
    for (const claim of jobs) await end(worker, claim);
    done.push(...jobs);
  }
}

/** Returns a worker that has claimed 1 to `limit` jobs and whose lease has expired since. */
export async function claimAndDie(
  store: JobStore,
  limit: number,
  { begun = false, ...options }: ClaimOptions & { readonly begun?: boolean } = {},
): Promise<{ readonly worker: JobWorker; readonly claims: readonly Claim[] }> {
  for (let leaseMs = store.durable ? 400 : 150; leaseMs < 10_000; leaseMs *= 1.5) {
    const worker = await openWorker(store, { leaseMs, renewMs: 60_000 });
    const claims = await claimIn(worker, limit, options, begun).catch((error: unknown) => {
      // On a slow machine, the claim may take longer than the lease lasts.
      assert.ok(isQuireError(error) && error.code === "lease_lost", String(error));
      return [];
    });
    await until(() => !worker.isHeld, "A lease that is not renewed should expire.");
    if (claims.length > 0) return { worker, claims };
  }
  throw new assert.AssertionError({ message: "There should be jobs for a worker that dies." });
}

async function claimIn(
  worker: JobWorker,
  limit: number,
  options: ClaimOptions,
  begun: boolean,
): Promise<readonly Claim[]> {
  const { jobs } = await worker.claim(limit, options);
  if (begun) await Promise.all(jobs.map((claim) => worker.setBegun(claim, true)));
  return jobs;
}

/** Waits until a condition is true. The time limit is long enough for a slow machine. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  message: string,
): Promise<void> {
  const end = performance.now() + 15_000;
  while (!(await condition())) {
    assert.ok(performance.now() < end, message);
    await sleep(15);
  }
}

/** Returns the counts of a batch, without zeros. */
export async function countsOf(store: JobStore, batchId: string): Promise<Partial<JobCounts>> {
  const batch = await store.getBatch(batchId);
  assert.ok(batch, "The batch should exist.");
  return Object.fromEntries(Object.entries(batch.counts).filter(([, count]) => count > 0));
}

/** Returns the record of an existing job. */
export async function jobOf(store: JobStore, batchId: string, entry: number): Promise<JobRecord> {
  const found = await store.getJob(batchId, entry);
  assert.ok(found, "The job should exist.");
  return found.job;
}

/** Reads all jobs that match a query, in the order `entry`, in pages of up to `limit` jobs (default 1000). */
export async function listedJobs(
  store: JobStore,
  query: Omit<JobQuery, "limit" | "order"> & { readonly limit?: number },
): Promise<JobRecord[]> {
  const { limit = 1000 } = query;
  const items: JobRecord[] = [];
  for (let marker: string | null | undefined; marker !== null; ) {
    const page = await store.listJobs({ ...query, order: "entry", limit, marker });
    assert.ok(page.items.length <= limit, "A page should not be longer than its limit.");
    items.push(...page.items);
    marker = page.nextMarker;
  }
  return items;
}

/** Returns the file names of a batch's jobs, by entry. */
export async function namesOf(store: JobStore, batchId: string): Promise<(string | null)[]> {
  return (await listedJobs(store, { batchId })).map(({ fileName }) => fileName);
}

/** Returns the entry numbers of claims or jobs. */
export function entriesOf(items: readonly { readonly entry: number }[]): number[] {
  return items.map(({ entry }) => entry);
}

/** Returns the numbers from 1 to `count`. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Does all pending maintenance. */
export async function tidyAll(worker: JobWorker): Promise<void> {
  for (let times = 0; await worker.tidy(); times++)
    assert.ok(times < 1000, "The events should end.");
}
