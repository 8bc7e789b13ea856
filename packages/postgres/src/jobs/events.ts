import type { TakenEvent } from "@quire/contracts";
import type { Database } from "../database/database.ts";
import { BATCH_COLUMNS, BATCH_TABLES, batchRecord, JOB_COLUMNS, jobRecord } from "./records.ts";

/** Takes events for a worker, in order, with their batches and jobs. */
export async function takeEvents(
  database: Database,
  workerNo: number,
  limit: number,
): Promise<readonly TakenEvent[]> {
  const rows = await database.all(
    `SELECT e.sequence, e.type, e.at, e.entry AS of_entry, ${BATCH_COLUMNS}, ${JOB_COLUMNS}
     FROM quire.take_events($1, $2) AS e JOIN (${BATCH_TABLES}) ON b.no = e.batch_no
     LEFT JOIN quire.job AS j ON j.batch_no = e.batch_no AND j.entry = e.entry
     LEFT JOIN quire.outcome AS o ON o.batch_no = e.batch_no AND o.entry = e.entry
     LEFT JOIN quire.work AS k ON k.batch_no = e.batch_no AND k.entry = e.entry
     ORDER BY e.sequence`,
    [workerNo, limit],
  );
  return rows.map((row) => {
    const batch = batchRecord(row);
    return {
      sequence: row.sequence,
      type: row.type,
      batchId: batch.id,
      entry: row.of_entry,
      at: row.at,
      batch,
      job: row.of_entry === null ? null : jobRecord(batch.id, { ...row, entry: row.of_entry }),
    };
  });
}
