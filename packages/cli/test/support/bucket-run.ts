import { type FaultProxy, faultProxy } from "../../../storage-s3/test/support/fault-proxy.ts";
import {
  type Place as Bucket,
  makePlace as makeBucket,
} from "../../../storage-s3/test/support/place.ts";
import { makePlace, type Place } from "./cli.ts";
import { docx } from "./docx.ts";

/** Creates a bucket, and a test folder whose commands can use it, with a letter and data for `entries` entries. */
export async function bucketPlace(
  entries: number,
): Promise<{ readonly bucket: Bucket; readonly place: Place }> {
  const bucket = await makeBucket();
  const { endpoint, credentials } = bucket.options;
  if (typeof credentials !== "object" || !("accessKeyId" in credentials))
    throw new Error("No keys.");
  // The AWS SDK reads the environment of its process.
  const place = await makePlace({
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_REGION: "us-east-1",
  });
  await place.write("letter.docx", docx(["Dear {{name}}"]));
  const lines = Array.from({ length: entries }, (_, index) => `{"name":"Ann ${index + 1}"}\n`);
  await place.write("data.jsonl", lines.join(""));
  return { bucket, place };
}

/** Returns the arguments of a run of these letters. */
export function runInto(out: string): string[] {
  return ["run", "letter.docx", "--data", "data.jsonl", "--to", "docx", "--out", out];
}

/** A server in front of a bucket's server that reports success for writes to a name that is taken. */
export function forgetfulServer(endpoint: string): Promise<FaultProxy> {
  return faultProxy(endpoint, ({ method }) =>
    method !== "PUT"
      ? null
      : async ({ forward, reply }) => {
          const answer = await forward();
          const isRejected = answer.status === 412;
          reply(isRejected ? { status: 200, headers: {}, body: Buffer.alloc(0) } : answer);
        },
  );
}
