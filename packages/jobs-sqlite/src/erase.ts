import { setImmediate as nextTurn } from "node:timers/promises";
import { CANCELLED } from "@quire/contracts";
import type { Database } from "./database/database.ts";
import { monotonicMs } from "./database/machine.ts";
import { BATCH } from "./database/states.ts";
import type { Writer } from "./database/writer.ts";
import type { JobTransitions } from "./lease/job-transitions.ts";
import type { Pins } from "./templates/pins.ts";
import { deleteSome } from "./tidy.ts";

/** Number of jobs that are ended in one transaction. */
const SLICE = 1000;

/** Dependencies of {@link eraseBatches}. */
export interface EraseContext {
  readonly database: Database;
  readonly writer: Writer;
  readonly transitions: JobTransitions;
  readonly pins: Pins;
}

/** Erases the batches of a tenant that have no running jobs. Returns how many batches remain. */
export async function eraseBatches(
  { database, writer, transitions, pins }: EraseContext,
  tenant: string,
): Promise<number> {
  // Jobs of dead workers are not running.
  await writer.write(() => transitions.reap(monotonicMs()));
  while (await writer.write(() => endSome(database, transitions, tenant))) await nextTurn();
  await writer.write(() =>
    database.run(
      `UPDATE batch SET state = ${BATCH.deleting}, id = 'deleted ' || no || ' ' || id
       WHERE tenant = ? AND state = ${BATCH.finished}`,
      tenant,
    ),
  );
  while (await writer.write(() => deleteNext(database, pins, tenant))) await nextTurn();
  const left = database.get("SELECT count(*) AS batches FROM batch WHERE tenant = ?", tenant);
  return Number(left?.batches);
}

/**
 * Fails some waiting jobs, including jobs whose earlier attempts may have stored a document: the caller also erases the
 * documents. Returns true if there may be more.
 */
function endSome(database: Database, transitions: JobTransitions, tenant: string): boolean {
  const batch = database.get(
    `SELECT no FROM batch WHERE tenant = ? AND state = ${BATCH.running} AND submitted > 0 LIMIT 1`,
    tenant,
  );
  if (batch === undefined) return false;
  const no = Number(batch.no);
  database.run("UPDATE batch SET cancelled = 1 WHERE no = ?", no);
  const jobs = database.all(
    "SELECT entry FROM job INDEXED BY job_submitted WHERE batch_no = ? AND status = 0 ORDER BY entry LIMIT ?",
    no,
    SLICE,
  );
  for (const { entry } of jobs) {
    transitions.end(no, Number(entry), "submitted", { status: "failed", failure: CANCELLED });
  }
  return true;
}

/** Deletes part of a batch. Returns true if there may be more. */
function deleteNext(database: Database, pins: Pins, tenant: string): boolean {
  const batch = database.get(
    `SELECT no, folder_no FROM batch WHERE tenant = ? AND state = ${BATCH.deleting} LIMIT 1`,
    tenant,
  );
  if (batch === undefined) return false;
  deleteSome(database, pins, Number(batch.no), Number(batch.folder_no));
  return true;
}
