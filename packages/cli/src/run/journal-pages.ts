import type { BatchRecord, JobRecord, JobStore } from "@quire/core/host";

/** The number of batches or jobs that are read from a journal at once. */
const PAGE = 1000;

/** Yields the batches of a journal, newest first. */
export async function* batchesOf(journal: JobStore): AsyncGenerator<BatchRecord> {
  let marker: string | undefined;
  do {
    const page = await journal.listBatches({ limit: PAGE, marker });
    yield* page.items;
    marker = page.nextMarker ?? undefined;
  } while (marker !== undefined);
}

/** Yields the jobs of a batch in the order of the entries. */
export async function* jobsOf(
  journal: JobStore,
  batchId: string,
  status?: JobRecord["status"],
): AsyncGenerator<JobRecord> {
  let marker: string | undefined;
  do {
    const page = await journal.listJobs({ batchId, status, order: "entry", limit: PAGE, marker });
    yield* page.items;
    marker = page.nextMarker ?? undefined;
  } while (marker !== undefined);
}
