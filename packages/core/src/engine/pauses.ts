import type { Claim, JobFailure, JobResult } from "@quire/contracts";
import type { BatchPause, EngineOptions } from "./engine-types.ts";

/** A service that jobs need. */
type Dependency = "storage" | "converter";

/** A batch whose last attempts failed because a dependency does not work. */
interface Paused {
  readonly tenant: string;
  readonly dependency: Dependency;
  /** The time of the first failure, by the monotonic clock and as a date. */
  readonly beganAt: number;
  readonly since: Date;
  failure: JobFailure;
  /** The length of the pause after the next failure. */
  pauseMs: number;
  /** No job of the batch is claimed before this time. */
  nextAt: number;
  isReported: boolean;
}

/** Defaults of `EngineOptions.maxPauseMs`, for a durable job store and for one in memory. */
const MAX_DURABLE_PAUSE_MS = 24 * 3600 * 1000;
const MAX_MEMORY_PAUSE_MS = 60_000;
/** Minimum and maximum time between two attempts to resume a batch. */
const MIN_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;
/** Number of different jobs that must fail in a row before a pause counts as an outage. */
const MIN_OUTAGE_JOBS = 3;
/** Minimum time since the first failure of a batch before its pause is reported. */
const MIN_REPORTED_MS = 2_000;
/** Maximum number of failure times to remember, and of success times. */
const MAX_KNOWN = 10_000;

/**
 * Pauses a batch while the storage or the converter does not work, so that its jobs do not fail for that reason. A
 * failure counts against the job only if the same dependency has worked for the tenant since the job's previous
 * failure. Otherwise, the job is put back, and the batch is claimed again only after a growing pause. The first
 * document that succeeds resumes all batches of the tenant.
 */
export class Pauses {
  readonly #maxPauseMs: number;
  readonly #onPause: EngineOptions["onPause"];
  readonly #now: () => number;
  readonly #paused = new Map<string, Paused>();
  /** The jobs that have failed since the last success of any tenant: at most {@link MIN_OUTAGE_JOBS}. */
  readonly #inARow = new Set<string>();
  /** The time of the last failure of each job, by its batch and entry. */
  readonly #failedAt = new Map<string, number>();
  /** The time of the last success, by dependency and tenant. */
  readonly #workedAt = new Map<string, number>();

  /** `isDurable`: whether the job store is durable. `now` returns the monotonic time in milliseconds. */
  constructor(
    options: Pick<EngineOptions, "maxPauseMs" | "onPause">,
    isDurable: boolean,
    now = () => performance.now(),
  ) {
    const { maxPauseMs = isDurable ? MAX_DURABLE_PAUSE_MS : MAX_MEMORY_PAUSE_MS, onPause } =
      options;
    this.#maxPauseMs = maxPauseMs ?? Number.POSITIVE_INFINITY;
    this.#onPause = onPause;
    this.#now = now;
  }

  /** The batches from which no job can be claimed now. */
  get blocked(): string[] {
    const now = this.#now();
    return [...this.#paused].filter(([, { nextAt }]) => nextAt > now).map(([id]) => id);
  }

  /** The batches that are paused, and why. */
  get current(): BatchPause[] {
    return [...this.#paused].filter(([, { isReported }]) => isReported).map(asPause);
  }

  /** The first pause, if several jobs have failed since the last document was created; otherwise null. */
  get outage(): BatchPause | null {
    const [first] = this.current;
    return first === undefined || this.#inARow.size < MIN_OUTAGE_JOBS ? null : first;
  }

  /**
   * Records a failed attempt. Returns the time in milliseconds after which the job can be claimed again without
   * counting the failure, or null if the failure counts.
   */
  failed({ batchId, tenant, entry }: Claim, failure: JobFailure): number | null {
    const dependency = dependencyOf(failure);
    if (dependency === null) return null;
    const now = this.#now();
    const job = `${batchId} ${entry}`;
    const before = this.#failedAt.get(job);
    remember(this.#failedAt, job, now);
    if (this.#inARow.size < MIN_OUTAGE_JOBS) this.#inARow.add(job);
    const workedAt = this.#workedAt.get(keyOf(dependency, tenant)) ?? Number.NEGATIVE_INFINITY;
    if (before !== undefined && workedAt > before) return null;
    const paused = this.#paused.get(batchId) ?? {
      tenant,
      dependency,
      beganAt: now,
      since: new Date(),
      failure,
      pauseMs: MIN_WAIT_MS,
      nextAt: 0,
      isReported: false,
    };
    this.#paused.set(batchId, paused);
    if (now - paused.beganAt >= this.#maxPauseMs) return null;
    paused.failure = failure;
    if (paused.nextAt <= now) {
      paused.nextAt = now + paused.pauseMs;
      paused.pauseMs = Math.min(2 * paused.pauseMs, MAX_WAIT_MS);
    }
    if (!paused.isReported && now - paused.beganAt >= MIN_REPORTED_MS) {
      paused.isReported = true;
      this.#report(batchId, paused, "paused");
    }
    return paused.nextAt - now;
  }

  /** Records a document that was created. Returns whether batches were resumed. */
  succeeded({ batchId, tenant, entry }: Claim, { converter }: JobResult): boolean {
    this.#failedAt.delete(`${batchId} ${entry}`);
    this.#inARow.clear();
    const now = this.#now();
    const working: readonly Dependency[] =
      converter === null ? ["storage"] : ["storage", "converter"];
    for (const each of working) remember(this.#workedAt, keyOf(each, tenant), now);
    let isResumed = false;
    for (const [id, paused] of this.#paused) {
      if (paused.tenant === tenant && working.includes(paused.dependency)) {
        this.finished(id);
        isResumed = true;
      }
    }
    return isResumed;
  }

  /** Forgets a batch that has finished. */
  finished(batchId: string): void {
    const paused = this.#paused.get(batchId);
    if (paused === undefined) return;
    this.#paused.delete(batchId);
    if (paused.isReported) this.#report(batchId, paused, "resumed");
  }

  #report(batchId: string, paused: Paused, state: "paused" | "resumed"): void {
    try {
      this.#onPause?.(asPause([batchId, paused]), state);
    } catch {
      // The callback reports to people. Documents do not depend on it.
    }
  }
}

function asPause([batchId, { tenant, failure, since }]: readonly [string, Paused]): BatchPause {
  return { batchId, tenant, failure, since };
}

function dependencyOf({ code, retryable }: JobFailure): Dependency | null {
  if (!retryable) return null;
  if (code === "storage_failed") return "storage";
  return code === "unavailable" ? "converter" : null;
}

function keyOf(dependency: Dependency, tenant: string): string {
  return `${dependency} ${tenant}`;
}

/** Sets a key of a map and makes it the newest one. Deletes the oldest key if the map is full. */
function remember(times: Map<string, number>, key: string, time: number): void {
  times.delete(key);
  times.set(key, time);
  const [oldest] = times.keys();
  if (times.size > MAX_KNOWN && oldest !== undefined) times.delete(oldest);
}
