import {
  CANCELLED,
  type Claim,
  type Claimed,
  type ClaimOptions,
  type JobFailure,
  type JobWorker,
  type JobWorkerOptions,
  jobStoreProblems,
  nameReserver,
  type Outcome,
  type OutputNote,
  POISON,
  POISON_DEATHS,
  type StoredEvent,
  SUSPECT_DEATHS,
} from "@quire/contracts";
import type { MemoryBatch, MemoryJob, MemoryState } from "./job-state.ts";

/** The open workers of each state. */
const workersOf = new WeakMap<MemoryState, Set<MemoryJobWorker>>();

/** A worker on a state. `onClose` is called when it has given its jobs back. */
export function memoryJobWorker(
  state: MemoryState,
  options: JobWorkerOptions,
  onClose: () => void,
): JobWorker {
  const worker = new MemoryJobWorker(state, options, onClose);
  const workers = workersOf.get(state) ?? new Set();
  workersOf.set(state, workers.add(worker));
  return worker;
}

/** Releases the claims of workers whose lease has expired. */
export function expireWorkers(state: MemoryState): void {
  for (const worker of workersOf.get(state) ?? []) worker.expire();
}

/** Number of jobs in a batch's turn. */
const TURN = 16;

class MemoryJobWorker implements JobWorker {
  readonly #state: MemoryState;
  readonly #options: JobWorkerOptions;
  readonly #onClose: () => void;
  readonly #lost = new AbortController();
  readonly #openedAt = performance.now();
  readonly #jobs = new Map<MemoryJob, MemoryBatch>();
  #closed = false;

  constructor(state: MemoryState, options: JobWorkerOptions, onClose: () => void) {
    this.#state = state;
    this.#options = options;
    this.#onClose = onClose;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** In one process, no timer is needed: the lease counts as renewed at each interval unless the process was frozen. */
  get isHeld(): boolean {
    const { leaseMs, renewMs = leaseMs / 3 } = this.#options;
    if (this.#closed || this.lost.aborted) return false;
    return (performance.now() - this.#openedAt) % renewMs < leaseMs;
  }

  async claim(
    limit: number,
    { alone = false, maxBytes = Number.POSITIVE_INFINITY, without }: ClaimOptions = {},
  ): Promise<Claimed> {
    this.#assertHeld();
    expireWorkers(this.#state);
    const claims: Claim[] = [];
    let suspects = false;
    let left = maxBytes;
    const isRoomFor = ({ input }: MemoryJob): boolean => {
      const fits = left >= 0;
      left -= input?.bytes.length ?? 0;
      return fits;
    };
    const isReady = (batch: MemoryBatch, job: MemoryJob): boolean => {
      if (job.readyAt > performance.now()) return false;
      if (endOf(batch, job) !== null) return !alone && isRoomFor(job);
      if (this.#state.held.has(batch.made.tenant)) return false;
      const isSuspect = job.deaths >= SUSPECT_DEATHS;
      suspects ||= isSuspect;
      return isSuspect === alone && isRoomFor(job);
    };
    const mayBegin = ({ made }: MemoryBatch): boolean =>
      !alone && !this.#state.held.has(made.tenant);
    const most = alone ? 1 : limit;
    for (let took = true; took && claims.length < most; ) {
      took = false;
      for (const { tenant, batch } of this.#state.inTurn()) {
        if (!this.#mayTake(batch, without)) continue;
        const room = Math.min(TURN, most - claims.length);
        const jobs = takeBegun(batch, room, (job) => isReady(batch, job));
        if (mayBegin(batch)) jobs.push(...takeFresh(batch, room - jobs.length, isRoomFor));
        if (jobs.length === 0) continue;
        for (const job of jobs) claims.push(this.#take(batch, job));
        this.#state.charge(tenant, batch, jobs.length);
        took = true;
        break;
      }
    }
    return { jobs: claims, suspects };
  }

  #mayTake({ made }: MemoryBatch, without: ClaimOptions["without"]): boolean {
    if (made.needsConverter && !this.#options.canConvert) return false;
    return !without?.tenants.includes(made.tenant) && !without?.batches.includes(made.id);
  }

  #take(batch: MemoryBatch, job: MemoryJob): Claim {
    if (job.fileName === null || job.input === null) throw new Error("An invalid entry is ready.");
    this.#jobs.set(job, batch);
    job.worker = this;
    job.attempts += 1;
    this.#state.move(batch, job, "pending");
    this.#state.recordEvent(batch, "job_started", job.entry);
    return {
      batchId: batch.made.id,
      tenant: batch.made.tenant,
      entry: job.entry,
      attempt: job.attempts,
      failures: job.failures,
      fileName: job.fileName,
      input: job.input,
      notes: [...job.notes],
      endWith: endOf(batch, job),
    };
  }

  async note(claim: Claim, note: OutputNote): Promise<void> {
    this.#own(claim).job.notes.push(note);
  }

  async rename(claim: Claim): Promise<string> {
    const { batch, job } = this.#own(claim);
    const reserve = nameReserver((folded) => this.#state.takeName(batch, folded));
    job.fileName = reserve(job.wantedName ?? claim.fileName, batch.made.onConflict);
    return job.fileName;
  }

  async settle(claim: Claim, outcome: Outcome): Promise<boolean> {
    const { batch, job } = this.#own(claim);
    this.#jobs.delete(job);
    this.#end(batch, job, outcome);
    return batch.finishedAt !== null;
  }

  #end(batch: MemoryBatch, job: MemoryJob, outcome: Outcome): void {
    switch (outcome.type) {
      case "completed":
        job.result = outcome.result;
        job.input = null;
        job.notes = [];
        this.#state.move(batch, job, outcome.result.status);
        break;
      case "failed":
        job.failure = outcome.failure;
        this.#state.move(batch, job, "failed");
        break;
      case "again":
        job.failures += 1;
        this.#state.putBack(batch, job, performance.now() + outcome.delayMs);
        break;
      case "released":
        this.#state.putBack(batch, job, performance.now() + (outcome.delayMs ?? 0));
        break;
    }
  }

  async pinned(
    batchId: string,
    fileId: string,
    read: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const pins = this.#state.batches.get(batchId)?.pinned;
    const bytes = pins?.get(fileId) ?? (await read());
    const first = pins?.get(fileId) ?? bytes;
    pins?.set(fileId, first);
    return first;
  }

  async takeEvents(limit: number): Promise<readonly StoredEvent[]> {
    this.#assertHeld();
    const taken = this.#state.events.filter(({ worker }) => worker === null).slice(0, limit);
    for (const each of taken) each.worker = this;
    return taken.map(({ event }) => event);
  }

  async tellEvents(sequences: readonly number[]): Promise<void> {
    const { events } = this.#state;
    for (const sequence of sequences) {
      const index = events.findIndex(({ event }) => event.sequence === sequence);
      if (index >= 0) events.splice(index, 1);
    }
  }

  async tidy(): Promise<boolean> {
    const { keepFinishedMs } = this.#options;
    if (keepFinishedMs === null) return false;
    for (const batch of [...this.#state.batches.values()]) {
      const { finishedAt } = batch;
      if (finishedAt !== null && finishedAt + keepFinishedMs <= Date.now())
        this.#state.forget(batch);
    }
    return false;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#giveBack(0);
    this.#leave();
  }

  /** Gives back the jobs when the lease has expired. */
  expire(): void {
    if (this.isHeld || this.#closed) return;
    this.#giveBack(1);
    this.#lost.abort();
    this.#leave();
  }

  #giveBack(deaths: number): void {
    for (const [job, batch] of this.#jobs) {
      job.deaths += deaths;
      // A noted document may exist: a worker looks for it.
      if (job.deaths < POISON_DEATHS || job.notes.length > 0) this.#state.putBack(batch, job, 0);
      else {
        job.failure = POISON;
        this.#state.move(batch, job, "failed");
      }
    }
    this.#jobs.clear();
    for (const each of this.#state.events) if (each.worker === this) each.worker = null;
  }

  #leave(): void {
    this.#closed = true;
    workersOf.get(this.#state)?.delete(this);
    this.#onClose();
  }

  #own({ batchId, entry, attempt }: Claim): { batch: MemoryBatch; job: MemoryJob } {
    this.expire();
    const batch = this.#state.batches.get(batchId);
    const job = batch?.jobs[entry - 1];
    if (batch && job?.worker === this && job.attempts === attempt) return { batch, job };
    throw jobStoreProblems.leaseLost();
  }

  #assertHeld(): void {
    this.expire();
    if (this.lost.aborted) throw jobStoreProblems.leaseLost();
    if (this.#closed) throw jobStoreProblems.closed();
  }
}

/** The failure of a job that must no longer run; null for other jobs. */
function endOf({ cancelled }: MemoryBatch, { deaths }: MemoryJob): JobFailure | null {
  if (cancelled) return CANCELLED;
  return deaths >= POISON_DEATHS ? POISON : null;
}

/** The ready jobs of a batch that were put back. */
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

/** The next jobs of a batch that have never been started. */
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
