import { beforeAll, describe, expect, test } from "vitest";
import {
  type Place as Bucket,
  keysIn,
  makePlace as makeBucket,
  START_TIMEOUT_MS,
} from "../../storage-s3/test/support/place.ts";
import { makePlace, type Place, until } from "./support/cli.ts";
import { docx } from "./support/docx.ts";

let bucket: Bucket;

beforeAll(async () => {
  bucket = await makeBucket();
}, START_TIMEOUT_MS);

async function letterPlace(entries: number): Promise<Place> {
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
  return place;
}

function run(out: string): string[] {
  return ["run", "letter.docx", "--data", "data.jsonl", "--to", "docx", "--out", out];
}

describe("quire run into a bucket", () => {
  test("goes on after it was killed, and is verified there", async () => {
    const place = await letterPlace(400);
    const out = `s3://${bucket.bucket}/deep/letters`;
    const { process: child, ended } = place.start(run(out));
    await until(
      "there are some documents",
      async () => (await keysIn(bucket, "deep/letters/letter-")).length > 5,
      60,
    );
    child.kill("SIGKILL");
    await ended;
    const again = await place.start(run(out)).ended;
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("Going on: ")]);
    expect(again.stdout).toMatch(/^completed +400$/m);
    expect(again.stdout).toContain(`400 documents in ${out}`);
    expect(await keysIn(bucket, "deep/letters/")).toHaveLength(400);
    const journal = `${bucket.bucket}-deep-letters.quire.db`;
    const verified = await place.start(["verify", journal]).ended;
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/^verified +400$/m),
    ]);
  }, 180_000);

  test("that is not there is told before anything is made", async () => {
    const place = await letterPlace(1);
    const { code, stdout, stderr } = await place.start(run("s3://no-such-bucket-here/x")).ended;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("no-such-bucket-here");
    const nameless = await place.start(run("s3://")).ended;
    expect([nameless.code, nameless.stderr]).toEqual([1, expect.stringContaining("no bucket")]);
  }, 60_000);
});
