import { resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type AcceptedBatch,
  type BatchQuery,
  type BatchRecord,
  checkOptions,
  type JobGauge,
  type JobQuery,
  type JobRecord,
  type JobStore,
  type JobWithInput,
  type JobWorker,
  type JobWorkerOptions,
  jobStoreProblems,
  type NewBatch,
  type NewBatchOptions,
  type NewJob,
  QuireError,
  type RecordPage,
} from "@quire/contracts";
import { type Accepted, accept } from "./accept.ts";
import { Database } from "./database/database.ts";
import { monotonicMs } from "./database/machine.ts";
import {
  BATCH_COLUMNS,
  BATCH_TABLES,
  batchRecord,
  JOB_COLUMNS,
  jobRecord,
} from "./database/records.ts";
import { useOf } from "./database/tenant-use.ts";
import { Writer } from "./database/writer.ts";
import { eraseBatches } from "./erase.ts";
import { depthOf } from "./gauge.ts";
import { Inputs } from "./inputs.ts";
import { Heartbeat } from "./lease/heartbeat.ts";
import { JobTransitions } from "./lease/job-transitions.ts";
import { Lease, type LeaseTimes } from "./lease/lease.ts";
import { batchRow, findBatch, listBatches, listJobs } from "./listings.ts";
import { retryFailed } from "./retry-failed.ts";
import { SqliteJobWorker } from "./sqlite-job-worker.ts";
import { Pins } from "./templates/pins.ts";
import { failCancelled } from "./tidy.ts";

/** Options of {@link sqliteJobStore}. */
export interface SqliteJobStoreOptions {
  /**
   * The file, relative to the working directory at the time of the call. It is created if it does not exist, but its
   * folder must exist. SQLite keeps two more files next to it (`-wal`, `-shm`), and the folder `-templates` contains
   * the templates that are larger than 1 MB. The file must be on a local disk: all processes that use it run on this
   * machine.
   */
  readonly path: string;
  /** Maximum number of waiting and running jobs over all batches. Default 5,000,000. */
  readonly maxWaiting?: number;
}

/**
 * Creates a job store in one SQLite file (WAL, synced with every write). Committed data survives any crash of
 * the process and of the machine. Several stores, in one process or in several, may use the same file at once.
 * Throws `invalid_request` if the file is not a job store or comes from a newer version of Quire, and
 * `job_store_failed` if the file cannot be opened. The engine that uses the store closes it.
 */
export function sqliteJobStore(options: SqliteJobStoreOptions): JobStore {
  checkOptions("sqliteJobStore()", options, { path: true, maxWaiting: true });
  return openJobStore(options).jobs;
}

/**
 * Opens a job store. Returns its database and writer, too, for other stores. Closing the job store closes all stores.
 */
export function openJobStore({ path, maxWaiting = DEFAULT_MAX_WAITING }: SqliteJobStoreOptions): {
  readonly jobs: JobStore;
  readonly database: Database;
  readonly writer: Writer;
} {
  if (typeof path !== "string" || path === "" || path === ":memory:") {
    throw new QuireError(
      "invalid_request",
      'The path of the job store must be the path of a file, for example { path: "jobs.db" }.',
    );
  }
  const database = new Database(resolve(path));
  const writer = new Writer(database);
  return { jobs: new SqliteJobStore(database, writer, maxWaiting), database, writer };
}

const DEFAULT_MAX_WAITING = 5_000_000;
/** The jobs of a claim share one transaction and one sync. */
const GROUP = 16;
/** Duration of the lease for batches that are accepted in slices. */
const ACCEPT_LEASE_MS = 15_000;

class SqliteJobStore implements JobStore {
  readonly durable = true;
  readonly group = GROUP;
  readonly gauge: JobGauge = {
    depth: async () => depthOf(this.#database, this.#maxWaiting),
    use: async (tenant) => {
      const columns = ["waiting", "jobs", "job_bytes"] as const;
      const [waiting = 0, jobs = 0, bytes = 0] = useOf(this.#database, columns, tenant);
      return { waiting, jobs, bytes };
    },
  };
  readonly #database: Database;
  readonly #writer: Writer;
  readonly #transitions: JobTransitions;
  readonly #inputs: Inputs;
  readonly #pins: Pins;
  readonly #heartbeat: Heartbeat;
  readonly #maxWaiting: number;
  readonly #workers = new Set<JobWorker>();
  readonly #stop = new AbortController();
  /** The lease that all acceptances in slices share. */
  #acceptLease: Promise<Lease> | null = null;
  readonly #accepting = new Set<Promise<unknown>>();
  #closing: Promise<void> | null = null;

  constructor(database: Database, writer: Writer, maxWaiting: number) {
    this.#database = database;
    this.#writer = writer;
    this.#transitions = new JobTransitions(database);
    this.#inputs = new Inputs(database);
    this.#pins = new Pins(database);
    this.#heartbeat = new Heartbeat(database.path);
    this.#maxWaiting = maxWaiting;
  }

  async createBatch(
    made: NewBatch,
    jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
    hash: () => string,
    options: NewBatchOptions,
  ): Promise<AcceptedBatch> {
    this.#assertOpen();
    const signals = [this.#stop.signal, ...(options.signal ? [options.signal] : [])];
    const accepting = this.#accept(made, jobs, hash, {
      ...options,
      signal: AbortSignal.any(signals),
    });
    this.#accepting.add(accepting);
    try {
      const { batchNo, created } = await accepting;
      const row = this.#database.get(
        `SELECT ${BATCH_COLUMNS} FROM ${BATCH_TABLES} WHERE batch.no = ?`,
        batchNo,
      );
      if (row === undefined) throw jobStoreProblems.noBatch(made.id);
      return { batch: batchRecord(row), created };
    } catch (error) {
      throw this.#stop.signal.aborted ? jobStoreProblems.closed() : error;
    } finally {
      this.#accepting.delete(accepting);
    }
  }

  #accept(
    made: NewBatch,
    jobs: AsyncIterable<NewJob> | Iterable<NewJob>,
    hash: () => string,
    options: NewBatchOptions,
  ): Promise<Accepted> {
    const acceptance = {
      database: this.#database,
      writer: this.#writer,
      transitions: this.#transitions,
      pins: this.#pins,
      maxWaiting: this.#maxWaiting,
      workerNo: async () => (await this.#leaseOfAcceptances()).workerNo,
    };
    return accept(acceptance, made, jobs, hash, options);
  }

  #leaseOfAcceptances(): Promise<Lease> {
    this.#acceptLease = this.#heldOrNew(this.#acceptLease);
    return this.#acceptLease;
  }

  async #heldOrNew(before: Promise<Lease> | null): Promise<Lease> {
    const held = await before?.catch(() => null);
    if (held && !held.lost.aborted) return held;
    return this.#openLease({ leaseMs: ACCEPT_LEASE_MS, renewMs: ACCEPT_LEASE_MS / 3 });
  }

  async getBatch(batchId: string): Promise<BatchRecord | null> {
    const row = batchRow(this.#database, batchId);
    return row === undefined ? null : batchRecord(row);
  }

  async listBatches(query: BatchQuery): Promise<RecordPage<BatchRecord>> {
    return listBatches(this.#database, query);
  }

  async getJob(batchId: string, entry: number): Promise<JobWithInput | null> {
    const batch = batchRow(this.#database, batchId);
    if (batch === undefined) return null;
    const no = Number(batch.no);
    const sql = `SELECT ${JOB_COLUMNS} FROM job WHERE batch_no = ? AND entry = ?`;
    const row = this.#database.get(sql, no, entry);
    if (row === undefined) return null;
    return { job: jobRecord(batchId, row), input: this.#inputs.read(no, entry) };
  }

  async listJobs(query: JobQuery): Promise<RecordPage<JobRecord>> {
    return listJobs(this.#database, query);
  }

  async cancelBatch(batchId: string): Promise<BatchRecord> {
    const no = Number(findBatch(this.#database, batchId).no);
    const cancel = "UPDATE batch SET cancelled = 1 WHERE no = ? AND state = 1";
    await this.#writer.write(() => {
      this.#database.run(cancel, no);
      // First returns the jobs of dead workers to the queue, because those jobs are not running.
      this.#transitions.reap(monotonicMs());
    });
    while (await this.#writer.write(() => failCancelled(this.#database, this.#transitions, no))) {
      await nextTurn();
    }
    return batchRecord(findBatch(this.#database, batchId));
  }

  async retryFailed(
    batchId: string,
    options: Pick<NewBatchOptions, "isTaken">,
  ): Promise<BatchRecord> {
    const context = {
      database: this.#database,
      writer: this.#writer,
      transitions: this.#transitions,
      inputs: this.#inputs,
      maxWaiting: this.#maxWaiting,
    };
    await retryFailed(context, batchId, options);
    return batchRecord(findBatch(this.#database, batchId));
  }

  async holdTenant(tenant: string, isHeld: boolean): Promise<void> {
    await this.#writer.write(() => {
      const change = isHeld
        ? "INSERT OR IGNORE INTO held_tenant VALUES (?)"
        : "DELETE FROM held_tenant WHERE tenant = ?";
      this.#database.run(change, tenant);
      this.#transitions.announce();
    });
  }

  async eraseTenant(tenant: string): Promise<number> {
    const context = {
      database: this.#database,
      writer: this.#writer,
      transitions: this.#transitions,
      pins: this.#pins,
    };
    return eraseBatches(context, tenant);
  }

  async openWorker(options: JobWorkerOptions): Promise<JobWorker> {
    this.#assertOpen();
    const { leaseMs, renewMs = leaseMs / 3 } = options;
    await this.#pins.sweep();
    const worker: JobWorker = new SqliteJobWorker({
      database: this.#database,
      writer: this.#writer,
      transitions: this.#transitions,
      pins: this.#pins,
      lease: await this.#openLease({ leaseMs, renewMs }),
      options,
      onClose: () => this.#workers.delete(worker),
    });
    this.#workers.add(worker);
    return worker;
  }

  #openLease(times: LeaseTimes): Promise<Lease> {
    const context = {
      database: this.#database,
      writer: this.#writer,
      transitions: this.#transitions,
      heartbeat: this.#heartbeat,
    };
    return Lease.open(context, times);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stop.abort(new Error("The job store was closed."));
    await Promise.allSettled(this.#accepting);
    await Promise.allSettled([...this.#workers].map((worker) => worker.close()));
    try {
      const lease = await this.#acceptLease?.catch(() => null);
      if (lease) {
        await this.#writer.write(() => this.#transitions.dismiss(lease.workerNo, "closed"));
        lease.close();
      }
      await this.#writer.settled();
    } finally {
      await this.#heartbeat.close();
      this.#database.close();
    }
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw jobStoreProblems.closed();
  }
}
