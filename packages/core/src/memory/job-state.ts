import {
  type BatchRecord,
  CANCELLED,
  type JobCounts,
  type JobFailure,
  type JobInput,
  type JobRecord,
  type JobResult,
  type JobStatus,
  jobStoreProblems,
  type NewBatch,
  type NewJob,
  type OutputNote,
  type StoredEvent,
  type WorkWatch,
} from "@quire/contracts";

/** A job in memory. */
export interface MemoryJob {
  readonly entry: number;
  readonly requestedName: string | null;
  /** The name to reserve, unless a replacement is needed; null for an invalid entry. */
  readonly wantedName: string | null;
  fileName: string | null;
  input: JobInput | null;
  status: JobStatus;
  /** The job is ready at this time, in milliseconds of the monotonic clock. */
  readyAt: number;
  attempts: number;
  failures: number;
  deaths: number;
  /** Whether the document of a suspect is being made. */
  begun: boolean;
  worker: object | null;
  /** Whether the job was ever put back. If so, it is in its batch's `again` while it waits. */
  wasPutBack: boolean;
  notes: OutputNote[];
  result: JobResult | null;
  failure: JobFailure | null;
  endedAt: number | null;
  /** Its index in its batch's `ended`. */
  endedIndex: number;
}

/** A batch in memory. */
export interface MemoryBatch {
  /** Grows from batch to batch: a stable position in listings. */
  readonly number: number;
  readonly made: NewBatch;
  readonly hash: string;
  readonly jobs: readonly MemoryJob[];
  readonly pinned: Map<string, Uint8Array>;
  readonly counts: Record<JobStatus, number>;
  readonly createdAt: number;
  /** The jobs in the order in which they ended; a retried job is listed twice. */
  readonly ended: MemoryJob[];
  /** Every submitted job before this index is in `again`. */
  next: number;
  /** The jobs that wait for another attempt; the set may also contain other jobs. */
  readonly again: Set<MemoryJob>;
  /** Its virtual time within its tenant's share. */
  virtualTime: number;
  cancelled: boolean;
  finishedAt: number | null;
}

/** An event in memory, with the worker that has taken it. */
export interface MemoryEvent {
  readonly event: StoredEvent;
  readonly batch: MemoryBatch;
  worker: object | null;
}

/** A tenant's share of the work. */
export interface MemoryTenant {
  readonly batches: Set<MemoryBatch>;
  virtualTime: number;
}

/** The state that all handles to one memory store share. */
export class MemoryState {
  readonly batches = new Map<string, MemoryBatch>();
  readonly keys = new Map<string, MemoryBatch>();
  /** For each folder, the folded names of jobs whose batch has not ended. */
  readonly names = new Map<string, Map<string, MemoryBatch>>();
  readonly tenants = new Map<string, MemoryTenant>();
  readonly events: MemoryEvent[] = [];
  /** Tenants whose jobs do not start. */
  readonly held = new Set<string>();
  /** What the open workers wait with. */
  readonly watches = new Set<WorkWatch>();
  waiting = 0;
  lastBatch = 0;
  #virtualTime = 0;
  #lastEvent = 0;

  /** Returns the batch with this id. Throws `not_found` if it does not exist. */
  find(batchId: string): MemoryBatch {
    const batch = this.batches.get(batchId);
    if (batch !== undefined) return batch;
    throw jobStoreProblems.noBatch(batchId);
  }

  /** Reports that there may be work. */
  announceWork(): void {
    for (const watch of this.watches) watch.notify();
  }

  /** Makes the jobs of a batch available to workers. */
  activate(batch: MemoryBatch): void {
    const tenant = this.tenants.get(batch.made.tenant) ?? { batches: new Set(), virtualTime: 0 };
    this.tenants.set(batch.made.tenant, tenant);
    if (tenant.batches.size === 0) {
      tenant.virtualTime = Math.max(tenant.virtualTime, this.#virtualTime);
    }
    const others = [...tenant.batches].map(({ virtualTime }) => virtualTime);
    batch.virtualTime = others.length === 0 ? 0 : Math.min(...others);
    tenant.batches.add(batch);
    this.announceWork();
  }

  /** Yields the tenants and the batches of each tenant, both in the order of their virtual times, least first. */
  *inTurn(): Generator<{
    readonly tenant: MemoryTenant;
    readonly batches: readonly MemoryBatch[];
  }> {
    const least = (a: { virtualTime: number }, b: { virtualTime: number }): number =>
      a.virtualTime - b.virtualTime;
    const active = [...this.tenants.values()].filter(({ batches }) => batches.size > 0);
    for (const tenant of active.sort(least)) {
      yield { tenant, batches: [...tenant.batches].sort(least) };
    }
  }

  /** Charges jobs to the shares of the tenant and the batch. */
  charge(tenant: MemoryTenant, batch: MemoryBatch, jobs: number): void {
    this.#virtualTime = Math.max(this.#virtualTime, tenant.virtualTime);
    tenant.virtualTime += jobs / batch.made.weight;
    batch.virtualTime += jobs;
  }

  /** Reserves a name in the folder of a batch. Returns false if the name is already reserved. */
  takeName(batch: MemoryBatch, folded: string): boolean {
    const folder = batch.made.folder.id;
    const names = this.names.get(folder) ?? new Map<string, MemoryBatch>();
    this.names.set(folder, names);
    if (names.has(folded)) return false;
    names.set(folded, batch);
    return true;
  }

  /** Releases the names of a batch that has ended: its documents are now files in the folder. */
  releaseNames(batch: MemoryBatch): void {
    const folder = batch.made.folder.id;
    const names = this.names.get(folder);
    if (names === undefined) return;
    for (const [name, owner] of names) if (owner === batch) names.delete(name);
    if (names.size === 0) this.names.delete(folder);
  }

  /** Forgets a batch that has ended, and its events. */
  erase(batch: MemoryBatch): void {
    this.forget(batch);
    const others = this.events.filter((event) => event.batch !== batch);
    this.events.length = 0;
    for (const event of others) this.events.push(event);
  }

  /** Whether the batch has events that have not been delivered. */
  hasEvents(batch: MemoryBatch): boolean {
    return this.events.some((event) => event.batch === batch);
  }

  /** Forgets a batch that has ended and has no events. */
  forget({ made }: MemoryBatch): void {
    this.batches.delete(made.id);
    this.keys.delete(JSON.stringify([made.tenant, made.idempotencyKey]));
  }

  recordEvent(batch: MemoryBatch, type: StoredEvent["type"], entry: number | null): void {
    if (!batch.made.withEvents) return;
    this.#lastEvent += 1;
    const event = {
      sequence: this.#lastEvent,
      type,
      batchId: batch.made.id,
      entry,
      at: Date.now(),
    };
    this.events.push({ event, batch, worker: null });
  }

  /** Moves a job to another state, and finishes its batch if it was the last job. */
  move(batch: MemoryBatch, job: MemoryJob, status: JobStatus): void {
    batch.counts[job.status] -= 1;
    batch.counts[status] += 1;
    if (isEnd(status)) this.waiting -= 1;
    else if (isEnd(job.status)) this.waiting += 1;
    job.status = status;
    if (!isEnd(status)) return;
    job.worker = null;
    job.endedAt = Date.now();
    job.endedIndex = batch.ended.push(job) - 1;
    this.recordEvent(batch, status === "failed" ? "job_failed" : "job_succeeded", job.entry);
    this.finishIfDone(batch);
  }

  finishIfDone(batch: MemoryBatch): void {
    if (batch.counts.submitted + batch.counts.pending > 0) return;
    batch.finishedAt = Date.now();
    // Files are still needed for a retry only if a job has failed.
    if (batch.counts.failed === 0) batch.pinned.clear();
    this.tenants.get(batch.made.tenant)?.batches.delete(batch);
    this.releaseNames(batch);
    this.recordEvent(batch, "batch_finished", null);
  }

  /** Puts a job back for another attempt. */
  putBack(batch: MemoryBatch, job: MemoryJob, readyAt: number): void {
    job.worker = null;
    job.readyAt = readyAt;
    job.wasPutBack = true;
    this.move(batch, job, "submitted");
    batch.again.add(job);
    this.announceWork();
    if (batch.cancelled && job.notes.length === 0) failCancelled(this, batch, job);
  }
}

/** Whether a job in this state has ended. */
export function isEnd(status: JobStatus): boolean {
  return status !== "submitted" && status !== "pending";
}

/** Fails a submitted job because its batch was cancelled. */
export function failCancelled(state: MemoryState, batch: MemoryBatch, job: MemoryJob): void {
  job.failure = CANCELLED;
  state.move(batch, job, "failed");
}

export function batchRecord(batch: MemoryBatch): BatchRecord {
  const { templateBytes, needsConverter, withEvents, ...made } = batch.made;
  const counts: JobCounts = { ...batch.counts };
  const { cancelled, createdAt, finishedAt } = batch;
  const status = finishedAt === null ? "running" : "finished";
  return { ...made, status, cancelled, counts, createdAt, finishedAt };
}

export function jobRecord(batch: MemoryBatch, job: MemoryJob): JobRecord {
  const { entry, status, requestedName, fileName, attempts, result, failure, endedAt } = job;
  const batchId = batch.made.id;
  return { batchId, entry, status, requestedName, fileName, attempts, result, failure, endedAt };
}

/** Returns a job that no worker has claimed. */
export function newJob(job: NewJob, index: number): MemoryJob {
  return {
    entry: index + 1,
    requestedName: job.requestedName,
    wantedName: job.fileName,
    fileName: null,
    input: job.input,
    status: "submitted",
    readyAt: 0,
    attempts: 0,
    failures: 0,
    deaths: 0,
    begun: false,
    worker: null,
    wasPutBack: false,
    notes: [],
    result: job.result ?? null,
    failure: job.failure,
    endedAt: null,
    endedIndex: -1,
  };
}
