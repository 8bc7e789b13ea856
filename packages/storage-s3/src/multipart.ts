import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { unlessAborted } from "@quire/contracts";
import { type Bucket, sendRequest } from "./bucket.ts";
import { failureOf } from "./failures.ts";
import { headObject, versionIdOf } from "./objects.ts";
import { UnknownOutcome } from "./retry.ts";
import {
  headersOf,
  type NewObject,
  type ObjectName,
  settle,
  type WriteOptions,
  type WrittenObject,
} from "./write-object.ts";

/** The size of a part, in bytes. Larger objects are uploaded in parts. */
export const PART_BYTES = 8 * 1024 * 1024;
const PARALLEL_PARTS = 4;
/** Maximum number of attempts to upload an object if other writers interfere. */
const ROUNDS = 3;
/** Codes for an upload that has become invalid although its object has not been written. */
const START_OVER = new Set(["ConditionalRequestConflict", "NoSuchUpload"]);

/** The parts of an upload. `next` is called before earlier calls have resolved. */
type Pieces = Iterator<Uint8Array> | AsyncIterator<Uint8Array>;

interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
}

/**
 * Writes an object in parts, which are invisible until the last step. Returns null if the server reports that the key
 * is taken. An upload that fails is removed. The signal can abort the upload until its last step.
 */
export async function uploadInParts(
  bucket: Bucket,
  object: NewObject,
  options: WriteOptions,
): Promise<WrittenObject | null> {
  for (let round = 1; ; round += 1) {
    try {
      return await uploadOnce(bucket, object, partsOf(object.bytes), options);
    } catch (error) {
      if (round === ROUNDS || !isOfNoUse(error)) throw error;
    }
  }
}

/**
 * Writes an object from parts that arrive one by one, each of {@link PART_BYTES} except the last. Takes the next part
 * only when an upload slot is free. Otherwise like {@link uploadInParts}, but parts cannot be sent again: if another
 * writer invalidated the upload, this checks whether that writer's object has the key.
 */
export async function uploadPieces(
  bucket: Bucket,
  object: ObjectName,
  pieces: AsyncIterator<Uint8Array>,
  options: WriteOptions,
): Promise<WrittenObject | null> {
  try {
    return await uploadOnce(bucket, object, pieces, options);
  } catch (error) {
    if (!isOfNoUse(error)) throw error;
    const wanted = { key: object.key, signal: undefined };
    const held = await headObject(bucket, wanted).catch(() => null);
    if (held?.writeId === object.writeId) return { versionId: held.versionId };
    if (held !== null && options.onlyNew) return null;
    throw error;
  }
}

function isOfNoUse(error: unknown): boolean {
  const { code } = failureOf(error instanceof UnknownOutcome ? error.cause : error);
  return START_OVER.has(code ?? "");
}

function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

async function uploadOnce(
  bucket: Bucket,
  object: ObjectName & { readonly sha256?: string },
  pieces: Pieces,
  { onlyNew, signal }: WriteOptions,
): Promise<WrittenObject | null> {
  const headers = headersOf(bucket, object);
  // Ignores the signal: without a response, the upload's id would be unknown, and the upload could not be removed.
  const { UploadId } = await sendRequest(bucket, { signal, creates: true }, (sent) =>
    bucket.client.send(new CreateMultipartUploadCommand(headers), sent),
  );
  const upload: Upload = { Bucket: headers.Bucket, Key: headers.Key, UploadId };
  let written: WrittenObject | null = null;
  try {
    const parts = await uploadParts(bucket, upload, pieces, signal);
    written = await complete(bucket, object, { ...upload, parts, onlyNew, signal });
    return written;
  } finally {
    if (written === null) await abortUpload(bucket, upload);
  }
}

async function uploadParts(
  bucket: Bucket,
  upload: Upload,
  pieces: Pieces,
  signal: AbortSignal | undefined,
): Promise<CompletedPart[]> {
  const parts: CompletedPart[] = [];
  const failed = new AbortController();
  const either = AbortSignal.any(signal === undefined ? [failed.signal] : [failed.signal, signal]);
  let asked = 0;
  const lane = async () => {
    for (;;) {
      asked += 1;
      const PartNumber = asked; // pieces resolve in the order in which they are requested
      const next = await unlessAborted(Promise.resolve(pieces.next()), either);
      if (next.done) return;
      const input = { ...upload, PartNumber, Body: next.value };
      const { ETag } = await sendRequest(
        bucket,
        { signal: either, size: next.value.length },
        (sent) => bucket.client.send(new UploadPartCommand(input), sent),
      );
      parts[PartNumber - 1] = { ETag, PartNumber };
    }
  };
  const lanes = Array.from({ length: PARALLEL_PARTS }, lane);
  try {
    await Promise.all(lanes);
  } catch (error) {
    // A part still in transit could arrive after the upload is removed, and remain on the server.
    failed.abort();
    await Promise.allSettled(lanes);
    throw error;
  }
  return parts;
}

interface Completion extends Upload, WriteOptions {
  readonly parts: CompletedPart[];
}

async function complete(
  bucket: Bucket,
  object: ObjectName,
  { parts, onlyNew, signal, ...upload }: Completion,
): Promise<WrittenObject | null> {
  const condition = onlyNew ? { IfNoneMatch: "*" } : {};
  const input = { ...upload, ...condition, MultipartUpload: { Parts: parts } };
  try {
    const { VersionId } = await sendRequest(bucket, { signal, creates: true }, (sent) =>
      bucket.client.send(new CompleteMultipartUploadCommand(input), sent),
    );
    return { versionId: versionIdOf(VersionId) };
  } catch (error) {
    return await settle(bucket, object, error);
  }
}

/**
 * Removes an upload. Ignores failures, because they would hide the first error; the bucket's lifecycle rule cleans up.
 */
async function abortUpload(bucket: Bucket, upload: Upload): Promise<void> {
  await sendRequest(bucket, { signal: undefined }, (sent) =>
    bucket.client.send(new AbortMultipartUploadCommand(upload), sent),
  ).catch(() => {});
}
