import type { Bucket } from "./bucket.ts";
import { failureOf } from "./failures.ts";
import { type Download, download } from "./objects.ts";

/** A key and one of its versions, as the storage names versions; without `version`, the current one. */
export interface ReadWanted {
  readonly key: string;
  readonly version: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const SHA256 = /^[0-9a-f]{64}$/;
/** No server has longer version ids. Longer values would only make the URL too long. */
const LONGEST_VERSION = 1024;

/** Reads a version of an object. Returns null if the version does not exist. */
export async function readObject(bucket: Bucket, wanted: ReadWanted): Promise<Download | null> {
  const { key, version, signal } = wanted;
  if (version === undefined) return download(bucket, { key, signal }, true);
  if (SHA256.test(version)) {
    const current = await download(bucket, { key, signal }, true);
    if (current !== null && (current.versionId ?? current.sha256) === version) return current;
  }
  if (version === "" || version === "null" || version.length > LONGEST_VERSION) return null;
  return readVersion(bucket, { key, version, signal });
}

/**
 * Reads a version by its id. Servers without versions may reject the id as malformed, or ignore it and return the
 * current object.
 */
async function readVersion(
  bucket: Bucket,
  { key, version, signal }: ReadWanted,
): Promise<Download | null> {
  try {
    const found = await download(bucket, { key, versionId: version, signal }, true);
    return found?.versionId === version ? found : null;
  } catch (error) {
    const { status } = failureOf(error);
    // 405: the version is a delete marker.
    if (status === 400 || status === 405) return null;
    throw error;
  }
}
