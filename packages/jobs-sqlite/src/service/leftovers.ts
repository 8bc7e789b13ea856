import type { Leftover } from "@quire/core/host";
import type { Database, Row } from "../database.ts";
import type { Writer } from "../writer.ts";
import { TYPE, typeOf } from "./catalog-rows.ts";

/** What a sweep has in hand nobody else has for so long. */
const HAND_MS = 600_000;
/** Nothing is begun that has been in hand for so long: by its end it may be another one's. */
const BEGIN_MS = HAND_MS / 2;
/** So many are taken, and forgotten, with one write. */
const GROUP = 50;

/**
 * Notes what an item that goes away has stood for, where nothing else does, but for a file that is gone from the storage
 * already. Within a transaction of the caller.
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
      // Node 22.13 binds no values to numbered parameters, as in "?1".
      `INSERT OR IGNORE INTO catalog_leftover (type, storage_id) SELECT ?, ? WHERE NOT EXISTS
         (SELECT 1 FROM catalog_place WHERE type = ? AND storage_id = ?)`,
      ...[Number(type), String(storage_id), Number(type), String(storage_id)],
    );
  }
}

/** How many leftovers have been discarded and forgotten since the file was made. */
export function countDiscarded(database: Database): number {
  return Number(database.get("SELECT discarded FROM catalog_sweep WHERE id = 1")?.discarded);
}

/** Leftovers that a sweep has in hand until then. */
interface Taken {
  readonly rows: readonly Row[];
  readonly freeAt: number;
}

/** How far a sweep has come, by the number of the last leftover of each type. */
type Progress = Record<0 | 1, number>;

/** Discards what was left over, group by group. See the port. */
export async function sweepLeftovers(
  database: Database,
  writer: Writer,
  discard: (leftover: Leftover) => Promise<void>,
): Promise<void> {
  const progress: Progress = { [TYPE.folder]: 0, [TYPE.file]: 0 };
  for (;;) {
    // Asked before anything is written: mostly there is none.
    if (nextRows(database, progress).length === 0) return;
    const taken = await writer.write(() => take(database, progress));
    if (taken.rows.length === 0) return;
    const outcome = await discardGroup(taken, progress, discard);
    await writer.write(() => giveBack(database, taken, outcome));
  }
}

/** Discards one after the other, as long as they are surely in hand. Gives what is not there any more. */
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
      // It is tried with a later call.
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

/** Files, or else folders, when nobody has anything in hand that may have been in one of them. */
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

/** Forgets what is gone, and frees the rest, unless somebody else has it by now. */
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
