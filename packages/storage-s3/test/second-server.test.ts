/** The contract over a second server, fauxqs, which lacks what radosgw has. */
import { randomUUID } from "node:crypto";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { storageConformance } from "@quire/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { s3Storage } from "../src/index.ts";
import { SKIPPED } from "./support/contract.ts";
import { type FaultProxy, faultProxy, faults } from "./support/fault-proxy.ts";
import { type Fauxqs, startFauxqs } from "./support/fauxqs.ts";
import { clientFor } from "./support/place.ts";

const BUCKET = "letters";

const CREDENTIALS = { accessKeyId: "any", secretAccessKey: "any" };

const OVERWRITES = "fauxqs ignores If-None-Match: several writers at the same instant may succeed.";

/** What fauxqs does differently from S3. The diagnosis reports the first of these. */
const DEVIATIONS = {
  "if 50 calls create one name concurrently, exactly one succeeds": OVERWRITES,
  "if 20 streams and 5 other calls create one name concurrently, exactly one succeeds": OVERWRITES,
  "list returns every file once, in the same order with any page size":
    "fauxqs sorts keys by language (a, Z) instead of by bytes (Z, a).",
};

let server: Fauxqs;
let silent: FaultProxy;

beforeAll(async () => {
  server = await startFauxqs();
  const client = clientFor({ endpoint: server.endpoint, credentials: CREDENTIALS });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  client.destroy();
  silent = await faultProxy(server.endpoint, () => faults.silence);
});
afterAll(async () => {
  await silent?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

function open(endpoint = server.endpoint) {
  const credentials = CREDENTIALS;
  return s3Storage({ bucket: BUCKET, prefix: "quire/tests", endpoint, credentials });
}

describe("s3Storage over fauxqs keeps the contract of Storage:", () => {
  storageConformance({
    test: (name, body) => test(name, { timeout: 60_000 }, body),
    skip: { ...SKIPPED, ...DEVIATIONS },
    fixture: () => {
      const parent = `case/${randomUUID()}`;
      return {
        storage: open(),
        open,
        unresponsive: () => open(silent.endpoint),
        folder: { type: "folder", id: `${parent}/out` },
        parent: { type: "folder", id: parent },
        listsEmptyFolders: false,
      };
    },
  });
});

test("the diagnosis of fauxqs names the features that it ignores", async () => {
  const storage = open();
  expect(await storage.createsOnlyNew()).toBe(false);
  expect(await storage.diagnose()).toEqual({
    conditionalWrites: false,
    conditionalUploads: false,
    versions: "none",
    removes: true,
    checksums: false,
  });
  expect((await storage.list({ type: "folder", id: "." })).entries.map(({ name }) => name)).toEqual(
    expect.not.arrayContaining([expect.stringContaining("probe")]),
  );
});
