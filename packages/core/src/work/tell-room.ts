import { toFailure } from "../batch/job-failure.ts";
import { MAX_TOLD_BYTES, toldBytes } from "../bounded-diagnostics.ts";
import type { JobFailure } from "../ports/job-records.ts";

/** What a tenant's jobs tell at length: so many bytes at once, and so many more in each second. */
const BURST_BYTES = 8_000_000;
const BYTES_PER_SECOND = 32_000;
/** Beyond that a job tells no more than this: the first of its problems, and how many there are. */
const LITTLE_BYTES = 2_048;

/** How many bytes the jobs of each tenant may tell, so that thousands of jobs with thousands of problems fill no disk. */
export class TellRoom {
  readonly #now: () => number;
  /** By tenant: what is left of the burst, and since when. Who has all of it is not here. */
  readonly #left = new Map<string, { readonly bytes: number; readonly at: number }>();

  /** `now`: milliseconds of a clock that nobody sets. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** No more than this may the next job of the tenant tell. */
  maxBytes(tenant: string): number {
    return this.#leftOf(tenant) >= MAX_TOLD_BYTES ? MAX_TOLD_BYTES : LITTLE_BYTES;
  }

  /** A job of the tenant has told so much. */
  take(tenant: string, bytes: number): void {
    if (bytes <= LITTLE_BYTES) return;
    const left = this.#leftOf(tenant) - bytes;
    // Those that have rested long enough have all of it again.
    for (const [other] of this.#left)
      if (this.#leftOf(other) === BURST_BYTES) this.#left.delete(other);
    this.#left.set(tenant, { bytes: left, at: this.#now() });
  }

  /** What is kept of the error of a job, as far as there is room for it. */
  failureOf(error: unknown, tenant: string): JobFailure {
    const failure = toFailure(error, this.maxBytes(tenant));
    this.take(tenant, toldBytes(failure.diagnostics));
    return failure;
  }

  #leftOf(tenant: string): number {
    const known = this.#left.get(tenant);
    if (known === undefined) return BURST_BYTES;
    const seconds = (this.#now() - known.at) / 1000;
    return Math.min(known.bytes + seconds * BYTES_PER_SECOND, BURST_BYTES);
  }
}
