import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, type TestContext, test } from "vitest";
import { faults } from "./support/fault-proxy.ts";
import { FEW, makesOneObject } from "./support/met.ts";
import { makePlace, openUploads, type Place, pattern, START_TIMEOUT_MS } from "./support/place.ts";
import {
  failOnce,
  honouring,
  isEnd,
  isPart,
  isProbe,
  isStart,
  overwriting,
  proxied,
  writes,
} from "./support/uploads.ts";

const MB = 1024 * 1024;
const BYTES = pattern(20 * MB + 1, 1);
let plain: Place;
let versioned: Place;

beforeAll(async () => {
  plain = await makePlace();
  versioned = await makePlace("versioned");
}, START_TIMEOUT_MS);

describe.concurrent("s3Storage: a file of 20 MB", { timeout: 60_000 }, () => {
  test("is uploaded in parts where a multipart upload cannot overwrite anything", async (context) => {
    const { storage, proxy, folder } = await proxied(versioned, context);
    const info = await storage.create(folder, "a.docx", BYTES);
    expect(await storage.stat(info.ref)).toEqual(info);
    expect(Buffer.compare((await storage.read(info.ref)).bytes, BYTES)).toBe(0);
    expect(writes(proxy).filter(isPart)).toHaveLength(3);
    expect(await openUploads(versioned, folder.id)).toEqual([]);
  });

  test("is sent in one request where the last step of a multipart upload could overwrite", async (context) => {
    const { storage, proxy, folder } = await overwriting(plain, context);
    const info = await storage.create(folder, "a.docx", BYTES);
    expect(await storage.stat(info.ref)).toEqual(info);
    expect(Buffer.compare((await storage.read(info.ref)).bytes, BYTES)).toBe(0);
    expect(
      writes(proxy).map(({ method, url }) => [method, url.searchParams.has("uploadId")]),
    ).toEqual([["PUT", false]]);
    await expect(storage.create(folder, "a.docx", BYTES)).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await openUploads(plain, folder.id)).toEqual([]);
  });

  test("is uploaded in parts where the server rejects the last step for a taken name", async (context) => {
    const { storage, proxy, folder } = await honouring(plain, context);
    const info = await storage.create(folder, "a.docx", BYTES);
    expect(Buffer.compare((await storage.read(info.ref)).bytes, BYTES)).toBe(0);
    expect(writes(proxy).filter(isPart)).toHaveLength(3);
    expect(
      writes(proxy)
        .filter(isEnd)
        .map(({ headers }) => headers["if-none-match"]),
    ).toEqual(["*"]);
    const again = storage.create(folder, "a.docx", BYTES);
    await expect(again).rejects.toMatchObject({ code: "conflict" });
    expect(await openUploads(plain, folder.id)).toEqual([]);
  });

  test.for([
    ["a bucket with versions", (context: TestContext) => proxied(versioned, context)],
    [
      "a server that overwrites in the last step",
      (context: TestContext) => overwriting(plain, context),
    ],
    [
      "a server that rejects the last step for a taken name",
      (context: TestContext) => honouring(plain, context),
    ],
  ] as const)("has exactly one successful writer, over %s", async ([, open], context) => {
    const { storage, folder } = await open(context);
    const contents = [1, 2, 3].map((seed) => pattern(9 * MB + seed, seed));
    const tries = contents.map((bytes) => storage.create(folder, "a.docx", bytes));
    const outcomes = await Promise.allSettled(tries);
    const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
    for (const [index, outcome] of outcomes.entries()) {
      if (index === winner) continue;
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "conflict" } });
    }
    const { bytes, ...read } = await storage.read({ type: "file", id: `${folder.id}/a.docx` });
    expect(outcomes[winner]).toMatchObject({ value: { version: read.version, size: read.size } });
    expect(Buffer.compare(bytes, contents[winner] ?? BYTES)).toBe(0);
    for (const place of [plain, versioned]) expect(await openUploads(place, folder.id)).toEqual([]);
  });
});

describe.concurrent("s3Storage: a multipart upload that meets", { timeout: 60_000 }, () => {
  test.for(FEW)("%s at %s creates one object, once", async ([, , which, fault], context) => {
    await makesOneObject(versioned, context, which, fault);
  });

  test("another writer in its last step starts again, and checks whether the name is taken", async (context) => {
    const { storage, proxy, folder } = await honouring(plain, context);
    const honoured = proxy.plan;
    let conflicts = 0;
    proxy.plan = (seen) => {
      if (!isEnd(seen) || isProbe(seen) || conflicts === 2) return honoured(seen);
      conflicts += 1;
      return conflicts === 1
        ? faults.answer(409, "ConditionalRequestConflict")
        : faults.answer(404, "NoSuchUpload");
    };
    const info = await storage.create(folder, "a.docx", BYTES);
    expect(await storage.stat(info.ref)).toEqual(info);
    expect(writes(proxy).filter(isStart)).toHaveLength(2);
    expect(await openUploads(plain, folder.id)).toEqual([]);
  });
});

describe.concurrent("s3Storage: a multipart upload that fails", {
  timeout: 60_000,
}, () => {
  test("is removed when a part fails permanently", async (context) => {
    const { storage, proxy, folder } = await proxied(versioned, context);
    const forbidden = faults.answer(403, "AccessDenied");
    proxy.plan = (seen) => (seen.url.searchParams.get("partNumber") === "2" ? forbidden : null);
    const created = storage.create(folder, "a.docx", BYTES);
    await expect(created).rejects.toMatchObject({ code: "storage_failed", retryable: false });
    await expect(created).rejects.toThrow(/denies access .+ \(AccessDenied, status 403\)/);
    expect(await openUploads(versioned, folder.id)).toEqual([]);
    expect((await storage.list(folder)).entries).toEqual([]);
  });

  test.for([
    ["begins", isStart],
    ["sends its parts", isPart],
  ] as const)("is removed when it is aborted while it %s", async ([, which], context) => {
    const { storage, proxy, folder } = await proxied(versioned, context);
    const abort = new AbortController();
    proxy.plan = (seen) => {
      if (which(seen) && !isProbe(seen)) setTimeout(() => abort.abort(), 30);
      return which(seen) ? faults.slow(300) : null;
    };
    const created = storage.create(folder, "a.docx", BYTES, { signal: abort.signal });
    await expect(created).rejects.toMatchObject({ code: "aborted" });
    // A request that was aborted in transit may still reach the server.
    await sleep(500);
    expect(await openUploads(versioned, folder.id)).toEqual([]);
    expect((await storage.list(folder)).entries).toEqual([]);
  });

  test("waits for the outcome when aborted in its last step", async (context) => {
    const { storage, proxy, folder } = await proxied(versioned, context);
    const abort = new AbortController();
    failOnce(proxy, isEnd, async (exchange) => {
      abort.abort();
      await faults.slow(200)(exchange);
    });
    const info = await storage.create(folder, "a.docx", BYTES, { signal: abort.signal });
    expect(await storage.stat(info.ref)).toEqual(info);
  });
});
