import { PutObjectCommand } from "@aws-sdk/client-s3";
import { type Bucket, sendRequest } from "./bucket.ts";
import { isTaken } from "./failures.ts";
import { headObject, SHA256_METADATA, versionIdOf, WRITE_ID_METADATA } from "./objects.ts";
import { UnknownOutcome } from "./retry.ts";

/** The key and the write id of an object to write. */
export interface ObjectName {
  readonly key: string;
  /** Random and unique per call. Identifies the object as written by this call. */
  readonly writeId: string;
}

/** An object to write, with all its bytes. */
export interface NewObject extends ObjectName {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Options of a write. */
export interface WriteOptions {
  /** Whether the server must reject the write if the key is taken. */
  readonly onlyNew: boolean;
  readonly signal: AbortSignal | undefined;
}

/** An object that was written. */
export interface WrittenObject {
  /** Null in a bucket without versions. */
  readonly versionId: string | null;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pdf: "application/pdf",
};

/** Writes an object in one request. Returns null if the server reports that the key is taken. */
export async function putWhole(
  bucket: Bucket,
  object: NewObject,
  { onlyNew, signal }: WriteOptions,
): Promise<WrittenObject | null> {
  const input = {
    ...headersOf(bucket, object),
    Body: object.bytes,
    ...(onlyNew ? { IfNoneMatch: "*" } : {}),
  };
  const attempt = { signal, creates: true, size: object.bytes.length };
  try {
    const { VersionId } = await sendRequest(bucket, attempt, (options) =>
      bucket.client.send(new PutObjectCommand(input), options),
    );
    return { versionId: versionIdOf(VersionId) };
  } catch (error) {
    return await settle(bucket, object, error);
  }
}

/** Returns the headers of every object that Quire writes. The hash of a stream is unknown when its upload begins. */
export function headersOf(
  bucket: Bucket,
  { key, writeId, sha256 }: ObjectName & { readonly sha256?: string },
) {
  const extension = key.slice(key.lastIndexOf(".") + 1).toLowerCase();
  return {
    Bucket: bucket.name,
    Key: key,
    ContentType: CONTENT_TYPES[extension] ?? "application/octet-stream",
    Metadata: {
      ...(sha256 === undefined ? {} : { [SHA256_METADATA]: sha256 }),
      [WRITE_ID_METADATA]: writeId,
    },
  };
}

/**
 * Determines the outcome of a failed write. The response may have been lost although the object was written. A further
 * attempt may then have found that the key is taken, by the object of this same call. The write id shows this. Returns
 * null if another object has the key. Rejects with the error if no object has the key.
 */
export async function settle(
  bucket: Bucket,
  { key, writeId }: ObjectName,
  error: unknown,
): Promise<WrittenObject | null> {
  const open = error instanceof UnknownOutcome;
  const taken = isTaken(open ? error.cause : error);
  if (!open && !taken) throw error;
  // Ignores the signal: the outcome must be known.
  const held = await headObject(bucket, { key, signal: undefined }).catch((cause: unknown) => {
    throw new UnknownOutcome("The outcome could not be determined.", { cause });
  });
  if (held?.writeId === writeId) return { versionId: held.versionId };
  if (taken) return null;
  throw error;
}
