import type { QueueDepth } from "@quire/contracts";
import type { Database } from "./database/database.ts";
import { numberOrNull } from "./database/records.ts";

/** Returns the depth of the queue, with one query. The running jobs, which are few, are counted with an index. */
export function depthOf(database: Database, capacity: number): QueueDepth {
  const row = database.get(
    `SELECT (SELECT waiting FROM queue WHERE id = 1) AS waiting,
       (SELECT count(*) FROM job INDEXED BY job_of_worker WHERE worker_no IS NOT NULL) AS pending,
       (SELECT created_at FROM batch INDEXED BY batch_waiting WHERE state = 1 AND submitted > 0
          ORDER BY created_at LIMIT 1) AS oldest_at`,
  );
  const pending = Number(row?.pending);
  return {
    submitted: Number(row?.waiting) - pending,
    pending,
    oldestAt: numberOrNull(row?.oldest_at),
    capacity,
  };
}
