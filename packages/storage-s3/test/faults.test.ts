import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, type TestContext, test } from "vitest";
import { type S3StorageOptions, s3Storage } from "../src/index.ts";
import {
  type Fault,
  type FaultProxy,
  faultProxy,
  faults,
  type Seen,
} from "./support/fault-proxy.ts";
import {
  clientFor,
  file,
  makePlace,
  OUT,
  type Place,
  pattern,
  START_TIMEOUT_MS,
  text,
} from "./support/place.ts";

let place: Place;
const BYTES = pattern(20_000, 1);

beforeAll(async () => {
  place = await makePlace();
}, START_TIMEOUT_MS);

/** Faults after which another attempt has the bytes. */
const OF_ALL: Readonly<Record<string, Fault>> = {
  "500 Internal Server Error": faults.answer(500, "InternalError"),
  "503 Slow Down": faults.answer(503, "SlowDown"),
  "429 Too Many Requests": faults.answer(429, "TooManyRequests"),
  "a reset before the request was read": faults.resetBefore,
  "a reset after all was done": faults.resetAfter,
  "500 after all was done": faults.failAfter,
};
const OF_WRITING: Readonly<Record<string, Fault>> = {
  ...OF_ALL,
  "409 of a conflict with another request": faults.answer(409, "ConditionalRequestConflict"),
  "400 since the bytes were damaged on their way": faults.answer(400, "XAmzContentSHA256Mismatch"),
};
const OF_READING: Readonly<Record<string, Fault>> = {
  ...OF_ALL,
  "an answer that breaks off": faults.truncate,
  "an answer that stands still": faults.stall,
  "an answer that is too short but seems whole": faults.shorten,
  "an answer with other bytes": faults.damage,
};

describe.concurrent("s3Storage: a create that meets", () => {
  test.for(Object.entries(OF_WRITING))("%s makes one object, once", async ([, fault], context) => {
    const { storage, proxy, folder } = await proxied(context);
    failOnce(proxy, isPut, fault);
    const info = await storage.create(folder, "a.docx", BYTES);
    expect(proxy.seen.filter(isPut).length).toBeGreaterThan(1);
    const read = await storage.read(info.ref);
    expect(Buffer.compare(read.bytes, BYTES)).toBe(0);
    expect(await storage.stat(info.ref)).toEqual(info);
    const again = storage.create(folder, "a.docx", BYTES);
    await expect(again).rejects.toMatchObject({ code: "conflict" });
  });
});

describe.concurrent("s3Storage: a read that meets", () => {
  test.for(Object.entries(OF_READING))("%s gives the right bytes", async ([, fault], context) => {
    const { storage, proxy, folder } = await proxied(context, { requestTimeoutMs: 1_000 });
    const info = await storage.create(folder, "a.docx", BYTES);
    const before = proxy.seen.length;
    failOnce(proxy, ({ method }) => method === "GET", fault);
    const { bytes, ...read } = await storage.read(info.ref);
    expect(read).toMatchObject(info);
    expect(Buffer.compare(bytes, BYTES)).toBe(0);
    expect(proxy.seen.slice(before).map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  test("never anything but damaged answers fails, and gives out none", async (context) => {
    const { storage, proxy, folder } = await proxied(context, { attempts: 3 });
    const { ref } = await storage.create(folder, "a.docx", BYTES);
    proxy.plan = () => faults.damage;
    const read = storage.read(ref);
    await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: true });
    await expect(read).rejects.toThrow(/^The file ".+" cannot be read: .+ is not what was written/);
  });

  test("an answer that breaks off again and again fails although the object is not Quire's", async (context) => {
    const { storage, proxy, folder } = await proxied(context, { attempts: 2 });
    const Key = `${folder.id}/foreign.docx`;
    await place.client.send(new PutObjectCommand({ Bucket: place.bucket, Key, Body: BYTES }));
    proxy.plan = () => faults.truncate;
    const failed = { code: "storage_failed", retryable: true };
    await expect(storage.read(file(Key))).rejects.toMatchObject(failed);
    await expect(storage.stat(file(Key))).rejects.toMatchObject(failed);
  });
});

describe.concurrent("s3Storage: other requests that meet", () => {
  const OF_LISTING = { ...OF_ALL, "an answer that breaks off": faults.truncate };

  test.for(Object.entries(OF_LISTING))(
    "%s are answered all the same",
    async ([, fault], context) => {
      const { storage, proxy, folder } = await proxied(context);
      const { ref } = await storage.create(folder, "a.docx", BYTES);
      const entry = { ref, name: "a.docx" };
      failOnce(proxy, ({ url }) => url.searchParams.has("list-type"), fault);
      expect(await storage.list(folder)).toEqual({ entries: [entry], nextMarker: null });
      failOnce(proxy, ({ method }) => method === "HEAD", fault);
      expect(await storage.stat(ref)).toMatchObject({ size: BYTES.length });
      failOnce(proxy, ({ url }) => url.searchParams.has("versions"), fault);
      await storage.remove(ref);
      expect(await storage.stat(ref)).toBeNull();
      await storage.create(folder, "a.docx", BYTES);
      failOnce(proxy, ({ method }) => method === "DELETE", fault);
      await storage.remove(ref);
      expect(await storage.list(folder)).toEqual({ entries: [], nextMarker: null });
    },
  );
});

describe.concurrent("s3Storage: a create whose answer is lost", () => {
  test("is no conflict with itself, and sends the bytes at most twice", async (context) => {
    const { storage, proxy, folder } = await proxied(context);
    await storage.create(folder, "first.docx", text("the server has been tried"));
    const before = proxy.seen.length;
    failOnce(proxy, isPut, faults.resetAfter);
    const info = await storage.create(folder, "a.docx", BYTES);
    expect(proxy.seen.slice(before).map(({ method }) => method)).toEqual(["PUT", "PUT", "HEAD"]);
    expect(await storage.stat(info.ref)).toEqual(info);
  });

  test("is a conflict when another writer came between, also one with the same bytes", async (context) => {
    const { storage, proxy, folder } = await proxied(context);
    failOnce(proxy, isPut, async ({ reset }) => {
      await s3Storage(place.options).create(folder, "a.docx", BYTES);
      reset();
    });
    const created = storage.create(folder, "a.docx", BYTES);
    await expect(created).rejects.toMatchObject({ code: "conflict" });
    expect(await namesIn(storage, folder)).toEqual(["a.docx"]);
  });

  test("makes one object when the lost request arrives after all, behind the next one", async (context) => {
    const { storage, proxy, folder } = await proxied(context);
    const released = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    failOnce(proxy, isPut, async (exchange) => {
      await faults.late(released.promise)(exchange);
      arrived.resolve();
    });
    const info = await storage.create(folder, "a.docx", BYTES);
    released.resolve();
    await arrived.promise;
    expect(await storage.stat(info.ref)).toEqual(info);
    expect(proxy.seen.filter(isPut)).toHaveLength(2);
  });

  test.for([
    ["connections break", faults.resetBefore, /was lost \(ECONNRESET\)\. .+ not known: .+\.$/],
    [
      "the server fails",
      faults.answer(500, "InternalError"),
      /failed \(.+500\)\. .+ not known: .+\.$/,
    ],
  ] as const)("says that the outcome is open when all %s", async ([, fault, message], context) => {
    const { storage, proxy, folder } = await proxied(context, { attempts: 2 });
    await storage.create(folder, "first.docx", text("the server has been tried"));
    proxy.plan = () => fault;
    const created = storage.create(folder, "a.docx", BYTES);
    await expect(created).rejects.toMatchObject({ code: "storage_failed", retryable: true });
    await expect(created).rejects.toThrow(message);
    proxy.plan = () => null;
    expect(await namesIn(storage, folder)).toEqual(["first.docx"]);
  });
});

describe.concurrent("s3Storage: an abort", () => {
  test("between two attempts takes effect at once, and creates nothing", async (context) => {
    const { storage, proxy, folder } = await proxied(context, { attempts: 100 });
    await storage.create(folder, "first.docx", text("the server has been tried"));
    const abort = new AbortController();
    let asked = 0;
    proxy.plan = () => {
      asked += 1;
      if (asked === 4) setTimeout(() => abort.abort(), 50);
      return faults.answer(503, "SlowDown");
    };
    const created = storage.create(folder, "a.docx", BYTES, { signal: abort.signal });
    await expect(created).rejects.toMatchObject({ code: "aborted" });
    expect(asked).toBeLessThan(10);
    proxy.plan = () => null;
    expect(await namesIn(storage, folder)).toEqual(["first.docx"]);
  });

  test.for([
    ["is being answered", faults.slow(300)],
    ["loses its answer", faults.resetAfter],
    ["is said to have failed", faults.failAfter],
    ["is held up", faults.late(sleep(300))],
  ] as const)(
    "while the request %s waits for the outcome, and gives the file",
    async ([, fault], context) => {
      const { storage, proxy, folder } = await proxied(context);
      await storage.create(folder, "first.docx", text("the server has been tried"));
      const abort = new AbortController();
      failOnce(proxy, isPut, async (exchange) => {
        abort.abort();
        await fault(exchange);
      });
      const info = await storage.create(folder, "a.docx", BYTES, { signal: abort.signal });
      expect(await storage.stat(info.ref)).toEqual(info);
    },
  );

  test.for([
    ["before an answer to a read", faults.slow(20_000), "read"],
    ["in the middle of what is read", faults.stall, "read"],
    ["before an answer to a stat", faults.slow(20_000), "stat"],
    ["before a listing", faults.slow(20_000), "list"],
    ["in the middle of a listing", faults.stall, "list"],
    ["before versions are removed", faults.slow(20_000), "remove"],
  ] as const)(
    "%s ends the call at once",
    { timeout: 15_000 },
    async ([, fault, method], context) => {
      const { storage, proxy, folder } = await proxied(context);
      const { ref } = await storage.create(folder, "a.docx", BYTES);
      const abort = new AbortController();
      proxy.plan = () => {
        setTimeout(() => abort.abort(new Error("enough")), 100);
        return fault;
      };
      const { signal } = abort;
      const called =
        method === "list" ? storage.list(folder, { signal }) : storage[method](ref, { signal });
      const aborted = { code: "aborted", cause: { message: "enough" } };
      await expect(called).rejects.toMatchObject(aborted);
      proxy.plan = () => null;
      expect(await storage.stat(ref)).toMatchObject({ size: BYTES.length });
    },
  );
});

describe.concurrent("s3Storage: a failure", () => {
  test.for([
    [
      403,
      "AccessDenied",
      /denies access to the bucket ".+" \(AccessDenied, status 403\)\. Check .+\.$/,
    ],
    [403, "InvalidAccessKeyId", /does not accept the credentials .+ Check the access key, .+\.$/],
    [400, "ExpiredToken", /credentials have expired .+ Get new ones, .+\.$/],
    [403, "InvalidObjectState", /is archived .+ Restore it first, .+\.$/],
    [301, "PermanentRedirect", /is in another region .+ Give s3Storage the region .+\.$/],
    [418, "Teapot", /refused the request \(Teapot, status 418\)\. .+\.$/],
  ] as const)(
    "with status %i and %s tells what to do, and is final",
    async ([status, code, message], context) => {
      const { storage, proxy } = await proxied(context);
      proxy.plan = () => faults.answer(status, code);
      const read = storage.read(file("a.docx"));
      await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: false });
      await expect(read).rejects.toThrow(message);
      expect(proxy.seen).toHaveLength(1);
    },
  );

  test("of a clock that is an hour wrong is none: the server's is taken", async (context) => {
    const client = clientFor(place.options);
    context.onTestFinished(() => client.destroy());
    client.config.systemClockOffset = 3_600_000;
    const storage = s3Storage({ client, bucket: place.bucket, prefix: randomUUID() });
    const { ref } = await storage.create(OUT, "a.docx", BYTES);
    expect(await storage.stat(ref)).toMatchObject({ size: BYTES.length });
  });
});

describe.concurrent("s3Storage: patience", () => {
  test("ends with the attempts, and says that it is worth another try", async (context) => {
    const { storage, proxy } = await proxied(context, { attempts: 3 });
    proxy.plan = () => faults.answer(503, "SlowDown");
    const read = storage.read(file("a.docx"));
    await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: true });
    await expect(read).rejects.toThrow(/fewer requests \(SlowDown, status 503\)\. .+\.$/);
    expect(proxy.seen).toHaveLength(3);
  });

  test("ends with the time", async (context) => {
    const { storage, proxy } = await proxied(context, { attempts: 10_000, totalTimeoutMs: 500 });
    proxy.plan = () => faults.answer(500, "InternalError");
    await expect(storage.read(file("a.docx"))).rejects.toMatchObject({ code: "storage_failed" });
    expect(proxy.seen.length).toBeLessThan(100);
  });

  test("does not wait for an answer that never comes", async (context) => {
    const { storage, proxy } = await proxied(context, { attempts: 2, requestTimeoutMs: 300 });
    proxy.plan =
      () =>
      async ({ read }) =>
        void (await read());
    const read = storage.read(file("a.docx"));
    await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: true });
    await expect(read).rejects.toThrow(/did not answer in time \(RequestTimeout\)/);
  });

  test("is not tried with what will not change", async (context) => {
    const { storage, proxy } = await proxied(context);
    proxy.plan = () => faults.answer(400, "InvalidRequest");
    const read = storage.read(file("a.docx"));
    await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: false });
    expect(proxy.seen).toHaveLength(1);
  });
});

/** A storage behind a proxy, with a folder of its own. */
async function proxied(context: TestContext, options: Partial<S3StorageOptions> = {}) {
  const proxy = await faultProxy(place.options.endpoint);
  context.onTestFinished(() => proxy[Symbol.asyncDispose]());
  const storage = s3Storage({ ...place.options, ...options, endpoint: proxy.endpoint });
  return { proxy, storage, folder: { type: "folder", id: randomUUID() } as const };
}

function failOnce(proxy: FaultProxy, which: (seen: Seen) => boolean, fault: Fault): void {
  let met = false;
  proxy.plan = (seen) => {
    if (met || !which(seen)) return null;
    met = true;
    return fault;
  };
}

/** A write of an object that is none with which the server is tried. */
function isPut({ method, url }: Seen): boolean {
  return method === "PUT" && !url.pathname.includes(".quire-probe-");
}

async function namesIn(
  storage: ReturnType<typeof s3Storage>,
  folder: typeof OUT | { readonly type: "folder"; readonly id: string },
): Promise<string[]> {
  return (await storage.list(folder)).entries.map(({ name }) => name);
}
