import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
} from "@aws-sdk/client-s3";
import { ask, type Bucket } from "./bucket.ts";
import { BrokenAnswer, isMissing } from "./failures.ts";
import type { Attempt } from "./retry.ts";

/** Metadata (`x-amz-meta-…`) of the objects that Quire writes: what their bytes are, and by which call they came. */
export const SHA256_METADATA = "quire-sha256";
export const WRITE_ID_METADATA = "quire-write-id";

/** What is asked for: the current version of a key without `versionId`. */
export interface Wanted {
  readonly key: string;
  readonly versionId?: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What is known of an object without its bytes. */
export interface HeldObject {
  readonly size: number;
  /** Null in a bucket without versions. */
  readonly versionId: string | null;
  /** As Quire wrote it; null for the objects of others, and for those that came as a long stream. */
  readonly sha256: string | null;
  readonly writeId: string | null;
}

/** An object as it was read. */
export interface Download {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly sha256: string;
  readonly versionId: string | null;
}

/** What is known of an object, or null when there is none. */
export async function headObject(bucket: Bucket, wanted: Wanted): Promise<HeldObject | null> {
  const { key: Key, versionId: VersionId, signal } = wanted;
  try {
    const head = await ask(bucket, { signal }, (options) =>
      bucket.client.send(new HeadObjectCommand({ Bucket: bucket.name, Key, VersionId }), options),
    );
    bucket.seen = true;
    return {
      size: head.ContentLength ?? 0,
      versionId: versionIdOf(head.VersionId),
      sha256: writtenHash(head.Metadata),
      writeId: head.Metadata?.[WRITE_ID_METADATA] ?? null,
    };
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (!bucket.seen) await seeBucket(bucket, wanted);
    return null;
  }
}

/**
 * Reads an object, or gives null when there is none. An answer that is shorter or longer than it said, or whose
 * bytes are not those that were written, is asked for anew and never given out. Without `keep` the bytes are
 * only counted and hashed.
 */
export async function download(
  bucket: Bucket,
  wanted: Wanted,
  keep: boolean,
): Promise<Download | null> {
  const { key: Key, versionId: VersionId, signal } = wanted;
  try {
    const found = await ask(bucket, { signal }, async (options, attempt) => {
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

/** The id of a version, or null: objects of buckets without versions have none, or the id "null". */
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
    throw new BrokenAnswer(`${size} bytes came of ${length}.`);
  }
  const sha256 = hash.digest("hex");
  if (sha256 !== (writtenHash(answer.Metadata) ?? sha256)) {
    throw new BrokenAnswer("The bytes do not have the SHA-256 with which they were written.");
  }
  return { bytes: joined(chunks, size), size, sha256, versionId: versionIdOf(answer.VersionId) };
}

async function* chunksOf(body: unknown): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  const stream = body instanceof ReadableStream ? Readable.fromWeb(body) : body;
  if (!(stream instanceof Readable)) throw new BrokenAnswer("The client gave no stream of bytes.");
  try {
    yield* stream;
  } catch (error) {
    throw new BrokenAnswer("The answer ended before its end.", { cause: error });
  }
}

/** Memory of its own, also where the chunks share theirs. */
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

/** The answer to a GET says which is missing, the key or the bucket; it needs no further permission. */
async function seeBucket(bucket: Bucket, { key, signal }: Wanted): Promise<void> {
  await download(bucket, { key, signal }, false);
}
