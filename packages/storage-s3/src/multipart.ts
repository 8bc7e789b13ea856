import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { ask, type Bucket } from "./bucket.ts";
import { failureOf } from "./failures.ts";
import { versionIdOf } from "./objects.ts";
import { UnknownOutcome } from "./retry.ts";
import {
  headersOf,
  type NewObject,
  settle,
  type WriteOptions,
  type WrittenObject,
} from "./write-object.ts";

/** The size of a part, and the size above which an object is sent in parts. */
export const PART_BYTES = 8 * 1024 * 1024;
const PARALLEL_PARTS = 4;
/** How often an upload begins anew because another writer was in its way. */
const ROUNDS = 3;
/** Codes that say that an upload is of no use any more, though the object is not written. */
const START_OVER = new Set(["ConditionalRequestConflict", "NoSuchUpload"]);

interface Upload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string | undefined;
}

/**
 * Writes an object in parts, which nobody sees before the last step. Null when the server says that the key is
 * taken. Of an upload that does not come to its end nothing stays. The signal counts until the last step.
 */
export async function uploadInParts(
  bucket: Bucket,
  object: NewObject,
  options: WriteOptions,
): Promise<WrittenObject | null> {
  for (let round = 1; ; round += 1) {
    try {
      return await uploadOnce(bucket, object, options);
    } catch (error) {
      const { code } = failureOf(error instanceof UnknownOutcome ? error.cause : error);
      if (round === ROUNDS || !START_OVER.has(code ?? "")) throw error;
    }
  }
}

async function uploadOnce(
  bucket: Bucket,
  object: NewObject,
  { onlyNew, signal }: WriteOptions,
): Promise<WrittenObject | null> {
  const headers = headersOf(bucket, object);
  // Not cut off by the signal: an upload of which nobody knows the id could not be taken back.
  const { UploadId } = await ask(bucket, { signal, makes: true }, (sent) =>
    bucket.client.send(new CreateMultipartUploadCommand(headers), sent),
  );
  const upload: Upload = { Bucket: headers.Bucket, Key: headers.Key, UploadId };
  let written: WrittenObject | null = null;
  try {
    const parts = await uploadParts(bucket, upload, object.bytes, signal);
    written = await complete(bucket, object, { ...upload, parts, onlyNew, signal });
    return written;
  } finally {
    if (written === null) await takeBack(bucket, upload);
  }
}

async function uploadParts(
  bucket: Bucket,
  upload: Upload,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<CompletedPart[]> {
  const count = Math.max(1, Math.ceil(bytes.length / PART_BYTES));
  const parts: CompletedPart[] = [];
  const failed = new AbortController();
  const either = AbortSignal.any(signal === undefined ? [failed.signal] : [failed.signal, signal]);
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      const Body = bytes.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
      const input = { ...upload, PartNumber: index + 1, Body };
      const { ETag } = await ask(bucket, { signal: either, size: Body.length }, (sent) =>
        bucket.client.send(new UploadPartCommand(input), sent),
      );
      parts[index] = { ETag, PartNumber: index + 1 };
    }
  };
  const lanes = Array.from({ length: Math.min(PARALLEL_PARTS, count) }, lane);
  try {
    await Promise.all(lanes);
  } catch (error) {
    // A part that is still on its way could come after the upload has been taken back, and stay.
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
  object: NewObject,
  { parts, onlyNew, signal, ...upload }: Completion,
): Promise<WrittenObject | null> {
  const condition = onlyNew ? { IfNoneMatch: "*" } : {};
  const input = { ...upload, ...condition, MultipartUpload: { Parts: parts } };
  try {
    const { VersionId } = await ask(bucket, { signal, makes: true }, (sent) =>
      bucket.client.send(new CompleteMultipartUploadCommand(input), sent),
    );
    return { versionId: versionIdOf(VersionId) };
  } catch (error) {
    return await settle(bucket, object, error);
  }
}

/** What cannot be taken back is left to the bucket's lifecycle rule: it must not hide the first error. */
async function takeBack(bucket: Bucket, upload: Upload): Promise<void> {
  await ask(bucket, { signal: undefined }, (sent) =>
    bucket.client.send(new AbortMultipartUploadCommand(upload), sent),
  ).catch(() => {});
}
