import { hash } from "node:crypto";
import type { Bucket } from "./bucket.ts";
import type { Capabilities, PutCapabilities } from "./capabilities.ts";
import { PART_BYTES, uploadInParts } from "./multipart.ts";
import { headObject } from "./objects.ts";
import { deleteVersion, historyOf } from "./versions.ts";
import {
  type ObjectName,
  putWhole,
  type WriteOptions,
  type WrittenObject,
} from "./write-object.ts";

/** An object that was created, as the storage reports it. */
export interface CreatedObject extends WrittenObject {
  readonly size: number;
  readonly sha256: string;
}

/**
 * Writes an object under a free key. Returns null if the key is taken. Of several concurrent writers of a key, exactly
 * one succeeds if the server supports `If-None-Match: *`, or keeps versions and lists them in order. On other servers,
 * the key is checked before and after the write. Usually, but not always, this detects an overwrite.
 */
export async function createObject(
  bucket: Bucket,
  capabilities: Capabilities,
  { bytes, ...name }: ObjectName & { readonly bytes: Uint8Array },
  signal: AbortSignal | undefined,
): Promise<CreatedObject | null> {
  const object = { ...name, bytes, sha256: hash("sha256", bytes) };
  const capability = await capabilities.puts(signal);
  // Do not use a multipart upload that could overwrite an object. A PUT allows up to 5 GB.
  const inParts =
    bytes.length > PART_BYTES &&
    (!capability.putsOnlyNew || (await capabilities.completesOnlyNew(signal)));
  const write: Write = (options) => (inParts ? uploadInParts : putWhole)(bucket, object, options);
  const written = await writeNew(bucket, capability, { object, write, signal });
  return written && { ...written, size: bytes.length, sha256: object.sha256 };
}

/** Writes the object once. Returns null if the server reports that the key is taken. */
export type Write = (options: WriteOptions) => Promise<WrittenObject | null>;

/** An object to write, and how to write it. */
export interface Creation {
  readonly object: ObjectName;
  readonly write: Write;
  readonly signal: AbortSignal | undefined;
}

/** Writes an object under a free key, using the bucket's capabilities. Returns null if the key is taken. */
export function writeNew(
  bucket: Bucket,
  { putsOnlyNew, keepsVersions }: PutCapabilities,
  creation: Creation,
): Promise<WrittenObject | null> {
  if (putsOnlyNew) return creation.write({ onlyNew: true, signal: creation.signal });
  return keepsVersions ? createFirstVersion(bucket, creation) : createChecked(bucket, creation);
}

/** Writes a version and checks whether it is the first one since the key was free. If not, removes it again. */
async function createFirstVersion(
  bucket: Bucket,
  { object, write, signal }: Creation,
): Promise<WrittenObject | null> {
  const before = await historyOf(bucket, object.key, signal);
  if (before?.taken) return null;
  const written = await write({ onlyNew: false, signal });
  const after = await historyOf(bucket, object.key, undefined);
  const old = new Set(before?.versions);
  const added = (after?.versions ?? []).filter((id) => !old.has(id));
  const first = added.at(-1);
  if (first === undefined || first === written?.versionId) return written;
  // Attempts whose responses were lost may also have written versions. If our version is first, it is kept; the rest
  // are deleted.
  let won = false;
  for (const id of added) {
    const held = await headObject(bucket, { key: object.key, versionId: id, signal: undefined });
    if (held?.writeId !== object.writeId) continue;
    if (id === first) won = true;
    else await deleteVersion(bucket, object.key, id);
  }
  return won ? { versionId: first } : null;
}

async function createChecked(
  bucket: Bucket,
  { object: { key, writeId }, write, signal }: Creation,
): Promise<WrittenObject | null> {
  if ((await headObject(bucket, { key, signal })) !== null) return null;
  const written = await write({ onlyNew: false, signal });
  const held = await headObject(bucket, { key, signal: undefined });
  return held?.writeId === writeId ? written : null;
}
