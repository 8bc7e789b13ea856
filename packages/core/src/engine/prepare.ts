import {
  isQuireError,
  QuireError,
  type Storage,
  type StoredFile,
  takenNames,
  throwIfAborted,
  unreadable,
  type WantedNames,
  withExtension,
} from "@quire/contracts";
import { isPdf } from "@quire/pdf/internal/read/is-pdf";
import { type RequestChecks, requestChecks } from "../batch/parse-request.ts";
import { type BatchRequest, isStreamed, type StreamedBatchRequest } from "../batch/request.ts";

/** A request whose settings are valid. Its entries are also valid unless they are streamed. */
export interface CheckedRequest {
  readonly settings: Omit<BatchRequest, "document_generation_data">;
  readonly entries: Iterable<unknown> | AsyncIterable<unknown>;
  /** Whether the entries have not been checked yet. */
  readonly streamed: boolean;
  readonly checkEntry: RequestChecks["checkEntry"];
  /** The file names of the entries; null if they are not known yet. */
  readonly wanted: WantedNames | null;
}

/** The inputs of a batch. With a `refusal`, the batch cannot be processed, and the other fields are placeholders. */
export interface Prepared {
  readonly template: Pick<StoredFile, "version" | "bytes">;
  readonly needsConverter: boolean;
  /**
   * The folded names of the files in the folder. If the names of the entries are known, this may contain only the
   * relevant ones.
   */
  readonly taken: ReadonlySet<string>;
  readonly refusal?: QuireError | undefined;
}

/** The environment in which a batch will be processed. */
export interface PrepareContext {
  /** The storage of the batch's tenant. */
  readonly storage: Storage;
  /** Whether batches that need a converter are accepted. */
  readonly acceptsConversions: boolean;
}

/** Checks a request. Rejects `invalid_request` or `item_name_invalid`, with all problems. */
export async function checkRequest(
  input: BatchRequest | StreamedBatchRequest,
): Promise<CheckedRequest> {
  try {
    return await checked(input);
  } catch (error) {
    throw unreadable(input, error, "invalid_request");
  }
}

async function checked(input: BatchRequest | StreamedBatchRequest): Promise<CheckedRequest> {
  const { checkBatchRequest, checkStreamedBatchRequest, checkEntry } = await requestChecks();
  if (isStreamed(input)) {
    const { document_generation_data: entries, ...settings } = checkStreamedBatchRequest(input);
    return { settings, entries, streamed: true, checkEntry, wanted: null };
  }
  const { document_generation_data: entries, ...settings } = await checkBatchRequest(input);
  const { output_type, on_conflict: policy = "rename" } = settings;
  const names = entries.map((entry) => withExtension(entry.generated_file_name, output_type));
  return { settings, entries, streamed: false, checkEntry, wanted: { names, policy } };
}

/** Reads the template and the names in the folder. Rejects `aborted`; returns any other `QuireError` as `refusal`. */
export async function prepareBatch(
  { storage, acceptsConversions }: PrepareContext,
  { settings, wanted }: CheckedRequest,
  signal: AbortSignal,
): Promise<Prepared> {
  const { file, file_version: version, output_type, destination_folder } = settings;
  try {
    const template = await storage.read(file, {
      ...(version === undefined ? {} : { version: version.id }),
      signal,
    });
    // A PDF form is filled, not converted. Each job reports whether the template is valid.
    const needsConverter = output_type === "pdf" && !isPdf(template.bytes);
    if (needsConverter && !acceptsConversions) throw noConverter();
    const taken = await takenNames(storage, destination_folder, wanted, signal);
    return { template, needsConverter, taken };
  } catch (error) {
    throwIfAborted(signal);
    if (!isQuireError(error)) throw error;
    return refused(error);
  }
}

/** The inputs of a batch that is not accepted. */
export function refused(refusal: QuireError): Prepared {
  const template = { version: "", bytes: new Uint8Array() };
  return { template, needsConverter: false, taken: new Set(), refusal };
}

function noConverter(): QuireError {
  const message = "The request asks for PDF, but the engine has no converter.";
  const hint =
    "Pass a converter to createEngine, for example libreOffice() from @quire/pdf-libreoffice.";
  return new QuireError("unavailable", `${message} ${hint}`, {
    diagnostics: [
      { severity: "error", code: "no_converter", message, hint, pointer: "/output_type" },
    ],
  });
}
