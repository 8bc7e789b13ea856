import {
  diagnosticBytes,
  type JobFailure,
  MAX_DIAGNOSTIC_BYTES,
  toFailure,
} from "@quire/contracts";

/** Maximum size of the problems that a tenant's jobs may report in one burst, in bytes of JSON. */
const BURST_BYTES = 8_000_000;
/** Number of bytes by which the budget of a tenant grows per second. */
const BYTES_PER_SECOND = 32_000;
/**
 * The limit for each job once the budget is used up, in bytes of JSON: enough for its first problems and the number of
 * the others.
 */
const LITTLE_BYTES = 2_048;

/**
 * Limits the size of the problems that a tenant's jobs report, so that thousands of jobs with thousands of problems do
 * not fill a disk.
 */
export class ReportBudget {
  readonly #now: () => number;
  /**
   * The budget of each tenant, and when it was computed. A tenant that is not in the map has the full `BURST_BYTES`.
   */
  readonly #left = new Map<string, { readonly bytes: number; readonly at: number }>();

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns the limit for the problems of the tenant's next job, in bytes of JSON. */
  maxBytes(tenant: string): number {
    return this.#leftOf(tenant) >= MAX_DIAGNOSTIC_BYTES ? MAX_DIAGNOSTIC_BYTES : LITTLE_BYTES;
  }

  /** Charges the problems that a job has reported to the tenant's budget. */
  take(tenant: string, bytes: number): void {
    if (bytes <= LITTLE_BYTES) return;
    const left = this.#leftOf(tenant) - bytes;
    // Drop tenants whose budget is full again.
    for (const [other] of this.#left)
      if (this.#leftOf(other) === BURST_BYTES) this.#left.delete(other);
    this.#left.set(tenant, { bytes: left, at: this.#now() });
  }

  /** Converts an error to its stored form within the tenant's limit, and charges it to the budget. */
  failureOf(error: unknown, tenant: string): JobFailure {
    const failure = toFailure(error, this.maxBytes(tenant));
    this.take(tenant, diagnosticBytes(failure.diagnostics));
    return failure;
  }

  #leftOf(tenant: string): number {
    const known = this.#left.get(tenant);
    if (known === undefined) return BURST_BYTES;
    const seconds = (this.#now() - known.at) / 1000;
    return Math.min(known.bytes + seconds * BYTES_PER_SECOND, BURST_BYTES);
  }
}
