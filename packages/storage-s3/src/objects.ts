import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
} from "@aws-sdk/client-s3";
import { type Bucket, sendRequest } from "./bucket.ts";
import { BrokenAnswer, isMissing } from "./failures.ts";
import type { Attempt } from "./retry.ts";

/** Metadata (`x-amz-meta-…`) of objects that Quire writes: the hash of their bytes and the id of the write. */
export const SHA256_METADATA = "quire-sha256";
export const WRITE_ID_METADATA = "quire-write-id";

/** The object to access; without `versionId`, the current version of the key. */
export interface Wanted {
  readonly key: string;
  readonly versionId?: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** An object without its bytes. */
export interface HeldObject {
  readonly size: number;
  /** Null in a bucket without versions. */
  readonly versionId: string | null;
  /** The hash that Quire wrote. Null for objects from other programs and for objects from long streams. */
  readonly sha256: string | null;
  readonly writeId: string | null;
  /** Identify the object, together with `versionId` and `writeId`. */
  readonly etag: string | null;
  readonly modifiedAt: number | null;
}

/** An object that was read. */
export interface Download {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly sha256: string;
  readonly versionId: string | null;
}

/** Describes an object; null if it does not exist. */
export async function headObject(bucket: Bucket, wanted: Wanted): Promise<HeldObject | null> {
  const { key: Key, versionId: VersionId, signal } = wanted;
  try {
    const head = await sendRequest(bucket, { signal }, (options) =>
      bucket.client.send(new HeadObjectCommand({ Bucket: bucket.name, Key, VersionId }), options),
    );
    bucket.seen = true;
    return {
      size: head.ContentLength ?? 0,
      versionId: versionIdOf(head.VersionId),
      sha256: writtenHash(head.Metadata),
      writeId: head.Metadata?.[WRITE_ID_METADATA] ?? null,
      etag: head.ETag ?? null,
      modifiedAt: head.LastModified?.getTime() ?? null,
    };
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (!bucket.seen) await seeBucket(bucket, wanted);
    return null;
  }
}

/**
 * Reads an object; null if it does not exist. A response is rejected and requested again if its length differs from the
 * announced one, or if its bytes are not the bytes that were written. Without `keep`, the bytes are only counted and
 * hashed.
 */
export async function download(
  bucket: Bucket,
  wanted: Wanted,
  keep: boolean,
): Promise<Download | null> {
  const { key: Key, versionId: VersionId, signal } = wanted;
  try {
    const found = await sendRequest(bucket, { signal }, async (options, attempt) => {
      const command = new GetObjectCommand({ Bucket: bucket.name, Key, VersionId });
      return receive(await bucket.client.send(command, options), attempt, keep);
    });
    bucket.seen = true;
    return found;
  } catch (error) {
    if (!isMissing(error)) throw error;
    bucket.seen = true;
    return null;
  }
}

/** Normalizes the id of a version; null in buckets without versions, where objects have no id or the id "null". */
export function versionIdOf(versionId: string | undefined): string | null {
  return versionId === undefined || versionId === "" || versionId === "null" ? null : versionId;
}

async function receive(
  answer: GetObjectCommandOutput,
  attempt: Attempt,
  keep: boolean,
): Promise<Download> {
  const { Body, ContentLength: length } = answer;
  if (length !== undefined) attempt.expect(length);
  const hash = createHash("sha256");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(Body)) {
    hash.update(chunk);
    size += chunk.length;
    if (keep) chunks.push(chunk);
  }
  if (length !== undefined && size !== length) {
    throw new BrokenAnswer(`Received ${size} of ${length} bytes.`);
  }
  const sha256 = hash.digest("hex");
  if (sha256 !== (writtenHash(answer.Metadata) ?? sha256)) {
    throw new BrokenAnswer("The SHA-256 of the bytes differs from the one they were written with.");
  }
  return { bytes: joined(chunks, size), size, sha256, versionId: versionIdOf(answer.VersionId) };
}

async function* chunksOf(body: unknown): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  const stream = body instanceof ReadableStream ? Readable.fromWeb(body) : body;
  if (!(stream instanceof Readable)) throw new BrokenAnswer("The client returned no byte stream.");
  try {
    yield* stream;
  } catch (error) {
    throw new BrokenAnswer("The response was cut off.", { cause: error });
  }
}

/** Joins the chunks in new memory, because chunks may share a buffer. */
function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(chunks.length === 0 ? 0 : size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function writtenHash(metadata: Readonly<Record<string, string>> | undefined): string | null {
  const written = metadata?.[SHA256_METADATA];
  return written !== undefined && /^[0-9a-f]{64}$/.test(written) ? written : null;
}

/**
 * Rejects if the bucket is missing, and not only the key. A GET tells the two apart; a HEAD does not. It needs only the
 * permission to read.
 */
async function seeBucket(bucket: Bucket, { key, signal }: Wanted): Promise<void> {
  await download(bucket, { key, signal }, false);
}
