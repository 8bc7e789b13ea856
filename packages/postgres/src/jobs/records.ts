import type { BatchRecord, JobRecord, JobStatus } from "@quire/contracts";
import type { Row } from "../database/database.ts";
import { fromText } from "../database/text.ts";
import { BATCH, STATUS, STATUSES } from "./states.ts";

/** The number of jobs of a batch in each state. */
export const BATCH_COUNTS: Readonly<Record<JobStatus, string>> = {
  submitted: "coalesce(r.submitted, 0)",
  pending: "coalesce(r.pending, 0)",
  completed: "coalesce(r.completed, b.completed)",
  completed_with_error: "coalesce(r.completed_with_error, b.completed_with_error)",
  failed: "coalesce(r.failed, b.failed)",
};

/** The columns of a batch that {@link batchRecord} reads, as `b`. */
export const BATCH_COLUMNS = `b.no, b.id, b.state, b.tenant, b.weight, b.caller, b.idempotency_key, b.template_id,
  b.template_version, f.id AS folder_id, b.output_type, b.on_conflict, b.settings, b.trace, b.cancelled, b.created_at,
  b.finished_at, ${Object.entries(BATCH_COUNTS)
    .map(([status, jobs]) => `${jobs} AS ${status}`)
    .join(", ")}`;

export const BATCH_TABLES = `quire.batch AS b JOIN quire.folder AS f ON f.no = b.folder_no
  LEFT JOIN quire.run AS r ON r.batch_no = b.no`;

/** The condition for visible batches. */
export const VISIBLE = `b.state IN (${BATCH.running}, ${BATCH.finished})`;

/**
 * Joins the rows of one job, as `j`, `o` and `k`. `batch` and `entry` are expressions for its key. Without the limits,
 * PostgreSQL could read all jobs of the batch for each row, because it does not know how large a batch is.
 */
export function jobRows(batch: string, entry: string): string {
  const row = (table: string): string =>
    `(SELECT * FROM quire.${table} WHERE batch_no = ${batch} AND entry = ${entry} LIMIT 1)`;
  return `LEFT JOIN LATERAL ${row("job")} AS j ON true LEFT JOIN LATERAL ${row("outcome")} AS o ON true
    LEFT JOIN LATERAL ${row("work")} AS k ON true`;
}

/** The columns of a job that {@link jobRecord} reads. */
export const JOB_COLUMNS = `j.entry, j.requested_name, j.file_name,
  coalesce(o.status, CASE WHEN k.worker_no IS NULL THEN ${STATUS.submitted} ELSE ${STATUS.pending} END)::smallint AS status,
  coalesce(o.attempts, k.attempts, 0) AS attempts, o.result, o.failure, o.ended_at, o.ended`;

export function batchRecord(row: Row): BatchRecord {
  return {
    id: fromText(row.id),
    tenant: fromText(row.tenant),
    weight: row.weight,
    caller: fromText(row.caller),
    idempotencyKey: fromText(row.idempotency_key),
    template: {
      type: "file",
      id: fromText(row.template_id),
      version: fromText(row.template_version),
    },
    folder: { type: "folder", id: fromText(row.folder_id) },
    outputType: row.output_type,
    onConflict: row.on_conflict,
    settings: row.settings,
    trace: row.trace,
    status: row.state === BATCH.finished ? "finished" : "running",
    cancelled: row.cancelled,
    counts: {
      submitted: row.submitted,
      pending: row.pending,
      completed: row.completed,
      completed_with_error: row.completed_with_error,
      failed: row.failed,
    },
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

export function jobRecord(batchId: string, row: Row): JobRecord {
  return {
    batchId,
    entry: row.entry,
    status: STATUSES[row.status] ?? "failed",
    requestedName: fromText(row.requested_name),
    fileName: fromText(row.file_name),
    attempts: row.attempts,
    result: row.result === null ? null : JSON.parse(row.result),
    failure: row.failure === null ? null : JSON.parse(row.failure),
    endedAt: row.ended_at,
  };
}
