import type { FolderNames } from "./batch/folder-names.ts";
import type { Job, OutputType } from "./batch/job.ts";
import type { ConflictPolicy, GenerationEntry } from "./batch/request.ts";
import type { Template } from "./docx/compile-template.ts";
import { type Diagnostic, isQuireError, QuireError, throwIfAborted } from "./errors.ts";
import type { Converter } from "./ports/converter.ts";
import type { FileInfo, FolderRef, Storage } from "./ports/storage.ts";

/** What a worker needs to make the documents of one batch. */
export interface WorkContext {
  readonly storage: Storage;
  /** Null when the engine has none; then no batch asks for PDF. */
  readonly converter: Converter | null;
  readonly template: Promise<Template>;
  readonly folder: FolderRef;
  readonly names: FolderNames;
  readonly outputType: OutputType;
  readonly onConflict: ConflictPolicy;
  readonly signal: AbortSignal;
}

/** How a job ended. */
export type Outcome = Pick<Job, "status" | "outputFile" | "failure" | "errors" | "warnings">;

/**
 * Makes one document: render → convert → create. The way of every document, whatever asked for it.
 * `name` is the reserved file name. Never throws: a failure is an outcome.
 */
export async function makeDocument(
  context: WorkContext,
  entry: GenerationEntry,
  name: string,
): Promise<Outcome> {
  try {
    throwIfAborted(context.signal);
    const template = await context.template;
    const rendered = template.render(entry.user_input);
    const converted = await convert(context, rendered.bytes);
    const outputFile = await create(context, name, converted.bytes);
    const all = [...rendered.warnings, ...converted.warnings];
    const errors = all.filter(({ severity }) => severity === "error");
    return {
      status: errors.length > 0 ? "completed_with_error" : "completed",
      outputFile,
      failure: null,
      errors,
      warnings: all.filter(({ severity }) => severity === "warning"),
    };
  } catch (error) {
    return failed(error);
  }
}

/** The outcome for an error. What is no error of Quire is a bug, told as `internal`. */
export function failed(error: unknown): Outcome {
  const known = isQuireError(error)
    ? error
    : new QuireError("internal", "The document could not be made because of a bug in Quire.", {
        cause: error,
      });
  const summary: Diagnostic = { severity: "error", code: known.code, message: known.message };
  return {
    status: "failed",
    outputFile: null,
    failure: known.code,
    errors: known.diagnostics.length > 0 ? known.diagnostics : [summary],
    warnings: [],
  };
}

async function convert(
  { converter, outputType, signal }: WorkContext,
  bytes: Uint8Array,
): Promise<{ readonly bytes: Uint8Array; readonly warnings: readonly Diagnostic[] }> {
  if (outputType === "docx") return { bytes, warnings: [] };
  if (converter === null) {
    throw new QuireError("unavailable", "The engine has no converter, so it cannot make PDF.");
  }
  return converter.convert(bytes, { signal });
}

/** Writes the document. Where somebody else has taken the name meanwhile, the batch's policy decides. */
async function create(context: WorkContext, name: string, bytes: Uint8Array): Promise<FileInfo> {
  const { storage, folder, names, onConflict, signal } = context;
  try {
    return await storage.create(folder, name, bytes, { signal });
  } catch (error) {
    if (!isQuireError(error) || error.code !== "conflict" || onConflict === "fail") throw error;
    return create(context, names.reserve(name, "rename"), bytes);
  }
}
