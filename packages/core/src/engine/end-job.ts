import type { Claim, JobFailure, JobStore, JobWorker, Outcome } from "@quire/contracts";
import type { JobContext } from "./make-document.ts";
import { findPublished } from "./publish.ts";

/** A job that must no longer run, and the failure with which it ends. */
export interface EndedJob {
  readonly worker: JobWorker;
  readonly claim: Claim;
  readonly failure: JobFailure;
}

/** Ends a job that must no longer run. An earlier attempt may have created its document. */
export async function endJob(
  { jobs, jobContext }: { readonly jobs: JobStore; readonly jobContext: JobContext },
  { worker, claim, failure }: EndedJob,
  stop: AbortSignal,
): Promise<Outcome> {
  const batch = await jobs.getBatch(claim.batchId);
  if (batch === null) return { type: "failed", failure };
  const { folder, tenant } = batch;
  const publication = { storage: jobContext.storageOf(tenant), folder, worker, claim };
  const result = await findPublished(publication, stop);
  return result === null ? { type: "failed", failure } : { type: "completed", result };
}
