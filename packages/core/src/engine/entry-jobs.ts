import type { Hash } from "node:crypto";
import {
  type ConflictPolicy,
  isQuireError,
  type NewJob,
  nameReserver,
  QuireError,
  toFailure,
  unreadable,
  untilAborted,
  withExtension,
} from "@quire/contracts";
import { encodeData, readJsonData } from "@quire/render-pool/internal/protocol/document-data";
import { canonicalJson } from "../batch/canonical-json.ts";
import type { GenerationEntry } from "../batch/request.ts";
import type { BatchPart, EarlierResult } from "./engine-types.ts";
import type { CheckedRequest } from "./prepare.ts";

/**
 * Yields a job for each entry of a request. An invalid entry of a stream becomes a failed job. The whole content of the
 * entries is added to `hash`, unless it is null. Throws `aborted`, and `invalid_data` if a stream cannot be read.
 */
export async function* entryJobs(
  request: CheckedRequest,
  hash: Hash | null,
  signal: AbortSignal,
): AsyncGenerator<NewJob, void, undefined> {
  const { entries, streamed } = request;
  try {
    for await (const entry of streamed ? untilAborted(entries, signal) : entries) {
      yield jobOf(entry, request, hash);
    }
  } catch (error) {
    if (isQuireError(error)) throw error;
    throw new QuireError(
      "invalid_data",
      "The entries of the batch could not be read completely, so the batch was not accepted. Fix the stream of entries, and submit the batch again.",
      { cause: error },
    );
  }
}

/** Yields the jobs with the results that earlier batches have for them. */
export async function* withEarlierResults(
  jobs: AsyncIterable<NewJob>,
  earlierResult: EarlierResult,
): AsyncGenerator<NewJob, void, undefined> {
  let number = 0;
  for await (const job of jobs) {
    number += 1;
    const { fileName, input } = job;
    if (fileName === null || input === null) yield job;
    else yield { ...job, result: await earlierResult({ number, fileName, input }) };
  }
}

/** A job with the number of its entry, from 1. */
export interface NumberedJob {
  readonly entry: number;
  readonly job: NewJob;
}

/**
 * Yields the jobs with the names that a job store would reserve for them. A job without a free name fails. `isTaken`
 * says whether the folder contains a folded name.
 */
export async function* namedJobs(
  jobs: AsyncIterable<NewJob>,
  policy: ConflictPolicy,
  isTaken: (foldedName: string) => boolean,
): AsyncGenerator<NumberedJob, void, undefined> {
  const own = new Set<string>();
  const reserve = nameReserver((folded) => {
    if (isTaken(folded) || own.has(folded)) return false;
    own.add(folded);
    return true;
  });
  let entry = 0;
  for await (const job of jobs) {
    entry += 1;
    yield { entry, job: named(job, (name) => reserve(name, policy)) };
  }
}

function named(job: NewJob, reserve: (wanted: string) => string): NewJob {
  const { requestedName, fileName } = job;
  if (fileName === null) return job;
  try {
    return { ...job, fileName: reserve(fileName) };
  } catch (error) {
    return { requestedName, fileName: null, input: null, failure: toFailure(error) };
  }
}

/**
 * Yields the jobs of a part of a request. They have the names that they would get in a batch of the whole request, in
 * an empty folder.
 */
export async function* partJobs(
  jobs: AsyncIterable<NewJob>,
  policy: ConflictPolicy,
  { first, last }: BatchPart,
): AsyncGenerator<NewJob, void, undefined> {
  for await (const { entry, job } of namedJobs(jobs, policy, () => false)) {
    if (entry >= first && entry <= last) yield job;
  }
}

function jobOf(
  input: unknown,
  { streamed, settings, checkEntry }: CheckedRequest,
  hash: Hash | null,
): NewJob {
  try {
    if (isQuireError(input)) throw input;
    // The entries of an array have already been checked.
    const entry = streamed ? checkEntry(input, settings.output_type) : (input as GenerationEntry);
    const { encoding, bytes } = encodeData(entry.user_input);
    const { generated_file_name: requestedName, locale = null, time_zone: timeZone = null } = entry;
    const isJson = encoding === "json";
    if (hash !== null) {
      const data: unknown = entry.user_input;
      const json = data instanceof Uint8Array ? readJsonData(data) : data;
      note(hash, [requestedName, locale, timeZone, encoding, isJson ? json : null]);
    }
    if (!isJson) hash?.update(bytes);
    const fileName = withExtension(requestedName, settings.output_type);
    const data = { encoding, bytes, locale, timeZone };
    return { requestedName, fileName, input: data, failure: null };
  } catch (error) {
    const failure = toFailure(unreadable(input, error));
    const requestedName = nameOf(input);
    note(hash, ["failed", requestedName, failure.code, failure.message]);
    return { requestedName, fileName: null, input: null, failure };
  }
}

function note(hash: Hash | null, said: readonly unknown[]): void {
  hash?.update(canonicalJson(said));
}

/** Returns the name that an entry requests; null if it cannot be read. The entry may be any value. */
function nameOf(input: unknown): string | null {
  try {
    const name = (input as { generated_file_name?: unknown } | null)?.generated_file_name;
    return typeof name === "string" ? name : null;
  } catch {
    return null;
  }
}
