import { describe, expect, test } from "vitest";
import { keysIn, START_TIMEOUT_MS } from "../../storage-s3/test/support/place.ts";
import { bucketPlace, forgetfulServer, runInto } from "./support/bucket-run.ts";
import { serveProcess } from "./support/serve.ts";

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

  test("warns once if the server ignores If-None-Match and keeps no versions", async () => {
    const { bucket, place } = await bucketPlace(3);
    const good = await place.start(runInto(`s3://${bucket.bucket}/good`)).ended;
    expect([good.code, good.stderr]).toEqual([0, expect.not.stringContaining("If-None-Match")]);
    await using proxy = await forgetfulServer(bucket.options.endpoint);
    const env = { AWS_ENDPOINT_URL: proxy.endpoint };
    const { code, stderr } = await place.start(runInto(`s3://${bucket.bucket}/x`), { env }).ended;
    expect([code, stderr.match(/^warning: .*If-None-Match/gm)]).toEqual([0, [expect.any(String)]]);
  });
});

test("quire serve warns if the server of its bucket ignores If-None-Match and keeps no versions", async () => {
  const { bucket, place } = await bucketPlace(0);
  await using proxy = await forgetfulServer(bucket.options.endpoint);
  const args = ["--no-pdf", "--storage", `s3://${bucket.bucket}/files`];
  const good = await serveProcess(place, { args });
  expect(good.stderr()).not.toContain("If-None-Match");
  await good.stop();
  const env = { AWS_ENDPOINT_URL: proxy.endpoint };
  const unsafe = await serveProcess(place, { args, env });
  expect(unsafe.stderr()).toMatch(/^warning: .*If-None-Match.*versioning/m);
  await unsafe.stop();
});

test("quire doctor tests a bucket, names what its server ignores, and leaves nothing", async () => {
  const { bucket, place } = await bucketPlace(0);
  const args = ["doctor", "--out", `s3://${bucket.bucket}/may`, "--soffice", "missing"];
  const good = await place.start(args).ended;
  expect(good.stdout).toContain(
    `ok      bucket s3://${bucket.bucket}/may: can be listed and written`,
  );
  for (const line of ["conditional writes", "versions", "removal", "checksums"]) {
    expect(good.stdout).toMatch(new RegExp(`^ok {6}${line}: `, "m"));
  }
  await using proxy = await forgetfulServer(bucket.options.endpoint);
  const bad = await place.start(args, { env: { AWS_ENDPOINT_URL: proxy.endpoint } }).ended;
  expect(bad.stdout).toMatch(/^warning conditional writes: .*\n {8}Turn on versioning/m);
  expect(await keysIn(bucket)).toEqual([]);
  expect((await place.names(".")).filter((name) => name.startsWith("s3"))).toEqual([]);
  const missing = ["doctor", "--out", "s3://no-such-bucket-here", "--soffice", "missing"];
  const none = await place.start(missing).ended;
  expect(none.stdout).toMatch(/^PROBLEM bucket s3:\/\/no-such-bucket-here: .*does not exist/m);
});
