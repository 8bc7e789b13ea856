import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The states in the journal. They are repeated here, because the checker shares no code with the engine. */
export const BATCH_STATES = ["accepting", "running", "finished", "deleting"] as const;
export const JOB_STATES = [
  "submitted",
  "pending",
  "completed",
  "completed_with_error",
  "failed",
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A file of a job that has been created or is about to be created. */
export interface KnownFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

/** A job in the journal. */
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

/** A batch in the journal. */
export interface JournalBatch {
  readonly no: number;
  readonly id: string;
  readonly key: string | null;
  readonly state: (typeof BATCH_STATES)[number];
  readonly counts: Readonly<Record<JobState, number>>;
  readonly finishedAt: number | null;
}

/** Everything that the checker reads from a journal. */
export interface Journal {
  /** Damage that SQLite finds in the file; empty if the file is intact. */
  readonly damage: readonly string[];
  /** The accepted batches. Incomplete batches, whose acceptance was interrupted by a kill, are not included. */
  readonly batches: readonly JournalBatch[];
  readonly jobs: readonly JournalJob[];
  readonly workers: ReadonlySet<number>;
  /** The number of waiting and running jobs according to the counter in the file. */
  readonly waiting: number;
}

/**
 * Reads a job store with plain SQL, from a copy, so that reading changes nothing and shows the state before the next
 * start repairs it. Returns null if the file or its schema is missing.
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
