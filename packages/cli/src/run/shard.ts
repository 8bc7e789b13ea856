import { type BatchPart, QuireError } from "@quire/core/host";
import type { Shard } from "../options/shard.ts";
import { count } from "../terminal/format.ts";

/** Returns a shard in words. */
export function shardInWords({ index, count: of }: Shard): string {
  return `shard ${index} of ${of}`;
}

/**
 * Returns the part of the chosen entries that belongs to a shard. Each shard has consecutive entries, and the sizes of
 * two shards differ by one at most. `size` is the number of chosen entries; null if the data file ends unexpectedly.
 * Throws `invalid_data` in this case, and `invalid_request` if there are more shards than entries.
 */
export function partOf(shard: Shard, size: number | null, dataPath: string): BatchPart {
  const { index, count: of } = shard;
  if (size === null) {
    throw new QuireError(
      "invalid_data",
      `The data file ${JSON.stringify(dataPath)} cannot be read to its end, so it cannot be divided into shards. quire check shows the reason.`,
    );
  }
  if (size < of) {
    throw new QuireError(
      "invalid_request",
      `${count(size)} ${size === 1 ? "entry" : "entries"} cannot be divided into ${count(of)} shards. Use at most as many shards as there are entries.`,
    );
  }
  return {
    first: Math.floor(((index - 1) * size) / of) + 1,
    last: Math.floor((index * size) / of),
  };
}

/** Returns the default path of a shard's journal. `path` is the default path without shards. */
export function shardJournal(path: string, { index }: Shard): string {
  return path.replace(/(?=\.quire\.db$)/, `.shard-${index}`);
}

/** The options of a run that may not be possible for a shard. */
export interface ShardedOptions {
  readonly packet?: string;
  readonly overwrite?: true;
  readonly onlyMissing?: true;
  readonly check: "warn" | "strict" | false;
}

/** Throws `invalid_request` for options that need all documents of a run. */
export function assertCanShard({ packet, overwrite, onlyMissing, check }: ShardedOptions): void {
  if (packet !== undefined) {
    throw cannotShard(
      "--packet",
      "a shard makes only some of the documents. Merge the documents with quire merge when all shards have ended",
    );
  }
  if (overwrite || onlyMissing) {
    throw cannotShard(
      overwrite ? "--overwrite" : "--only-missing",
      "after a change of the data, an entry may belong to another shard. Use --new to make all documents of this shard again, or write to another folder",
    );
  }
  if (check === "strict") {
    throw cannotShard(
      "--check strict",
      "a shard checks only its own entries. Run quire check once before the shards",
    );
  }
}

function cannotShard(option: string, why: string): QuireError {
  return new QuireError(
    "invalid_request",
    `${option} cannot be used together with --shard, because ${why}.`,
  );
}
