import type { Leftover } from "@quire/contracts";
import type { Database, Row } from "../database/database.ts";
import { fromText } from "../database/text.ts";
import { TYPE, typeOf } from "./catalog-rows.ts";

/** How long a sweep owns the leftovers that it has taken. */
const HAND_MS = 600_000;
/** No discard begins after this time, because it could end when another sweep already owns the leftover. */
const BEGIN_MS = HAND_MS / 2;

/** The number of the last leftover of each type that a sweep has taken. */
type Progress = Record<0 | 1, number>;

/** Discards leftovers in groups. See the port. */
export async function sweepLeftovers(
  database: Database,
  discard: (leftover: Leftover) => Promise<void>,
): Promise<void> {
  const progress: Progress = { [TYPE.folder]: 0, [TYPE.file]: 0 };
  for (;;) {
    const takenAt = performance.now();
    const rows = await database.all("SELECT * FROM quire.catalog_take_leftovers($1, $2, $3)", [
      progress[TYPE.folder],
      progress[TYPE.file],
      HAND_MS,
    ]);
    if (rows.length === 0) return;
    const gone = await discardGroup(rows, takenAt + BEGIN_MS, progress, discard);
    await database.all("SELECT quire.catalog_give_back($1, $2, $3)", [
      rows.filter(({ no }) => gone.has(no)).map(({ no }) => no),
      rows.filter(({ no }) => !gone.has(no)).map(({ no }) => no),
      rows[0]?.free_at,
    ]);
  }
}

/** Discards leftovers one by one while the sweep certainly owns them. Returns the numbers of the discarded ones. */
async function discardGroup(
  rows: readonly Row[],
  endAt: number,
  progress: Progress,
  discard: (leftover: Leftover) => Promise<void>,
): Promise<ReadonlySet<number>> {
  const gone = new Set<number>();
  for (const { no, type: number, storage_id } of rows) {
    if (performance.now() > endAt) break;
    const type = typeOf(number);
    progress[TYPE[type]] = no;
    try {
      await discard({ type, storageId: fromText(storage_id) });
      gone.add(no);
    } catch {
      // A later call tries again.
    }
  }
  return gone;
}
