import type { Leftover } from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import type { Writer } from "../database/writer.ts";
import { TYPE, typeOf } from "./catalog-rows.ts";

/** How long a sweep owns the leftovers that it has taken. */
const HAND_MS = 600_000;
/** No discard begins after this time, because it could end when another sweep already owns the leftover. */
const BEGIN_MS = HAND_MS / 2;
/** Maximum number of leftovers that one write takes or deletes. */
const GROUP = 50;

/**
 * Records the storage's files and folders to which a removed item refers as leftovers, except those that another item
 * uses, and the file `gone`, which is missing from the storage. Call it within a transaction.
 */
export function leaveOver(database: Database, itemNo: number, gone: string | null): void {
  const places = database.all(
    "SELECT type, storage_id FROM catalog_place WHERE item_no = ? ORDER BY type, storage_id",
    itemNo,
  );
  database.run("DELETE FROM catalog_place WHERE item_no = ?", itemNo);
  for (const { type, storage_id } of places) {
    if (type === TYPE.file && storage_id === gone) continue;
    database.run(
      // Node 22.13 cannot bind values to numbered parameters such as "?1".
      `INSERT OR IGNORE INTO catalog_leftover (type, storage_id) SELECT ?, ? WHERE NOT EXISTS
         (SELECT 1 FROM catalog_place WHERE type = ? AND storage_id = ?)`,
      ...[Number(type), String(storage_id), Number(type), String(storage_id)],
    );
  }
}

/** Returns the number of leftovers discarded since the database was created. */
export function countDiscarded(database: Database): number {
  return Number(database.get("SELECT discarded FROM catalog_sweep WHERE id = 1")?.discarded);
}

/** Leftovers that a sweep owns until `freeAt`. */
interface Taken {
  readonly rows: readonly Row[];
  readonly freeAt: number;
}

/** The progress of a sweep: the row number of the last leftover of each type. */
type Progress = Record<0 | 1, number>;

/** Discards leftovers in groups. See the port. */
export async function sweepLeftovers(
  database: Database,
  writer: Writer,
  discard: (leftover: Leftover) => Promise<void>,
): Promise<void> {
  const progress: Progress = { [TYPE.folder]: 0, [TYPE.file]: 0 };
  for (;;) {
    // Checks with a query first, because there are usually no leftovers.
    if (nextRows(database, progress).length === 0) return;
    const taken = await writer.write(() => take(database, progress));
    if (taken.rows.length === 0) return;
    const outcome = await discardGroup(taken, progress, discard);
    await writer.write(() => giveBack(database, taken, outcome));
  }
}

/** Discards leftovers one by one while the sweep certainly owns them. Returns the row numbers of the discarded ones. */
async function discardGroup(
  { rows, freeAt }: Taken,
  progress: Progress,
  discard: (leftover: Leftover) => Promise<void>,
): Promise<ReadonlySet<number>> {
  const gone = new Set<number>();
  for (const row of rows) {
    if (Date.now() > freeAt - HAND_MS + BEGIN_MS) break;
    const type = typeOf(row.type);
    progress[TYPE[type]] = Number(row.no);
    try {
      await discard({ type, storageId: String(row.storage_id) });
      gone.add(Number(row.no));
    } catch {
      // A later call tries again.
    }
  }
  return gone;
}

function take(database: Database, progress: Progress): Taken {
  const rows = nextRows(database, progress);
  const freeAt = Date.now() + HAND_MS;
  for (const { no } of rows) {
    database.run("UPDATE catalog_leftover SET free_at = ? WHERE no = ?", freeAt, Number(no));
  }
  return { rows, freeAt };
}

/**
 * Returns the next files. After the last file, returns the next folders, unless another sweep owns leftovers that may
 * be in them.
 */
function nextRows(database: Database, progress: Progress): Row[] {
  const now = Date.now();
  const files = rowsAfter(database, TYPE.file, progress, now);
  if (files.length > 0) return files;
  const inHand = database.get(
    "SELECT 1 FROM catalog_leftover WHERE free_at > 0 AND free_at > ? LIMIT 1",
    now,
  );
  return inHand === undefined ? rowsAfter(database, TYPE.folder, progress, now) : [];
}

function rowsAfter(database: Database, type: 0 | 1, progress: Progress, now: number): Row[] {
  return database.all(
    `SELECT no, type, storage_id FROM catalog_leftover INDEXED BY leftover_turn
     WHERE type = ? AND no > ? AND free_at <= ? ORDER BY no LIMIT ${GROUP}`,
    type,
    progress[type],
    now,
  );
}

/** Deletes the discarded leftovers, and releases the others, unless another sweep owns them by now. */
function giveBack(database: Database, { rows, freeAt }: Taken, gone: ReadonlySet<number>): void {
  if (gone.size > 0) {
    database.run("UPDATE catalog_sweep SET discarded = discarded + ? WHERE id = 1", gone.size);
  }
  for (const { no } of rows) {
    const sql = gone.has(Number(no))
      ? "DELETE FROM catalog_leftover WHERE no = ? AND free_at = ?"
      : "UPDATE catalog_leftover SET free_at = 0 WHERE no = ? AND free_at = ?";
    database.run(sql, Number(no), freeAt);
  }
}
