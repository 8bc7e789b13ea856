import {
  type BatchQuery,
  type BatchRecord,
  type JobQuery,
  type JobRecord,
  type JobStatus,
  jobStoreProblems,
  pageRoom,
  type RecordPage,
} from "@quire/contracts";
import type { Database, Row } from "./database/database.ts";
import {
  BATCH_COLUMNS,
  BATCH_TABLES,
  batchRecord,
  JOB_COLUMNS,
  jobRecord,
  textOrNull,
} from "./database/records.ts";
import { BATCH, STATUS } from "./database/states.ts";

/** Number of batches that are searched in one step for the jobs of a template or a caller. */
const BATCHES_AT_ONCE = 100;

/** Returns a page of batches, newest first. */
export function listBatches(database: Database, query: BatchQuery): RecordPage<BatchRecord> {
  const { limit } = query;
  assertLimit(limit);
  const [before = Number.MAX_SAFE_INTEGER] = parseMarker(query.marker, 1);
  const rows = batchesBefore(database, query, before, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextMarker = rows.length > limit && last ? toMarker(Number(last.no)) : null;
  return { items: page.map(batchRecord), nextMarker };
}

/** Returns a page of jobs: of one batch by entry, or of several batches, newest first. */
export function listJobs(database: Database, query: JobQuery): RecordPage<JobRecord> {
  assertLimit(query.limit);
  if (query.order === "ended") return listEnded(database, query);
  const [fromBatch, fromEntry = 0] = parseMarker(query.marker, 2);
  const items: JobRecord[] = [];
  const takes = pageRoom(query);
  let nextMarker: string | null = null;
  let last = "";
  for (const batch of batchesFrom(database, query, fromBatch)) {
    const after = Number(batch.no) === fromBatch ? fromEntry : 0;
    eachJobAfter(database, Number(batch.no), after, query, (row) => {
      if (!takes(bytesOf(row))) {
        nextMarker = last;
        return false;
      }
      items.push(jobRecord(String(batch.id), row));
      last = toMarker(Number(batch.no), Number(row.entry));
      return true;
    });
    if (nextMarker !== null) break;
  }
  return { items, nextMarker };
}

function listEnded(database: Database, query: JobQuery): RecordPage<JobRecord> {
  const batch = findBatch(database, query.batchId ?? "");
  const [after = 0] = parseMarker(query.marker, 1);
  const takes = pageRoom(query);
  const items: JobRecord[] = [];
  let last = after;
  database.each(
    `SELECT ${JOB_COLUMNS} FROM job INDEXED BY job_ended
     WHERE batch_no = ? AND ended IS NOT NULL AND ended > ? AND status = coalesce(?, status)
     ORDER BY ended LIMIT ?`,
    [
      Number(batch.no),
      after,
      query.status === undefined ? null : STATUS[query.status],
      query.limit,
    ],
    (row) => {
      if (!takes(bytesOf(row))) return false;
      items.push(jobRecord(String(batch.id), row));
      last = Number(row.ended);
      return true;
    },
  );
  return { items, nextMarker: toMarker(last) };
}

/** Finds jobs of a state by an index, even if they are few among a million others. */
const WITH_STATUS: Readonly<Record<JobStatus, string>> = {
  submitted: `INDEXED BY job_submitted WHERE status = ${STATUS.submitted}`,
  // Only pending jobs have a worker.
  pending: `INDEXED BY job_of_worker WHERE worker_no IS NOT NULL AND status = ${STATUS.pending}`,
  completed: `WHERE status = ${STATUS.completed}`,
  completed_with_error: `INDEXED BY job_with_error WHERE status = ${STATUS.completed_with_error}`,
  failed: `INDEXED BY job_failed WHERE status = ${STATUS.failed}`,
};

/** The size of a job's result and failure, in bytes. */
function bytesOf({ result, failure }: Row): number {
  return Buffer.byteLength(textOrNull(result) ?? "") + Buffer.byteLength(textOrNull(failure) ?? "");
}

function eachJobAfter(
  database: Database,
  batchNo: number,
  entry: number,
  { status, limit }: JobQuery,
  take: (row: Row) => boolean,
): void {
  const from = status === undefined ? "job WHERE" : `job ${WITH_STATUS[status]} AND`;
  database.each(
    `SELECT ${JOB_COLUMNS} FROM ${from} batch_no = ? AND entry > ? ORDER BY entry LIMIT ?`,
    [batchNo, entry, limit + 1],
    take,
  );
}

/** Yields the batches that match the query, newest first, from the batch with the number `from` on if it is defined. */
function* batchesFrom(
  database: Database,
  query: JobQuery,
  from: number | undefined,
): Generator<Row, void, undefined> {
  if (query.batchId !== undefined) {
    const batch = findBatch(database, query.batchId);
    const { tenant, caller, template } = query;
    const isMeant =
      (tenant ?? batch.tenant) === batch.tenant &&
      (caller ?? batch.caller) === batch.caller &&
      (template ?? batch.template_id) === batch.template_id;
    if (isMeant) yield batch;
    return;
  }
  for (let before = from === undefined ? Number.MAX_SAFE_INTEGER : from + 1; ; ) {
    const rows = batchesBefore(database, query, before, BATCHES_AT_ONCE);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCHES_AT_ONCE) return;
    before = Number(last.no);
  }
}

function batchesBefore(
  database: Database,
  { tenant, caller, template }: BatchQuery | JobQuery,
  before: number,
  limit: number,
): Row[] {
  const filters = { tenant, caller, template_id: template };
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const where = given.map(([column]) => ` AND ${column} = ?`).join("");
  return database.all(
    `SELECT ${BATCH_COLUMNS} FROM ${BATCH_TABLES}
     WHERE batch.no < ? AND state IN (${BATCH.running}, ${BATCH.finished})${where}
     ORDER BY batch.no DESC LIMIT ?`,
    before,
    ...given.map(([, value]) => String(value)),
    limit,
  );
}

/** Returns the row of a visible batch. Throws `not_found` if it does not exist. */
export function findBatch(database: Database, batchId: string): Row {
  const row = batchRow(database, batchId);
  if (row === undefined) throw jobStoreProblems.noBatch(batchId);
  return row;
}

export function batchRow(database: Database, batchId: string): Row | undefined {
  return database.get(
    `SELECT ${BATCH_COLUMNS} FROM ${BATCH_TABLES}
     WHERE batch.id = ? AND state IN (${BATCH.running}, ${BATCH.finished})`,
    batchId,
  );
}

function assertLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1) throw jobStoreProblems.badLimit();
}

function toMarker(...numbers: readonly number[]): string {
  return Buffer.from(numbers.join(".")).toString("base64url");
}

/** Returns the numbers in a marker; empty if `marker` is undefined. Throws `invalid_request` for an invalid marker. */
function parseMarker(marker: string | undefined, numbers: number): number[] {
  if (marker === undefined) return [];
  const parts = Buffer.from(marker, "base64url").toString().split(".");
  const isOurs = parts.length === numbers && parts.every((part) => /^\d{1,15}$/.test(part));
  if (!isOurs) throw jobStoreProblems.badMarker();
  return parts.map(Number);
}
