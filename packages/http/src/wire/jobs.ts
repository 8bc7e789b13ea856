import {
  type Batch,
  type Diagnostic,
  type Engine,
  type Job,
  messageWithPlace,
} from "@quire/core/host";
import { orNull } from "./or-null.ts";

/** Returns a job in the format of the hosted service. */
export function wireJob(job: Job) {
  const { outputFile } = job;
  return {
    id: job.id,
    type: "docgen_job" as const,
    batch: { id: job.batchId, type: "docgen_batch" as const },
    template_file: { type: "file" as const, id: job.template.id },
    template_file_version: { type: "file_version" as const, id: job.template.version },
    output_file: outputFile && { type: "file" as const, id: outputFile.ref.id },
    output_file_version: outputFile && {
      type: "file_version" as const,
      id: outputFile.version,
    },
    status: job.status,
    output_type: job.outputType,
    failures: failuresOf(job),
  };
}

/** Returns a job in the format of the hosted service, with its creator and creation time. */
export function wireJobFull(job: Job, batch: Batch) {
  return {
    ...wireJob(job),
    created_at: batch.createdAt.toISOString(),
    created_by: { type: "user" as const, id: batch.caller ?? "unknown" },
    enterprise: { type: "enterprise" as const, id: batch.tenant },
    source: "api" as const,
  };
}

/** Returns jobs with the fields of their batches. Skips jobs whose batch has been deleted in the meantime. */
export async function wireJobsFull(engine: Engine, jobs: readonly Job[]) {
  const batches = new Map<string, Batch | null>();
  const full: ReturnType<typeof wireJobFull>[] = [];
  for (const job of jobs) {
    let batch = batches.get(job.batchId);
    if (batch === undefined) {
      batch = await orNull(engine.getBatch(job.batchId));
      batches.set(job.batchId, batch);
    }
    if (batch !== null) full.push(wireJobFull(job, batch));
  }
  return full;
}

/** Returns a batch and its progress in the format of the hosted service. */
export function wireBatch(batch: Batch) {
  return {
    id: batch.id,
    type: "docgen_batch" as const,
    status: batch.status,
    cancelled: batch.cancelled,
    counts: batch.counts,
    template_file: { type: "file" as const, id: batch.template.id },
    template_file_version: { type: "file_version" as const, id: batch.template.version },
    destination_folder: { type: "folder" as const, id: batch.folder.id },
    output_type: batch.outputType,
    created_at: batch.createdAt.toISOString(),
    created_by: { type: "user" as const, id: batch.caller ?? "unknown" },
    finished_at: batch.finishedAt?.toISOString() ?? null,
  };
}

/** Returns the errors and warnings for a response; null if both lists are empty. */
export function failuresOf({
  errors,
  warnings,
}: {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}) {
  if (errors.length === 0 && warnings.length === 0) return null;
  return { errors: messagesOf(errors), warnings: messagesOf(warnings) };
}

export function messagesOf(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(messageWithPlace);
}
