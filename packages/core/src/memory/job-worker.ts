import {
  type Claim,
  type Claimed,
  type ClaimOptions,
  deathsAfter,
  type JobWorker,
  type JobWorkerOptions,
  jobStoreProblems,
  MAX_EVENT_WAIT_MS,
  nameReserver,
  type Outcome,
  type OutputNote,
  POISON,
  POISON_DEATHS,
  type TakenEvent,
  WorkWatch,
} from "@quire/contracts";
import {
  batchRecord,
  jobRecord,
  type MemoryBatch,
  type MemoryJob,
  type MemoryState,
} from "./job-state.ts";
import { endOf, takeReady } from "./ready-jobs.ts";

/** The open workers on each store. */
const workersOf = new WeakMap<MemoryState, Set<MemoryJobWorker>>();

/** Creates a worker. It calls `onClose` when it has given back its jobs. */
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

class MemoryJobWorker implements JobWorker {
  readonly #state: MemoryState;
  readonly #options: JobWorkerOptions;
  readonly #onClose: () => void;
  readonly #lost = new AbortController();
  readonly #openedAt = performance.now();
  readonly #jobs = new Map<MemoryJob, MemoryBatch>();
  readonly #watch = new WorkWatch();
  #closed = false;

  constructor(state: MemoryState, options: JobWorkerOptions, onClose: () => void) {
    this.#state = state;
    this.#options = options;
    this.#onClose = onClose;
    state.watches.add(this.#watch);
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

  async claim(limit: number, options: ClaimOptions = {}): Promise<Claimed> {
    this.#assertHeld();
    expireWorkers(this.#state);
    this.#watch.claims();
    const { jobs, suspects } = takeReady(this.#state, this.#options, { limit, ...options });
    this.#watch.claimed(jobs.length);
    return { jobs: jobs.map(({ batch, job }) => this.#take(batch, job)), suspects };
  }

  #take(batch: MemoryBatch, job: MemoryJob): Claim {
    if (job.fileName === null || job.input === null) throw new Error("An invalid entry is ready.");
    this.#jobs.set(job, batch);
    job.worker = this;
    job.begun = false;
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

  waitForWork(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#watch.wait(ms, signal);
  }

  async setBegun(claim: Claim, begun: boolean): Promise<void> {
    this.#own(claim).job.begun = begun;
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

  async takeEvents(limit: number): Promise<readonly TakenEvent[]> {
    this.#assertHeld();
    const taken: TakenEvent[] = [];
    for (const each of this.#state.events) {
      if (taken.length === limit) break;
      const { event, batch } = each;
      if (each.worker !== null) continue;
      each.worker = this;
      const job = event.entry === null ? undefined : batch.jobs[event.entry - 1];
      taken.push({
        ...event,
        batch: batchRecord(batch),
        job: job === undefined ? null : jobRecord(batch, job),
      });
    }
    return taken;
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
      if (finishedAt === null) continue;
      const overdueMs = Date.now() - finishedAt - keepFinishedMs;
      if (overdueMs >= MAX_EVENT_WAIT_MS) this.#state.erase(batch);
      else if (overdueMs >= 0 && !this.#state.hasEvents(batch)) this.#state.forget(batch);
    }
    return false;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#giveBack(false);
    this.#leave();
  }

  /** Gives back the jobs if the lease has expired. */
  expire(): void {
    if (this.isHeld || this.#closed) return;
    this.#giveBack(true);
    this.#lost.abort();
    this.#leave();
  }

  #giveBack(isDead: boolean): void {
    for (const [job, batch] of this.#jobs) {
      if (isDead) job.deaths = deathsAfter(job.deaths, job.begun);
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
    this.#state.watches.delete(this.#watch);
    this.#watch.end();
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
