import { hash, randomUUID } from "node:crypto";
import { throwIfAborted, unlessAborted } from "@quire/core/host";
import type { Bucket } from "./bucket.ts";
import { failureOf } from "./failures.ts";
import { PROBE_PREFIX } from "./keys.ts";
import { uploadInParts } from "./multipart.ts";
import { deleteAll } from "./versions.ts";
import { type NewObject, putWhole, type WrittenObject } from "./write-object.ts";

/** What a bucket does with `If-None-Match: *`, which a server that does not know it ignores without a word. */
export interface PutAbilities {
  /** A PUT under a taken key fails. */
  readonly putsOnlyNew: boolean;
  /** The bucket keeps all versions of a key, so a second PUT loses nothing. */
  readonly keepsVersions: boolean;
}

/** What a bucket can do. Each is tried once, when it is first asked for, with an object that is removed again. */
export interface Abilities {
  puts(signal: AbortSignal | undefined): Promise<PutAbilities>;
  /** Whether the last step of an upload in parts fails under a taken key. */
  completesOnlyNew(signal: AbortSignal | undefined): Promise<boolean>;
}

/** The abilities of a bucket, tried with objects below the prefix. What could not be tried is tried again. */
export function abilitiesOf(bucket: Bucket, prefix: string): Abilities {
  return {
    puts: once(() => tryPuts(bucket, prefix)),
    completesOnlyNew: once(() => tryUpload(bucket, prefix)),
  };
}

async function tryPuts(bucket: Bucket, prefix: string): Promise<PutAbilities> {
  return withProbe(bucket, prefix, async (probe) => {
    const first = await unlessRefused(putWhole(bucket, probe(), TRIED));
    if (first === "refused") {
      // Other requests show what the bucket does without the condition.
      const put = await putWhole(bucket, probe(), { ...TRIED, onlyNew: false });
      return { putsOnlyNew: false, keepsVersions: put?.versionId != null };
    }
    const second = await putWhole(bucket, probe(), TRIED);
    return { putsOnlyNew: second === null, keepsVersions: first?.versionId != null };
  });
}

async function tryUpload(bucket: Bucket, prefix: string): Promise<boolean> {
  return withProbe(bucket, prefix, async (probe) => {
    await putWhole(bucket, probe(), TRIED);
    return (await unlessRefused(uploadInParts(bucket, probe(), TRIED))) === null;
  });
}

const TRIED = { onlyNew: true, signal: undefined };

async function withProbe<T>(
  bucket: Bucket,
  prefix: string,
  body: (probe: () => NewObject) => Promise<T>,
): Promise<T> {
  const key = `${prefix}${PROBE_PREFIX}${randomUUID()}`;
  const bytes = Buffer.from("Quire tries what this bucket does with a key that is taken.\n");
  const sha256 = hash("sha256", bytes);
  try {
    return await body(() => ({ key, bytes, sha256, writeId: randomUUID() }));
  } finally {
    // Not being allowed to delete is no reason not to write.
    await deleteAll(bucket, key, undefined).catch(() => {});
  }
}

/** Some servers do not ignore what they do not know, they say so. */
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
 * Does something once for all who ask, and again only after it failed. It goes on when the one who asked first
 * has lost interest: the others wait for it.
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
