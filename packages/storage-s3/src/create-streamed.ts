import { createHash } from "node:crypto";
import type { Bucket } from "./bucket.ts";
import type { Capabilities } from "./capabilities.ts";
import { type CreatedObject, createObject, writeNew } from "./create-object.ts";
import { failureOf } from "./failures.ts";
import { uploadPieces } from "./multipart.ts";
import { headObject } from "./objects.ts";
import type { ObjectName } from "./write-object.ts";

/**
 * Writes an object under a free key from pieces that are as large as a part. Returns null if the key is taken. An
 * object that fits in one part is written in one request. A longer object is uploaded part by part as pieces arrive, or
 * collected in memory first if a multipart upload could overwrite an object. Multipart objects have no hash in their
 * metadata, because the server requires the metadata before the first part.
 */
export async function createStreamed(
  bucket: Bucket,
  capabilities: Capabilities,
  name: ObjectName,
  { pieces, signal }: StreamedObject,
): Promise<CreatedObject | null> {
  const begun = await firstTwo(pieces);
  if (begun.length < 2)
    return createObject(bucket, capabilities, { ...name, bytes: joined(begun) }, signal);
  // A stream may be long or endless, so check the key before reading it.
  if (await isTaken(bucket, name.key, signal)) return null;
  const capability = await capabilities.puts(signal);
  if (capability.putsOnlyNew && !(await capabilities.completesOnlyNew(signal))) {
    for await (const piece of pieces) begun.push(piece);
    return createObject(bucket, capabilities, { ...name, bytes: joined(begun) }, signal);
  }
  const sum = createHash("sha256");
  let size = 0;
  const summed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of following(begun, pieces)) {
      sum.update(piece);
      size += piece.length;
      yield piece;
    }
  };
  const written = await writeNew(bucket, capability, {
    object: name,
    write: (options) => uploadPieces(bucket, name, summed(), options),
    signal,
  });
  return written && { ...written, size, sha256: sum.digest("hex") };
}

/** The pieces of an object, as they arrive. */
export interface StreamedObject {
  readonly pieces: AsyncIterableIterator<Uint8Array>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Whether an object has the key. False if the permission to check is missing; the write itself then detects the object.
 */
export async function isTaken(
  bucket: Bucket,
  key: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return (await headObject(bucket, { key, signal })) !== null;
  } catch (error) {
    if (failureOf(error).status === 403) return false;
    throw error;
  }
}

async function firstTwo(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array[]> {
  const begun: Uint8Array[] = [];
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    begun.push(next.value);
    if (begun.length === 2) break;
  }
  return begun;
}

/** Yields all pieces. Drops each of `begun` before it is yielded, so that its memory can be freed. */
async function* following(
  begun: Uint8Array[],
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for (let piece = begun.shift(); piece !== undefined; piece = begun.shift()) yield piece;
  yield* pieces;
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
