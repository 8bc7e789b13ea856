import { type Claim, type ClaimOptions, FairSemaphore, type Occupant } from "@quire/contracts";
import pLimit, { type LimitFunction } from "p-limit";

/** A single flow can have a quarter of the capacity: see {@link FairSemaphore}. */
const SHARES = 4;
/**
 * Limit for the data of claimed jobs, in bytes; one batch can have a quarter of it. A single job may exceed the limit.
 */
const MAX_CLAIMED_BYTES = 64_000_000;

/** The claimed jobs of a loop that are not settled, and the limits for the next claim. */
export class ClaimedJobs {
  /** Maximum number of jobs in a claim, and of claimed jobs of a batch that wait for those in progress. */
  readonly group: number;
  readonly #works = new Map<Claim, Promise<void>>();
  readonly #onDone: () => void;
  readonly #jobs: FairSemaphore;
  readonly #bytes = new FairSemaphore(MAX_CLAIMED_BYTES);
  /** How many jobs were settled since the last claim. */
  #settled = 0;

  /**
   * `concurrency`: maximum number of documents of one batch in progress at the same time. `group`: as in
   * `JobStore.group`. Calls `onDone` when a job is done.
   */
  constructor(concurrency: number, group: number, onDone: () => void) {
    this.#onDone = onDone;
    this.group = Math.min(group, concurrency);
    this.#jobs = new FairSemaphore(SHARES * (concurrency + this.group));
  }

  get size(): number {
    return this.#works.size;
  }

  /** Whether there is room for another job of any tenant. */
  get hasRoom(): boolean {
    return this.size === 0 || (this.#jobs.free > 0 && this.#bytes.free > 0);
  }

  /** Whether enough jobs were settled to claim another group. */
  get hasRoomForGroup(): boolean {
    return this.#settled >= this.group;
  }

  /**
   * Returns the limits for the next claim: the tenants and batches to skip, and the maximum size of the data. `blocked`
   * are further batches to skip.
   */
  bounds(blocked: readonly string[]): ClaimOptions {
    this.#settled = 0;
    const [jobs, bytes] = [this.#jobs.full(), this.#bytes.full()];
    return {
      maxBytes: Math.max(0, Math.floor(this.#bytes.free / SHARES)),
      without: {
        tenants: [...new Set([...jobs.tenants, ...bytes.tenants])],
        batches: [...new Set([...jobs.flows, ...bytes.flows, ...blocked])],
      },
    };
  }

  /** Keeps a claim until its work, which never rejects, is done. */
  add(claim: Claim, work: Promise<void>): void {
    const occupant: Occupant = { tenant: claim.tenant, flow: claim.batchId };
    this.#jobs.add(occupant, 1);
    this.#bytes.add(occupant, claim.input.bytes.length);
    const done = work.finally(() => {
      this.#works.delete(claim);
      this.#settled += 1;
      this.#jobs.release(occupant, 1);
      this.#bytes.release(occupant, claim.input.bytes.length);
      this.#onDone();
    });
    this.#works.set(claim, done);
  }

  /** Resolves when all current jobs are done. */
  async allDone(): Promise<void> {
    await Promise.all(this.#works.values());
  }
}

/** The concurrency limits of the batches with documents in progress. */
export class BatchLimits {
  readonly #concurrency: number;
  readonly #limits = new Map<string, LimitFunction>();

  /** `concurrency`: maximum number of documents of one batch in progress at the same time. */
  constructor(concurrency: number) {
    this.#concurrency = concurrency;
  }

  /** Runs work within the limit of its batch. */
  async run<T>(batchId: string, work: () => Promise<T>): Promise<T> {
    const limit = this.#limits.get(batchId) ?? pLimit(this.#concurrency);
    this.#limits.set(batchId, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) this.#limits.delete(batchId);
    }
  }
}
