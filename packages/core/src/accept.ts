import { createHash, type Hash } from "node:crypto";
import { canonicalJson } from "./batch/canonical-json.ts";
import { folderNames } from "./batch/folder-names.ts";
import { toFailure } from "./batch/job-failure.ts";
import { withExtension } from "./batch/output-names.ts";
import { type RequestChecks, requestChecks } from "./batch/parse-request.ts";
import {
  type BatchRequest,
  type GenerationEntry,
  isStreamed,
  type StreamedBatchRequest,
} from "./batch/request.ts";
import { untilAborted } from "./batch/until-aborted.ts";
import { isQuireError, QuireError, throwIfAborted } from "./errors.ts";
import { isPdf } from "./pdf/is-pdf.ts";
import type { NewBatch, NewJob } from "./ports/job-records.ts";
import type { AcceptedBatch, JobStore } from "./ports/job-store.ts";
import type { Storage, StoredFile } from "./ports/storage.ts";
import { encodeData } from "./renderer/document-data.ts";

/** What is told of a batch beside its request. */
export interface Submission {
  readonly id: string;
  readonly tenant: string;
  readonly weight: number;
  readonly caller: string | null;
  readonly idempotencyKey: string | null;
  readonly withEvents: boolean;
  readonly signal: AbortSignal;
}

/** Where a batch is accepted. */
export interface AcceptContext {
  readonly storage: Storage;
  readonly jobs: JobStore;
  readonly canConvert: boolean;
}

type Settings = Omit<BatchRequest, "document_generation_data">;

/** Checks a request, pins its template, reserves its names and makes it durable: whole, or not at all. */
export async function acceptBatch(
  context: AcceptContext,
  input: BatchRequest | StreamedBatchRequest,
  { signal, ...submission }: Submission,
): Promise<AcceptedBatch> {
  throwIfAborted(signal);
  const checks = await requestChecks();
  const request = isStreamed(input)
    ? checks.checkStreamedBatchRequest(input)
    : checks.checkBatchRequest(input);
  const { document_generation_data: entries, ...settings } = request;
  const { template, needsConverter, taken, refusal } = await prepare(context, request, signal);
  const { idempotencyKey } = submission;
  // The same request may be sent again when it could not be made any more.
  if (refusal !== undefined && idempotencyKey === null) throw refusal;
  const batch: NewBatch = {
    ...submission,
    template: { ...request.file, version: template.version },
    templateBytes: template.bytes,
    folder: request.destination_folder,
    outputType: request.output_type,
    needsConverter,
    onConflict: request.on_conflict ?? "rename",
    settings: JSON.stringify(settings),
  };
  const hash = idempotencyKey === null ? null : createHash("sha256");
  hash?.update(canonicalJson(settings));
  const source = new EntrySource(checks, isStreamed(input), request.output_type, hash);
  const read = isStreamed(input) ? untilAborted(entries, signal) : entries;
  return context.jobs.createBatch(
    batch,
    source.jobs(read),
    () => hash?.copy().digest("hex") ?? "",
    {
      signal,
      isTaken: (name) => taken.has(name),
      refusal,
    },
  );
}

/** What a batch is accepted with. With `refusal` the rest says nothing: the batch cannot be made. */
interface Prepared {
  readonly template: Pick<StoredFile, "version" | "bytes">;
  readonly needsConverter: boolean;
  readonly taken: ReadonlySet<string>;
  readonly refusal?: QuireError;
}

/** Reads the template, and what stands in the folder. */
async function prepare(
  { storage, canConvert }: AcceptContext,
  { file, file_version: version, output_type, destination_folder }: Settings,
  signal: AbortSignal,
): Promise<Prepared> {
  try {
    const template = await storage.read(file, {
      ...(version === undefined ? {} : { version: version.id }),
      signal,
    });
    // A PDF form is filled, not converted. Whether the template is wrong is told job by job.
    const needsConverter = output_type === "pdf" && !isPdf(template.bytes);
    if (needsConverter && !canConvert) throw noConverter();
    const taken = await folderNames(storage, destination_folder, signal);
    return { template, needsConverter, taken };
  } catch (error) {
    throwIfAborted(signal);
    if (!isQuireError(error)) throw error;
    const template = { version: "", bytes: new Uint8Array() };
    return { template, needsConverter: false, taken: new Set(), refusal: error };
  }
}

/** Makes jobs of entries. */
class EntrySource {
  readonly #checkEntry: RequestChecks["checkEntry"];
  /** Whether the entries have not been checked yet. */
  readonly #streamed: boolean;
  readonly #outputType: NewBatch["outputType"];
  /** Takes all that the entries say; null when nobody asks for it. */
  readonly #hash: Hash | null;

  constructor(
    { checkEntry }: RequestChecks,
    streamed: boolean,
    outputType: NewBatch["outputType"],
    hash: Hash | null,
  ) {
    this.#checkEntry = checkEntry;
    this.#streamed = streamed;
    this.#outputType = outputType;
    this.#hash = hash;
  }

  async *jobs(entries: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<NewJob> {
    try {
      for await (const entry of entries) yield this.#job(entry);
    } catch (error) {
      if (isQuireError(error)) throw error;
      throw new QuireError(
        "invalid_data",
        "The entries of the batch could not be read to their end, so that nothing of it is accepted.",
        { cause: error },
      );
    }
  }

  #note(said: readonly unknown[]): void {
    this.#hash?.update(canonicalJson(said));
  }

  #job(input: unknown): NewJob {
    try {
      if (isQuireError(input)) throw input;
      const entry = this.#streamed
        ? this.#checkEntry(input, this.#outputType)
        : (input as GenerationEntry);
      const { encoding, bytes } = encodeData(entry.user_input);
      const {
        generated_file_name: requestedName,
        locale = null,
        time_zone: timeZone = null,
      } = entry;
      const isJson = encoding === "json";
      this.#note([requestedName, locale, timeZone, encoding, isJson ? entry.user_input : null]);
      if (!isJson) this.#hash?.update(bytes);
      const fileName = withExtension(requestedName, this.#outputType);
      const data = { encoding, bytes, locale, timeZone };
      return { requestedName, fileName, input: data, failure: null };
    } catch (error) {
      const failure = toFailure(error);
      this.#note(["failed", nameOf(input), failure.code, failure.message]);
      return { requestedName: nameOf(input), fileName: null, input: null, failure };
    }
  }
}

/** The name that an entry asks for, as far as it has one; the entry may be anything. */
function nameOf(input: unknown): string | null {
  const name = (input as { generated_file_name?: unknown } | null)?.generated_file_name;
  return typeof name === "string" ? name : null;
}

function noConverter(): QuireError {
  return new QuireError(
    "unavailable",
    "The request asks for PDF, and the engine has no converter. Give createEngine a converter, for example libreOffice() of @quire/pdf-libreoffice.",
  );
}
