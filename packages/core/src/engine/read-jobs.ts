import { type BatchRecord, type JobStore, QuireError } from "@quire/contracts";
import { type Batch, type Job, parseJobId, toBatch, toJob } from "../batch/job.ts";
import { knownOptions } from "./engine-options.ts";
import type { ListBatchesOptions, ListJobsOptions, Page } from "./engine-types.ts";
import type { Notifier } from "./notifier.ts";

/** Polling interval for jobs that other processes have ended. */
const POLL_MS = 250;
const PAGE = 500;
const PAGE_BYTES = 4_000_000;
const DEFAULT_LIMIT = 100;

/** Returns the record of a batch. Rejects `not_found` if it does not exist. */
export async function findBatch(jobs: JobStore, batchId: string): Promise<BatchRecord> {
  const batch = await jobs.getBatch(batchId);
  if (batch !== null) return batch;
  throw new QuireError("not_found", `There is no batch ${JSON.stringify(batchId)}.`);
}

/** See `Engine.listBatches`. */
export async function readBatches(
  jobs: JobStore,
  options: ListBatchesOptions,
): Promise<Page<Batch>> {
  knownOptions.listBatches(options);
  const page = await jobs.listBatches({ ...options, limit: options.limit ?? DEFAULT_LIMIT });
  return { items: page.items.map(toBatch), nextMarker: page.nextMarker };
}

/** Returns a job. Rejects `not_found` if it does not exist. */
export async function readJob(jobs: JobStore, jobId: string): Promise<Job> {
  const named = parseJobId(jobId);
  const batch = named && (await jobs.getBatch(named.batchId));
  const found = batch && (await jobs.getJob(named.batchId, named.entry));
  if (found) return toJob(found.job, batch);
  throw new QuireError("not_found", `There is no job ${JSON.stringify(jobId)}.`);
}

/** See `Engine.listJobs`. */
export async function readJobs(jobs: JobStore, options: ListJobsOptions): Promise<Page<Job>> {
  knownOptions.listJobs(options);
  const query = { ...options, order: "entry", limit: options.limit ?? DEFAULT_LIMIT } as const;
  const { items, nextMarker } = await jobs.listJobs(query);
  const batches = new Map<string, BatchRecord>();
  const found: Job[] = [];
  for (const record of items) {
    const batch = batches.get(record.batchId) ?? (await jobs.getBatch(record.batchId));
    if (batch === null) continue; // deleted since the page was read
    batches.set(batch.id, batch);
    found.push(toJob(record, batch));
  }
  return { items: found, nextMarker };
}

/**
 * Yields the jobs of a batch as they end, until the batch has ended; see `Engine.jobs`. `notifier` signals when jobs
 * may have ended.
 */
export async function* followJobs(
  jobs: JobStore,
  batchId: string,
  notifier: Notifier,
  isClosed: () => boolean,
): AsyncGenerator<Job, void, undefined> {
  let marker: string | undefined;
  for (;;) {
    if (isClosed() && jobs.durable) throw closedMeanwhile();
    // The batch is read before the page, so that the page of a finished batch contains its last jobs.
    const batch = await findBatch(jobs, batchId);
    const page = await jobs.listJobs({
      batchId,
      order: "ended",
      limit: PAGE,
      maxBytes: PAGE_BYTES,
      ...(marker && { marker }),
    });
    for (const record of page.items) yield toJob(record, batch);
    marker = page.nextMarker ?? marker;
    const isFinished = batch.status === "finished";
    if (page.items.length > 0) continue;
    if (isFinished) return;
    await notifier.wait(POLL_MS, true);
  }
}

function closedMeanwhile(): QuireError {
  return new QuireError(
    "unavailable",
    "The engine was closed before the batch had finished. An engine that opens the same job store continues it.",
  );
}
