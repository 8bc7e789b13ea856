import type { BatchRecord, JobRecord, OutputType } from "@quire/contracts";
import type { Row } from "./database.ts";
import { BATCH, STATUSES } from "./states.ts";

/** Columns that {@link batchRecord} reads, of a batch joined with its folder. */
export const BATCH_COLUMNS = `batch.no, batch.id, state, tenant, weight, caller, idempotency_key, template_id,
  template_version, folder.id AS folder_id, output_type, on_conflict, settings, trace, cancelled, created_at,
  finished_at, submitted, pending, completed, completed_with_error, failed`;

export const BATCH_TABLES = "batch JOIN folder ON folder.no = batch.folder_no";

/** Columns that {@link jobRecord} reads. */
export const JOB_COLUMNS =
  "entry, status, requested_name, file_name, attempts, result, failure, ended_at, ended, is_bad";

export function batchRecord(row: Row): BatchRecord {
  return {
    id: String(row.id),
    tenant: String(row.tenant),
    weight: Number(row.weight),
    caller: textOrNull(row.caller),
    idempotencyKey: textOrNull(row.idempotency_key),
    template: {
      type: "file",
      id: String(row.template_id),
      version: String(row.template_version),
    },
    folder: { type: "folder", id: String(row.folder_id) },
    outputType: row.output_type as OutputType,
    onConflict: row.on_conflict as BatchRecord["onConflict"],
    settings: String(row.settings),
    trace: textOrNull(row.trace),
    status: row.state === BATCH.finished ? "finished" : "running",
    cancelled: row.cancelled === 1,
    counts: {
      submitted: Number(row.submitted),
      pending: Number(row.pending),
      completed: Number(row.completed),
      completed_with_error: Number(row.completed_with_error),
      failed: Number(row.failed),
    },
    createdAt: Number(row.created_at),
    finishedAt: numberOrNull(row.finished_at),
  };
}

export function jobRecord(batchId: string, row: Row): JobRecord {
  return {
    batchId,
    entry: Number(row.entry),
    status: STATUSES[Number(row.status)] ?? "failed",
    requestedName: textOrNull(row.requested_name),
    fileName: textOrNull(row.file_name),
    attempts: Number(row.attempts),
    result: jsonOrNull(row.result),
    failure: jsonOrNull(row.failure),
    endedAt: numberOrNull(row.ended_at),
  };
}

/** Returns the value of a text column, or null. */
export function textOrNull(value: Row[string] | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** Returns the value of a numeric column, or null. */
export function numberOrNull(value: Row[string] | undefined): number | null {
  return typeof value === "number" ? value : null;
}

function jsonOrNull<T>(value: Row[string] | undefined): T | null {
  return typeof value === "string" ? JSON.parse(value) : null;
}
