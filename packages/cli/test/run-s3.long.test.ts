import { expect, test } from "vitest";
import { keysIn } from "../../storage-s3/test/support/place.ts";
import { bucketPlace, runInto } from "./support/bucket-run.ts";
import { until } from "./support/cli.ts";

test("a run into a bucket resumes after it was killed, and can be verified there", async () => {
  const { bucket, place } = await bucketPlace(400);
  const out = `s3://${bucket.bucket}/deep/letters`;
  const { process: child, ended } = place.start(runInto(out));
  await until(
    "some documents exist",
    async () => (await keysIn(bucket, "deep/letters/letter-")).length > 5,
    60,
  );
  child.kill("SIGKILL");
  await ended;
  const again = await place.start(runInto(out)).ended;
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("Resuming: ")]);
  expect(again.stdout).toMatch(/^completed +400$/m);
  expect(again.stdout).toContain(`400 documents in ${out}`);
  expect(await keysIn(bucket, "deep/letters/")).toHaveLength(400);
  const journal = `${bucket.bucket}-deep-letters.quire.db`;
  const verified = await place.start(["verify", journal]).ended;
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringMatching(/^verified +400$/m)]);
}, 180_000);
