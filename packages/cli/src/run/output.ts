import { resolve } from "node:path";
import type { FolderRef, Storage } from "@quire/core";
import { fsStorage } from "@quire/storage-fs";
import { prepareFolder } from "../files.ts";

/** Where documents go. */
export interface RunOutput {
  readonly storage: Storage;
  readonly folder: FolderRef;
  /** The same wherever the command is given. */
  readonly path: string;
  /** Where the journal is, if it is named nowhere: beside the output. */
  readonly journal: string;
}

/** Opens what `--out` names, for writing. Rejects `storage_failed`. */
export async function openOutput(out: string): Promise<RunOutput> {
  await prepareFolder(out);
  return outputAt(out);
}

/** The same for reading: nothing is made. */
export function outputAt(out: string): RunOutput {
  const path = resolve(out);
  return {
    storage: fsStorage({ root: path }),
    folder: { type: "folder", id: "." },
    path,
    journal: `${path}.quire.db`,
  };
}
