import { describe, expect, test } from "vitest";
import { START_TIMEOUT_MS } from "../../storage-s3/test/support/place.ts";
import { bucketPlace, runInto } from "./support/bucket-run.ts";

describe("quire run into a bucket", () => {
  test(
    "reports a missing bucket before anything is made",
    async () => {
      const { place } = await bucketPlace(1);
      const { code, stdout, stderr } = await place.start(runInto("s3://no-such-bucket-here/x"))
        .ended;
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain("no-such-bucket-here");
      const nameless = await place.start(runInto("s3://")).ended;
      expect([nameless.code, nameless.stderr]).toEqual([
        1,
        expect.stringContaining("name a bucket"),
      ]);
    },
    START_TIMEOUT_MS,
  );
});
