import {
  type AcceptedBatch,
  type BatchQuery,
  type BatchRecord,
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
  type RecordPage,
} from "@quire/contracts";
import type { Database } from "../database/database.ts";
import { toText } from "../database/text.ts";
import { Heartbeat } from "../lease/heartbeat.ts";
import { Lease, type LeaseTimes } from "../lease/lease.ts";
import { accept } from "./accept.ts";
import { jobGauge } from "./gauge.ts";
import { readInput } from "./inputs.ts";
import { batchRow, findBatch, listBatches, listJobs } from "./listings.ts";
import { Pins } from "./pins.ts";
import { PostgresJobWorker } from "./postgres-job-worker.ts";
import { batchRecord, JOB_COLUMNS, jobRecord, jobRows, VISIBLE } from "./records.ts";
import { retryFailed } from "./retry-failed.ts";
import { eraseBatches, failCancelled } from "./tidy.ts";

/** Creates a job store in a database. Closing it closes the database. */
export function postgresJobStore(database: Database, maxWaiting: number): JobStore {
  return new PostgresJobStore(database, maxWaiting);
}

/** Duration of the lease for batches that are accepted in slices. */
const ACCEPT_LEASE_MS = 15_000;
/** With larger groups, a statement serves more jobs, and the server needs less time for each of them. */
const GROUP = 64;

class PostgresJobStore implements JobStore {
  readonly durable = true;
  readonly group = GROUP;
  readonly gauge: JobGauge;
  readonly #database: Database;
  readonly #pins: Pins;
  readonly #heartbeat: Heartbeat;
  readonly #maxWaiting: number;
  readonly #workers = new Set<JobWorker>();
  readonly #accepting = new Set<Promise<unknown>>();
  readonly #abandoned = new Set<number>();
  readonly #stop = new AbortController();
  /** The lease that all acceptances in slices share. */
  #acceptLease: Promise<Lease> | null = null;
  #closing: Promise<void> | null = null;

  constructor(database: Database, maxWaiting: number) {
    this.gauge = jobGauge(database, maxWaiting);
    this.#database = database;
    this.#pins = new Pins(database);
    this.#heartbeat = new Heartbeat(database.place);
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
      return await accepting;
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
  ): Promise<AcceptedBatch> {
    const acceptance = {
      database: this.#database,
      maxWaiting: this.#maxWaiting,
      workerNo: async () => (await this.#leaseOfAcceptances()).workerNo,
      abandoned: this.#abandoned,
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

  #openLease(times: LeaseTimes): Promise<Lease> {
    return Lease.open(this.#database, this.#heartbeat, times);
  }

  async getBatch(batchId: string): Promise<BatchRecord | null> {
    const row = await batchRow(this.#database, batchId);
    return row === undefined ? null : batchRecord(row);
  }

  listBatches(query: BatchQuery): Promise<RecordPage<BatchRecord>> {
    return listBatches(this.#database, query);
  }

  async getJob(batchId: string, entry: number): Promise<JobWithInput | null> {
    if (!Number.isInteger(entry) || entry < 1 || entry > 0x7f_ff_ff_ff) return null;
    const row = await this.#database.get(
      `SELECT b.no, ${JOB_COLUMNS} FROM quire.batch AS b ${jobRows("b.no", "$2::int")}
       WHERE b.id = $1 AND ${VISIBLE} AND j.entry IS NOT NULL`,
      [toText(batchId), entry],
    );
    if (row === undefined) return null;
    const input = await readInput(this.#database, row.no, entry);
    return { job: jobRecord(batchId, row), input };
  }

  listJobs(query: JobQuery): Promise<RecordPage<JobRecord>> {
    return listJobs(this.#database, query);
  }

  async cancelBatch(batchId: string): Promise<BatchRecord> {
    const { no } = await findBatch(this.#database, batchId);
    // First returns the jobs of dead workers to the queue, because those jobs are not running.
    await this.#database.all("SELECT quire.reap()");
    await this.#database.all(
      `WITH run AS (UPDATE quire.run SET cancelled = true WHERE batch_no = $1 RETURNING batch_no)
       UPDATE quire.batch SET cancelled = true WHERE no IN (SELECT batch_no FROM run)`,
      [no],
    );
    while (await failCancelled(this.#database, no));
    return batchRecord(await findBatch(this.#database, batchId));
  }

  async retryFailed(
    batchId: string,
    options: Pick<NewBatchOptions, "isTaken">,
  ): Promise<BatchRecord> {
    await retryFailed(this.#database, this.#maxWaiting, batchId, options);
    return batchRecord(await findBatch(this.#database, batchId));
  }

  async holdTenant(tenant: string, isHeld: boolean): Promise<void> {
    await this.#database.all(
      isHeld
        ? "INSERT INTO quire.held_tenant VALUES ($1) ON CONFLICT DO NOTHING"
        : "WITH freed AS (DELETE FROM quire.held_tenant WHERE tenant = $1) SELECT quire.announce()",
      [toText(tenant)],
    );
  }

  eraseTenant(tenant: string): Promise<number> {
    return eraseBatches(this.#database, toText(tenant));
  }

  async openWorker(options: JobWorkerOptions): Promise<JobWorker> {
    this.#assertOpen();
    const { leaseMs, renewMs = leaseMs / 3 } = options;
    const worker: JobWorker = new PostgresJobWorker({
      database: this.#database,
      pins: this.#pins,
      heartbeat: this.#heartbeat,
      lease: await this.#openLease({ leaseMs, renewMs }),
      options,
      onClose: () => this.#workers.delete(worker),
    });
    this.#workers.add(worker);
    return worker;
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
        await this.#database.all("SELECT quire.dismiss($1, false, false)", [lease.workerNo]);
        lease.close();
      }
    } finally {
      await this.#heartbeat.close();
      await this.#database.close();
    }
  }

  #assertOpen(): void {
    if (this.#closing !== null) throw jobStoreProblems.closed();
  }
}
