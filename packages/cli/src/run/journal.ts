import { access } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import {
  type Batch,
  type BatchRecord,
  type JobRecord,
  type JobStore,
  QuireError,
} from "@quire/core";
import { sqliteJobStore } from "@quire/jobs-sqlite";
import { unreadable } from "../data/entry.ts";
import { type Io, pathIn, writeLine } from "../io.ts";
import { count } from "../terminal/progress.ts";
import type { RunOutput } from "./output.ts";

/** Pages of a journal are this long. */
const PAGE = 1000;
/** A storage may read the whole folder for each page of its listing; each name of a page takes memory. */
const FOLDER_PAGE = 100_000;
/** How often it is looked whether a batch has ended. */
const POLL_MS = 20;
const LOOKS_BEFORE_TELLING = 100;

/** A batch of a journal, and how it stands to the run that is asked for. */
export type FoundRun =
  /**
   * It was never begun, or is to be made anew. `key` is the one to begin it with. `replaced`: whose documents
   * it takes the place of; what of that has not ended was given up.
   */
  | { readonly type: "new"; readonly key: string; readonly replaced: readonly BatchRecord[] }
  /** It was begun and has not ended. */
  | { readonly type: "unfinished"; readonly batch: BatchRecord }
  /** It has ended. */
  | { readonly type: "finished"; readonly batch: BatchRecord };

/** Opens a journal; it is made if it is not there. Throws `job_store_failed` or `invalid_request`. */
export function openJournal(io: Io, path: string): JobStore {
  return sqliteJobStore({ path: pathIn(io, path) });
}

/** Opens a journal to read it. Rejects `not_found` when it is not there, or no run is in it. */
export async function openKnownJournal(io: Io, path: string): Promise<JobStore> {
  await readable(io, path);
  const journal = openJournal(io, path);
  const { items } = await journal.listBatches({ limit: 1 });
  if (items.length > 0) return journal;
  await journal.close();
  throw new QuireError(
    "not_found",
    `The journal ${JSON.stringify(path)} contains no run, because none was accepted. Run quire run again.`,
  );
}

async function readable(io: Io, path: string): Promise<void> {
  try {
    await access(pathIn(io, path));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/**
 * Finds the run with a key. With `anew` everything in the journal that has not ended is given up. Rejects
 * `conflict` when there is another run that has not ended.
 */
export async function findRun(
  journal: JobStore,
  { path, key, anew }: { readonly path: string; readonly key: string; readonly anew: boolean },
): Promise<FoundRun> {
  let runs = 0;
  let found: BatchRecord | null = null;
  const others: BatchRecord[] = [];
  const replaced: BatchRecord[] = [];
  for await (const batch of batchesOf(journal)) {
    const isOurs = batch.idempotencyKey?.split("#")[0] === key;
    if (isOurs) runs += 1;
    if (isOurs && !anew && !batch.cancelled) found ??= batch;
    else if (batch.status === "running") others.push(batch);
    if (anew && (isOurs || batch.status === "running")) replaced.push(batch);
  }
  for (const batch of others) {
    if (anew) await journal.cancelBatch(batch.id);
    else if (!batch.cancelled) throw unfinished(path, batch);
  }
  if (found === null) return { type: "new", key: `${key}#${runs}`, replaced };
  return { type: found.status === "finished" ? "finished" : "unfinished", batch: found };
}

/**
 * Waits until batches that were given up have ended: an engine that is open looks after what a process that
 * has died had in work. Rejects when the signal is aborted.
 */
export async function waitForEnd(
  journal: JobStore,
  batches: readonly BatchRecord[],
  { io, signal }: { readonly io: Io; readonly signal: AbortSignal },
): Promise<void> {
  for (const { id } of batches) {
    for (let looks = 1; ; looks++) {
      const batch = await journal.getBatch(id);
      if (batch?.status !== "running") break;
      if (looks === LOOKS_BEFORE_TELLING) {
        const inWork = count(batch.counts.pending);
        writeLine(
          io.stderr,
          `Waiting for the cancelled run: ${inWork} of its documents are still being made.`,
        );
      }
      await setTimeout(POLL_MS, undefined, { signal });
    }
  }
}

/** The batches of a journal, from the newest on. */
export async function* batchesOf(journal: JobStore): AsyncGenerator<BatchRecord> {
  let marker: string | undefined;
  do {
    const page = await journal.listBatches({ limit: PAGE, marker });
    yield* page.items;
    marker = page.nextMarker ?? undefined;
  } while (marker !== undefined);
}

/** The batches of a journal that count: not those that were given up for a later run, or made anew by one. */
export async function* currentBatches(journal: JobStore): AsyncGenerator<BatchRecord> {
  const later = new Set<string>();
  for await (const batch of batchesOf(journal)) {
    const key = batch.idempotencyKey?.split("#")[0] ?? batch.id;
    const isReplaced = later.has(key) || (batch.cancelled && later.size > 0);
    later.add(key);
    if (!isReplaced) yield batch;
  }
}

/** How many of a batch's documents are not in the storage any more, by its listing of the folder. */
export async function countMissing(
  journal: JobStore,
  batch: BatchRecord,
  { storage, folder }: RunOutput,
): Promise<number> {
  const there = new Set<string>();
  let marker: string | null = null;
  do {
    const page = await storage.list(folder, {
      limit: FOLDER_PAGE,
      ...(marker === null ? {} : { marker }),
    });
    for (const { name } of page.entries) there.add(name);
    marker = page.nextMarker;
  } while (marker !== null);
  let missing = 0;
  for await (const { result } of jobsOf(journal, batch.id)) {
    if (result === null || there.has(result.outputFile.name)) continue;
    // Another run of the same command may have made it since.
    if ((await storage.find(folder, result.outputFile.name)) === null) missing += 1;
  }
  return missing;
}

/** The jobs of a batch by entry. */
export async function* jobsOf(
  journal: JobStore,
  batchId: string,
  status?: JobRecord["status"],
): AsyncGenerator<JobRecord> {
  let marker: string | undefined;
  do {
    const page = await journal.listJobs({ batchId, status, order: "entry", limit: PAGE, marker });
    yield* page.items;
    marker = page.nextMarker ?? undefined;
  } while (marker !== undefined);
}

/** How many jobs of a batch have ended, and how many there are. */
export function progressOf({ counts }: Pick<Batch, "counts">): {
  readonly done: number;
  readonly total: number;
} {
  const { submitted, pending, completed, completed_with_error: withErrors, failed } = counts;
  const done = completed + withErrors + failed;
  return { done, total: done + submitted + pending };
}

function unfinished(path: string, batch: BatchRecord): QuireError {
  const { done, total } = progressOf(batch);
  const since = new Date(batch.createdAt).toISOString();
  return new QuireError(
    "conflict",
    `The journal ${JSON.stringify(path)} contains an unfinished run of ${since} with another template, other data or other options (${count(done)} of ${count(total)} entries are done). ` +
      "Finish it with its original command, cancel it with --new, or use another --journal.",
  );
}
