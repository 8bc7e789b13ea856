import { AsyncResource } from "node:async_hooks";
import {
  type Claim,
  type Claimed,
  type ClaimOptions,
  isQuireError,
  type JobStore,
  type JobWorker,
  type JobWorkerOptions,
  type Outcome,
} from "@quire/contracts";
import { Attempts, type ClaimedJob } from "./attempts.ts";
import type { BatchSources } from "./batch-source.ts";
import { BatchLimits, ClaimedJobs } from "./claimed-jobs.ts";
import { LongJobs } from "./long-jobs.ts";
import type { JobContext } from "./make-document.ts";
import { createNotifier, WorkNews } from "./notifier.ts";
import type { Pauses } from "./pauses.ts";
import { type EventHandler, EventPublisher } from "./publish-events.ts";
import { MAX_PAUSE_MS, MIN_PAUSE_MS, nextPause } from "./retries.ts";
import { type StoreFailureHandler, StoreWatch } from "./store-watch.ts";

/** Options of a {@link WorkLoop}. */
export interface WorkLoopOptions {
  readonly jobs: JobStore;
  readonly takes: JobWorkerOptions["takes"];
  readonly jobContext: JobContext;
  readonly sources: BatchSources;
  readonly pauses: Pauses;
  /** Maximum number of documents of one batch in progress at the same time. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly keepFinishedMs: number | null;
  readonly eventHandler: EventHandler | null;
  readonly onStoreFailure: StoreFailureHandler | null;
  /** Called when a job has ended or was put back. `batchFinished`: whether its batch has finished. */
  readonly onSettled: (batchId: string, batchFinished: boolean) => void;
}

const TIDY_EVERY_MS = 10_000;
/** While jobs are in progress, each end may free room for others, so the loop claims at least this often. */
const CLAIM_EVERY_MS = 1000;

/** Processes the jobs of a job store: claim → render → convert → create → complete. */
export class WorkLoop {
  readonly #options: WorkLoopOptions;
  readonly #limits: BatchLimits;
  readonly #notifier = createNotifier();
  readonly #eventNotifier = createNotifier();
  readonly #news = new WorkNews();
  readonly #longJobs = new LongJobs();
  readonly #attempts: Attempts;
  readonly #storeWatch: StoreWatch;
  readonly #giveUp = new AbortController();
  /** Whether there may be jobs that were not ready at the last claim. */
  #mayBeMore = false;
  #stopping = false;
  #isWorking = false;
  #ended: Promise<void> | null = null;
  #nextTidy = 0;
  /**
   * Bound to the async context of the constructor, so that the loop does not run in the context of the first request.
   */
  readonly #begin = AsyncResource.bind(() => this.#run());

  constructor(options: WorkLoopOptions) {
    this.#options = options;
    this.#limits = new BatchLimits(options.concurrency);
    this.#storeWatch = new StoreWatch(options.onStoreFailure);
    const { jobs, jobContext, sources, pauses } = options;
    this.#attempts = new Attempts({
      jobs,
      jobContext,
      sources,
      pauses,
      longJobs: this.#longJobs,
      isStopping: () => this.#stopping,
      pause: () => this.#notifier.wait(MAX_PAUSE_MS, true),
    });
  }

  /** Starts the loop unless it is running. */
  start(): void {
    this.#ended ??= this.#begin();
  }

  /** Makes the loop look for work, and starts it if necessary. */
  wake(): void {
    this.start();
    this.#mayBeMore = true;
    this.#notifier.notify();
    this.#eventNotifier.notify();
  }

  /** Starts no further jobs, waits for those in progress, and gives back the other claimed jobs. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#notifier.notify();
    this.#eventNotifier.notify();
    await this.#ended;
  }

  /** Cancels the jobs in progress and gives them back. */
  giveUp(reason: unknown): void {
    this.#giveUp.abort(reason);
    this.#eventNotifier.notify();
  }

  /** Opens a worker, and a new one when the lease is lost or the store fails for some time. */
  async #run(): Promise<void> {
    const { jobs, takes, leaseMs, keepFinishedMs } = this.#options;
    for (let pauseMs = MIN_PAUSE_MS; !this.#stopping; pauseMs = nextPause(pauseMs)) {
      try {
        await this.#runWith(await jobs.openWorker({ takes, leaseMs, keepFinishedMs }));
        pauseMs = MIN_PAUSE_MS;
      } catch (error) {
        if (this.#stopping) return;
        this.#storeWatch.failed(error);
        await this.#notifier.wait(pauseMs, false);
      }
    }
  }

  async #runWith(worker: JobWorker): Promise<void> {
    // After a failure, the worker may have jobs or events that are not known here. The next worker gets them.
    const failed = new AbortController();
    const publishing = this.#publishEvents(worker, failed);
    try {
      await this.#workWith(worker, failed.signal);
    } catch (error) {
      failed.abort(error);
      throw error;
    } finally {
      await publishing;
      await worker.close();
    }
  }

  async #workWith(worker: JobWorker, failed: AbortSignal): Promise<void> {
    const { concurrency, jobs } = this.#options;
    const claimedJobs = new ClaimedJobs(concurrency, jobs.group, () => this.#notifier.notify());
    const stop = AbortSignal.any([worker.lost, this.#giveUp.signal]);
    this.#isWorking = true;
    try {
      await this.#claimAll(worker, claimedJobs, stop, failed);
    } finally {
      this.#news.stop();
      await claimedJobs.allDone();
      // The open batches read their files through this worker, and may be incomplete.
      this.#options.sources.clear();
      this.#isWorking = false;
      this.#eventNotifier.notify();
    }
  }

  async #claimAll(
    worker: JobWorker,
    claimedJobs: ClaimedJobs,
    stop: AbortSignal,
    failed: AbortSignal,
  ): Promise<void> {
    let alone = false;
    let isolated = false;
    let isFirst = true;
    this.#mayBeMore = true;
    while (!this.#stopping && !worker.lost.aborted) {
      failed.throwIfAborted();
      await this.#tidy(worker);
      if (!this.#canClaim(claimedJobs, alone || isolated)) {
        await this.#pause(worker, claimedJobs);
        continue;
      }
      this.#news.stop();
      this.#mayBeMore = false;
      const limit = alone ? 1 : claimedJobs.group;
      const bounds = claimedJobs.bounds([
        ...this.#longJobs.blocked,
        ...this.#options.pauses.blocked,
      ]);
      const claimed = await worker.claim(limit, { alone, ...bounds });
      // Opening a worker and claiming a job are writes. A claim without jobs may not be one.
      if (isFirst || claimed.jobs.length > 0) this.#storeWatch.works();
      isFirst = false;
      for (const claim of claimed.jobs) {
        claimedJobs.add(claim, this.#work({ worker, claim, isSuspect: alone }, stop));
      }
      this.#eventNotifier.notify();
      // A suspect runs alone, once all other jobs have been settled.
      isolated = alone && claimed.jobs.length > 0;
      alone = claimed.suspects && !alone;
      if (alone || isCutShort(claimed, limit, bounds)) this.#mayBeMore = true;
    }
  }

  /** Whether there is room for more jobs, and there may be some. */
  #canClaim(claimedJobs: ClaimedJobs, onlyAlone: boolean): boolean {
    if (onlyAlone) return claimedJobs.size === 0;
    return claimedJobs.hasRoom && (this.#mayBeMore || claimedJobs.hasRoomForGroup);
  }

  /** Waits until a job is done, there may be more jobs, or the loop is woken. */
  async #pause(worker: JobWorker, { size, hasRoom }: ClaimedJobs): Promise<void> {
    const ms = size > 0 ? CLAIM_EVERY_MS : TIDY_EVERY_MS;
    if (hasRoom) this.#news.expect(worker, ms, () => this.wake());
    await this.#notifier.wait(TIDY_EVERY_MS, size > 0);
  }

  async #work(claimed: ClaimedJob, stop: AbortSignal): Promise<void> {
    const { worker, claim } = claimed;
    const outcome = await this.#limits.run(claim.batchId, () => this.#attempts.run(claimed, stop));
    for (let pauseMs = MIN_PAUSE_MS; outcome !== null; pauseMs = nextPause(pauseMs)) {
      try {
        const batchFinished = await worker.settle(claim, outcome);
        this.#storeWatch.works();
        this.#settled(claim, outcome, batchFinished);
        this.#eventNotifier.notify();
        return;
      } catch (error) {
        // The next worker that claims the job finds the created document.
        if (!isQuireError(error) || error.code === "lease_lost" || stop.aborted) return;
        // The store does not recover, and the process is about to end.
        if (this.#stopping && !error.retryable) return;
        this.#storeWatch.failed(error);
        await this.#notifier.wait(pauseMs, true);
      }
    }
  }

  #settled(claim: Claim, outcome: Outcome, batchFinished: boolean): void {
    const { batchId } = claim;
    const { sources, pauses, onSettled } = this.#options;
    if (outcome.type === "completed" && pauses.succeeded(claim, outcome.result)) this.wake();
    if (outcome.type === "again" || outcome.type === "released") this.#wakeAfter(outcome.delayMs);
    if (batchFinished) for (const each of [pauses, this.#longJobs]) each.finished(batchId);
    if (batchFinished) sources.close(batchId);
    onSettled(batchId, batchFinished);
  }

  /** Wakes the loop when a job that was put back is ready. */
  #wakeAfter(delayMs = 0): void {
    // A timer can end a fraction of a millisecond too early. The claim would then not find the job.
    setTimeout(() => this.wake(), Math.ceil(delayMs) + 1).unref();
  }

  async #publishEvents(worker: JobWorker, failed: AbortController): Promise<void> {
    const { eventHandler } = this.#options;
    if (eventHandler === null) return;
    const stop = AbortSignal.any([worker.lost, this.#giveUp.signal, failed.signal]);
    const publisher = new EventPublisher({
      worker,
      handler: eventHandler,
      notifier: this.#eventNotifier,
      stop,
      isDone: () => this.#stopping && !this.#isWorking,
    });
    try {
      await publisher.run();
    } catch (error) {
      failed.abort(error);
      this.#notifier.notify();
    }
  }

  async #tidy(worker: JobWorker): Promise<void> {
    if (performance.now() < this.#nextTidy) return;
    const isMore = await worker.tidy();
    this.#nextTidy = performance.now() + (isMore ? 0 : TIDY_EVERY_MS);
  }
}

/** Whether a limit, and not the number of ready jobs, ended a claim. */
function isCutShort({ jobs }: Claimed, limit: number, { maxBytes }: ClaimOptions): boolean {
  const bytes = jobs.reduce((sum, { input }) => sum + input.bytes.length, 0);
  return jobs.length === limit || bytes > (maxBytes ?? Number.POSITIVE_INFINITY);
}
