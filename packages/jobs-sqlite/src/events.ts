import type { BatchRecord, StoredEvent, TakenEvent } from "@quire/contracts";
import type { Database, Row } from "./database/database.ts";
import {
  BATCH_COLUMNS,
  BATCH_TABLES,
  batchRecord,
  JOB_COLUMNS,
  jobRecord,
  numberOrNull,
} from "./database/records.ts";
import { BATCH } from "./database/states.ts";

/** Events that no worker has taken. The events of a batch that is being deleted are not delivered. */
const FREE = `event JOIN batch ON no = batch_no
  WHERE event.worker_no IS NULL AND state IN (${BATCH.running}, ${BATCH.finished})`;

/** Whether there are events that no worker has taken. */
export function hasEvents(database: Database): boolean {
  return database.get(`SELECT 1 FROM ${FREE} LIMIT 1`) !== undefined;
}

/** Takes events for a worker, in order. Call it within a transaction. */
export function takeEvents(database: Database, workerNo: number, limit: number): TakenEvent[] {
  const rows = database.all(
    `SELECT sequence, type, of_batch, of_entry, at, ${JOB_COLUMNS} FROM
       (SELECT sequence, type, batch_no AS of_batch, entry AS of_entry, at FROM ${FREE} ORDER BY sequence LIMIT ?)
     LEFT JOIN job ON job.batch_no = of_batch AND job.entry = of_entry ORDER BY sequence`,
    limit,
  );
  database.run(
    "UPDATE event SET worker_no = ? WHERE sequence IN (SELECT value FROM json_each(?))",
    workerNo,
    JSON.stringify(rows.map(({ sequence }) => sequence)),
  );
  const batches = batchesOf(database, rows);
  return rows.flatMap((row) => {
    const batch = batches.get(Number(row.of_batch));
    return batch === undefined ? [] : [takenEvent(row, batch)];
  });
}

/** Deletes events that have been delivered. */
export function deleteEvents(database: Database, sequences: readonly number[]): void {
  database.run(
    "DELETE FROM event WHERE sequence IN (SELECT value FROM json_each(?))",
    JSON.stringify(sequences),
  );
}

function batchesOf(database: Database, events: readonly Row[]): Map<number, BatchRecord> {
  const numbers = new Set(events.map(({ of_batch }) => of_batch));
  const rows = database.all(
    `SELECT ${BATCH_COLUMNS} FROM ${BATCH_TABLES} WHERE batch.no IN (SELECT value FROM json_each(?))`,
    JSON.stringify([...numbers]),
  );
  return new Map(rows.map((row) => [Number(row.no), batchRecord(row)]));
}

function takenEvent(row: Row, batch: BatchRecord): TakenEvent {
  return {
    sequence: Number(row.sequence),
    type: row.type as StoredEvent["type"],
    batchId: batch.id,
    entry: numberOrNull(row.of_entry),
    at: Number(row.at),
    batch,
    job: row.entry === null ? null : jobRecord(batch.id, row),
  };
}
