import { Buffer } from "node:buffer";
import {
  type BatchQuery,
  type BatchRecord,
  type JobQuery,
  type JobRecord,
  jobStoreProblems,
  pageRoom,
  type RecordPage,
} from "@quire/contracts";
import {
  batchRecord,
  isEnd,
  jobRecord,
  type MemoryBatch,
  type MemoryJob,
  type MemoryState,
} from "./job-state.ts";

/** Returns a page of batches, newest first. Its marker is the number of its last batch. */
export function listBatches(state: MemoryState, query: BatchQuery): RecordPage<BatchRecord> {
  const [before = Number.POSITIVE_INFINITY] = position(query, 1);
  const batches = newestFirst(state, query).filter(({ number }) => number < before);
  const page = batches.slice(0, query.limit);
  const isEndOfList = page.length === batches.length;
  return {
    items: page.map(batchRecord),
    nextMarker: isEndOfList ? null : String(page.at(-1)?.number),
  };
}

/** Returns a page of jobs by entry. Its marker has the number of the last job's batch and the number of its entry. */
export function listJobs(state: MemoryState, query: JobQuery): RecordPage<JobRecord> {
  const [fromBatch = Number.POSITIVE_INFINITY, afterEntry = 0] = position(query, 2);
  const { batchId, status } = query;
  const takes = pageRoom(query);
  const batches =
    batchId === undefined ? newestFirst(state, query) : [state.find(batchId)].filter(isOf(query));
  const items: JobRecord[] = [];
  let nextMarker = "";
  for (const batch of batches.filter(({ number }) => number <= fromBatch)) {
    for (const job of batch.jobs.slice(batch.number === fromBatch ? afterEntry : 0)) {
      if ((status ?? job.status) !== job.status) continue;
      if (!takes(bytesOf(job, query))) return { items, nextMarker };
      items.push(jobRecord(batch, job));
      nextMarker = `${batch.number}.${job.entry}`;
    }
  }
  return { items, nextMarker: null };
}

/**
 * Returns a page of the jobs of a batch in the order in which they ended. Its marker is the index in `ended` at which
 * the next page starts.
 */
export function listEnded(state: MemoryState, query: JobQuery): RecordPage<JobRecord> {
  const [from = 0] = position(query, 1);
  const { batchId, status } = query;
  const takes = pageRoom(query);
  const batch = state.find(batchId ?? "");
  const items: JobRecord[] = [];
  let at = from;
  for (; at < batch.ended.length; at++) {
    const job = batch.ended[at];
    if (job === undefined || isStale(job, at)) continue;
    if ((status ?? job.status) !== job.status) continue;
    if (!takes(bytesOf(job, query))) break;
    items.push(jobRecord(batch, job));
  }
  return { items, nextMarker: String(at) };
}

/** Returns the size of a job's result and failure, in bytes of JSON; 0 for a query without `maxBytes`. */
function bytesOf({ result, failure }: MemoryJob, { maxBytes }: JobQuery): number {
  return maxBytes === undefined ? 0 : Buffer.byteLength(JSON.stringify([result, failure]));
}

/** Whether a job has been retried since it ended at this index of `ended`. */
function isStale(job: MemoryJob, at: number): boolean {
  return job.endedIndex !== at || !isEnd(job.status);
}

function newestFirst(state: MemoryState, query: BatchQuery | JobQuery): MemoryBatch[] {
  return [...state.batches.values()].reverse().filter(isOf(query));
}

/** Returns a function that reports whether a batch matches the tenant, the caller and the template of a query. */
function isOf({ tenant, caller, template }: BatchQuery | JobQuery) {
  return ({ made }: MemoryBatch): boolean =>
    (tenant ?? made.tenant) === made.tenant &&
    (caller ?? made.caller) === made.caller &&
    (template ?? made.template.id) === made.template.id;
}

/**
 * Returns the numbers in a marker; empty if the query has no marker. Throws `invalid_request` for a bad marker or
 * limit.
 */
function position({ marker, limit }: BatchQuery | JobQuery, count: number): number[] {
  if (!Number.isInteger(limit) || limit < 1) throw jobStoreProblems.badLimit();
  if (marker === undefined) return [];
  const numbers = marker.split(".").map(Number);
  const isMarker = /^\d+(\.\d+)*$/.test(marker) && numbers.every(Number.isSafeInteger);
  if (!isMarker || numbers.length !== count) throw jobStoreProblems.badMarker();
  return numbers;
}
