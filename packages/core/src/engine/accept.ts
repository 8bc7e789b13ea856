import { createHash } from "node:crypto";
import {
  type AcceptedBatch,
  type JobStore,
  type NewBatch,
  QuireError,
  throwIfAborted,
} from "@quire/contracts";
import { canonicalJson } from "../batch/canonical-json.ts";
import type { BatchRequest, StreamedBatchRequest } from "../batch/request.ts";
import type { BatchPart, EarlierResult } from "./engine-types.ts";
import { entryJobs, partJobs, withEarlierResults } from "./entry-jobs.ts";
import {
  checkRequest,
  type PrepareContext,
  type Prepared,
  prepareBatch,
  refused,
} from "./prepare.ts";

/** Properties of a batch that are not part of its request. */
export interface Submission {
  readonly id: string;
  readonly tenant: string;
  readonly weight: number;
  readonly caller: string | null;
  readonly idempotencyKey: string | null;
  readonly withEvents: boolean;
  readonly trace: string | null;
  /** Why new batches are refused; undefined if they are not. */
  readonly refusal: QuireError | undefined;
  readonly earlierResult: EarlierResult | null;
  /** The part of the request that becomes jobs; null for all of it. */
  readonly part: BatchPart | null;
  readonly signal: AbortSignal;
}

/** The environment of an acceptance. */
export interface AcceptContext extends PrepareContext {
  readonly jobs: JobStore;
}

/** Checks a request, pins its template, reserves its names and makes the batch durable: completely or not at all. */
export async function acceptBatch(
  context: AcceptContext,
  input: BatchRequest | StreamedBatchRequest,
  { signal, refusal: unwelcome, earlierResult, part, ...submission }: Submission,
): Promise<AcceptedBatch> {
  throwIfAborted(signal);
  const request = await checkRequest(input);
  const { settings } = request;
  const { idempotencyKey } = submission;
  const { on_conflict: policy = "rename" } = settings;
  const create = ({ template, needsConverter, taken, refusal }: Prepared) => {
    const batch: NewBatch = {
      ...submission,
      template: { ...settings.file, version: template.version },
      templateBytes: template.bytes,
      folder: settings.destination_folder,
      outputType: settings.output_type,
      needsConverter,
      // The names of a part are final: another name could belong to an entry of another part.
      onConflict: part === null ? policy : "fail",
      settings: JSON.stringify(settings),
    };
    const hash = idempotencyKey === null ? null : createHash("sha256");
    hash?.update(canonicalJson(part === null ? settings : { settings, part }));
    const all = entryJobs(request, hash, signal);
    const own = part === null ? all : partJobs(all, policy, part);
    return context.jobs.createBatch(
      batch,
      earlierResult === null ? own : withEarlierResults(own, earlierResult),
      () => hash?.copy().digest("hex") ?? "",
      { signal, isTaken: (name) => taken.has(name), refusal },
    );
  };
  const isRepeatable = idempotencyKey !== null && (request.wanted?.names.length ?? 0) > FEW_NAMES;
  const earlier = isRepeatable ? await earlierBatch(create) : null;
  if (earlier !== null) return earlier;
  const prepared = await prepareBatch(context, request, signal);
  const { refusal = unwelcome } = prepared;
  // With a known idempotency key, a repeated request succeeds even if it could no longer be accepted.
  if (refusal !== undefined && idempotencyKey === null) throw refusal;
  return create({ ...prepared, refusal });
}

/** For up to this number of names, a repeated request costs less than asking first whether its key is known. */
const FEW_NAMES = 16;

/**
 * Returns the batch that an earlier request with the same key created, or null. The names of a repeated request are
 * taken by its own documents, and taken names need the most lookups.
 */
async function earlierBatch(
  create: (prepared: Prepared) => Promise<AcceptedBatch>,
): Promise<AcceptedBatch | null> {
  const unknown = new QuireError("not_found", "No batch has the idempotency key.");
  try {
    return await create(refused(unknown));
  } catch (error) {
    if (error === unknown) return null;
    throw error;
  }
}
