/** Options of the engine program, passed as JSON in the only argument. */
export interface ProgramOptions {
  /** The path of the job store. */
  readonly journal: string;
  /** The root of the storage, which contains the template and the folder `out`. */
  readonly root: string;
  readonly entries: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly outputType: "docx" | "pdf";
  /** `inProcess` starts no other processes, so that the engine itself makes every system call. */
  readonly renderer: "pool" | "inProcess";
  /** The idempotency key. A submission after a restart gets the same batch. */
  readonly key: string;
  /** Grace period of `engine.close` after a SIGTERM, in milliseconds; null for no limit. */
  readonly graceMs: number | null;
  /** Whether to open nothing until a line arrives on standard input. */
  readonly waitForGo: boolean;
  /** The number of documents after which further documents wait for a line on standard input. If null, none waits. */
  readonly pauseAfter: number | null;
  /** How long jobs wait for a storage or converter that does not work; null for no limit. */
  readonly maxPauseMs: number | null;
  /** Whether to report each job when it ends. */
  readonly tellJobs: boolean;
  /** How often to retry the failed jobs of the finished batch. */
  readonly retries: number;
  /** Number of additional bytes in the data of each entry. */
  readonly ballastBytes: number;
}

/** A line of the program's output, as JSON. */
export type ProgramLine =
  | ReadyProgram
  | { readonly type: "accepted"; readonly batchId: string }
  | { readonly type: "paused" }
  | { readonly type: "outage"; readonly state: "paused" | "resumed"; readonly message: string }
  | ToldJob
  | { readonly type: "finished"; readonly counts: Readonly<Record<string, number>> }
  | { readonly type: "signal" }
  | { readonly type: "closed" }
  | { readonly type: "error"; readonly code: string; readonly message: string };

/** Reported when the program has loaded everything but has not opened anything yet. */
export interface ReadyProgram {
  readonly type: "ready";
  /**
   * The Linux id of the thread that accesses the file system; null on other systems. With `UV_THREADPOOL_SIZE=1`, there
   * is only one such thread.
   */
  readonly filesThread: number | null;
}

/** A job that has ended, as a client of the engine sees it. */
export interface ToldJob {
  readonly type: "job";
  readonly entry: number;
  readonly status: string;
  readonly name: string | null;
  readonly sha256: string | null;
  readonly failure: string | null;
}
