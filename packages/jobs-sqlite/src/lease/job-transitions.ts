import {
  CANCELLED,
  deathsAfter,
  type JobFailure,
  type JobStatus,
  POISON,
  POISON_DEATHS,
  type StoredEvent,
} from "@quire/contracts";
import type { Database } from "../database/database.ts";
import { BOOT, isGone } from "../database/machine.ts";
import { BATCH, STATUS } from "../database/states.ts";
import { announceWork } from "./work-events.ts";

/** How often the machine's clock is recorded. */
const CLOCK_EVERY_MS = 60_000;
/** The clocks of a machine's processors may differ slightly. */
const CLOCK_SLACK_MS = 1000;

/** The outcome of a job: a result or a failure. */
export type Ending =
  | { readonly status: "completed" | "completed_with_error"; readonly result: unknown }
  | { readonly status: "failed"; readonly failure: JobFailure };

/** Changes of a batch's job counts, by state. */
type Change = Partial<Record<JobStatus, number>>;

/** Moves jobs between states. Call all methods within a transaction. */
export class JobTransitions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Ends a job, which must be in the state `from`. Returns true if this finishes the batch. */
  end(batchNo: number, entry: number, from: "submitted" | "pending", ending: Ending): boolean {
    const [result, failure] =
      ending.status === "failed"
        ? [null, JSON.stringify(ending.failure)]
        : [JSON.stringify(ending.result), null];
    const ended = this.#database.get(
      "UPDATE queue SET ended = ended + 1, waiting = waiting - 1 RETURNING ended",
    )?.ended;
    this.#database.run(
      "UPDATE job SET status = ?, worker_no = NULL, notes = CASE WHEN ? THEN notes END, result = ?, failure = ?, ended_at = ?, ended = ? WHERE batch_no = ? AND entry = ?",
      STATUS[ending.status],
      ending.status === "failed" ? 1 : 0,
      result,
      failure,
      Date.now(),
      ended ?? 0,
      batchNo,
      entry,
    );
    this.recordEvent(batchNo, ending.status === "failed" ? "job_failed" : "job_succeeded", entry);
    const bytes = (result ?? failure ?? "").length;
    return this.count(batchNo, { [from]: -1, [ending.status]: 1 }, bytes);
  }

  /**
   * Returns a running job to the queue, claimable from `readyAt` on. In a cancelled batch, a job without notes fails
   * instead. Returns true if this finishes the batch.
   */
  putBack(batchNo: number, entry: number, readyAt: number): boolean {
    const job = this.#database.get(
      "SELECT cancelled, notes FROM batch JOIN job ON batch_no = no WHERE no = ? AND entry = ?",
      batchNo,
      entry,
    );
    if (job?.cancelled === 1 && job.notes === null) {
      return this.end(batchNo, entry, "pending", { status: "failed", failure: CANCELLED });
    }
    this.#database.run(
      "UPDATE job SET status = 0, worker_no = NULL, ready_at = ? WHERE batch_no = ? AND entry = ?",
      readyAt,
      batchNo,
      entry,
    );
    this.#database.run(
      "UPDATE batch SET ready_at = min(ready_at, ?) WHERE no = ?",
      readyAt,
      batchNo,
    );
    if (readyAt === 0) this.announce();
    return this.count(batchNo, { pending: -1, submitted: 1 });
  }

  /** Reports to the workers of this process that there may be work, once the transaction is durable. */
  announce(): void {
    this.#database.afterSync(() => announceWork(this.#database.path));
  }

  /** Changes the counts of a batch, and adds `bytes` to its size. Returns true if this finishes the batch. */
  count(batchNo: number, change: Change, bytes = 0): boolean {
    const {
      submitted = 0,
      pending = 0,
      completed = 0,
      completed_with_error = 0,
      failed = 0,
    } = change;
    const batch = this.#database.get(
      `UPDATE batch SET submitted = submitted + ?, pending = pending + ?, completed = completed + ?,
         completed_with_error = completed_with_error + ?, failed = failed + ?, bytes = bytes + ?
       WHERE no = ? RETURNING submitted + pending AS open, state`,
      submitted,
      pending,
      completed,
      completed_with_error,
      failed,
      bytes,
      batchNo,
    );
    if (batch?.open !== 0 || batch.state !== BATCH.running) return false;
    this.#finish(batchNo);
    return true;
  }

  /** Makes the jobs of a batch claimable. The batch then takes turns with the tenant's other batches. */
  activate(batchNo: number, tenant: string): void {
    const isNew = this.#database.run(
      "INSERT OR IGNORE INTO tenant SELECT ?, virtual_time, 0 FROM queue",
      tenant,
    );
    if (isNew === 0) {
      this.#database.run(
        "UPDATE tenant SET virtual_time = max(virtual_time, (SELECT virtual_time FROM queue)) WHERE name = ? AND batches = 0",
        tenant,
      );
    }
    this.#database.run("UPDATE tenant SET batches = batches + 1 WHERE name = ?", tenant);
    this.#database.run(
      `UPDATE batch SET state = 1, finished_at = NULL, ready_at = 0, virtual_time = coalesce(
         (SELECT min(virtual_time) FROM batch WHERE tenant = ? AND state = 1 AND submitted > 0 AND cancelled = 0), 0)
       WHERE no = ?`,
      tenant,
      batchNo,
    );
    this.announce();
  }

  recordEvent(batchNo: number, type: StoredEvent["type"], entry: number | null): void {
    this.#database.run(
      "INSERT INTO event (type, batch_no, entry, at) SELECT ?, no, ?, ? FROM batch WHERE no = ? AND with_events = 1",
      type,
      entry,
      Date.now(),
      batchNo,
    );
  }

  /** Returns the jobs of dead workers and of workers with expired leases to the queue. */
  reap(now: number): void {
    this.#forgetOtherBoot(now);
    for (const worker of this.#database.all("SELECT no, process, expires_at FROM worker")) {
      const isDead = Number(worker.expires_at) < now || isGone(String(worker.process));
      if (isDead) this.dismiss(Number(worker.no), "dead");
    }
  }

  /**
   * Deletes a worker. Puts back or ends its jobs, releases its events, and discards the batches that it was accepting.
   * The death of a worker counts against its jobs, see `deathsAfter`.
   */
  dismiss(workerNo: number, end: "closed" | "dead"): void {
    const jobs = this.#database.all(
      "SELECT batch_no, entry, deaths, begun, notes FROM job WHERE worker_no = ?",
      workerNo,
    );
    for (const job of jobs) {
      const [batchNo, entry, deaths] = [job.batch_no, job.entry, job.deaths].map(Number) as [
        number,
        number,
        number,
      ];
      const died = end === "dead" ? deathsAfter(deaths, job.begun === 1) : deaths;
      this.#database.run(
        "UPDATE job SET deaths = ? WHERE batch_no = ? AND entry = ?",
        died,
        batchNo,
        entry,
      );
      // A noted document may exist, so another worker must handle it.
      if (died < POISON_DEATHS || job.notes !== null) this.putBack(batchNo, entry, 0);
      else this.end(batchNo, entry, "pending", { status: "failed", failure: POISON });
    }
    this.#database.run("UPDATE event SET worker_no = NULL WHERE worker_no = ?", workerNo);
    this.#database.run(
      `UPDATE batch SET state = ${BATCH.deleting}, id = 'deleted ' || no || ' ' || id WHERE state = ${BATCH.accepting} AND worker_no = ?`,
      workerNo,
    );
    this.#database.run("DELETE FROM worker WHERE no = ?", workerNo);
  }

  /**
   * Resets the times that were recorded before a restart of the machine, because its monotonic clock has started again.
   */
  #forgetOtherBoot(now: number): void {
    const queue = this.#database.get("SELECT boot, clock FROM queue");
    const clock = Number(queue?.clock);
    const boot = String(queue?.boot);
    // Not every process can read the boot id.
    const isOtherId = boot !== BOOT && boot !== "" && BOOT !== "";
    const isOther = isOtherId || now < clock - CLOCK_SLACK_MS;
    if (!isOther && now - clock < CLOCK_EVERY_MS) return;
    this.#database.run("UPDATE queue SET boot = ?, clock = ?", BOOT || boot, now);
    if (!isOther) return;
    // Workers that register later have already passed this check.
    for (const { no } of this.#database.all("SELECT no FROM worker"))
      this.dismiss(Number(no), "dead");
    this.#database.run("UPDATE job SET ready_at = 0 WHERE status = 0 AND ready_at > 0");
    this.#database.run("UPDATE batch SET ready_at = 0 WHERE ready_at > 0");
  }

  #finish(batchNo: number): void {
    const tenant = this.#database.get(
      `UPDATE batch SET state = ${BATCH.finished}, finished_at = ? WHERE no = ? RETURNING tenant`,
      Date.now(),
      batchNo,
    )?.tenant;
    if (typeof tenant === "string") {
      this.#database.run("UPDATE tenant SET batches = batches - 1 WHERE name = ?", tenant);
      this.#database.run("DELETE FROM tenant WHERE name = ? AND batches = 0", tenant);
    }
    this.recordEvent(batchNo, "batch_finished", null);
  }
}
