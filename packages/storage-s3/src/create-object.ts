import { hash } from "node:crypto";
import type { Abilities, PutAbilities } from "./abilities.ts";
import type { Bucket } from "./bucket.ts";
import { PART_BYTES, uploadInParts } from "./multipart.ts";
import { headObject } from "./objects.ts";
import { deleteVersion, historyOf } from "./versions.ts";
import {
  type ObjectName,
  putWhole,
  type WriteOptions,
  type WrittenObject,
} from "./write-object.ts";

/** An object that was created, as the storage tells of it. */
export interface CreatedObject extends WrittenObject {
  readonly size: number;
  readonly sha256: string;
}

/**
 * Writes an object under a free key; null when the key is taken. Of several writers of one key exactly one
 * wins where the server honours `If-None-Match: *`, or keeps versions that are told in their order. On other
 * servers the key is looked at before and after: an overwritten writer mostly notices, but not surely.
 */
export async function createObject(
  bucket: Bucket,
  abilities: Abilities,
  { bytes, ...name }: ObjectName & { readonly bytes: Uint8Array },
  signal: AbortSignal | undefined,
): Promise<CreatedObject | null> {
  const object = { ...name, bytes, sha256: hash("sha256", bytes) };
  const ability = await abilities.puts(signal);
  // An upload in parts that would overwrite is no choice; a PUT takes 5 GB.
  const inParts =
    bytes.length > PART_BYTES &&
    (!ability.putsOnlyNew || (await abilities.completesOnlyNew(signal)));
  const write: Write = (options) => (inParts ? uploadInParts : putWhole)(bucket, object, options);
  const written = await writeNew(bucket, ability, { object, write, signal });
  return written && { ...written, size: bytes.length, sha256: object.sha256 };
}

/** Writes the object, once. Null when the server says that the key is taken. */
export type Write = (options: WriteOptions) => Promise<WrittenObject | null>;

/** An object that is to be written, and how. */
export interface Creation {
  readonly object: ObjectName;
  readonly write: Write;
  readonly signal: AbortSignal | undefined;
}

/** Writes an object under a free key, in the way that the bucket's abilities allow; null when the key is taken. */
export function writeNew(
  bucket: Bucket,
  { putsOnlyNew, keepsVersions }: PutAbilities,
  creation: Creation,
): Promise<WrittenObject | null> {
  if (putsOnlyNew) return creation.write({ onlyNew: true, signal: creation.signal });
  return keepsVersions ? createFirstVersion(bucket, creation) : createChecked(bucket, creation);
}

/** Writes a version and looks whether it is the first since the key was free; if not, takes it back. */
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
  // Attempts whose answers were lost may have written too: the first version, or some that are too many.
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
