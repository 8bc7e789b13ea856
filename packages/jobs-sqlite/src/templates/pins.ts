import type { Database } from "../database/database.ts";
import { countPin, uncountPin } from "../database/tenant-use.ts";
import { LargeFiles, type NewFile } from "./large-files.ts";

/** The files that batches use. Identical files are stored once, for any number of batches. */
export class Pins {
  readonly #database: Database;
  readonly #large: LargeFiles;

  constructor(database: Database) {
    this.#database = database;
    this.#large = new LargeFiles(database);
  }

  /** Passes a file that {@link keep} accepts to `use`. See {@link LargeFiles.with}. */
  with<T>(bytes: Uint8Array, use: (file: NewFile) => Promise<T>): Promise<T> {
    return this.#large.with(bytes, use);
  }

  /** Deletes files that dead processes left behind. */
  sweep(): Promise<void> {
    return this.#large.sweep();
  }

  /** Stores a file for a batch, unless the batch already has a file with this id. Call it within a transaction. */
  keep(batchNo: number, fileId: string, { sha256, bytes, place }: NewFile): void {
    const database = this.#database;
    const insert = "INSERT OR IGNORE INTO pin VALUES (?, ?, ?)";
    if (database.run(insert, batchNo, fileId, sha256) === 0) return;
    const known = database.get("SELECT 1 FROM file WHERE sha256 = ?", sha256);
    if (known === undefined) {
      // If another process has deleted the file, its bytes are stored in the database, which is slower but safe.
      const isBeside = place !== null && this.#large.has(place);
      database.run(
        "INSERT INTO file (sha256, bytes, place, size) VALUES (?, ?, ?, ?)",
        sha256,
        isBeside ? new Uint8Array() : bytes,
        isBeside ? place : null,
        bytes.length,
      );
    }
    countPin(database, batchNo, sha256, bytes.length);
  }

  /**
   * Reads a file of a batch; null if the batch does not have it. Rejects `job_store_failed` if a large file cannot be
   * read.
   */
  async read(batchId: string, fileId: string): Promise<Uint8Array | null> {
    const row = this.#database.get(
      `SELECT file.bytes, place, size FROM batch JOIN pin ON batch_no = no JOIN file USING (sha256)
       WHERE id = ? AND file_id = ?`,
      batchId,
      fileId,
    );
    if (row === undefined) return null;
    if (row.place === null) return row.bytes as Uint8Array;
    return this.#large.read(String(row.place), Number(row.size));
  }

  /** Deletes the files of a batch that no other batch uses. Call it within a transaction. */
  delete(batchNo: number): void {
    const database = this.#database;
    const pins = database.all("SELECT sha256 FROM pin WHERE batch_no = ?", batchNo);
    database.run("DELETE FROM pin WHERE batch_no = ?", batchNo);
    for (const { sha256 } of pins) {
      uncountPin(database, batchNo, String(sha256));
      const deleted = database.get(
        `DELETE FROM file WHERE sha256 = ? AND NOT EXISTS (SELECT 1 FROM pin WHERE pin.sha256 = file.sha256)
         RETURNING place`,
        String(sha256),
      );
      const place = deleted?.place;
      if (typeof place === "string") database.afterSync(() => this.#large.remove(place));
    }
  }
}
