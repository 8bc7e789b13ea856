import { existsSync } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type Batch,
  type BatchRecord,
  isQuireError,
  type JobRecord,
  type JobStore,
  QuireError,
} from "@quire/core/host";
import { sqliteJobStore } from "@quire/jobs-sqlite";
import { unreadable } from "../files/file-problems.ts";
import { count } from "../terminal/format.ts";
import { type Io, pathIn, writeLine } from "../terminal/io.ts";
import { batchesOf, jobsOf } from "./journal-pages.ts";
import { chosenIn, isRun, type RunKey, runOf } from "./key.ts";
import type { RunOutput } from "./output.ts";
import { Takeovers } from "./takeovers.ts";

/**
 * The number of names that are read from a folder at once. A storage may read the whole folder for each page of a
 * listing, but each name on a page takes memory.
 */
const FOLDER_PAGE = 100_000;
/** How often to check whether a batch has ended. */
const POLL_MS = 20;
const LOOKS_BEFORE_TELLING = 100;

/** The requested run in a journal. */
export type FoundRun =
  /**
   * The run was never started, or it starts over. Start it with `number` in its key. It replaces the documents of the
   * batches in `replaced`. The batches in `cancelled` were cancelled and may still be running.
   */
  | {
      readonly type: "new";
      readonly number: string;
      readonly replaced: readonly BatchRecord[];
      readonly cancelled: readonly BatchRecord[];
    }
  /** The run was started and has not ended. */
  | { readonly type: "unfinished"; readonly batch: BatchRecord }
  /** The run has ended. */
  | { readonly type: "finished"; readonly batch: BatchRecord };

/** Opens a journal, or creates it if it is missing. Throws `job_store_failed` or `invalid_request`. */
export function openJournal(io: Io, path: string): JobStore {
  try {
    return sqliteJobStore({ path: pathIn(io, path) });
  } catch (error) {
    throw isQuireError(error) ? unusableJournal(path, error) : error;
  }
}

/** Rewords an error of the job store for users of the command line. */
function unusableJournal(
  path: string,
  { code, message, cause, retryable }: QuireError,
): QuireError {
  const [, why = message] = /^The job store ".*?" failed: (.+)$/s.exec(message) ?? [];
  const fix = why.replace(/Pass the path of .+$/s, "Name another file with --journal.");
  return new QuireError(code, `The journal ${JSON.stringify(path)} cannot be used: ${fix}`, {
    cause,
    retryable,
  });
}

/** Opens a journal to read it. Rejects `not_found` if it is missing, is another file or contains no run. */
export async function openKnownJournal(io: Io, path: string): Promise<JobStore> {
  await assertJournal(io, path);
  const journal = openJournal(io, path);
  const { items } = await journal.listBatches({ limit: 1 });
  if (items.length > 0) return journal;
  await journal.close();
  throw new QuireError(
    "not_found",
    `The journal ${JSON.stringify(path)} contains no run, because none was accepted. Run quire run again.`,
  );
}

/** Rejects `not_found` if a file is not an SQLite file. */
async function assertJournal(io: Io, path: string): Promise<void> {
  let start: string;
  try {
    const file = await open(pathIn(io, path));
    try {
      const { buffer } = await file.read({ buffer: Buffer.alloc(SQLITE.length) });
      start = buffer.toString("latin1");
    } finally {
      await file.close();
    }
  } catch (cause) {
    const own = `${path.replace(/\/+$/, "")}${JOURNAL}`;
    if (!existsSync(pathIn(io, own))) throw unreadable(io, path, cause);
    throw new QuireError(
      "not_found",
      `${JSON.stringify(path)} is not a journal. Its journal is ${JSON.stringify(own)}.`,
      { cause },
    );
  }
  if (start === SQLITE) return;
  const folder = pathIn(io, dirname(path));
  const journals = (await readdir(folder)).filter((name) => name.endsWith(JOURNAL));
  const found = journals.slice(0, MAX_JOURNALS).map((name) => join(dirname(path), name));
  const fix =
    found.length === 0
      ? `A run writes its journal next to its output: the journal of --out letters is letters${JOURNAL}.`
      : `Journals in this folder: ${found.join(", ")}.`;
  throw new QuireError(
    "not_found",
    `The file ${JSON.stringify(path)} is not the journal of a run. ${fix}`,
  );
}

/** The first bytes of every SQLite file. */
const SQLITE = "SQLite format 3\0";
const JOURNAL = ".quire.db";
/** Maximum number of journals that a message lists. */
const MAX_JOURNALS = 5;

/** How a run deals with other runs in its journal. */
export interface FindOptions {
  /** The path of the journal, for messages. */
  readonly path: string;
  readonly key: RunKey;
  /** Whether to start over: cancels everything that has not ended, including this run. */
  readonly force: boolean;
  /**
   * Whether to cancel other runs that have not ended. If not, they are a `conflict`. A run of chosen entries never
   * cancels a run of all entries: that is always a `conflict`, except with `force`.
   */
  readonly cancelsOthers: boolean;
}

/** Finds the run with this key. Rejects `conflict` if another run has not ended and must not be cancelled. */
export async function findRun(
  journal: JobStore,
  { path, key, force, cancelsOthers }: FindOptions,
): Promise<FoundRun> {
  let runs = 0;
  let found: BatchRecord | null = null;
  const takeovers = new Takeovers(journal);
  const others: BatchRecord[] = [];
  const replaced: BatchRecord[] = [];
  for await (const batch of batchesOf(journal)) {
    const isOurs = isRun(batch, key);
    if (isOurs) runs += 1;
    const isCurrent = isOurs && !force && !batch.cancelled && !(await takeovers.include(batch));
    await takeovers.add(batch);
    if (isCurrent) found ??= batch;
    else if (batch.status === "running") others.push(batch);
    if (force && (isOurs || batch.status === "running")) replaced.push(batch);
  }
  const cancels = (batch: BatchRecord) => force || (cancelsOthers && mayCancel(key, batch));
  const kept = others.find((batch) => !batch.cancelled && !cancels(batch));
  if (kept !== undefined) throw unfinished(path, kept);
  for (const batch of others.filter(cancels)) await journal.cancelBatch(batch.id);
  if (found === null) return { type: "new", number: String(runs), replaced, cancelled: others };
  return { type: found.status === "finished" ? "finished" : "unfinished", batch: found };
}

/** Whether a run may cancel a batch: a run of chosen entries must not cancel a run of all entries. */
function mayCancel({ chosen }: RunKey, batch: BatchRecord): boolean {
  return chosen === null || chosenIn(batch) !== null;
}

/**
 * Waits until cancelled batches have ended. An open engine ends the running jobs of processes that have died. Rejects
 * if the signal is aborted.
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

/** A batch that no later run of all its entries has cancelled, taken over or replaced. */
export interface CurrentBatch {
  readonly batch: BatchRecord;
  /** Yields its jobs, except those that a later run of chosen entries replaced. `status` filters the jobs. */
  jobs(status?: JobRecord["status"]): AsyncGenerator<JobRecord>;
}

/** Yields the current batches of a journal, newest first. */
export async function* currentBatches(journal: JobStore): AsyncGenerator<CurrentBatch> {
  const later = new Set<string>();
  const takeovers = new Takeovers(journal);
  for await (const batch of batchesOf(journal)) {
    const key = runOf(batch) ?? batch.id;
    const isReplaced =
      later.has(key) ||
      (batch.cancelled && later.size > 0) ||
      (await takeovers.includeAllOf(batch));
    later.add(key);
    if (!isReplaced) yield { batch, jobs: (status) => currentJobs(batch, status) };
    await takeovers.add(batch);
  }

  async function* currentJobs(
    batch: BatchRecord,
    status: JobRecord["status"] | undefined,
  ): AsyncGenerator<JobRecord> {
    for await (const job of jobsOf(journal, batch.id, status)) {
      if (!takeovers.includeJob(batch, job)) yield job;
    }
  }
}

/** Returns the number of documents of a batch that are no longer in the folder, according to the storage's listing. */
export async function countMissing(
  journal: JobStore,
  batch: BatchRecord,
  { storage, folder }: Pick<RunOutput, "storage" | "folder">,
): Promise<number> {
  const there = await namesIn({ storage, folder });
  let missing = 0;
  for await (const { result } of jobsOf(journal, batch.id)) {
    if (result === null || there.has(result.outputFile.name)) continue;
    // Another run of the same command may have created the document after the listing.
    if ((await storage.find(folder, result.outputFile.name)) === null) missing += 1;
  }
  return missing;
}

/** Returns the names in the folder of an output, according to the storage's listing. */
export async function namesIn({
  storage,
  folder,
}: Pick<RunOutput, "storage" | "folder">): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const page of folderPages({ storage, folder })) {
    for (const name of page) names.add(name);
  }
  return names;
}

/** Yields the names in the folder of an output in pages, according to the storage's listing. */
export async function* folderPages({
  storage,
  folder,
}: Pick<RunOutput, "storage" | "folder">): AsyncGenerator<string[]> {
  let marker: string | null = null;
  do {
    const page = await storage.list(folder, {
      limit: FOLDER_PAGE,
      ...(marker === null ? {} : { marker }),
    });
    yield page.entries.map(({ name }) => name);
    marker = page.nextMarker;
  } while (marker !== null);
}

/** Returns the number of ended jobs of a batch, and the number of all its jobs. */
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
