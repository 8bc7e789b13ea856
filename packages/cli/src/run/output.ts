import { resolve } from "node:path";
import type { FolderRef, Storage } from "@quire/core";
import { fsStorage, removeLeftovers } from "@quire/storage-fs";
import { prepareFolder } from "../files/command-files.ts";
import { isS3, openS3 } from "../files/s3-place.ts";
import type { Io } from "../terminal/io.ts";

/** The destination of documents. */
export interface RunOutput {
  readonly storage: Storage;
  readonly folder: FolderRef;
  /** Does not depend on the working directory: an absolute path, or the URL of a bucket. */
  readonly path: string;
  readonly isBucket: boolean;
  /** The default path of the journal: next to the output, or, for a bucket, in the working directory. */
  readonly journal: string;
  /** Removes unfinished files of killed processes. */
  tidy(): Promise<void>;
}

/** Opens the output of `--out` for writing. Rejects `storage_failed` or `invalid_request`. */
export async function openOutput(io: Io, out: string): Promise<RunOutput> {
  const output = await outputAt(io, out);
  if (output.isBucket) await output.storage.list(output.folder, { limit: 1 });
  else await prepareFolder(io, out);
  return output;
}

/** Opens an output for reading, without creating anything. */
export async function outputAt(io: Io, out: string): Promise<RunOutput> {
  if (isS3(out)) return bucketAt(io, out);
  const path = resolve(io.cwd, out);
  return {
    storage: fsStorage({ root: path }),
    folder: { type: "folder", id: "." },
    path,
    isBucket: false,
    journal: `${path}.quire.db`,
    tidy: () => removeLeftovers(path),
  };
}

async function bucketAt(io: Io, out: string): Promise<RunOutput> {
  const { storage, at, path } = await openS3(io, out);
  return {
    storage,
    folder: { type: "folder", id: "." },
    path,
    isBucket: true,
    journal: `${at.replaceAll("/", "-")}.quire.db`,
    tidy: async () => {}, // a bucket has no unfinished objects
  };
}
