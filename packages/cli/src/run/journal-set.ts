import { type BatchRecord, type JobStore, QuireError } from "@quire/core/host";
import { EntryRanges } from "../entries/entry-ranges.ts";
import { count } from "../terminal/format.ts";
import { type Io, writeLine } from "../terminal/io.ts";
import { currentBatches, openKnownJournal, progressOf } from "./journal.ts";
import { type RecordedShard, shardIn } from "./key.ts";
import { shardInWords } from "./shard.ts";

/** The journals that a command names: one journal, or journals of the shards of one run. */
export interface JournalSet {
  /** In the order of the shards. */
  readonly journals: readonly JobStore[];
  /** The shards; null if the journal belongs to no shard. */
  readonly shards: ShardSet | null;
  close(): Promise<void>;
}

/** The shards of a run whose journals were named. */
export interface ShardSet {
  /** The current batch of each shard, in the order of the shards. */
  readonly batches: readonly ShardBatch[];
  /** The number of shards of the run. */
  readonly count: number;
  /** The numbers of the shards whose journals were not named. */
  readonly missing: readonly number[];
  /** Whether all shards were named and have ended. */
  readonly isComplete: boolean;
}

/** A shard's batch and its journal. */
export interface ShardBatch {
  readonly journal: JobStore;
  readonly batch: BatchRecord;
  readonly shard: RecordedShard;
  /** The path of the journal. */
  readonly path: string;
}

/**
 * Opens the journals. Rejects `not_found` if one is missing or contains no run, and `conflict` if they do not belong to
 * different shards of one run.
 */
export async function openJournals(io: Io, paths: readonly string[]): Promise<JournalSet> {
  const opened: { readonly path: string; readonly journal: JobStore }[] = [];
  const close = async (): Promise<void> => {
    for (const { journal } of opened) await journal.close();
  };
  try {
    for (const path of paths) opened.push({ path, journal: await openKnownJournal(io, path) });
    const found: ShardBatch[] = [];
    for (const { path, journal } of opened) found.push(...(await shardsIn(path, journal)));
    const single = opened.length === 1 ? opened[0] : undefined;
    if (single !== undefined && found.length === 0) {
      return { journals: [single.journal], shards: null, close };
    }
    const without = opened.find(({ path }) => !found.some((each) => each.path === path));
    if (without !== undefined) throw notShard(without.path);
    const batches = found.sort((a, b) => a.shard.index - b.shard.index);
    const journals = [...new Set(batches.map(({ journal }) => journal))];
    return { journals, shards: shardSet(batches), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function shardsIn(path: string, journal: JobStore): Promise<ShardBatch[]> {
  const found: ShardBatch[] = [];
  for await (const { batch } of currentBatches(journal)) {
    const shard = shardIn(batch);
    if (shard !== null) found.push({ journal, batch, shard, path });
  }
  return found;
}

/** Throws `conflict` unless the batches, in the order of their shards, belong to different shards of one run. */
function shardSet(batches: readonly ShardBatch[]): ShardSet {
  for (const [index, one] of batches.entries()) {
    const next = batches[index + 1];
    if (next !== undefined) assertSameRun(one, next);
  }
  const total = batches[0]?.shard.count ?? 0;
  const present = new Set(batches.map(({ shard }) => shard.index));
  const all = Array.from({ length: total }, (_, index) => index + 1);
  const missing = all.filter((index) => !present.has(index));
  const isComplete = missing.length === 0 && batches.every(({ batch }) => hasEnded(batch));
  return { batches, count: total, missing, isComplete };
}

function assertSameRun(one: ShardBatch, other: ShardBatch): void {
  const [a, b] = [JSON.stringify(one.path), JSON.stringify(other.path)];
  if (one.shard.count !== other.shard.count) {
    throw new QuireError(
      "conflict",
      `The journal ${a} belongs to ${shardInWords(one.shard)}, but ${b} to ${shardInWords(other.shard)}. All shards of a run must have the same number of shards.`,
    );
  }
  if (one.shard.of !== other.shard.of) {
    throw new QuireError(
      "conflict",
      `The journals ${a} and ${b} belong to different runs: their data, template or options are different. Run all shards with the same data file, template and options.`,
    );
  }
  if (one.shard.index === other.shard.index) {
    throw new QuireError(
      "conflict",
      `The journals ${a} and ${b} both belong to ${shardInWords(one.shard)}. Name each shard once.`,
    );
  }
}

function notShard(path: string): QuireError {
  return new QuireError(
    "conflict",
    `The journal ${JSON.stringify(path)} does not belong to a shard. Several journals can be used together only if they belong to the shards of one run.`,
  );
}

function hasEnded({ status, cancelled }: BatchRecord): boolean {
  return status === "finished" && !cancelled;
}

/** Reports shards that are missing or not finished. Returns whether there are any. */
export function reportIncomplete(io: Io, { shards }: JournalSet): boolean {
  if (shards === null || shards.isComplete) return false;
  const { batches, missing, count: total } = shards;
  if (missing.length > 0) {
    const [which, are] = missing.length === 1 ? ["Shard", "is"] : ["Shards", "are"];
    const listed = EntryRanges.of(missing).toString();
    writeLine(
      io.stderr,
      `${which} ${listed} of ${total} ${are} missing. Name their journals, too.`,
    );
  }
  for (const { batch, shard, path } of batches) {
    if (hasEnded(batch)) continue;
    const { done, total: entries } = progressOf(batch);
    const why = batch.cancelled
      ? "was cancelled"
      : `is not finished: ${count(done)} of ${count(entries)} entries are done`;
    writeLine(
      io.stderr,
      `Shard ${shard.index} of ${total} ${why}. Start it again with its command. Its journal is ${JSON.stringify(path)}.`,
    );
  }
  return true;
}
