import { CANCELLED, MAX_EVENT_WAIT_MS } from "@quire/contracts";
import type { Database } from "./database/database.ts";
import { BATCH } from "./database/states.ts";
import type { JobTransitions } from "./lease/job-transitions.ts";
import { releaseNames } from "./name-reservations.ts";
import type { Pins } from "./templates/pins.ts";

/** Number of rows that are deleted or changed in one transaction. */
const SLICE = 1000;

/** Dependencies of {@link tidy}. */
export interface TidyContext {
  readonly database: Database;
  readonly transitions: JobTransitions;
  readonly pins: Pins;
}

/** Does part of the pending cleanup. Returns true if there is more to do. Call it within a transaction. */
export function tidy(
  { database, transitions, pins }: TidyContext,
  keepFinishedMs: number | null,
): boolean {
  if (failCancelled(database, transitions)) return true;
  if (keepFinishedMs !== null) {
    const end = Date.now() - keepFinishedMs;
    database.run(
      `UPDATE batch SET state = ${BATCH.deleting}, id = 'deleted ' || no || ' ' || id WHERE no IN
         (SELECT no FROM batch WHERE state = ${BATCH.finished} AND finished_at <= ?
            AND (finished_at <= ? OR NOT EXISTS (SELECT 1 FROM event WHERE batch_no = no)) LIMIT 100)`,
      end,
      end - MAX_EVENT_WAIT_MS,
    );
  }
  // A batch that a registered worker is still accepting is discarded only when that worker ends.
  database.run(
    `UPDATE batch SET state = ${BATCH.deleting}, id = 'deleted ' || no || ' ' || id
     WHERE state = ${BATCH.accepting} AND worker_no NOT IN (SELECT no FROM worker)`,
  );
  const batch = database.get(
    `SELECT no, folder_no FROM batch WHERE state = ${BATCH.deleting} LIMIT 1`,
  );
  if (batch === undefined) return false;
  deleteSome(database, pins, Number(batch.no), Number(batch.folder_no));
  return true;
}

/** Fails some jobs of cancelled batches. Returns true if there is more to do. */
export function failCancelled(
  database: Database,
  transitions: JobTransitions,
  batchNo?: number,
): boolean {
  const batch = database.get(
    `SELECT no FROM batch WHERE state = ${BATCH.running} AND cancelled = 1 AND submitted > 0 AND no = coalesce(?, no)
       AND EXISTS (SELECT 1 FROM job INDEXED BY job_submitted WHERE batch_no = no AND status = 0 AND notes IS NULL) LIMIT 1`,
    batchNo ?? null,
  );
  if (batch === undefined) return false;
  const no = Number(batch.no);
  const jobs = database.all(
    "SELECT entry FROM job INDEXED BY job_submitted WHERE batch_no = ? AND status = 0 AND notes IS NULL ORDER BY entry LIMIT ?",
    no,
    SLICE,
  );
  for (const { entry } of jobs) {
    transitions.end(no, Number(entry), "submitted", { status: "failed", failure: CANCELLED });
  }
  return true;
}

/** Deletes part of a batch that is no longer visible: its data first, the batch itself last. */
export function deleteSome(
  database: Database,
  pins: Pins,
  batchNo: number,
  folderNo: number,
): void {
  const chunks = database.run(
    `DELETE FROM chunk WHERE batch_no = ? AND first_entry IN
       (SELECT first_entry FROM chunk WHERE batch_no = ? ORDER BY first_entry LIMIT 100)`,
    batchNo,
    batchNo,
  );
  if (chunks > 0) return;
  const events = database.run(
    "DELETE FROM event WHERE sequence IN (SELECT sequence FROM event WHERE batch_no = ? LIMIT ?)",
    batchNo,
    SLICE,
  );
  if (events === SLICE) return;
  pins.delete(batchNo);
  const jobs = database.all(
    "SELECT entry, file_name, wanted_name FROM job WHERE batch_no = ? ORDER BY entry LIMIT ?",
    batchNo,
    SLICE,
  );
  const names = jobs.flatMap((job) => [job.file_name, job.wanted_name]);
  const known = names.filter((name) => typeof name === "string");
  releaseNames(database, { batchNo, folderNo }, known);
  for (const { entry } of jobs) {
    database.run("DELETE FROM job WHERE batch_no = ? AND entry = ?", batchNo, Number(entry));
  }
  if (jobs.length === SLICE) return;
  database.run("DELETE FROM batch WHERE no = ?", batchNo);
}
