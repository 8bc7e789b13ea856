import { foldName, nameReserver, type ReserveName } from "@quire/contracts";
import type { Database } from "./database/database.ts";
import { BATCH } from "./database/states.ts";

/** Returns a function that reserves names for a batch in its folder. Call that function within a transaction. */
export function reserverOf(
  database: Database,
  batch: NamedBatch,
  isTaken: (foldedName: string) => boolean,
): ReserveName {
  return nameReserver((folded) => !isTaken(folded) && takeName(database, batch, folded));
}

/** A batch and its folder, by their numbers in the database. */
export interface NamedBatch {
  readonly batchNo: number;
  readonly folderNo: number;
}

/** Reserves a name for a batch. Returns false if another job has the name. Names of ended batches are free. */
export function takeName(
  database: Database,
  { batchNo, folderNo }: NamedBatch,
  folded: string,
): boolean {
  const isNew = database.run(
    "INSERT OR IGNORE INTO name VALUES (?, ?, ?)",
    folderNo,
    folded,
    batchNo,
  );
  if (isNew === 1) return true;
  return (
    database.run(
      `UPDATE name SET batch_no = ? WHERE folder_no = ? AND folded = ? AND NOT EXISTS
         (SELECT 1 FROM batch WHERE no = name.batch_no AND state IN (${BATCH.accepting}, ${BATCH.running})
            AND NOT (cancelled = 1 AND pending = 0))`,
      batchNo,
      folderNo,
      folded,
    ) === 1
  );
}

/** Releases names that a batch has reserved. */
export function releaseNames(
  database: Database,
  { batchNo, folderNo }: NamedBatch,
  names: Iterable<string>,
): void {
  for (const name of names) {
    database.run(
      "DELETE FROM name WHERE folder_no = ? AND folded = ? AND batch_no = ?",
      folderNo,
      foldName(name),
      batchNo,
    );
  }
}

/** Returns the number of a folder in the database. Adds the folder if it is missing. */
export function folderNo(database: Database, id: string): number {
  database.run("INSERT OR IGNORE INTO folder (id) VALUES (?)", id);
  return Number(database.get("SELECT no FROM folder WHERE id = ?", id)?.no);
}
