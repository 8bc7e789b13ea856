import { resolve } from "node:path";
import { type FolderRef, QuireError, type Storage } from "@quire/core";
import { fsStorage } from "@quire/storage-fs";
import { prepareFolder } from "../files.ts";

/** Where documents go. */
export interface RunOutput {
  readonly storage: Storage;
  readonly folder: FolderRef;
  /** The same wherever the command is given: an absolute path, or the address of a bucket. */
  readonly path: string;
  readonly isBucket: boolean;
  /** Where the journal is, if it is named nowhere: beside the output, or for a bucket in the working directory. */
  readonly journal: string;
}

/** Opens what `--out` names, for writing. Rejects `storage_failed` or `invalid_request`. */
export async function openOutput(out: string): Promise<RunOutput> {
  const output = await outputAt(out);
  if (output.isBucket) await output.storage.list(output.folder, { limit: 1 });
  else await prepareFolder(out);
  return output;
}

/** The same for reading: nothing is made. */
export async function outputAt(out: string): Promise<RunOutput> {
  if (out.startsWith(S3)) return bucketAt(out);
  const path = resolve(out);
  return {
    storage: fsStorage({ root: path }),
    folder: { type: "folder", id: "." },
    path,
    isBucket: false,
    journal: `${path}.quire.db`,
  };
}

const S3 = "s3://";

/** Credentials, region and endpoint come from where the AWS SDK looks for them. */
async function bucketAt(out: string): Promise<RunOutput> {
  const [bucket = "", ...segments] = out.slice(S3.length).split("/");
  const prefix = segments.join("/").replace(/\/+$/, "");
  if (bucket === "") {
    throw new QuireError(
      "invalid_request",
      `${JSON.stringify(out)} names no bucket. Write s3://BUCKET or s3://BUCKET/PREFIX.`,
    );
  }
  // Loaded only when it is needed: the SDK is large.
  const { s3Storage } = await import("@quire/storage-s3");
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION: region } = process.env;
  const endpoint = AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL;
  const at = prefix === "" ? bucket : `${bucket}/${prefix}`;
  return {
    storage: s3Storage({
      bucket,
      ...(prefix === "" ? {} : { prefix }),
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(region === undefined ? {} : { region }),
    }),
    folder: { type: "folder", id: "." },
    path: `${S3}${at}`,
    isBucket: true,
    journal: `${at.replaceAll("/", "-")}.quire.db`,
  };
}
