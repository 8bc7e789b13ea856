import type { QueueDepth } from "@quire/contracts";
import type { Database } from "./database/database.ts";
import { numberOrNull } from "./database/records.ts";

const oldest = (needsConverter: 0 | 1): string =>
  `(SELECT created_at FROM batch INDEXED BY batch_waiting
    WHERE state = 1 AND submitted > 0 AND needs_converter = ${needsConverter} ORDER BY created_at LIMIT 1)`;

/** Returns the depth of the queue, with one query. The running jobs, which are few, are counted with an index. */
export function depthOf(database: Database, capacity: number): QueueDepth {
  const row = database.get(
    `SELECT (SELECT waiting FROM queue WHERE id = 1) AS waiting,
       (SELECT count(*) FROM job INDEXED BY job_of_worker WHERE worker_no IS NOT NULL) AS pending,
       ${oldest(0)} AS oldest_docx, ${oldest(1)} AS oldest_pdf`,
  );
  const pending = Number(row?.pending);
  return {
    submitted: Number(row?.waiting) - pending,
    pending,
    oldestAt: { docx: numberOrNull(row?.oldest_docx), pdf: numberOrNull(row?.oldest_pdf) },
    capacity,
  };
}
