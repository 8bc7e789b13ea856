import { DeleteObjectCommand, ListObjectVersionsCommand } from "@aws-sdk/client-s3";
import { type Bucket, sendRequest } from "./bucket.ts";
import { isMissing, isNotImplemented } from "./failures.ts";
import { decodedKey } from "./keys.ts";

/** All versions of a key. In a bucket without versions, the only version has the id "null". */
export interface KeyHistory {
  /** The ids of the versions, newest first. */
  readonly versions: readonly string[];
  /** The ids of the delete markers. */
  readonly deletions: readonly string[];
  /** Whether the key has an object now, that is, whether its newest version is not a delete marker. */
  readonly taken: boolean;
}

/** Deletes a key with all its versions. A missing key is not an error. */
export async function deleteAll(
  bucket: Bucket,
  key: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const history = await historyOf(bucket, key, signal);
  if (history === null) return deleteVersion(bucket, key, undefined);
  // Ignores the signal from here on. Deletes the newest version last and the markers after it, so that concurrent
  // readers find the current file or no file, never an older version.
  for (const id of [...history.versions.toReversed(), ...history.deletions]) {
    await deleteVersion(bucket, key, id);
  }
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
