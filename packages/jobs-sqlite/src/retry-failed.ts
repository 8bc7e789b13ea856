import { setImmediate as nextTurn } from "node:timers/promises";
import {
  foldName,
  isQuireError,
  jobStoreProblems,
  type NewBatchOptions,
  type ReserveName,
  toFailure,
} from "@quire/contracts";
import { notesOf } from "./claim.ts";
import type { Database, Row } from "./database/database.ts";
import { BATCH, STATUS } from "./database/states.ts";
import type { Writer } from "./database/writer.ts";
import type { Inputs } from "./inputs.ts";
import type { JobTransitions } from "./lease/job-transitions.ts";
import { findBatch } from "./listings.ts";
import { folderNo, reserverOf } from "./name-reservations.ts";

/** Number of jobs that are submitted again in one transaction. */
const SLICE = 1000;

/** Dependencies of {@link retryFailed}. */
export interface RetryContext {
  readonly database: Database;
  readonly writer: Writer;
  readonly transitions: JobTransitions;
  readonly inputs: Inputs;
  readonly maxWaiting: number;
}

/** Reserves names in a batch's folder. */
interface Names {
  readonly batchNo: number;
  readonly folderNo: number;
  readonly isTaken: NewBatchOptions["isTaken"];
  readonly reserve: ReserveName;
}

/** Submits the failed jobs of a finished batch again, in slices. */
export async function retryFailed(
  context: RetryContext,
  batchId: string,
  { isTaken }: Pick<NewBatchOptions, "isTaken">,
): Promise<void> {
  const { database, writer } = context;
  let names: Names | null = null;
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after;
    after = await writer.write((): number | null => {
      const batch = findBatch(database, batchId);
      if (from === 0 && batch.state !== BATCH.finished) throw jobStoreProblems.notFinished(batchId);
      const of = {
        batchNo: Number(batch.no),
        folderNo: folderNo(database, String(batch.folder_id)),
      };
      names ??= { ...of, isTaken, reserve: reserverOf(database, of, isTaken) };
      return retrySlice(context, batch, from, names);
    });
    await nextTurn();
  }
}

/**
 * Submits a slice of the failed jobs again. Returns the last entry of the slice; null if no jobs are left to submit.
 */
function retrySlice(
  { database, transitions, maxWaiting }: RetryContext,
  batch: Row,
  after: number,
  names: Names,
): number | null {
  const batchNo = Number(batch.no);
  const jobs = database.all(
    `SELECT entry, wanted_name, file_name, notes FROM job INDEXED BY job_failed
     WHERE batch_no = ? AND status = 4 AND entry > ? AND is_bad = 0 ORDER BY entry LIMIT ?`,
    batchNo,
    after,
    SLICE,
  );
  // If the batch was cancelled between two slices, it remains cancelled.
  const isCancelled = after > 0 && batch.cancelled === 1;
  if (jobs.length === 0 || isCancelled) return null;
  if (after === 0) assertRoom(database, batchNo, maxWaiting);
  // The batch may have finished since the previous slice, so reactivate it each time.
  if (batch.state === BATCH.finished) transitions.activate(batchNo, String(batch.tenant));
  database.run("UPDATE batch SET cancelled = 0, ready_at = 0 WHERE no = ?", batchNo);
  let submitted = 0;
  for (const job of jobs) {
    if (resubmit(database, batch, job, names)) submitted += 1;
  }
  database.run("UPDATE queue SET waiting = waiting + ?", submitted);
  transitions.count(batchNo, { failed: -submitted, submitted });
  transitions.announce();
  return Number(jobs.at(-1)?.entry);
}

function assertRoom(database: Database, batchNo: number, maxWaiting: number): void {
  const failed = database.get(
    "SELECT count(*) AS jobs FROM job INDEXED BY job_failed WHERE batch_no = ? AND status = 4 AND is_bad = 0",
    batchNo,
  )?.jobs;
  const waiting = database.get("SELECT waiting FROM queue")?.waiting;
  if (Number(waiting) + Number(failed) > maxWaiting) throw jobStoreProblems.full(maxWaiting);
}

/**
 * Returns the job's previous name if it is still available. Otherwise reserves and returns the requested name or a
 * replacement for it. Throws `conflict` if the requested name is taken and must not be changed.
 */
function reserveAgain(
  database: Database,
  batch: Row,
  job: Row,
  { batchNo, folderNo, isTaken, reserve }: Names,
): string {
  const { file_name, wanted_name } = job;
  if (typeof file_name === "string") {
    const folded = foldName(file_name);
    const owner = database.get(
      "SELECT batch_no FROM name WHERE folder_no = ? AND folded = ?",
      folderNo,
      folded,
    )?.batch_no;
    // The file with this name in the folder may be the job's own document.
    const isNoted = notesOf(job).some(({ name }) => name === file_name);
    if (owner === batchNo && (isNoted || !isTaken(folded))) return file_name;
  }
  const policy = batch.on_conflict === "fail" ? "fail" : "rename";
  return reserve(String(wanted_name ?? file_name), policy);
}

/** Submits a failed job again. If no name is available, records that as its failure instead, and returns false. */
function resubmit(database: Database, batch: Row, job: Row, names: Names): boolean {
  const [batchNo, entry] = [Number(batch.no), Number(job.entry)];
  const wanted = job.wanted_name ?? job.file_name;
  try {
    const fileName = reserveAgain(database, batch, job, names);
    database.run(
      `UPDATE job SET status = ${STATUS.submitted}, file_name = ?, wanted_name = ?, failure = NULL,
         failures = 0, deaths = 0, ready_at = 0, ended = NULL, ended_at = NULL
       WHERE batch_no = ? AND entry = ?`,
      fileName,
      wanted ?? null,
      batchNo,
      entry,
    );
    return true;
  } catch (error) {
    if (!isQuireError(error)) throw error;
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
