import type { S3Diagnosis } from "@quire/storage-s3";
import { openS3 } from "../files/s3-place.ts";
import type { Io } from "../terminal/io.ts";

/** The result of one check. */
export interface Finding {
  readonly level: "ok" | "warning" | "problem";
  readonly what: string;
  /** How to fix the problem. */
  readonly fix?: string;
}

/** Tests what the server of a bucket supports, with small objects that are then removed. */
export async function checkBucket(io: Io, place: string): Promise<Finding[]> {
  try {
    const { storage, path } = await openS3(io, place);
    await storage.list({ type: "folder", id: "." }, { limit: 1 });
    const diagnosis = await storage.diagnose();
    return [
      { level: "ok", what: `bucket ${path}: can be listed and written` },
      ...lines(diagnosis),
    ];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ level: "problem", what: `bucket ${place}: ${reason}` }];
  }
}

function lines(diagnosis: S3Diagnosis): Finding[] {
  const { conditionalUploads, removes, checksums } = diagnosis;
  return [
    conditionalWrites(diagnosis),
    conditionalUploads
      ? ok("large files: the server rejects an upload in parts if its name is taken")
      : warning(
          "large files: the server ignores If-None-Match at the end of an upload in parts. Quire sends each document in one request, and collects it in memory.",
          "Nothing to do for documents below 5 GB. Otherwise, use a server with conditional multipart uploads.",
        ),
    VERSIONS[diagnosis.versions],
    removes
      ? ok("removal: removed objects and their versions are gone")
      : warning(
          "removal: an object was not removed, so --overwrite and --new cannot replace documents.",
          "Give the credentials s3:DeleteObject, s3:DeleteObjectVersion and s3:ListBucketVersions. If they have them, the server ignores removals: update it, or use another one.",
        ),
    checksums
      ? ok("checksums: the server rejects bytes that differ from their checksum")
      : warning(
          "checksums: the server stores bytes that differ from their checksum, so it does not notice faults in transit.",
          "Connect with https, which detects such faults, and run quire verify after a run.",
        ),
  ];
}

function conditionalWrites({ conditionalWrites, versions }: S3Diagnosis): Finding {
  if (conditionalWrites) {
    return ok("conditional writes: the server rejects a write if its name is taken");
  }
  return versions === "none"
    ? warning(
        "conditional writes: the server ignores If-None-Match, and the bucket keeps no versions. Two processes that write the same name at the same instant can lose a document.",
        "Turn on versioning of the bucket, use a server with conditional writes, or let only one process write to it.",
      )
    : warning(
        "conditional writes: the server ignores If-None-Match. Of two documents with the same name, Quire keeps the first version.",
        "Nothing to do while versioning is on. A server with conditional writes needs fewer requests.",
      );
}

const VERSIONS: Readonly<Record<S3Diagnosis["versions"], Finding>> = {
  none: ok("versions: the bucket keeps no versions"),
  kept: ok("versions: the bucket keeps versions, lists them and returns them"),
  ignored: warning(
    "versions: the bucket keeps versions, but does not return them on request. Removed documents may remain as old versions.",
    "Turn off versioning of the bucket, or use a server that supports ?versions and ?versionId.",
  ),
};

function ok(what: string): Finding {
  return { level: "ok", what };
}

function warning(what: string, fix: string): Finding {
  return { level: "warning", what, fix };
}
