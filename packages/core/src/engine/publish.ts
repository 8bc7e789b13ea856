import {
  type Claim,
  type FileInfo,
  type FolderRef,
  isQuireError,
  type JobResult,
  type JobWorker,
  type OutputNote,
  QuireError,
  type Storage,
} from "@quire/contracts";
import type { MadeDocument } from "./make-document.ts";

/** The destination of a job's document. */
export interface Publication {
  readonly storage: Storage;
  readonly folder: FolderRef;
  readonly worker: JobWorker;
  readonly claim: Claim;
}

/** Returns the document of an earlier attempt whose worker died before it could settle the job, or null. */
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
 * Creates the document under the job's name, after a note of it in the job store. If somebody else has taken the name,
 * the batch's policy decides: another name is reserved, or the call rejects `conflict`. Rejects `lease_lost`, before
 * anything is created, if another worker may have the job.
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
      // An earlier attempt may have created the document after this attempt looked for it.
      const published = await findPublished(publication, signal);
      if (published !== null) return published;
      name = await worker.rename(claim);
    }
  }
}

/** Whether a file has the size and the hash that the job noted for its document. */
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
    "The worker was delayed for longer than its lease, so another worker may have its job. The document was not created.",
    { retryable: true },
  );
}
