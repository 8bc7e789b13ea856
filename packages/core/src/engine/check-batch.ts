import {
  boundedDiagnostics,
  type Diagnostic,
  diagnosticBytes,
  fromFailure,
  isQuireError,
  type JobInput,
  jobStoreProblems,
  type NewJob,
  throwIfAborted,
  toFailure,
} from "@quire/contracts";
import { assertFormOptions } from "@quire/pdf/internal/form/form-options";
import type { OpenTemplate, Renderer } from "@quire/render-pool/internal/protocol/renderer";
import { errorsOf } from "../batch/job.ts";
import { pdfOptionsOf } from "../batch/pdf-request.ts";
import type { BatchRequest, StreamedBatchRequest } from "../batch/request.ts";
import { sameVersion, templateReader } from "./batch-source.ts";
import type { BatchCheck, EntryCheck } from "./engine-types.ts";
import { entryJobs, namedJobs } from "./entry-jobs.ts";
import { bySeverity, documentData, documentOptions } from "./make-document.ts";
import { type CheckedRequest, checkRequest, type PrepareContext, prepareBatch } from "./prepare.ts";

/** The environment of a check. */
export interface CheckContext extends PrepareContext {
  /** The tenant that would own the batch. */
  readonly tenant: string;
  readonly renderer: Renderer;
  /** Maximum number of entries that are checked at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** The default limit for the total size of the problems in a check, in bytes of JSON. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Runs the same checks as `acceptBatch` and the jobs that follow, and stores nothing. */
export async function checkBatch(
  context: CheckContext,
  input: BatchRequest | StreamedBatchRequest,
  maxBytes = MAX_BYTES,
): Promise<BatchCheck> {
  const { signal, concurrency } = context;
  throwIfAborted(signal);
  const request = await checkRequest(input);
  const { open, taken } = await prepare(context, request);
  const errors = await templateErrors(open, signal);
  const { on_conflict: policy = "rename" } = request.settings;
  const jobs = namedJobs(entryJobs(request, null, signal), policy, (name) => taken.has(name));
  const check = (input: JobInput): Promise<EntryProblems> =>
    checkEntry(open, input, request, context);
  const entries: EntryCheck[] = [];
  let left = maxBytes;
  const checkAll = async (): Promise<void> => {
    for await (const { job, entry } of jobs) {
      const all = await problemsOf(job, check, signal);
      const problems = boundedProblems(all, left);
      left = Math.max(
        left - diagnosticBytes(problems.errors) - diagnosticBytes(problems.warnings),
        0,
      );
      const { requestedName, fileName } = job;
      entries[entry - 1] = { entry, requestedName, fileName, ...problems };
    }
  };
  // The loops share the iterator: each takes the next job when it has finished one.
  await Promise.all(Array.from({ length: concurrency }, checkAll));
  if (entries.length === 0) throw jobStoreProblems.noJobs();
  return { errors, entries };
}

/**
 * Opens the template and finds the taken names. A separate function, so that the caller does not keep the template's
 * bytes in memory: a check may take a long time.
 */
async function prepare(
  context: CheckContext,
  request: CheckedRequest,
): Promise<{ readonly open: OpenTemplate; readonly taken: ReadonlySet<string> }> {
  const { tenant, storage, renderer, signal } = context;
  const { template, taken, refusal } = await prepareBatch(context, request, signal);
  if (refusal !== undefined) throw refusal;
  const open = renderer.open(template.bytes, {
    tenant,
    delimiters: request.settings.delimiters,
    readTemplate: templateReader(storage),
    readAgain: sameVersion(storage, { ref: request.settings.file, version: template.version }),
  });
  return { open, taken };
}

type EntryProblems = Record<"errors" | "warnings", readonly Diagnostic[]>;

function boundedProblems({ errors, warnings }: EntryProblems, maxBytes: number): EntryProblems {
  return {
    errors: boundedDiagnostics(errors, maxBytes),
    warnings: boundedDiagnostics(warnings, maxBytes),
  };
}

/** Returns the problems that a job would report. Rejects with errors that do not concern the job. */
async function problemsOf(
  { failure, input }: NewJob,
  check: (input: JobInput) => Promise<EntryProblems>,
  signal: AbortSignal,
): Promise<EntryProblems> {
  throwIfAborted(signal);
  if (failure !== null) return { errors: errorsOf(fromFailure(failure)), warnings: [] };
  if (input === null) return { errors: [], warnings: [] };
  try {
    return await check(input);
  } catch (error) {
    return { errors: lastingErrors(error), warnings: [] };
  }
}

async function checkEntry(
  template: OpenTemplate,
  input: JobInput,
  { settings }: CheckedRequest,
  { storage, signal }: CheckContext,
): Promise<EntryProblems> {
  const options = documentOptions({ settings, now: new Date() }, input, storage, signal);
  const { warnings, pages } = await template.check(documentData(input), options);
  const pdf = settings.pdf && pdfOptionsOf(settings.pdf);
  if (pages !== undefined) assertFormOptions(settings.output_type, pdf);
  return bySeverity(warnings, pdf);
}

/** Returns the errors in the template, which all documents share. */
async function templateErrors(
  template: OpenTemplate,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  try {
    await template.inspect({ signal });
    return [];
  } catch (error) {
    return lastingErrors(error);
  }
}

/**
 * Returns the problems in an error that concerns one document or all documents. Rethrows errors that may be temporary
 * or that concern the engine.
 */
function lastingErrors(error: unknown): readonly Diagnostic[] {
  if (isQuireError(error)) {
    if (error.retryable || error.code === "aborted" || error.code === "unavailable") throw error;
  }
  return errorsOf(fromFailure(toFailure(error)));
}
