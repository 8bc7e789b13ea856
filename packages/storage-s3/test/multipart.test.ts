import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { type Fault, faults } from "./support/fault-proxy.ts";
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

describe("s3Storage: a file of 20 MB", () => {
  test("comes in parts where an upload in parts cannot take anything from anybody", async () => {
    const { storage, proxy, folder } = await proxied(versioned);
    const info = await storage.create(folder, "a.docx", BYTES);
    expect(await storage.stat(info.ref)).toEqual(info);
    expect(Buffer.compare((await storage.read(info.ref)).bytes, BYTES)).toBe(0);
    expect(writes(proxy).filter(isPart)).toHaveLength(3);
    expect(await openUploads(versioned, folder.id)).toEqual([]);
  });

  test("comes in one request where the last step of an upload would overwrite", async () => {
    const { storage, proxy, folder } = await overwriting(plain);
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

  test("comes in parts where the server takes no last step for a taken name", async () => {
    const { storage, proxy, folder } = await honouring(plain);
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
    ["a bucket with versions", () => proxied(versioned)],
    ["a server that would overwrite in the last step", () => overwriting(plain)],
    ["a server that takes no last step for a taken name", () => honouring(plain)],
  ] as const)("has one writer of many that wins, over %s", async ([, open]) => {
    const { storage, folder } = await open();
    const contents = [1, 2, 3, 4].map((seed) => pattern(9 * MB + seed, seed));
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

describe("s3Storage: an upload in parts that meets", () => {
  const MET: Readonly<Record<string, Fault>> = {
    "500 Internal Server Error": faults.answer(500, "InternalError"),
    "503 Slow Down": faults.answer(503, "SlowDown"),
    "a reset": faults.resetBefore,
    "a reset after all was done": faults.resetAfter,
    "500 after all was done": faults.failAfter,
  };
  const steps = Object.entries({ "its start": isStart, "a part": isPart, "its end": isEnd });
  const cases = steps.flatMap(([step, which]) =>
    Object.entries(MET).map(([name, fault]) => [name, step, which, fault] as const),
  );

  test.for(cases)("%s at %s makes one object, once", async ([, , which, fault]) => {
    const { storage, proxy, folder } = await proxied(versioned);
    const bytes = BYTES.subarray(0, 9 * MB);
    failOnce(proxy, which, fault);
    const info = await storage.create(folder, "a.docx", bytes);
    expect(await storage.stat(info.ref)).toEqual(info);
    expect(Buffer.compare((await storage.read(info.ref)).bytes, bytes)).toBe(0);
    await expect(storage.create(folder, "a.docx", bytes)).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test("another writer in its last step begins anew, and finds the name taken or not", async () => {
    const { storage, proxy, folder } = await honouring(plain);
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

describe("s3Storage: an upload in parts that comes to nothing", () => {
  test("is taken back when a part fails for good", async () => {
    const { storage, proxy, folder } = await proxied(versioned);
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
  ] as const)("is taken back when it is aborted while it %s", async ([, which]) => {
    const { storage, proxy, folder } = await proxied(versioned);
    const abort = new AbortController();
    proxy.plan = (seen) => {
      if (which(seen) && !isProbe(seen)) setTimeout(() => abort.abort(), 30);
      return which(seen) ? faults.slow(300) : null;
    };
    const created = storage.create(folder, "a.docx", BYTES, { signal: abort.signal });
    await expect(created).rejects.toMatchObject({ code: "aborted" });
    // What was cut off on its way may reach the server some time later.
    await sleep(500);
    expect(await openUploads(versioned, folder.id)).toEqual([]);
    expect((await storage.list(folder)).entries).toEqual([]);
  });

  test("waits for the outcome when it is aborted in its last step", async () => {
    const { storage, proxy, folder } = await proxied(versioned);
    const abort = new AbortController();
    failOnce(proxy, isEnd, async (exchange) => {
      abort.abort();
      await faults.slow(200)(exchange);
    });
    const info = await storage.create(folder, "a.docx", BYTES, { signal: abort.signal });
    expect(await storage.stat(info.ref)).toEqual(info);
  });
});
