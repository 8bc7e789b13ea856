/** What the engine program is told, as JSON in its one argument. */
export interface ProgramOptions {
  /** The file of the job store. */
  readonly journal: string;
  /** The root of the storage: the template and the folder `out` are in it. */
  readonly root: string;
  readonly entries: number;
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly outputType: "docx" | "pdf";
  /** `inProcess` has no processes beside the engine's own, so that every system call is the engine's. */
  readonly renderer: "pool" | "inProcess";
  /** The idempotency key: who submits again after a restart gets the same batch. */
  readonly key: string;
  /** Of `engine.close` after a SIGTERM; null: as long as it takes. */
  readonly graceMs: number | null;
  /** Nothing is opened before a line comes on standard input. */
  readonly waitForGo: boolean;
  /** After this number of documents, further ones wait for a line on standard input. Null: none waits. */
  readonly pauseAfter: number | null;
  /** Tells each job as it ends. */
  readonly tellJobs: boolean;
  /** The failed jobs of the finished batch are tried again, so many times. */
  readonly retries: number;
  /** So many more bytes in the data of each entry. */
  readonly ballastBytes: number;
}

/** What the program says, a line of JSON each. */
export type ProgramLine =
  | ReadyProgram
  | { readonly type: "accepted"; readonly batchId: string }
  | { readonly type: "paused" }
  | ToldJob
  | { readonly type: "finished"; readonly counts: Readonly<Record<string, number>> }
  | { readonly type: "signal" }
  | { readonly type: "closed" }
  | { readonly type: "error"; readonly code: string; readonly message: string };

/** A program that has loaded everything, and opened nothing yet. */
export interface ReadyProgram {
  readonly type: "ready";
  /**
   * The number that Linux gives to the thread that works the file system; null elsewhere. There is one of them
   * under `UV_THREADPOOL_SIZE=1`.
   */
  readonly filesThread: number | null;
}

/** A job as a client of the engine saw it end. */
export interface ToldJob {
  readonly type: "job";
  readonly entry: number;
  readonly status: string;
  readonly name: string | null;
  readonly sha256: string | null;
  readonly failure: string | null;
}
