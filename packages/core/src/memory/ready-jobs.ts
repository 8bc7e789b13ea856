import {
  CANCELLED,
  type ClaimOptions,
  type JobFailure,
  type JobWorkerOptions,
  POISON,
  POISON_DEATHS,
  SUSPECT_DEATHS,
} from "@quire/contracts";
import type { MemoryBatch, MemoryJob, MemoryState } from "./job-state.ts";

/** Maximum number of jobs that a tenant gets before the next tenant's turn. The tenant's batches share them. */
const TURN = 16;

/** Jobs that a worker takes. */
export interface ReadyJobs {
  readonly jobs: readonly { readonly batch: MemoryBatch; readonly job: MemoryJob }[];
  readonly suspects: boolean;
}

/**
 * Takes ready jobs out of their queues, by turns of tenants and of their batches, and charges the jobs to their shares.
 */
export function takeReady(
  state: MemoryState,
  { takes }: JobWorkerOptions,
  claim: ClaimOptions & { readonly limit: number },
): ReadyJobs {
  const { alone = false, limit: most, without } = claim;
  const limit = alone ? 1 : most;
  const ready = new ReadyChecks(state, claim);
  const mayTake = ({ made, counts }: MemoryBatch): boolean =>
    counts.submitted > 0 &&
    (takes === "all" || made.needsConverter === (takes === "pdf")) &&
    !without?.tenants.includes(made.tenant) &&
    !without?.batches.includes(made.id);
  const taken: { batch: MemoryBatch; job: MemoryJob }[] = [];
  const takeTurn = (): boolean => {
    for (const { tenant, batches } of state.inTurn()) {
      const open = batches.filter(mayTake);
      const turn = Math.min(TURN, limit - taken.length);
      let left = turn;
      for (const batch of open) {
        if (left === 0) break;
        const jobs = ready.take(batch, Math.min(left, Math.ceil(turn / open.length)));
        if (jobs.length === 0) continue;
        left -= jobs.length;
        taken.push(...jobs.map((job) => ({ batch, job })));
        state.charge(tenant, batch, jobs.length);
      }
      if (left < turn) return true;
    }
    return false;
  };
  for (let isMore = true; isMore && taken.length < limit; ) isMore = takeTurn();
  return { jobs: taken, suspects: ready.suspects };
}

/** Decides which jobs one claim may take. */
class ReadyChecks {
  readonly #state: MemoryState;
  readonly #alone: boolean;
  #bytes: number;
  /** Whether suspect jobs are ready. */
  suspects = false;

  constructor(
    state: MemoryState,
    { alone = false, maxBytes = Number.POSITIVE_INFINITY }: ClaimOptions,
  ) {
    this.#state = state;
    this.#alone = alone;
    this.#bytes = maxBytes;
  }

  take(batch: MemoryBatch, limit: number): MemoryJob[] {
    const jobs = takeBegun(batch, limit, (job) => this.#isReady(batch, job));
    if (this.#alone || this.#state.held.has(batch.made.tenant)) return jobs;
    return [...jobs, ...takeFresh(batch, limit - jobs.length, (job) => this.#isRoomFor(job))];
  }

  #isReady(batch: MemoryBatch, job: MemoryJob): boolean {
    if (job.readyAt > performance.now()) return false;
    if (endOf(batch, job) !== null) return !this.#alone && this.#isRoomFor(job);
    if (this.#state.held.has(batch.made.tenant)) return false;
    const isSuspect = job.deaths >= SUSPECT_DEATHS;
    this.suspects ||= isSuspect;
    return isSuspect === this.#alone && this.#isRoomFor(job);
  }

  #isRoomFor({ input }: MemoryJob): boolean {
    const fits = this.#bytes >= 0;
    this.#bytes -= input?.bytes.length ?? 0;
    return fits;
  }
}

/** Returns the failure of a job that must no longer run; null for other jobs. */
export function endOf({ cancelled }: MemoryBatch, { deaths }: MemoryJob): JobFailure | null {
  if (cancelled) return CANCELLED;
  return deaths >= POISON_DEATHS ? POISON : null;
}

/** Takes the ready jobs of a batch that were put back. */
function takeBegun(
  batch: MemoryBatch,
  limit: number,
  isReady: (job: MemoryJob) => boolean,
): MemoryJob[] {
  const taken: MemoryJob[] = [];
  for (const job of batch.again) {
    if (taken.length === limit) break;
    const isTaken = job.status === "submitted" && isReady(job);
    if (isTaken) taken.push(job);
    if (isTaken || job.status !== "submitted") batch.again.delete(job);
  }
  return taken;
}

/** Takes the next jobs of a batch that have never been started. */
function takeFresh(
  batch: MemoryBatch,
  limit: number,
  isRoomFor: (job: MemoryJob) => boolean,
): MemoryJob[] {
  const taken: MemoryJob[] = [];
  for (; taken.length < limit && batch.next < batch.jobs.length; batch.next++) {
    const job = batch.jobs[batch.next];
    // Jobs that were put back are in `again`.
    if (job === undefined || job.status !== "submitted" || job.wasPutBack) continue;
    if (!isRoomFor(job)) break;
    taken.push(job);
  }
  return taken;
}
