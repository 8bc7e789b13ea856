import type { Bucket } from "./bucket.ts";
import { failureOf } from "./failures.ts";
import { type Download, download } from "./objects.ts";

/** A key, and the version of it as the storage tells versions; the current one when absent. */
export interface ReadWanted {
  readonly key: string;
  readonly version: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const SHA256 = /^[0-9a-f]{64}$/;
/** Longer than the ids of any server; what is longer would only be a URL that is too long. */
const LONGEST_VERSION = 1024;

/** Reads a version of an object, or gives null when it is not there. */
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

/** A server that has no versions may call the id malformed, or ignore it and give what it has. */
async function readVersion(
  bucket: Bucket,
  { key, version, signal }: ReadWanted,
): Promise<Download | null> {
  try {
    const found = await download(bucket, { key, versionId: version, signal }, true);
    return found?.versionId === version ? found : null;
  } catch (error) {
    const { status } = failureOf(error);
    // 405: the version is the mark of a deletion.
    if (status === 400 || status === 405) return null;
    throw error;
  }
}
