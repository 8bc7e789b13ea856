import { mkdir, statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import { QuireError, type Storage } from "@quire/core/host";
import { fsStorage } from "@quire/storage-fs";
import { isS3, openS3, testBucket } from "../files/s3-place.ts";
import { type Io, writeLine } from "../terminal/io.ts";
import type { SharedSettings } from "./settings.ts";

const FILES = "files";

/** The storage of a service. */
export interface OpenStorage {
  readonly storage: Storage;
  /** The folder or the URL of the bucket. */
  readonly place: string;
  /** The size of the file system, in bytes; null for a bucket. */
  readonly bytes: number | null;
}

/**
 * Opens the storage of a service. A database is for several machines, which must not use a folder that each of them has.
 */
export async function openStorage(
  io: Io,
  { data, storage, database }: Pick<SharedSettings, "data" | "storage" | "database">,
): Promise<OpenStorage> {
  if (database !== undefined && storage === undefined) throw noStorage();
  if (storage !== undefined && isS3(storage)) {
    const { storage: bucket, path } = await openS3(io, storage);
    const warning = await testBucket(bucket);
    if (warning !== null) writeLine(io.stderr, `warning: ${warning}`);
    return { storage: bucket, place: path, bytes: null };
  }
  const root = resolve(io.cwd, storage ?? join(data, FILES));
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new QuireError(
      "storage_failed",
      `The folder ${JSON.stringify(root)} for files cannot be created. Give this user write permission, or choose another folder or bucket with --storage.`,
      { cause },
    );
  }
  const { bsize, blocks } = await statfs(root);
  return { storage: fsStorage({ root }), place: root, bytes: bsize * blocks };
}

function noStorage(): QuireError {
  return new QuireError(
    "invalid_request",
    "A service with a database needs --storage (or QUIRE_STORAGE): a bucket as s3://BUCKET/PREFIX, or a folder that all processes of the service share.",
  );
}
