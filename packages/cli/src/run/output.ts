import { resolve } from "node:path";
import type { FolderRef, Storage } from "@quire/core";
import { fsStorage, removeLeftovers } from "@quire/storage-fs";
import { prepareFolder } from "../files/command-files.ts";
import { isS3, openS3, testBucket } from "../files/s3-place.ts";
import { type Io, writeLine } from "../terminal/io.ts";

/** The destination of documents. */
export interface RunOutput {
  readonly storage: Storage;
  readonly folder: FolderRef;
  /** Does not depend on the working directory: an absolute path, or the URL of a bucket. */
  readonly path: string;
  readonly isBucket: boolean;
  /** The default path of the journal: next to the output, or, for a bucket, in the working directory. */
  readonly journal: string;
  /** Prepares for writing. Resolves with a warning, or with null. Rejects if no document could be written. */
  prepare(): Promise<string | null>;
  /** Removes unfinished files of killed processes. */
  tidy(): Promise<void>;
}

const ROOT: FolderRef = { type: "folder", id: "." };

/** Opens the output of `--out` for writing. Rejects `storage_failed` or `invalid_request`. */
export async function openOutput(io: Io, out: string): Promise<RunOutput> {
  const output = await outputAt(io, out);
  const warning = await output.prepare();
  if (warning !== null) writeLine(io.stderr, `warning: ${warning}`);
  return output;
}

/** Opens an output for reading, without creating anything. */
export async function outputAt(io: Io, out: string): Promise<RunOutput> {
  if (isS3(out)) return bucketAt(io, out);
  const path = resolve(io.cwd, out);
  return {
    storage: fsStorage({ root: path }),
    folder: ROOT,
    path,
    isBucket: false,
    journal: `${path}.quire.db`,
    prepare: async () => {
      await prepareFolder(io, out);
      return null;
    },
    tidy: () => removeLeftovers(path),
  };
}

async function bucketAt(io: Io, out: string): Promise<RunOutput> {
  const { storage, at, path } = await openS3(io, out);
  return {
    storage,
    folder: ROOT,
    path,
    isBucket: true,
    journal: `${at.replaceAll("/", "-")}.quire.db`,
    prepare: () => testBucket(storage),
    tidy: async () => {}, // a bucket has no unfinished objects
  };
}
