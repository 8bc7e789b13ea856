import { hash } from "node:crypto";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import type { Bucket } from "./bucket.ts";
import { type Capabilities, withProbe } from "./capabilities.ts";
import { failureOf } from "./failures.ts";
import { download } from "./objects.ts";
import { deleteAll, historyOf } from "./versions.ts";
import { type NewObject, putWhole } from "./write-object.ts";

/** What the server of a bucket does with requests that other servers may silently ignore. */
export interface S3Diagnosis {
  /** Whether a write with `If-None-Match: *` fails if the name is taken. */
  readonly conditionalWrites: boolean;
  /** Whether the last step of a multipart upload with `If-None-Match: *` fails if the name is taken. */
  readonly conditionalUploads: boolean;
  /**
   * `none`: the bucket keeps no versions. `kept`: it keeps versions, lists them and returns them by their ids.
   * `ignored`: it keeps versions, but requests for versions do not get them.
   */
  readonly versions: "none" | "kept" | "ignored";
  /** Whether a removed object and its versions are gone. Also false if the credentials may not remove objects. */
  readonly removes: boolean;
  /** Whether the server rejects bytes that differ from their checksum, for example after a fault in transit. */
  readonly checksums: boolean;
}

/** Tests the server with small objects below the prefix, which are then removed. */
export async function diagnose(
  bucket: Bucket,
  prefix: string,
  capabilities: Capabilities,
  signal: AbortSignal | undefined,
): Promise<S3Diagnosis> {
  const { putsOnlyNew } = await capabilities.puts(signal);
  return {
    conditionalWrites: putsOnlyNew,
    conditionalUploads: await capabilities.completesOnlyNew(signal),
    versions: await versionsOf(bucket, prefix, signal),
    removes: await removes(bucket, prefix, signal),
    checksums: await rejectsDamage(bucket, prefix, signal),
  };
}

function versionsOf(
  bucket: Bucket,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<S3Diagnosis["versions"]> {
  return withProbe(bucket, prefix, async (probe) => {
    const options = { onlyNew: false, signal };
    const older = probe();
    const first = await putWhole(bucket, older, options);
    if (first?.versionId == null) return "none";
    const second = await putWhole(bucket, withBytes(probe(), "The newer version.\n"), options);
    const versions = (await historyOf(bucket, older.key, signal))?.versions ?? [];
    const ids = [first.versionId, second?.versionId ?? ""];
    if (!ids.every((id) => versions.includes(id))) return "ignored";
    const { versionId } = first;
    const read = await download(bucket, { key: older.key, versionId, signal }, false);
    return read?.sha256 === older.sha256 ? "kept" : "ignored";
  });
}

function removes(bucket: Bucket, prefix: string, signal: AbortSignal | undefined) {
  return withProbe(bucket, prefix, async (probe) => {
    const object = probe();
    await putWhole(bucket, object, { onlyNew: false, signal });
    return deleteAll(bucket, object.key, signal).then(
      () => true,
      (error: unknown) => {
        const { code, status } = failureOf(error);
        if (code === "NotDeleted" || status === 403 || status === 405) return false;
        throw error;
      },
    );
  });
}

/** Whether the server rejects a body that was changed after it was signed. */
function rejectsDamage(bucket: Bucket, prefix: string, signal: AbortSignal | undefined) {
  return withProbe(bucket, prefix, async (probe) => {
    const { key, bytes } = probe();
    const command = new PutObjectCommand({ Bucket: bucket.name, Key: key, Body: bytes });
    const damaged = bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte));
    command.middlewareStack.add(
      (next) => (args) => {
        Object.assign(Object(args.request), { body: damaged });
        return next(args);
      },
      { step: "deserialize", priority: "low" },
    );
    try {
      // Without retries: the rejection looks like a fault in transit.
      await bucket.client.send(command, signal === undefined ? {} : { abortSignal: signal });
      return false;
    } catch (error) {
      const { status } = failureOf(error);
      if (status !== null && status >= 400 && status < 500) return true;
      throw error;
    }
  });
}

function withBytes(object: NewObject, text: string): NewObject {
  const bytes = Buffer.from(text);
  return { ...object, bytes, sha256: hash("sha256", bytes) };
}
