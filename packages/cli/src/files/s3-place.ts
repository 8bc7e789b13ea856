import { QuireError } from "@quire/core/host";
import type { S3Storage } from "@quire/storage-s3";
import type { Io } from "../terminal/io.ts";

const S3 = "s3://";

/** A bucket, or the part of a bucket below a prefix. */
export interface S3Place {
  readonly storage: S3Storage;
  /** The bucket and the prefix: `letters/may`. */
  readonly at: string;
  /** The bucket and the prefix as a URL: `s3://letters/may`. */
  readonly path: string;
}

/**
 * Whether a string is the URL of a bucket, and not the path of a folder. Throws `invalid_request` for other URLs, and
 * for misspelled bucket URLs, which would be folders with strange names.
 */
export function isS3(place: string): boolean {
  if (place.startsWith(S3)) return true;
  const [, almost] = /^s3:\/*(.*)$/is.exec(place) ?? [];
  if (almost === undefined && !/^[a-z][a-z0-9+.-]+:\/\//i.test(place)) return false;
  throw new QuireError(
    "invalid_request",
    almost === undefined
      ? `${JSON.stringify(place)} cannot hold documents. Name a folder, or an S3 bucket as s3://BUCKET/PREFIX.`
      : `${JSON.stringify(place)} is not the URL of a bucket. Write ${JSON.stringify(S3 + (almost || "BUCKET/PREFIX"))}.`,
  );
}

/** Opens the bucket and the prefix in an `s3://` URL. The AWS SDK finds the credentials as usual. */
export async function openS3({ env }: Io, place: string): Promise<S3Place> {
  const [bucket = "", ...segments] = place.slice(S3.length).split("/");
  const prefix = segments.join("/").replace(/\/+$/, "");
  if (bucket === "") {
    throw new QuireError(
      "invalid_request",
      `${JSON.stringify(place)} does not name a bucket. Use s3://BUCKET or s3://BUCKET/PREFIX.`,
    );
  }
  // Loaded on demand, because the SDK is large.
  const { s3Storage } = await import("@quire/storage-s3");
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_REGION: region } = env;
  const endpoint = AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL;
  const at = prefix === "" ? bucket : `${bucket}/${prefix}`;
  const storage = s3Storage({
    bucket,
    ...(prefix === "" ? {} : { prefix }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
  });
  return { storage, at, path: `${S3}${at}` };
}

const OVERWRITES =
  "the server ignores If-None-Match, and the bucket keeps no versions. If another process writes a document of the same name at the same instant, one of them is lost. Turn on versioning of the bucket, or let only one process write to it. See quire doctor --out.";

/**
 * Tests that a bucket can be listed and written. Resolves with a warning if its server cannot keep two processes from
 * writing the same name, and otherwise with null.
 */
export async function testBucket(storage: S3Storage): Promise<string | null> {
  // Reports a missing or forbidden bucket now, not for the first document.
  await storage.list({ type: "folder", id: "." }, { limit: 1 });
  return (await storage.createsOnlyNew()) ? null : OVERWRITES;
}
