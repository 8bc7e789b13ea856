import { setImmediate as nextTurn } from "node:timers/promises";
import {
  jobStoreProblems,
  type NewBatchOptions,
  type ReserveName,
  toFailure,
  withExtension,
} from "@quire/core";
import type { Database, Row } from "./database.ts";
import type { Inputs } from "./inputs.ts";
import type { Ledger } from "./ledger.ts";
import { findBatch } from "./listings.ts";
import { folderNo, reserverOf } from "./names.ts";
import { BATCH, STATUS } from "./states.ts";
import type { Writer } from "./writer.ts";

/** So many jobs are submitted again at once. */
const SLICE = 1000;

/** What a retry needs. */
export interface RetryContext {
  readonly database: Database;
  readonly writer: Writer;
  readonly ledger: Ledger;
  readonly inputs: Inputs;
  readonly maxWaiting: number;
}

/** Submits the failed jobs of a finished batch again, slice by slice. */
export async function retryFailed(
  context: RetryContext,
  batchId: string,
  { isTaken }: Pick<NewBatchOptions, "isTaken">,
): Promise<void> {
  const { database, writer } = context;
  let reserve: ReserveName | null = null;
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    after = await writer.write((): number | null => {
      const batch = findBatch(database, batchId);
      if (from === 0 && batch.state !== BATCH.finished) throw jobStoreProblems.notFinished(batchId);
      const of = {
        batchNo: Number(batch.no),
        folderNo: folderNo(database, String(batch.folder_id)),
      };
      reserve ??= reserverOf(database, of, isTaken);
      return retrySlice(context, batch, from, reserve);
    });
    await nextTurn();
  }
}

/** Gives the last entry that was looked at; null when there is no further one. */
function retrySlice(
  { database, ledger, maxWaiting }: RetryContext,
  batch: Row,
  after: number,
  reserve: ReserveName,
): number | null {
  const batchNo = Number(batch.no);
  const jobs = database.all(
    `SELECT entry, requested_name, failure FROM job INDEXED BY job_failed
     WHERE batch_no = ? AND status = 4 AND entry > ? AND is_bad = 0 ORDER BY entry LIMIT ?`,
    batchNo,
    after,
    SLICE,
  );
  if (jobs.length === 0) return null;
  const waiting = Number(database.get("SELECT waiting FROM queue")?.waiting);
  if (waiting + jobs.length > maxWaiting) throw jobStoreProblems.full(maxWaiting);
  // It may have finished since the slice before, so that it is made to run each time.
  if (batch.state === BATCH.finished) ledger.activate(batchNo, String(batch.tenant));
  database.run("UPDATE batch SET cancelled = 0 WHERE no = ?", batchNo);
  let submitted = 0;
  for (const job of jobs) {
    if (resubmit(database, batch, job, reserve)) submitted += 1;
  }
  database.run("UPDATE queue SET waiting = waiting + ?", submitted);
  ledger.count(batchNo, { failed: -submitted, submitted });
  return Number(jobs.at(-1)?.entry);
}

/** False when there is no name for it: then it stays failed, for that reason. */
function resubmit(database: Database, batch: Row, job: Row, reserve: ReserveName): boolean {
  const [batchNo, entry] = [Number(batch.no), Number(job.entry)];
  const wanted = withExtension(
    String(job.requested_name),
    batch.output_type === "pdf" ? "pdf" : "docx",
  );
  try {
    const fileName = reserve(wanted, batch.on_conflict === "fail" ? "fail" : "rename");
    database.run(
      `UPDATE job SET status = ${STATUS.submitted}, file_name = ?, failure = NULL, failures = 0, deaths = 0,
         ready_at = 0, ended = NULL, ended_at = NULL WHERE batch_no = ? AND entry = ?`,
      fileName,
      batchNo,
      entry,
    );
    return true;
  } catch (error) {
    const failure = JSON.stringify(toFailure(error));
    database.run(
      "UPDATE job SET failure = ? WHERE batch_no = ? AND entry = ?",
      failure,
      batchNo,
      entry,
    );
    return false;
  }
}
