import { type JobInput, unpackChunk } from "@quire/contracts";
import type { Database } from "./database/database.ts";

/** Maximum number of cached chunks. Workers alternate between a few batches, and read each chunk several times. */
const MAX_KEPT = 8;

interface Unpacked {
  readonly first: number;
  readonly inputs: readonly (JobInput | null)[];
}

/** Reads the data of entries. */
export class Inputs {
  readonly #database: Database;
  readonly #kept = new Map<string, Unpacked>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the data of an entry; null for an invalid entry. */
  read(batchNo: number, entry: number): JobInput | null {
    return this.#keptOf(batchNo, entry) ?? this.#unpack(batchNo, entry);
  }

  #keptOf(batchNo: number, entry: number): JobInput | null {
    for (const [key, { first, inputs }] of this.#kept) {
      if (!key.startsWith(`${batchNo} `)) continue;
      const input = entry >= first ? inputs[entry - first] : undefined;
      if (input !== undefined) return input;
    }
    return null;
  }

  #unpack(batchNo: number, entry: number): JobInput | null {
    const row = this.#database.get(
      "SELECT first_entry, data FROM chunk WHERE batch_no = ? AND first_entry <= ? ORDER BY first_entry DESC LIMIT 1",
      batchNo,
      entry,
    );
    if (row === undefined) return null;
    const first = Number(row.first_entry);
    const inputs = unpackChunk(row.data as Uint8Array);
    this.#kept.set(`${batchNo} ${first}`, { first, inputs });
    for (const [key] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(key);
    }
    return inputs[entry - first] ?? null;
  }
}
