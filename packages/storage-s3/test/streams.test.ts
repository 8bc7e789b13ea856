import { randomUUID } from "node:crypto";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, type TestContext, test, vi } from "vitest";
import { s3Storage } from "../src/index.ts";
import { type FaultProxy, faults } from "./support/fault-proxy.ts";
import {
  clientFor,
  makePlace,
  openUploads,
  type Place,
  pattern,
  START_TIMEOUT_MS,
  sha256,
  text,
  withoutCondition,
} from "./support/place.ts";
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
/** The contents of an object of two parts, and of one of three. */
const BYTES = pattern(9 * MB + 1, 1);
const THREE_PARTS = pattern(16 * MB + 1, 2);
let plain: Place;
let versioned: Place;

beforeAll(async () => {
  plain = await makePlace();
  versioned = await makePlace("versioned");
}, START_TIMEOUT_MS);

/** Yields the bytes in chunks of 1 MB, then calls `after`. */
async function* chunks(
  bytes: Uint8Array,
  after: () => Promise<void> | void = () => {},
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MB) yield bytes.subarray(at, at + MB);
  await after();
}

const summed = ({ headers }: FaultProxy["seen"][number]) => headers["x-amz-meta-quire-sha256"];

describe.concurrent("s3Storage: a file from a stream", { timeout: 60_000 }, () => {
  test("is written like bytes when it fits in one part", async (context) => {
    const { storage, proxy, folder } = await proxied(plain, context);
    await storage.create(folder, "first.docx", text("the server was tested"));
    const before = proxy.seen.length;
    const bytes = BYTES.subarray(0, 8 * MB);
    const info = await storage.create(folder, "a.docx", chunks(bytes));
    expect(proxy.seen.slice(before).map(({ method }) => method)).toEqual(["PUT"]);
    expect(writes(proxy).map(summed)).toContain(sha256(bytes));
    expect(await storage.stat(info.ref)).toEqual(info);
  });

  test("is sent part by part, and read no further than the parts in transit", async (context) => {
    const { storage, proxy, folder } = await proxied(versioned, context);
    const released = Promise.withResolvers<void>();
    proxy.plan = (seen) =>
      isPart(seen) && !isProbe(seen)
        ? async ({ forward, reply }) => {
            const answer = await forward();
            await released.promise;
            reply(answer);
          }
        : null;
    let given = 0;
    const long = async function* () {
      for (; given < 34; given += 1) yield pattern(MB, given);
    };
    const created = storage.create(folder, "a.docx", long());
    await vi.waitUntil(() => writes(proxy).filter(isPart).length === 4, { timeout: 20_000 });
    await sleep(300);
    expect(given).toBeLessThanOrEqual(4 * 8);
    released.resolve();
    const info = await created;
    expect(info.size).toBe(34 * MB);
    expect(writes(proxy).filter(isPart)).toHaveLength(5);
    expect(await storage.stat(info.ref)).toEqual(info);
    const { bytes } = await storage.read(info.ref);
    for (let index = 0; index < 34; index += 1) {
      const part = bytes.subarray(index * MB, (index + 1) * MB);
      expect(Buffer.compare(part, pattern(MB, index)), String(index)).toBe(0);
    }
  }, 60_000);

  test("is collected and sent in one request where the last step would overwrite", async (context) => {
    const { storage, proxy, folder } = await overwriting(plain, context);
    const info = await storage.create(folder, "a.docx", chunks(BYTES));
    expect(writes(proxy).map(({ method }) => method)).toEqual(["PUT"]);
    expect(writes(proxy).map(summed)).toEqual([sha256(BYTES)]);
    expect(await storage.stat(info.ref)).toEqual(info);
    expect(info.version).toBe(sha256(BYTES));
  });

  test("is uploaded in parts where the server rejects the last step for a taken name", async (context) => {
    const { storage, proxy, folder } = await honouring(plain, context);
    const info = await storage.create(folder, "a.docx", chunks(THREE_PARTS));
    expect(writes(proxy).filter(isPart)).toHaveLength(3);
    const ends = writes(proxy).filter(isEnd);
    expect(ends.map(({ headers }) => headers["if-none-match"])).toEqual(["*"]);
    const again = storage.create(folder, "a.docx", chunks(BYTES));
    await expect(again).rejects.toMatchObject({ code: "conflict" });
    expect(writes(proxy).filter(isStart)).toHaveLength(1);
    expect(await storage.stat(info.ref)).toEqual(info);
    expect(await openUploads(plain, folder.id)).toEqual([]);
  });

  test("has its hash as version but not in its metadata, in a bucket without versions", async (context) => {
    const client = withoutCondition(
      clientFor(plain.options),
      "PutObjectCommand",
      "CompleteMultipartUploadCommand",
    );
    context.onTestFinished(() => client.destroy());
    const storage = s3Storage({ client, bucket: plain.bucket });
    const folder = { type: "folder", id: randomUUID() } as const;
    const info = await storage.create(folder, "a.docx", chunks(BYTES));
    expect(info).toMatchObject({ size: BYTES.length, version: sha256(BYTES) });
    expect(await storage.stat(info.ref)).toEqual(info);
    const { bytes, ...read } = await storage.read(info.ref, { version: info.version });
    expect(read).toEqual({ ...info, sha256: sha256(BYTES) });
    expect(Buffer.compare(bytes, BYTES)).toBe(0);
    const head = new HeadObjectCommand({ Bucket: plain.bucket, Key: info.ref.id });
    const { Metadata } = await plain.client.send(head);
    expect(Object.keys(Metadata ?? {})).toEqual(["quire-write-id"]);
  });

  test("has exactly one successful writer among long streams, over any server", async (context) => {
    for (const open of [
      (context: TestContext) => proxied(versioned, context),
      (context: TestContext) => overwriting(plain, context),
      (context: TestContext) => honouring(plain, context),
    ]) {
      const { storage, folder } = await open(context);
      const contents = [1, 2].map((seed) => pattern(9 * MB + seed, seed));
      const tries = contents.map((bytes) => storage.create(folder, "a.docx", chunks(bytes)));
      const outcomes = await Promise.allSettled(tries);
      const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
      for (const [index, outcome] of outcomes.entries()) {
        if (index === winner) continue;
        expect(outcome).toMatchObject({ status: "rejected", reason: { code: "conflict" } });
      }
      const { bytes } = await storage.read({ type: "file", id: `${folder.id}/a.docx` });
      expect(Buffer.compare(bytes, contents[winner] ?? BYTES)).toBe(0);
      for (const place of [plain, versioned]) {
        expect(await openUploads(place, folder.id)).toEqual([]);
      }
    }
  }, 60_000);
});

describe.concurrent("s3Storage: a stream whose upload meets", { timeout: 60_000 }, () => {
  test.for([
    ["500 at a part", isPart, faults.answer(500, "InternalError")],
    ["a reset after a part was stored", isPart, faults.resetAfter],
    ["503 at its start", isStart, faults.answer(503, "SlowDown")],
    ["a reset after the server completes its last step", isEnd, faults.resetAfter],
    ["500 after the server completes its last step", isEnd, faults.failAfter],
  ] as const)("%s creates one object, once", async ([, which, fault], context) => {
    const { storage, proxy, folder } = await proxied(versioned, context);
    failOnce(proxy, which, fault);
    const info = await storage.create(folder, "a.docx", chunks(BYTES));
    expect(await storage.stat(info.ref)).toEqual(info);
    expect(Buffer.compare((await storage.read(info.ref)).bytes, BYTES)).toBe(0);
  });

  test.for([
    [409, "ConditionalRequestConflict"],
    [404, "NoSuchUpload"],
  ] as const)(
    "%i %s in its last step is a conflict if another writer has the name, otherwise a failure",
    { timeout: 60_000 },
    async ([status, code], context) => {
      const { storage, proxy, folder } = await honouring(plain, context, { attempts: 3 });
      const honoured = proxy.plan;
      const options = { ...plain.options, prefix: folder.id };
      let other: (() => Promise<unknown>) | null = null;
      proxy.plan = (seen) => {
        if (!isEnd(seen) || isProbe(seen)) return honoured(seen);
        return async (exchange) => {
          await other?.();
          other = null;
          await faults.answer(status, code)(exchange);
        };
      };
      const failed = storage.create(folder, "a.docx", chunks(BYTES));
      await expect(failed).rejects.toMatchObject({ code: "storage_failed" });
      expect((await storage.list(folder)).entries).toEqual([]);
      const root = { type: "folder", id: "." } as const;
      other = () => s3Storage(options).create(root, "a.docx", text("another's"));
      const lost = storage.create(folder, "a.docx", chunks(BYTES));
      await expect(lost).rejects.toMatchObject({ code: "conflict" });
      const { bytes } = await storage.read({ type: "file", id: `${folder.id}/a.docx` });
      expect(bytes).toEqual(text("another's"));
      expect(await openUploads(plain, folder.id)).toEqual([]);
    },
  );
});

describe.concurrent("s3Storage: a stream whose upload fails", {
  timeout: 60_000,
}, () => {
  test("is removed and closes its stream when a part fails permanently, even during a pause", async (context) => {
    for (const after of [() => {}, () => new Promise<void>(() => {})]) {
      const { storage, proxy, folder } = await proxied(versioned, context);
      const forbidden = faults.answer(403, "AccessDenied");
      proxy.plan = (seen) => (seen.url.searchParams.get("partNumber") === "2" ? forbidden : null);
      const created = storage.create(folder, "a.docx", chunks(THREE_PARTS, after));
      await expect(created).rejects.toMatchObject({ code: "storage_failed", retryable: false });
      expect(await openUploads(versioned, folder.id)).toEqual([]);
      expect((await storage.list(folder)).entries).toEqual([]);
    }
  });

  test.for([
    ["in parts", (context: TestContext) => proxied(versioned, context)],
    ["gathered", (context: TestContext) => overwriting(plain, context)],
    [
      "in parts that are accepted only for a free name",
      (context: TestContext) => honouring(plain, context),
    ],
  ] as const)(
    "is removed when the stream throws after many bytes, %s",
    async ([, open], context) => {
      const { storage, folder } = await open(context);
      const error = Object.assign(new Error("broken"), { code: "ECONNRESET" });
      const breaking = chunks(BYTES, () => Promise.reject(error));
      await expect(storage.create(folder, "a.docx", breaking)).rejects.toBe(error);
      for (const place of [plain, versioned])
        expect(await openUploads(place, folder.id)).toEqual([]);
      expect((await storage.list(folder)).entries).toEqual([]);
      const small = BYTES.subarray(0, MB);
      const info = await storage.create(folder, "a.docx", chunks(small));
      expect(info.size).toBe(MB);
    },
  );

  test("is removed when it is aborted while parts are sent, or while the stream pauses", async (context) => {
    for (const isSlow of [true, false]) {
      const { storage, proxy, folder } = await proxied(versioned, context);
      const abort = new AbortController();
      proxy.plan = (seen) => {
        if (!isPart(seen) || isProbe(seen)) return null;
        if (isSlow) setTimeout(() => abort.abort(), 30);
        return isSlow ? faults.slow(300) : null;
      };
      const after = async () => {
        while (writes(proxy).filter(isPart).length < 2) await turn();
        setTimeout(() => abort.abort(), 30);
        await new Promise(() => {});
      };
      const { signal } = abort;
      const created = storage.create(folder, "a.docx", chunks(THREE_PARTS, after), { signal });
      await expect(created).rejects.toMatchObject({ code: "aborted" });
      // A request that was aborted in transit may still reach the server.
      await sleep(500);
      expect(await openUploads(versioned, folder.id)).toEqual([]);
      expect((await storage.list(folder)).entries).toEqual([]);
    }
  });

  test("does not begin for a name that is taken", async (context) => {
    const { storage, proxy, folder } = await proxied(versioned, context);
    await storage.create(folder, "a.docx", text("one"));
    let given = 0;
    const endless = async function* () {
      for (; ; given += 1) yield pattern(MB, 1);
    };
    const created = storage.create(folder, "a.docx", endless());
    await expect(created).rejects.toMatchObject({ code: "conflict" });
    expect(writes(proxy).filter(isStart)).toEqual([]);
    expect(given).toBeLessThanOrEqual(16);
  });

  test("needs no permission to check whether a name is taken", async (context) => {
    const { storage, proxy, folder } = await honouring(plain, context);
    const honoured = proxy.plan;
    proxy.plan = (seen) =>
      seen.method === "HEAD" && !isProbe(seen)
        ? faults.answer(403, "AccessDenied")
        : honoured(seen);
    const info = await storage.create(folder, "a.docx", chunks(BYTES));
    expect(info.size).toBe(BYTES.length);
  });
});

describe.concurrent("s3Storage: folders", { timeout: 60_000 }, () => {
  test("are neither written nor deleted", async (context) => {
    const { storage, proxy, folder } = await proxied(plain, context);
    const made = await storage.createFolder(folder, "made");
    await storage.removeFolder(made);
    expect(proxy.seen.map(({ method }) => method)).toEqual(["HEAD", "GET", "GET"]);
    await storage.create(made, "a.docx", text("one"));
  });

  test("that a console created with an object of the folder's name are empty and usable", async (context) => {
    const { storage, folder } = await proxied(plain, context);
    const Key = `${folder.id}/made/`;
    await plain.client.send(new PutObjectCommand({ Bucket: plain.bucket, Key, Body: "" }));
    const made = await storage.createFolder(folder, "made");
    expect((await storage.list(made)).entries).toEqual([]);
    await storage.removeFolder(made);
    await storage.create(made, "a.docx", text("one"));
    await expect(storage.removeFolder(made)).rejects.toMatchObject({ code: "conflict" });
  });

  test("have names like files, and keys that S3 allows", async (context) => {
    const { storage, folder } = await proxied(plain, context);
    const probe = storage.createFolder(folder, ".quire-probe-1");
    await expect(probe).rejects.toMatchObject({ code: "item_name_invalid" });
    const deep = { type: "folder", id: Array(6).fill("x".repeat(150)).join("/") } as const;
    const long = storage.createFolder(deep, "x".repeat(200));
    await expect(long).rejects.toMatchObject({ code: "storage_failed" });
    await expect(long).rejects.toThrow(/key would be 1\d+ bytes long, .+\.$/);
  });

  test("include the root, which cannot be removed", async (context) => {
    const { storage } = await proxied(plain, context);
    const removed = storage.removeFolder({ type: "folder", id: "." });
    await expect(removed).rejects.toMatchObject({ code: "forbidden" });
  });
});
