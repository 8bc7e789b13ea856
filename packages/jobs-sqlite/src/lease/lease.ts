import type { Database } from "../database/database.ts";
import { BOOT, monotonicMs, PROCESS } from "../database/machine.ts";
import { toQuireError } from "../database/sqlite-errors.ts";
import type { Writer } from "../database/writer.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { JobTransitions } from "./job-transitions.ts";

/** Dependencies of a lease. */
export interface LeaseContext {
  readonly database: Database;
  readonly writer: Writer;
  readonly transitions: JobTransitions;
  readonly heartbeat: Heartbeat;
}

/** How long a lease lasts without renewal, and how often it is renewed. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewMs: number;
}

/** A worker's row in the file, which shows that its process is alive. The heartbeat renews the lease. */
export class Lease {
  readonly workerNo: number;
  readonly #heartbeat: Heartbeat;
  readonly #deadline: Float64Array;
  readonly #lost = new AbortController();

  private constructor(workerNo: number, heartbeat: Heartbeat, deadline: Float64Array) {
    this.workerNo = workerNo;
    this.#heartbeat = heartbeat;
    this.#deadline = deadline;
  }

  static async open(
    { database, writer, transitions, heartbeat }: LeaseContext,
    { leaseMs, renewMs }: LeaseTimes,
  ): Promise<Lease> {
    try {
      await heartbeat.ready();
    } catch (error) {
      throw toQuireError(error, database.path);
    }
    const deadline = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
    const row = await writer.write(() => {
      const now = monotonicMs();
      // Reaps before adding this lease, so that this lease does not count as one from before a restart of the machine.
      transitions.reap(now);
      deadline[0] = now + leaseMs;
      return database.get(
        "INSERT INTO worker (boot, process, expires_at) VALUES (?, ?, ?) RETURNING no",
        BOOT,
        PROCESS,
        deadline[0],
      );
    });
    const lease = new Lease(Number(row?.no), heartbeat, deadline);
    const { workerNo } = lease;
    heartbeat.start({ type: "start", workerNo, leaseMs, renewMs, deadline }, () => lease.lose());
    return lease;
  }

  /** Aborted when the lease is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  get isHeld(): boolean {
    return !this.lost.aborted && monotonicMs() < (this.#deadline[0] ?? 0);
  }

  lose(): void {
    this.#heartbeat.stop(this.workerNo);
    this.#deadline[0] = 0;
    this.#lost.abort(new Error("The worker's lease has expired."));
  }

  /** Stops the renewal. The caller deletes the row. */
  close(): void {
    this.#heartbeat.stop(this.workerNo);
    this.#deadline[0] = 0;
  }
}
