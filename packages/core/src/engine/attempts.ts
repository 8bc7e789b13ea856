import {
  type Claim,
  type JobFailure,
  type JobStore,
  type JobWorker,
  type Outcome,
  throwIfAborted,
} from "@quire/contracts";
import { jobId } from "../batch/job.ts";
import type { BatchSource, BatchSources } from "./batch-source.ts";
import type { LongJobs } from "./long-jobs.ts";
import { type JobContext, makeDocument } from "./make-document.ts";
import { stepsOf } from "./observe-step.ts";
import type { Pauses } from "./pauses.ts";
import { findPublished, publish } from "./publish.ts";
import { isLeaseLost, retryDelayMs } from "./retries.ts";

/** Dependencies of {@link Attempts}. */
export interface AttemptOptions {
  readonly jobs: JobStore;
  readonly jobContext: JobContext;
  readonly sources: BatchSources;
  readonly longJobs: LongJobs;
  readonly pauses: Pauses;
  /** Whether jobs that have not begun are given back. */
  readonly isStopping: () => boolean;
  /** Waits before the next request to a store that has failed. */
  readonly pause: () => Promise<void>;
}

/** A job, and the worker that has claimed it. */
export interface ClaimedJob {
  readonly worker: JobWorker;
  readonly claim: Claim;
  /** Whether it was claimed alone. */
  readonly isSuspect: boolean;
}

/** Makes the documents of claimed jobs. */
export class Attempts {
  readonly #options: AttemptOptions;

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  /**
   * One attempt at one job. Returns null if another worker may have the job. Never rejects: a failure is an outcome.
   */
  async run(claimed: ClaimedJob, stop: AbortSignal): Promise<Outcome | null> {
    const { worker, claim } = claimed;
    if (this.#options.isStopping() && this.#options.jobs.durable) return { type: "released" };
    let source: BatchSource | null = null;
    try {
      throwIfAborted(stop);
      if (claim.endWith !== null) return await this.#end(worker, claim, claim.endWith, stop);
      source = await this.#options.sources.of(claim.batchId, worker);
      return await this.#make(claimed, source, source.signalWith(stop));
    } catch (error) {
      if (worker.lost.aborted) return null;
      // A freeze of the whole machine may make the lease seem lost. `settle` finds out which worker has the job.
      if (isLeaseLost(error)) return { type: "released" };
      if (source?.isCancelled !== true && stop.aborted) return { type: "released" };
      const failure = this.#options.jobContext.reportBudget.failureOf(
        error,
        source?.batch.tenant ?? "",
      );
      if (failure.code === "job_store_failed") {
        // The template may be incomplete. Wait before the next request to the store.
        this.#options.sources.close(claim.batchId);
        await this.#options.pause();
        return { type: "released" };
      }
      return this.#putBack(claim, failure);
    }
  }

  /**
   * Returns the outcome of a failed attempt. If the batch pauses, the job is tried again and the failure does not
   * count. Otherwise, the failure counts, and the job is tried again or fails.
   */
  #putBack(claim: Claim, failure: JobFailure): Outcome {
    const { pauses, sources } = this.#options;
    const pauseMs = pauses.failed(claim, failure);
    const delayMs = pauseMs ?? retryDelayMs(failure, claim.failures);
    if (delayMs === null) return { type: "failed", failure };
    // The template may be incomplete: open it again.
    sources.close(claim.batchId);
    return pauseMs === null ? { type: "again", failure, delayMs } : { type: "released", delayMs };
  }

  /** Ends a job that must no longer run. An earlier attempt may have created its document. */
  async #end(
    worker: JobWorker,
    claim: Claim,
    failure: JobFailure,
    stop: AbortSignal,
  ): Promise<Outcome> {
    const { jobs, jobContext } = this.#options;
    const batch = await jobs.getBatch(claim.batchId);
    if (batch === null) return { type: "failed", failure };
    const { folder, tenant } = batch;
    const publication = { storage: jobContext.storageOf(tenant), folder, worker, claim };
    const result = await findPublished(publication, stop);
    return result === null ? { type: "failed", failure } : { type: "completed", result };
  }

  async #make(
    { worker, claim, isSuspect }: ClaimedJob,
    source: BatchSource,
    signal: AbortSignal,
  ): Promise<Outcome> {
    throwIfAborted(signal);
    const { jobContext } = this.#options;
    const { batch, storage } = source;
    const { id: batchId, tenant, outputType, trace, folder } = batch;
    const id = jobId(batchId, claim.entry);
    const step = stepsOf(jobContext.observe, { jobId: id, batchId, tenant, outputType, trace });
    const publication = { storage, folder, worker, claim };
    const { input } = claim;
    const setBegun = isSuspect ? (begun: boolean) => worker.setBegun(claim, begun) : null;
    return this.#options.longJobs.run({ id, source }, async (attempt) => {
      const result = await step("job", async () => {
        const published = await findPublished(publication, signal);
        if (published !== null) return published;
        const order = { source, input, step, signal, attempt, setBegun };
        return makeDocument(jobContext, order, (document) =>
          step("store", () => publish(publication, document, signal)),
        );
      });
      return { type: "completed", result };
    });
  }
}
