import { MAX_EVENT_WAIT_MS } from "@quire/contracts";
import type { Database } from "../database/database.ts";

/** Number of rows that are deleted or changed in one transaction. */
const SLICE = 1000;
/** A partition gets new batches for a day, or until it has this size. */
const PARTITION_AGE = "1 day";
const PARTITION_BYTES = 20_000_000_000;

/** Does part of the pending cleanup. Returns true if there is more to do. */
export async function tidy(database: Database, keepFinishedMs: number | null): Promise<boolean> {
  const cancelled = await database.get("SELECT quire.next_cancelled() AS no");
  if (cancelled?.no) {
    await failCancelled(database, cancelled.no);
    return true;
  }
  await database.all("SELECT quire.roll_partitions($1::interval, $2)", [
    PARTITION_AGE,
    PARTITION_BYTES,
  ]);
  const row = await database.get(
    `SELECT quire.expire_batches($1, $2, ${SLICE}) AS expired, quire.free_names(${SLICE}) AS names,
       quire.drop_partition() AS dropped, quire.delete_batches(NULL, ${SLICE}) AS deleted`,
    [keepFinishedMs ?? Number.POSITIVE_INFINITY, MAX_EVENT_WAIT_MS],
  );
  await database.all("SELECT quire.sweep()");
  return Object.values(row ?? {}).includes(true);
}

/** Fails some waiting jobs of a cancelled batch. Returns true if there may be more. */
export async function failCancelled(database: Database, batchNo: number): Promise<boolean> {
  const row = await database.get(`SELECT quire.fail_cancelled($1, ${SLICE}) AS more`, [batchNo]);
  return row?.more === true;
}

/** Erases the batches of a tenant that have no running jobs. Returns how many batches remain. */
export async function eraseBatches(database: Database, tenant: string): Promise<number> {
  const more = async (sql: string): Promise<boolean> => {
    const row = await database.get(sql, [tenant]);
    return row?.more === true;
  };
  // Jobs of dead workers are not running.
  await database.all("SELECT quire.reap()");
  while (await more(`SELECT quire.end_some($1, ${SLICE}) AS more`));
  await database.all("UPDATE quire.batch SET state = 3 WHERE tenant = $1 AND state = 2", [tenant]);
  while (await more(`SELECT quire.delete_batches($1, ${SLICE}) AS more`));
  const left = await database.get("SELECT count(*) AS batches FROM quire.batch WHERE tenant = $1", [
    tenant,
  ]);
  return Number(left?.batches);
}
