import { foldName, type NewBatchOptions, nameReserver, toFailure } from "@quire/contracts";
import type { MemoryBatch, MemoryJob, MemoryState } from "./job-state.ts";

/** Reserves the jobs' names in order. A job without an available name fails. */
export function reserveNames(
  state: MemoryState,
  batch: MemoryBatch,
  jobs: readonly MemoryJob[],
  { isTaken }: Pick<NewBatchOptions, "isTaken">,
): void {
  const take = (folded: string): boolean => !isTaken(folded) && state.takeName(batch, folded);
  const reserve = nameReserver(take);
  for (const job of jobs) {
    if (job.failure !== null || job.wantedName === null) continue;
    if (keepsName(state, batch, job, take)) continue;
    try {
      job.fileName = reserve(job.wantedName, batch.made.onConflict);
    } catch (error) {
      job.fileName = null;
      job.failure = toFailure(error);
    }
  }
  // Done after all names are reserved, because the last job may finish the batch.
  for (const job of jobs) {
    if (job.failure !== null) state.move(batch, job, "failed");
    else if (job.result !== null) state.move(batch, job, job.result.status);
  }
}

/**
 * Reserves the name of a job's existing document, or the name that a retried job had. Returns false if the job needs
 * another name.
 */
function keepsName(
  state: MemoryState,
  batch: MemoryBatch,
  job: MemoryJob,
  take: (folded: string) => boolean,
): boolean {
  const { result, notes } = job;
  if (result !== null) {
    job.fileName = result.outputFile.name;
    if (state.takeName(batch, foldName(job.fileName))) return true;
    // Another job has reserved the document's name, so this job must run.
    job.result = null;
    job.fileName = null;
  }
  const { fileName } = job;
  if (fileName === null) return false;
  // The file with this name may be the job's own document.
  const isNoted = notes.some(({ name }) => name === fileName);
  return (isNoted && state.takeName(batch, foldName(fileName))) || take(foldName(fileName));
}
