import { type JobInput, unpackChunk } from "@quire/contracts";
import type { Database } from "../database/database.ts";

/** Returns the data of an entry; null for an invalid entry. */
export async function readInput(
  database: Database,
  batchNo: number,
  entry: number,
): Promise<JobInput | null> {
  const row = await database.get(
    `SELECT first_entry, data FROM quire.chunk WHERE batch_no = $1 AND first_entry <= $2
     ORDER BY first_entry DESC LIMIT 1`,
    [batchNo, entry],
  );
  return row === undefined ? null : (unpackChunk(row.data)[entry - row.first_entry] ?? null);
}

/** The data of claimed jobs, by their chunks. */
export class ClaimedInputs {
  readonly #chunks = new Map<
    number,
    { readonly first: number; readonly inputs: readonly (JobInput | null)[] }[]
  >();

  /** Adds a chunk that begins with an entry. */
  add(batchNo: number, first: number, data: Uint8Array): void {
    const chunks = this.#chunks.get(batchNo) ?? [];
    this.#chunks.set(batchNo, chunks);
    chunks.push({ first, inputs: unpackChunk(data) });
  }

  /** Returns the data of an entry; null if it is missing. */
  of(batchNo: number, entry: number): JobInput | null {
    for (const { first, inputs } of this.#chunks.get(batchNo) ?? []) {
      const input = entry >= first ? inputs[entry - first] : undefined;
      if (input !== undefined) return input;
    }
    return null;
  }
}
