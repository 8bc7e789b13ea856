import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type S3Storage, s3Storage } from "../src/index.ts";
import { type Fault, faultProxy, faults, type Plan } from "./support/fault-proxy.ts";
import {
  clientFor,
  keysIn,
  makePlace,
  type Place,
  START_TIMEOUT_MS,
  withoutCondition,
} from "./support/place.ts";

let plain: Place;
let versioned: Place;

beforeAll(async () => {
  [plain, versioned] = [await makePlace(), await makePlace("versioned")];
}, START_TIMEOUT_MS);

/** What radosgw supports. It ignores the condition at the end of a multipart upload. */
const RADOSGW = { conditionalUploads: false, removes: true, checksums: true };

const noContent: Fault = ({ reply }) => reply({ status: 204, headers: {}, body: Buffer.alloc(0) });
const accepted: Fault = ({ reply }) => reply({ status: 200, headers: {}, body: Buffer.alloc(0) });
const noVersions: Fault = ({ reply }) =>
  reply({
    status: 200,
    headers: { "content-type": "application/xml" },
    body: Buffer.from("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"),
  });

async function behind(place: Place, plan: Plan): Promise<S3Storage> {
  const proxy = await faultProxy(place.options.endpoint, plan);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return s3Storage({ ...place.options, endpoint: proxy.endpoint, prefix: "p" });
}

test("the diagnosis of a bucket without versions leaves no object", async () => {
  const storage = s3Storage({ ...plain.options, prefix: "diagnosed" });
  expect(await storage.diagnose()).toEqual({
    ...RADOSGW,
    conditionalWrites: true,
    versions: "none",
  });
  expect(await storage.createsOnlyNew()).toBe(true);
  expect((await keysIn(plain)).filter((key) => key.startsWith("diagnosed/"))).toEqual([]);
});

test("the diagnosis of a bucket with versions leaves no version", async () => {
  const storage = s3Storage({ ...versioned.options, prefix: "diagnosed" });
  const { versions, removes, checksums } = await storage.diagnose();
  expect([versions, removes, checksums]).toEqual(["kept", true, true]);
  expect(await storage.createsOnlyNew()).toBe(true);
  expect((await keysIn(versioned)).filter((key) => key.startsWith("diagnosed/"))).toEqual([]);
});

test("a server that ignores If-None-Match is detected", async () => {
  const client = withoutCondition(clientFor(plain.options), "PutObjectCommand");
  onTestFinished(() => client.destroy());
  const storage = s3Storage({ client, bucket: plain.bucket, prefix: "ignoring" });
  expect(await storage.createsOnlyNew()).toBe(false);
  expect(await storage.diagnose()).toMatchObject({ conditionalWrites: false, versions: "none" });
});

test("a server that ignores ?versions is detected", async () => {
  const storage = await behind(versioned, ({ url }) =>
    url.searchParams.has("versions") ? noVersions : null,
  );
  expect(await storage.diagnose()).toMatchObject({ versions: "ignored" });
});

test("a server that ignores removals is detected", async () => {
  const storage = await behind(plain, ({ method }) => (method === "DELETE" ? noContent : null));
  expect(await storage.diagnose()).toMatchObject({ removes: false });
});

test("credentials without the permission to remove are detected", async () => {
  const storage = await behind(plain, ({ method }) =>
    method === "DELETE" ? faults.answer(403, "AccessDenied") : null,
  );
  expect(await storage.diagnose()).toMatchObject({ removes: false });
});

test("a server that ignores checksums is detected", async () => {
  const acceptsAll: Fault = async (exchange) => {
    const answer = await exchange.forward();
    return answer.status === 400 ? accepted(exchange) : exchange.reply(answer);
  };
  const storage = await behind(plain, ({ method }) => (method === "PUT" ? acceptsAll : null));
  expect(await storage.diagnose()).toMatchObject({ checksums: false });
});

test("a server that cannot be reached or denies writing rejects the diagnosis", async () => {
  const storage = await behind(plain, ({ method }) =>
    method === "PUT" ? faults.answer(403, "AccessDenied") : null,
  );
  await expect(storage.diagnose()).rejects.toMatchObject({ code: "storage_failed" });
  await expect(storage.createsOnlyNew()).rejects.toMatchObject({ code: "storage_failed" });
});
