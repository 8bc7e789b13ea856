import { hash } from "node:crypto";
import type { Database } from "./database.ts";
import { countPin } from "./tenant-use.ts";

/** Keeps a file for a batch, if none is kept under that id. */
export function pinFile(
  database: Database,
  batchNo: number,
  fileId: string,
  bytes: Uint8Array,
): void {
  const sha256 = hash("sha256", bytes);
  const isNew = database.run("INSERT OR IGNORE INTO pin VALUES (?, ?, ?)", batchNo, fileId, sha256);
  if (isNew === 0) return;
  database.run("INSERT OR IGNORE INTO file VALUES (?, ?)", sha256, bytes);
  countPin(database, batchNo, sha256, bytes);
}
