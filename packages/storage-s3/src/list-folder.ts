import { ListObjectsV2Command, type ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import { type FolderEntry, type FolderPage, type ListOptions, QuireError } from "@quire/contracts";
import { type Bucket, sendRequest } from "./bucket.ts";
import { childOf, decodedKey, fits, folderPrefix, idProblem } from "./keys.ts";

/** Maximum number of entries in one response from a server. */
const MOST = 1000;

/** Reads a page of a folder's entries in S3's order: by the UTF-8 bytes of the keys; keys of folders end with "/". */
export async function listFolder(
  bucket: Bucket,
  prefix: string,
  id: string,
  options: ListOptions,
): Promise<FolderPage> {
  const { limit = MOST, marker, signal } = options;
  const start = folderPrefix(prefix, id);
  if (!Number.isInteger(limit) || limit < 1) {
    throw invalid(id, "the limit must be an integer of at least 1", "Pass a valid limit");
  }
  const after = marker === undefined ? null : decodeMarker(marker, id);
  const names: string[] = [];
  let next: string | undefined;
  // One more name than the limit shows whether this is the last page. Names that ids cannot contain are skipped.
  while (fits(start) && names.length <= limit) {
    const input = {
      Bucket: bucket.name,
      Prefix: start,
      Delimiter: "/",
      EncodingType: "url",
      MaxKeys: Math.min(MOST, limit + 1),
      ...(next === undefined ? startAfter(start, after) : { ContinuationToken: next }),
    } as const;
    const page = await sendRequest(bucket, { signal }, (sent) =>
      bucket.client.send(new ListObjectsV2Command(input), sent),
    );
    bucket.seen = true;
    // A server may start with the folder in `StartAfter` itself, because that folder's entries sort after it.
    const found = namesOn(page, start).filter(
      (name) => (after === null || byteOrder(name, after) > 0) && idProblem(plain(name)) === null,
    );
    names.push(...found);
    next = page.NextContinuationToken;
    if (!page.IsTruncated || next === undefined) break;
  }
  const last = names.length > limit ? names[limit - 1] : undefined;
  return {
    entries: names.slice(0, limit).map((name) => entryOf(id, name)),
    nextMarker: last === undefined ? null : Buffer.from(last).toString("base64url"),
  };
}

function startAfter(start: string, after: string | null): { StartAfter?: string } {
  return after === null ? {} : { StartAfter: start + after };
}

/** Returns the names on a page from the server, sorted. Names of folders end with "/". */
function namesOn(page: ListObjectsV2CommandOutput, start: string): string[] {
  const keys = [
    ...(page.Contents ?? []).map(({ Key }) => Key),
    ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
  ];
  return keys.map((key) => decodedKey(key, page).slice(start.length)).sort(byteOrder);
}

function byteOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function plain(name: string): string {
  return name.endsWith("/") ? name.slice(0, -1) : name;
}

function entryOf(folder: string, name: string): FolderEntry {
  const type = name.endsWith("/") ? "folder" : "file";
  return { ref: { type, id: childOf(folder, plain(name)) }, name: plain(name) };
}

function decodeMarker(marker: string, id: string): string {
  const name = Buffer.from(marker, "base64url").toString();
  if (name !== "" && Buffer.from(name).toString("base64url") === marker) return name;
  throw invalid(
    id,
    "the marker is not from this storage",
    "Pass the nextMarker of the previous page",
  );
}

function invalid(id: string, why: string, fix: string): QuireError {
  return new QuireError(
    "invalid_request",
    `The folder ${JSON.stringify(id)} cannot be listed: ${why}. ${fix}, or omit it.`,
  );
}
