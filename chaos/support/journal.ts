import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The states in the file, written down here once more: the checker shares nothing with what it checks. */
export const BATCH_STATES = ["accepting", "running", "finished", "deleting"] as const;
export const JOB_STATES = [
  "submitted",
  "pending",
  "completed",
  "completed_with_error",
  "failed",
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A file that a job has, or is about to have. */
export interface KnownFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/** A job as it stands in the file. */
export interface JournalJob {
  readonly batchNo: number;
  readonly entry: number;
  readonly state: JobState;
  readonly attempts: number;
  readonly deaths: number;
  readonly workerNo: number | null;
  readonly result: KnownFile | null;
  readonly failure: { readonly code?: string; readonly message?: string } | null;
  readonly notes: readonly KnownFile[];
  readonly endedAt: number | null;
}

/** A batch as it stands in the file. */
export interface JournalBatch {
  readonly no: number;
  readonly id: string;
  readonly key: string | null;
  readonly state: (typeof BATCH_STATES)[number];
  readonly counts: Readonly<Record<JobState, number>>;
  readonly finishedAt: number | null;
}

/** Everything that the checker reads of a journal. */
export interface Journal {
  /** What SQLite finds wrong with the file; empty when nothing is. */
  readonly damage: readonly string[];
  /** Those that were accepted: what an acceptance that was killed has left is seen by nobody. */
  readonly batches: readonly JournalBatch[];
  readonly jobs: readonly JournalJob[];
  readonly workers: ReadonlySet<number>;
  /** How many jobs wait or are in work, by the file's own count. */
  readonly waiting: number;
}

/**
 * Reads a job store by plain SQL, from a copy: looking changes nothing, and what only a next start would
 * repair is seen. Null when there is none, or none with a schema.
 */
export async function readJournal(path: string): Promise<Journal | null> {
  if (!existsSync(path)) return null;
  const folder = await mkdtemp(join(tmpdir(), "quire-chaos-journal-"));
  try {
    const copy = join(folder, "copy.sqlite");
    for (const end of ["", "-wal"]) {
      if (existsSync(path + end)) await copyFile(path + end, copy + end);
    }
    const database = new DatabaseSync(copy);
    try {
      return readAll(database);
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readAll(database: DatabaseSync): Journal | null {
  const hasSchema = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'job'").get();
  if (hasSchema === undefined) return null;
  const damage = database
    .prepare("PRAGMA integrity_check")
    .all()
    .map((row) => String(row.integrity_check))
    .filter((text) => text !== "ok");
  const all = database.prepare("SELECT * FROM batch ORDER BY no").all().map(batchOf);
  const batches = all.filter(({ state }) => state === "running" || state === "finished");
  const visible = new Set(batches.map(({ no }) => no));
  const jobs = database.prepare("SELECT * FROM job ORDER BY batch_no, entry").all().map(jobOf);
  return {
    damage,
    batches,
    jobs: jobs.filter(({ batchNo }) => visible.has(batchNo)),
    workers: new Set(
      database
        .prepare("SELECT no FROM worker")
        .all()
        .map(({ no }) => Number(no)),
    ),
    waiting: Number(database.prepare("SELECT waiting FROM queue").get()?.waiting),
  };
}

type Row = Record<string, unknown>;

function batchOf(row: Row): JournalBatch {
  const counts = Object.fromEntries(JOB_STATES.map((state) => [state, Number(row[state])]));
  return {
    no: Number(row.no),
    id: String(row.id),
    key: row.idempotency_key === null ? null : String(row.idempotency_key),
    state: BATCH_STATES[Number(row.state)] ?? "deleting",
    counts: counts as JournalBatch["counts"],
    finishedAt: numberOrNull(row.finished_at),
  };
}

function jobOf(row: Row): JournalJob {
  const result = parsed<{ outputFile: { name: string; size: number }; sha256: string }>(row.result);
  return {
    batchNo: Number(row.batch_no),
    entry: Number(row.entry),
    state: JOB_STATES[Number(row.status)] ?? "submitted",
    attempts: Number(row.attempts),
    deaths: Number(row.deaths),
    workerNo: numberOrNull(row.worker_no),
    result: result && {
      name: result.outputFile.name,
      size: result.outputFile.size,
      sha256: result.sha256,
    },
    failure: parsed(row.failure),
    notes: parsed<KnownFile[]>(row.notes) ?? [],
    endedAt: numberOrNull(row.ended_at),
  };
}

function parsed<T>(json: unknown): T | null {
  return typeof json === "string" ? (JSON.parse(json) as T) : null;
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
