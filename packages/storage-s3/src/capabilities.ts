import { hash, randomUUID } from "node:crypto";
import { throwIfAborted, unlessAborted } from "@quire/contracts";
import type { Bucket } from "./bucket.ts";
import { failureOf } from "./failures.ts";
import { PROBE_PREFIX } from "./keys.ts";
import { uploadInParts } from "./multipart.ts";
import { deleteAll, historyOf } from "./versions.ts";
import { type NewObject, putWhole, type WrittenObject } from "./write-object.ts";

/** How a bucket handles `If-None-Match: *`. Servers that do not support this condition silently ignore it. */
export interface PutCapabilities {
  /** Whether a PUT fails if the key is taken. */
  readonly putsOnlyNew: boolean;
  /** Whether the bucket keeps and lists all versions of a key, so that a second PUT loses nothing. */
  readonly keepsVersions: boolean;
}

/** What a bucket supports. Each capability is tested once, on first use, with an object that is then removed. */
export interface Capabilities {
  puts(signal: AbortSignal | undefined): Promise<PutCapabilities>;
  /** Whether the last step of a multipart upload fails if the key is taken. */
  completesOnlyNew(signal: AbortSignal | undefined): Promise<boolean>;
}

/** Tests the capabilities of a bucket, with objects below the prefix. A test that fails is repeated at the next use. */
export function capabilitiesOf(bucket: Bucket, prefix: string): Capabilities {
  return {
    puts: once(() => tryPuts(bucket, prefix)),
    completesOnlyNew: once(() => tryUpload(bucket, prefix)),
  };
}

async function tryPuts(bucket: Bucket, prefix: string): Promise<PutCapabilities> {
  return withProbe(bucket, prefix, async (probe) => {
    const first = await unlessRefused(putWhole(bucket, probe(), TRIED));
    if (first === "refused") {
      // Plain requests show how the bucket behaves without the condition.
      const put = await putWhole(bucket, probe(), { ...TRIED, onlyNew: false });
      return { putsOnlyNew: false, keepsVersions: await lists(bucket, probe().key, put) };
    }
    const second = await putWhole(bucket, probe(), TRIED);
    return {
      putsOnlyNew: second === null,
      keepsVersions: await lists(bucket, probe().key, first),
    };
  });
}

/** Whether the listing of versions has the version that was written. Some servers ignore requests for versions. */
async function lists(bucket: Bucket, key: string, written: WrittenObject | null): Promise<boolean> {
  if (written?.versionId == null) return false;
  const history = await historyOf(bucket, key, undefined);
  return history?.versions.includes(written.versionId) ?? false;
}

async function tryUpload(bucket: Bucket, prefix: string): Promise<boolean> {
  return withProbe(bucket, prefix, async (probe) => {
    await putWhole(bucket, probe(), TRIED);
    return (await unlessRefused(uploadInParts(bucket, probe(), TRIED))) === null;
  });
}

const TRIED = { onlyNew: true, signal: undefined };

/**
 * Runs a test with a small object under a random name, and removes the object. Each call of `probe` returns the same
 * object with a new write id.
 */
export async function withProbe<T>(
  bucket: Bucket,
  prefix: string,
  body: (probe: () => NewObject) => Promise<T>,
): Promise<T> {
  const key = `${prefix}${PROBE_PREFIX}${randomUUID()}`;
  const bytes = Buffer.from("Quire tests how this bucket handles a key that is taken.\n");
  const sha256 = hash("sha256", bytes);
  try {
    return await body(() => ({ key, bytes, sha256, writeId: randomUUID() }));
  } finally {
    // A missing delete permission must not prevent writes.
    await deleteAll(bucket, key, undefined).catch(() => {});
  }
}

/** Returns `refused` if the server rejects the condition. Some servers do so instead of ignoring unknown conditions. */
async function unlessRefused(
  written: Promise<WrittenObject | null>,
): Promise<WrittenObject | null | "refused"> {
  try {
    return await written;
  } catch (error) {
    const { status } = failureOf(error);
    if (status === 400 || status === 501) return "refused";
    throw error;
  }
}

/**
 * Runs an operation once for all callers, and again only if it failed. An abort by the first caller does not stop the
 * operation, because other callers may be waiting for it.
 */
function once<T>(body: () => Promise<T>): (signal: AbortSignal | undefined) => Promise<T> {
  let running: Promise<T> | null = null;
  return async (signal) => {
    throwIfAborted(signal);
    running ??= body().catch((error: unknown) => {
      running = null;
      throw error;
    });
    return unlessAborted(running, signal);
  };
}
