import { isQuireError, QuireError } from "../errors.ts";
import type { JobResult, OutputNote } from "../ports/job-records.ts";
import type { Claim, JobWorker } from "../ports/job-worker.ts";
import type { FileInfo, FolderRef, Storage } from "../ports/storage.ts";
import type { MadeDocument } from "./make-document.ts";

/** Where a job's document goes. */
export interface Publication {
  readonly storage: Storage;
  readonly folder: FolderRef;
  readonly worker: JobWorker;
  readonly claim: Claim;
}

/**
 * The document that an attempt before has created, if it has: its worker died before it could say so.
 * Null when there is none.
 */
export async function findPublished(
  { storage, folder, claim }: Publication,
  signal: AbortSignal,
): Promise<JobResult | null> {
  for (const note of claim.notes) {
    const file = await storage.find(folder, note.name, { signal });
    if (file !== null && (await isOurs(storage, file, note, signal))) return resultOf(note, file);
  }
  return null;
}

/**
 * Creates the document under the job's name, which is noted first. Where somebody else has taken the name
 * meanwhile, the batch's policy decides: another name is reserved, or it rejects `conflict`. Rejects
 * `lease_lost` before anything is created when the job may be another's.
 */
export async function publish(
  publication: Publication,
  { bytes, note }: MadeDocument,
  signal: AbortSignal,
): Promise<JobResult> {
  const { storage, folder, worker, claim } = publication;
  for (let name = claim.fileName; ; ) {
    await worker.note(claim, { ...note, name });
    if (!worker.isHeld) throw leaseRanOut();
    try {
      return resultOf(note, await storage.create(folder, name, bytes, { signal }));
    } catch (error) {
      if (!isQuireError(error) || error.code !== "conflict") throw error;
      // An attempt before may have created it so late that it was not there when this one began.
      const published = await findPublished(publication, signal);
      if (published !== null) return published;
      name = await worker.rename(claim);
    }
  }
}

/** Whether a file has the bytes that we were about to write. */
async function isOurs(
  storage: Storage,
  file: FileInfo,
  note: Pick<OutputNote, "size" | "sha256">,
  signal: AbortSignal,
): Promise<boolean> {
  if (file.size !== note.size) return false;
  const { sha256 } = await storage.read(file.ref, { signal });
  return sha256 === note.sha256;
}

function resultOf(
  { status, sha256, pages, converter, errors, warnings }: MadeDocument["note"],
  outputFile: FileInfo,
): JobResult {
  return { status, outputFile, sha256, pages, converter, errors, warnings };
}

function leaseRanOut(): QuireError {
  return new QuireError(
    "lease_lost",
    "The worker was held up for longer than its lease, so that its document may be another's by now. It was not created.",
    { retryable: true },
  );
}
