import { PutObjectCommand } from "@aws-sdk/client-s3";
import { ask, type Bucket } from "./bucket.ts";
import { isTaken } from "./failures.ts";
import { headObject, SHA256_METADATA, versionIdOf, WRITE_ID_METADATA } from "./objects.ts";
import { UnknownOutcome } from "./retry.ts";

/** What an object is called that is to be written. */
export interface ObjectName {
  readonly key: string;
  /** Random, one for each call: by it the caller knows its own object again. */
  readonly writeId: string;
}

/** An object that is to be written, with all its bytes. */
export interface NewObject extends ObjectName {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** How it is to be written. */
export interface WriteOptions {
  /** Whether the server is told to write only under a free key. */
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

/** Writes an object in one request. Null when the server says that the key is taken. */
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
  const tried = { signal, makes: true, size: object.bytes.length };
  try {
    const { VersionId } = await ask(bucket, tried, (options) =>
      bucket.client.send(new PutObjectCommand(input), options),
    );
    return { versionId: versionIdOf(VersionId) };
  } catch (error) {
    return await settle(bucket, object, error);
  }
}

/** What every object that Quire writes is sent with. Of a stream nobody knows the sum when its upload begins. */
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
 * What became of a write that failed. An answer may have been lost and the object be there; a further attempt
 * then found the key taken by ourselves. The id of the write tells. Null when another has the key; rejects
 * with the error when nobody has.
 */
export async function settle(
  bucket: Bucket,
  { key, writeId }: ObjectName,
  error: unknown,
): Promise<WrittenObject | null> {
  const open = error instanceof UnknownOutcome;
  const taken = isTaken(open ? error.cause : error);
  if (!open && !taken) throw error;
  // Not for the signal: what has been done already must be known.
  const held = await headObject(bucket, { key, signal: undefined }).catch((cause: unknown) => {
    throw new UnknownOutcome("The outcome cannot be asked for.", { cause });
  });
  if (held?.writeId === writeId) return { versionId: held.versionId };
  if (taken) return null;
  throw error;
}
