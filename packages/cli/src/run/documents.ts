import {
  type BatchRecord,
  type FileRef,
  isQuireError,
  type JobRecord,
  type JobStore,
} from "@quire/core/host";
import { jobsOf } from "./journal-pages.ts";
import type { RunOutput } from "./output.ts";

/** What has happened to a document since it was generated. */
export type DocumentState = "unchanged" | "missing" | "changed" | "unreadable";

/** Number of files read at the same time. */
const AT_ONCE = 16;

/** Visits each document of these jobs, several at a time. */
export async function eachDocument(
  jobs: AsyncGenerator<JobRecord>,
  look: (job: JobRecord, result: NonNullable<JobRecord["result"]>) => Promise<void>,
): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = await jobs.next(); !next.done; next = await jobs.next()) {
      if (next.value.result !== null) await look(next.value, next.value.result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Reads a document once and compares it with its hash in the journal. */
export async function documentState(
  { storage }: RunOutput,
  name: string,
  sha256: string,
): Promise<DocumentState> {
  try {
    const found = await storage.read(documentAt(name));
    return found.sha256 === sha256 ? "unchanged" : "changed";
  } catch (error) {
    return isQuireError(error) && error.code === "not_found" ? "missing" : "unreadable";
  }
}

/** A document in the root of an output, where both storages use the name as the id. */
function documentAt(name: string): FileRef {
  return { type: "file", id: name };
}

/** Removes a document if it is unchanged. Returns whether it was removed. */
export async function removeIfUnchanged(
  output: RunOutput,
  name: string,
  sha256: string,
): Promise<boolean> {
  if ((await documentState(output, name, sha256)) !== "unchanged") return false;
  await output.storage.remove(documentAt(name));
  return true;
}

/** Removes the documents of replaced batches, except documents that somebody has changed. */
export async function removeUnchanged(
  journal: JobStore,
  batches: readonly Pick<BatchRecord, "id">[],
  output: RunOutput,
): Promise<void> {
  for (const batch of batches) {
    await eachDocument(jobsOf(journal, batch.id), async (_, { outputFile: { name }, sha256 }) => {
      await removeIfUnchanged(output, name, sha256);
    });
  }
}
