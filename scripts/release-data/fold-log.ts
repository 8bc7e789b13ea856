import { DatabaseSync } from "node:sqlite";

/**
 * Moves the write-ahead log of a SQLite file into the file, as SQLite occasionally does, so that the data is smaller.
 * The data of the engine keeps its log.
 */
export function foldLog(path: string): void {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}
