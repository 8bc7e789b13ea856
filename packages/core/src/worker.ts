import type { LimitFunction } from "p-limit";
import type { BatchRun } from "./batch/batch-run.ts";
import type { BatchNames } from "./batch/folder-names.ts";
import type { Job, OutputType } from "./batch/job.ts";
import { withExtension } from "./batch/output-names.ts";
import type { RequestChecks } from "./batch/parse-request.ts";
import type { ConflictPolicy, GenerationEntry } from "./batch/request.ts";
import { type Room, room } from "./batch/room.ts";
import { roughSize } from "./batch/rough-size.ts";
import { untilAborted } from "./batch/until-aborted.ts";
import type { RenderOptions } from "./docx/compile-options.ts";
import { type Diagnostic, isQuireError, QuireError, throwIfAborted } from "./errors.ts";
import { formDocument } from "./pdf/form-document.ts";
import type { Converter, ConverterFingerprint, ConvertOptions } from "./ports/converter.ts";
import type { FileInfo, FolderRef, Storage } from "./ports/storage.ts";
import type { OpenTemplate, RenderedDocument } from "./renderer/renderer.ts";

/** What is needed to make the documents of one batch. */
export interface WorkContext {
  readonly storage: Storage;
  /** Null when the engine has none; then no batch asks for PDF, but of a PDF form. */
  readonly converter: Converter | null;
  readonly template: OpenTemplate;
  /** The bytes of documents that are rendered and not yet stored, of all batches. */
  readonly rendered: Room;
  /** How long the next document of the batch is expected to be. */
  readonly expected: { bytes: number };
  /** How the batch's documents are rendered, unless an entry says otherwise. */
  readonly rendering: Pick<
    RenderOptions,
    "onMissing" | "locale" | "timeZone" | "compression" | "flatten"
  >;
  /** How PDFs are converted. */
  readonly converting: Pick<ConvertOptions, "pdf" | "group">;
  readonly folder: FolderRef;
  readonly names: BatchNames;
  readonly outputType: OutputType;
  readonly onConflict: ConflictPolicy;
  readonly signal: AbortSignal;
}

/** A batch between acceptance and work. */
export interface AcceptedBatch {
  readonly run: BatchRun;
  readonly context: WorkContext;
  readonly template: Job["template"];
  readonly entries: Iterable<unknown> | AsyncIterable<unknown>;
  /** Checks the entries when they come, one by one; null when all of them have been checked. */
  readonly checkEntry: RequestChecks["checkEntry"] | null;
}

/** The entries of a streamed batch that are in work hold about so many characters, or are one. */
const MAX_AHEAD_SIZE = 16_000_000;

/**
 * Works through a batch, reading ahead of the documents in work by one round, if they are small. `limit`
 * bounds the documents in work over all batches. Never rejects: why entries could not be read is the batch's failure.
 */
export async function workThrough(
  batch: AcceptedBatch,
  limit: LimitFunction,
  newId: () => string,
): Promise<void> {
  const { run, context } = batch;
  const streamed = batch.checkEntry !== null;
  const inWork = new Set<Promise<void>>();
  const turns = room(2 * limit.concurrency);
  const ahead = room(MAX_AHEAD_SIZE);
  let failure: QuireError | null = null;
  let entry = 0;
  try {
    const entries = streamed ? untilAborted(batch.entries, context.signal) : batch.entries;
    for await (const input of entries) {
      entry += 1;
      if (streamed) run.submit();
      const size = streamed ? roughSize(input) : 0;
      await turns.take(1);
      await ahead.take(size);
      const job = workOn(batch, { entry, input }, limit, newId).finally(() => {
        inWork.delete(job);
        turns.give(1);
        ahead.give(size);
      });
      inWork.add(job);
    }
  } catch (error) {
    failure = isQuireError(error)
      ? error
      : new QuireError("invalid_data", "The entries of the batch could not be read further.", {
          cause: error,
        });
  }
  await Promise.all(inWork);
  run.finish(failure);
}

/** One entry from its input to its end. The name is reserved at once, in the order of the entries. */
async function workOn(
  { run, context, template, checkEntry }: AcceptedBatch,
  { entry, input }: { readonly entry: number; readonly input: unknown },
  limit: LimitFunction,
  newId: () => string,
): Promise<void> {
  const { outputType } = context;
  let id = `${run.id}-${entry}`;
  let make: () => Promise<Outcome>;
  try {
    id = newId();
    if (isQuireError(input)) throw input;
    const parsed = checkEntry?.(input, outputType) ?? (input as GenerationEntry);
    const file = withExtension(parsed.generated_file_name, outputType);
    const name = context.names.reserve(file, context.onConflict);
    make = () => makeDocument(context, parsed, name);
  } catch (error) {
    make = async () => failed(error);
  }
  await limit(async () => {
    run.begin();
    const requestedName = nameOf(input);
    const outcome = await make();
    run.end({ id, batchId: run.id, entry, requestedName, outputType, template, ...outcome });
  });
}

/** The name that an entry asks for, as far as it has one; the entry may be anything. */
function nameOf(input: unknown): string | null {
  const name = (input as { generated_file_name?: unknown } | null)?.generated_file_name;
  return typeof name === "string" ? name : null;
}

/** How a job ended. */
type Outcome = Pick<
  Job,
  "status" | "outputFile" | "pages" | "converter" | "failure" | "errors" | "warnings"
>;

/**
 * Makes one document: render → convert → create. The way of every document, whatever asked for it.
 * `name` is the reserved file name. Never throws: a failure is an outcome.
 */
async function makeDocument(
  context: WorkContext,
  entry: GenerationEntry,
  name: string,
): Promise<Outcome> {
  let held = 0;
  try {
    const rendered = await render(context, entry);
    held = rendered.bytes.length;
    const converted = await convert(context, rendered);
    const outputFile = await create(context, name, name, converted.bytes);
    const all = [...rendered.warnings, ...converted.warnings];
    const errors = all.filter(({ severity }) => severity === "error");
    return {
      status: errors.length > 0 ? "completed_with_error" : "completed",
      outputFile,
      pages: converted.pages,
      converter: converted.fingerprint,
      failure: null,
      errors,
      warnings: all.filter(({ severity }) => severity === "warning"),
    };
  } catch (error) {
    return failed(error);
  } finally {
    context.rendered.give(held);
  }
}

/**
 * Renders the document of an entry when there is room for it. What it takes is known only afterwards:
 * until then it is taken for as long as those of its batch before. The caller gives the room back.
 */
async function render(context: WorkContext, entry: GenerationEntry): Promise<RenderedDocument> {
  const { signal, storage, rendering, rendered } = context;
  const expected = context.expected.bytes;
  await rendered.take(expected);
  let length = 0;
  try {
    throwIfAborted(signal);
    const result = await context.template.render(entry.user_input, {
      onMissing: rendering.onMissing,
      locale: entry.locale ?? rendering.locale,
      timeZone: entry.time_zone ?? rendering.timeZone,
      compression: rendering.compression,
      flatten: rendering.flatten,
      readFile: async (id) => (await storage.read({ type: "file", id }, { signal })).bytes,
      signal,
    });
    length = result.bytes.length;
    return result;
  } finally {
    const mean = Math.ceil((context.expected.bytes + length) / 2);
    context.expected.bytes = Math.max(length, mean);
    rendered.give(expected - length);
  }
}

/** The outcome for an error. What is no error of Quire is a bug, told as `internal`. */
function failed(error: unknown): Outcome {
  const known = isQuireError(error)
    ? error
    : new QuireError("internal", "The document could not be made because of a bug in Quire.", {
        cause: error,
      });
  const summary: Diagnostic = { severity: "error", code: known.code, message: known.message };
  return {
    status: "failed",
    outputFile: null,
    pages: null,
    converter: null,
    failure: known,
    errors: known.diagnostics.length > 0 ? known.diagnostics : [summary],
    warnings: [],
  };
}

async function convert(
  { converter, converting, outputType, signal }: WorkContext,
  { bytes, pages }: RenderedDocument,
): Promise<{
  readonly bytes: Uint8Array;
  readonly pages: number | null;
  readonly warnings: readonly Diagnostic[];
  readonly fingerprint: ConverterFingerprint | null;
}> {
  if (pages !== undefined) {
    const form = await formDocument(bytes, outputType, converting.pdf);
    return { bytes: form, pages, warnings: [], fingerprint: null };
  }
  if (outputType === "docx") return { bytes, pages: null, warnings: [], fingerprint: null };
  if (converter === null) {
    throw new QuireError("unavailable", "The engine has no converter, so it cannot make PDF.");
  }
  return converter.convert(bytes, { ...converting, rendered: true, signal });
}

/**
 * Writes the document under a reserved name. Where somebody else has taken that meanwhile, the batch's
 * policy decides; another name is made from the first one.
 */
async function create(
  context: WorkContext,
  first: string,
  name: string,
  bytes: Uint8Array,
): Promise<FileInfo> {
  const { storage, folder, names, onConflict, signal } = context;
  try {
    const file = await storage.create(folder, name, bytes, { signal });
    names.written(name);
    return file;
  } catch (error) {
    if (!isQuireError(error) || error.code !== "conflict") throw error;
    names.written(name);
    if (onConflict === "fail") throw error;
    return create(context, first, names.reserve(first, "rename"), bytes);
  }
}
