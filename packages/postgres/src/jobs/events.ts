import type { TakenEvent } from "@quire/contracts";
import type { Database } from "../database/database.ts";
import { batchRecord, jobRecord } from "./records.ts";

/** Takes events for a worker, in order, with their batches and jobs. */
export async function takeEvents(
  database: Database,
  workerNo: number,
  limit: number,
): Promise<readonly TakenEvent[]> {
  const rows = await database.all("SELECT * FROM quire.take_events($1, $2)", [workerNo, limit]);
  return rows.map(({ sequence, type, entry, at, batch: row, job }) => {
    const batch = batchRecord(row);
    return {
      sequence,
      type,
      batchId: batch.id,
      entry,
      at,
      batch,
      job: entry === null ? null : jobRecord(batch.id, job),
    };
  });
}
