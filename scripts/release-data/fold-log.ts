import { DatabaseSync } from "node:sqlite";

/**
 * Moves the write-ahead log of a SQLite file into the file, as SQLite itself does now and then, so that the data
 * takes less room. The engine's data keeps its log.
 */
export function foldLog(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}
