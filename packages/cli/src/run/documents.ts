import { createHash } from "node:crypto";
import type { BatchRecord, JobRecord, JobStore } from "@quire/core";
import { jobsOf } from "./journal-pages.ts";
import type { RunOutput } from "./output.ts";

/** What has happened to a document since it was generated. */
export type DocumentState = "unchanged" | "missing" | "changed" | "unreadable";

/** Number of files read at the same time. */
const AT_ONCE = 8;

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

/** Reads a document and compares it with its hash in the journal. */
export async function documentState(
  { storage, folder }: RunOutput,
  name: string,
  sha256: string,
): Promise<DocumentState> {
  try {
    const file = await storage.find(folder, name);
    if (file === null) return "missing";
    const { bytes } = await storage.read(file.ref);
    const found = createHash("sha256").update(bytes).digest("hex");
    return found === sha256 ? "unchanged" : "changed";
  } catch {
    return "unreadable";
  }
}

/** Removes the documents of replaced batches, except documents that somebody has changed. */
export async function removeUnchanged(
  journal: JobStore,
  batches: readonly Pick<BatchRecord, "id">[],
  output: RunOutput,
): Promise<void> {
  const { storage, folder } = output;
  for (const batch of batches) {
    await eachDocument(jobsOf(journal, batch.id), async (_, { outputFile: { name }, sha256 }) => {
      if ((await documentState(output, name, sha256)) !== "unchanged") return;
      const file = await storage.find(folder, name);
      if (file !== null) await storage.remove(file.ref);
    });
  }
}
