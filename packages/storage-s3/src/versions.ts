import { DeleteObjectCommand, ListObjectVersionsCommand } from "@aws-sdk/client-s3";
import { type Bucket, sendRequest } from "./bucket.ts";
import { isMissing, isNotImplemented, NotDeleted } from "./failures.ts";
import { decodedKey } from "./keys.ts";
import { type HeldObject, headObject } from "./objects.ts";

/** All versions of a key. In a bucket without versions, the only version has the id "null". */
export interface KeyHistory {
  /** The ids of the versions, newest first. */
  readonly versions: readonly string[];
  /** The ids of the delete markers. */
  readonly deletions: readonly string[];
  /** Whether the key has an object now, that is, whether its newest version is not a delete marker. */
  readonly taken: boolean;
}

/**
 * Deletes a key with all its versions. A missing key is not an error. Servers may ignore `?versions` and `?versionId`
 * without an error, so this checks that the object is gone; if it is not, throws {@link NotDeleted}.
 */
export async function deleteAll(
  bucket: Bucket,
  key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [before, history] = await Promise.all([
    headObject(bucket, { key, signal }),
    historyOf(bucket, key, signal),
  ]);
  const { versions, deletions } = history ?? NO_HISTORY;
  // Ignores the signal from here on. Deletes the newest version last and the markers after it, so that concurrent
  // readers find the current file or no file, never an older version.
  for (const id of [...versions.toReversed(), ...deletions]) await deleteVersion(bucket, key, id);
  if (before !== null && versions.length === 0) await deleteVersion(bucket, key, undefined);
  if (!(await isGone(bucket, key, { before, versions }))) {
    throw new NotDeleted("The object is still there.");
  }
}

const NO_HISTORY: KeyHistory = { versions: [], deletions: [], taken: false };

interface Deleted {
  readonly before: HeldObject | null;
  readonly versions: readonly string[];
}

/** Whether the deleted object and its versions no longer exist. Another writer may have created a new object since. */
async function isGone(
  bucket: Bucket,
  key: string,
  { before, versions }: Deleted,
): Promise<boolean> {
  if (versions.some((id) => id !== "null")) {
    const after = await historyOf(bucket, key, undefined);
    return !versions.some((id) => id !== "null" && after?.versions.includes(id));
  }
  const after = before && (await headObject(bucket, { key, signal: undefined }));
  return (
    after === null ||
    after.writeId !== before?.writeId ||
    after.etag !== before.etag ||
    after.modifiedAt !== before.modifiedAt
  );
}

/**
 * Deletes one version. Without an id, deletes the current object, which adds a delete marker in a bucket with versions.
 */
export async function deleteVersion(
  bucket: Bucket,
  key: string,
  versionId: string | undefined,
): Promise<void> {
  const input = { Bucket: bucket.name, Key: key, VersionId: versionId };
  try {
    await sendRequest(bucket, { signal: undefined }, (options) =>
      bucket.client.send(new DeleteObjectCommand(input), options),
    );
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Lists all versions of a key. Returns null if the server does not support versions. */
export async function historyOf(
  bucket: Bucket,
  key: string,
  signal: AbortSignal | undefined,
): Promise<KeyHistory | null> {
  const versions: string[] = [];
  const deletions: string[] = [];
  let taken = false;
  let marker: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
  for (;;) {
    const page = await versionPage(bucket, { ...marker, key, signal });
    if (page === null) return null;
    const isOurs = ({ Key }: { Key?: string | undefined }) => decodedKey(Key, page) === key;
    const found = (page.Versions ?? []).filter(isOurs);
    taken ||= found.some(({ IsLatest }) => IsLatest === true);
    versions.push(...found.map(({ VersionId }) => VersionId ?? "null"));
    const marks = (page.DeleteMarkers ?? []).filter(isOurs);
    deletions.push(...marks.map(({ VersionId }) => VersionId ?? "null"));
    // The listing covers all keys that begin with this key, and this key is the first of them.
    const next = decodedKey(page.NextKeyMarker, page);
    if (!page.IsTruncated || next !== key) return { versions, deletions, taken };
    marker = { KeyMarker: next, VersionIdMarker: page.NextVersionIdMarker };
  }
}

interface VersionPageWanted {
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  readonly KeyMarker?: string | undefined;
  readonly VersionIdMarker?: string | undefined;
}

async function versionPage(bucket: Bucket, { key, signal, ...marker }: VersionPageWanted) {
  const command = { Bucket: bucket.name, Prefix: key, EncodingType: "url", ...marker } as const;
  try {
    return await sendRequest(bucket, { signal }, (options) =>
      bucket.client.send(new ListObjectVersionsCommand(command), options),
    );
  } catch (error) {
    if (isNotImplemented(error)) return null;
    throw error;
  }
}
