import type { Abilities } from "./abilities.ts";
import type { Bucket } from "./bucket.ts";
import { PART_BYTES, uploadInParts } from "./multipart.ts";
import { headObject } from "./objects.ts";
import { deleteVersion, historyOf } from "./versions.ts";
import { type NewObject, putWhole, type WriteOptions, type WrittenObject } from "./write-object.ts";

/**
 * Writes an object under a free key; null when the key is taken. Of several writers of one key exactly one
 * wins where the server honours `If-None-Match: *`, or keeps versions that are told in their order. On other
 * servers the key is looked at before and after: an overwritten writer mostly notices, but not surely.
 */
export async function createObject(
  bucket: Bucket,
  abilities: Abilities,
  object: NewObject,
  signal: AbortSignal | undefined,
): Promise<WrittenObject | null> {
  const { putsOnlyNew, keepsVersions } = await abilities.puts(signal);
  if (!putsOnlyNew) {
    return keepsVersions
      ? createFirstVersion(bucket, object, signal)
      : createChecked(bucket, object, signal);
  }
  // An upload in parts that would overwrite is no choice; a PUT takes 5 GB.
  const parts = isLarge(object) && (await abilities.completesOnlyNew(signal));
  const options = { onlyNew: true, signal };
  return parts ? uploadInParts(bucket, object, options) : putWhole(bucket, object, options);
}

/** Writes a version and looks whether it is the first since the key was free; if not, takes it back. */
async function createFirstVersion(
  bucket: Bucket,
  object: NewObject,
  signal: AbortSignal | undefined,
): Promise<WrittenObject | null> {
  const before = await historyOf(bucket, object.key, signal);
  if (before?.taken) return null;
  const written = await write(bucket, object, { onlyNew: false, signal });
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
  object: NewObject,
  signal: AbortSignal | undefined,
): Promise<WrittenObject | null> {
  const { key, writeId } = object;
  if ((await headObject(bucket, { key, signal })) !== null) return null;
  const written = await write(bucket, object, { onlyNew: false, signal });
  const held = await headObject(bucket, { key, signal: undefined });
  return held?.writeId === writeId ? written : null;
}

function write(
  bucket: Bucket,
  object: NewObject,
  options: WriteOptions,
): Promise<WrittenObject | null> {
  return isLarge(object)
    ? uploadInParts(bucket, object, options)
    : putWhole(bucket, object, options);
}

function isLarge({ bytes }: NewObject): boolean {
  return bytes.length > PART_BYTES;
}
