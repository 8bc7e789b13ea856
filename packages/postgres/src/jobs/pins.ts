import { LRUCache } from "lru-cache";
import type { Database } from "../database/database.ts";
import { toText } from "../database/text.ts";
import { BATCH } from "./states.ts";

/** Maximum size of the cached files, in bytes. */
const MAX_CACHED_BYTES = 64_000_000;

/** The files that batches use. Identical files are stored and transferred once, for any number of batches. */
export class Pins {
  readonly #database: Database;
  readonly #cached = new LRUCache<string, Uint8Array>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (bytes) => bytes.length + 1,
  });

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads a file of a batch; null if the batch does not have it. */
  async read(batchId: string, fileId: string): Promise<Uint8Array | null> {
    const row = await this.#database.get(
      `SELECT p.sha256, CASE WHEN p.sha256 = ANY($3) THEN NULL ELSE f.bytes END AS bytes
       FROM quire.batch AS b JOIN quire.pin AS p ON p.batch_no = b.no JOIN quire.file AS f USING (sha256)
       WHERE b.id = $1 AND b.state < ${BATCH.deleting} AND p.file_id = $2`,
      [toText(batchId), toText(fileId), [...this.#cached.keys()]],
    );
    if (row === undefined) return null;
    const bytes = this.#cached.get(row.sha256);
    if (bytes !== undefined) return bytes;
    if (row.bytes === null) return this.read(batchId, fileId); // dropped from the cache in the meantime
    const read = new Uint8Array(row.bytes);
    this.#cached.set(row.sha256, read);
    return read;
  }

  /** Stores a file for a batch, unless the batch already has a file with this id or does not exist. */
  async keep(batchId: string, fileId: string, sha256: string, bytes: Uint8Array): Promise<void> {
    await this.#database.all(
      `SELECT quire.pin_file(no, tenant, $2, $3, $4) FROM quire.batch WHERE id = $1 AND state < ${BATCH.deleting}`,
      [toText(batchId), toText(fileId), sha256, Buffer.from(bytes)],
    );
  }
}
