import type { Database } from "../database/database.ts";
import { toQuireError } from "../database/postgres-errors.ts";
import { monotonicMs } from "./clock.ts";
import type { Heartbeat } from "./heartbeat.ts";

/** The length of a lease and how often it is renewed, in milliseconds. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly renewMs: number;
}

/** A row in the database that shows that a worker lives. The heartbeat renews it. */
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

  /** Registers a worker. */
  static async open(
    database: Database,
    heartbeat: Heartbeat,
    { leaseMs, renewMs }: LeaseTimes,
  ): Promise<Lease> {
    // The lease begins when it can be renewed.
    await database.check();
    try {
      await heartbeat.ready();
    } catch (error) {
      throw toQuireError(error, database.name);
    }
    const from = monotonicMs();
    const row = await database.get(
      "INSERT INTO quire.worker (expires_at) VALUES (clock_timestamp() + $1 * interval '1 ms') RETURNING no",
      [leaseMs],
    );
    const deadline = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
    deadline[0] = from + leaseMs;
    const lease = new Lease(Number(row?.no), heartbeat, deadline);
    const message = {
      type: "start",
      workerNo: lease.workerNo,
      leaseMs,
      renewMs,
      deadline,
    } as const;
    heartbeat.start(message, () => lease.lose());
    return lease;
  }

  /** Aborted when the lease is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Whether the lease holds at this moment, by the local clock. */
  get isHeld(): boolean {
    return !this.lost.aborted && monotonicMs() < (this.#deadline[0] ?? 0);
  }

  /** Gives up the lease, because the server has dismissed the worker. */
  lose(): void {
    this.close();
    this.#lost.abort(new Error("The worker's lease has expired."));
  }

  /** Stops the renewal. */
  close(): void {
    this.#heartbeat.stop(this.workerNo);
    this.#deadline[0] = 0;
  }
}
