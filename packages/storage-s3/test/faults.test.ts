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

/** Faults after which a further attempt succeeds. */
const OF_ALL: Readonly<Record<string, Fault>> = {
  "500 Internal Server Error": faults.answer(500, "InternalError"),
  "503 Slow Down": faults.answer(503, "SlowDown"),
  "429 Too Many Requests": faults.answer(429, "TooManyRequests"),
  "a reset before the server reads the request": faults.resetBefore,
  "a reset after the server completes the request": faults.resetAfter,
  "500 after the server completes the request": faults.failAfter,
};
const OF_WRITING: Readonly<Record<string, Fault>> = {
  ...OF_ALL,
  "409 due to a conflict with another request": faults.answer(409, "ConditionalRequestConflict"),
  "400 due to bytes damaged in transit": faults.answer(400, "XAmzContentSHA256Mismatch"),
};
const OF_READING: Readonly<Record<string, Fault>> = {
  ...OF_ALL,
  "a response that is cut off": faults.truncate,
  "a response that stalls": faults.stall,
  "a response that is too short but looks complete": faults.shorten,
  "a response with wrong bytes": faults.damage,
};

describe.concurrent("s3Storage: a create that meets", () => {
  test.for(Object.entries(OF_WRITING))(
    "%s creates one object, once",
    async ([, fault], context) => {
      const { storage, proxy, folder } = await proxied(context);
      failOnce(proxy, isPut, fault);
      const info = await storage.create(folder, "a.docx", BYTES);
      expect(proxy.seen.filter(isPut).length).toBeGreaterThan(1);
      const read = await storage.read(info.ref);
      expect(Buffer.compare(read.bytes, BYTES)).toBe(0);
      expect(await storage.stat(info.ref)).toEqual(info);
      const again = storage.create(folder, "a.docx", BYTES);
      await expect(again).rejects.toMatchObject({ code: "conflict" });
    },
  );
});

describe.concurrent("s3Storage: a read that meets", () => {
  test.for(Object.entries(OF_READING))("%s returns the right bytes", async ([, fault], context) => {
    const { storage, proxy, folder } = await proxied(context, { requestTimeoutMs: 1_000 });
    const info = await storage.create(folder, "a.docx", BYTES);
    const before = proxy.seen.length;
    failOnce(proxy, ({ method }) => method === "GET", fault);
    const { bytes, ...read } = await storage.read(info.ref);
    expect(read).toMatchObject(info);
    expect(Buffer.compare(bytes, BYTES)).toBe(0);
    expect(proxy.seen.slice(before).map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  test("only damaged responses fails, and returns no bytes", async (context) => {
    const { storage, proxy, folder } = await proxied(context, { attempts: 3 });
    const { ref } = await storage.create(folder, "a.docx", BYTES);
    proxy.plan = () => faults.damage;
    const read = storage.read(ref);
    await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: true });
    await expect(read).rejects.toThrow(
      /^The file ".+" cannot be read: .+ not the bytes that were written/,
    );
  });

  test("a response that is always cut off fails, even if the object is not Quire's", async (context) => {
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
  const OF_LISTING = { ...OF_ALL, "a response that is cut off": faults.truncate };

  test.for(Object.entries(OF_LISTING))("%s succeed nevertheless", async ([, fault], context) => {
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
  });
});

describe.concurrent("s3Storage: a create whose response is lost", () => {
  test("does not conflict with itself, and sends the bytes at most twice", async (context) => {
    const { storage, proxy, folder } = await proxied(context);
    await storage.create(folder, "first.docx", text("the server was tested"));
    const before = proxy.seen.length;
    failOnce(proxy, isPut, faults.resetAfter);
    const info = await storage.create(folder, "a.docx", BYTES);
    expect(proxy.seen.slice(before).map(({ method }) => method)).toEqual(["PUT", "PUT", "HEAD"]);
    expect(await storage.stat(info.ref)).toEqual(info);
  });

  test("is a conflict if another writer was faster, even with the same bytes", async (context) => {
    const { storage, proxy, folder } = await proxied(context);
    failOnce(proxy, isPut, async ({ reset }) => {
      await s3Storage(place.options).create(folder, "a.docx", BYTES);
      reset();
    });
    const created = storage.create(folder, "a.docx", BYTES);
    await expect(created).rejects.toMatchObject({ code: "conflict" });
    expect(await namesIn(storage, folder)).toEqual(["a.docx"]);
  });

  test("creates one object if the lost request arrives after its retry", async (context) => {
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
    [
      "connections break",
      faults.resetBefore,
      /was lost \(ECONNRESET\)\. .+ may still have succeeded: .+\.$/,
    ],
    [
      "the server fails",
      faults.answer(500, "InternalError"),
      /failed \(.+500\)\. .+ may still have succeeded: .+\.$/,
    ],
  ] as const)("reports an unknown outcome when all %s", async ([, fault, message], context) => {
    const { storage, proxy, folder } = await proxied(context, { attempts: 2 });
    await storage.create(folder, "first.docx", text("the server was tested"));
    proxy.plan = () => fault;
    const created = storage.create(folder, "a.docx", BYTES);
    await expect(created).rejects.toMatchObject({ code: "storage_failed", retryable: true });
    await expect(created).rejects.toThrow(message);
    proxy.plan = () => null;
    expect(await namesIn(storage, folder)).toEqual(["first.docx"]);
  });
});

describe.concurrent("s3Storage: an abort", () => {
  test("between two attempts takes effect immediately, and creates nothing", async (context) => {
    const { storage, proxy, folder } = await proxied(context, { attempts: 100 });
    await storage.create(folder, "first.docx", text("the server was tested"));
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
    ["waits for its response", faults.slow(300)],
    ["loses its response", faults.resetAfter],
    ["is reported as failed", faults.failAfter],
    ["is delayed", faults.late(sleep(300))],
  ] as const)(
    "while the request %s waits for the outcome, and returns the file",
    async ([, fault], context) => {
      const { storage, proxy, folder } = await proxied(context);
      await storage.create(folder, "first.docx", text("the server was tested"));
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
    ["before the response to a read", faults.slow(20_000), "read"],
    ["during a read", faults.stall, "read"],
    ["before the response to a stat", faults.slow(20_000), "stat"],
    ["before a listing", faults.slow(20_000), "list"],
    ["during a listing", faults.stall, "list"],
    ["before versions are removed", faults.slow(20_000), "remove"],
  ] as const)(
    "%s ends the call immediately",
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
    [400, "ExpiredToken", /credentials have expired .+ Get new credentials, .+\.$/],
    [403, "InvalidObjectState", /is archived .+ Restore it first, .+\.$/],
    [301, "PermanentRedirect", /is in another region .+ Pass the region .+\.$/],
    [418, "Teapot", /rejected the request \(Teapot, status 418\)\. .+\.$/],
  ] as const)(
    "with status %i and %s says what to do, and is final",
    async ([status, code, message], context) => {
      const { storage, proxy } = await proxied(context);
      proxy.plan = () => faults.answer(status, code);
      const read = storage.read(file("a.docx"));
      await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: false });
      await expect(read).rejects.toThrow(message);
      expect(proxy.seen).toHaveLength(1);
    },
  );

  test("does not occur if the clock is an hour off: the server's time is used", async (context) => {
    const client = clientFor(place.options);
    context.onTestFinished(() => client.destroy());
    client.config.systemClockOffset = 3_600_000;
    const storage = s3Storage({ client, bucket: place.bucket, prefix: randomUUID() });
    const { ref } = await storage.create(OUT, "a.docx", BYTES);
    expect(await storage.stat(ref)).toMatchObject({ size: BYTES.length });
  });
});

describe.concurrent("s3Storage: retrying", () => {
  test("ends after the maximum of attempts, with a retryable error", async (context) => {
    const { storage, proxy } = await proxied(context, { attempts: 3 });
    proxy.plan = () => faults.answer(503, "SlowDown");
    const read = storage.read(file("a.docx"));
    await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: true });
    await expect(read).rejects.toThrow(/fewer requests \(SlowDown, status 503\)\. .+\.$/);
    expect(proxy.seen).toHaveLength(3);
  });

  test("ends after the total time limit", async (context) => {
    const { storage, proxy } = await proxied(context, { attempts: 10_000, totalTimeoutMs: 500 });
    proxy.plan = () => faults.answer(500, "InternalError");
    await expect(storage.read(file("a.docx"))).rejects.toMatchObject({ code: "storage_failed" });
    expect(proxy.seen.length).toBeLessThan(100);
  });

  test("does not wait for a response that never arrives", async (context) => {
    const { storage, proxy } = await proxied(context, { attempts: 2, requestTimeoutMs: 300 });
    proxy.plan =
      () =>
      async ({ read }) =>
        void (await read());
    const read = storage.read(file("a.docx"));
    await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: true });
    await expect(read).rejects.toThrow(/did not answer in time \(RequestTimeout\)/);
  });

  test("does not happen for permanent errors", async (context) => {
    const { storage, proxy } = await proxied(context);
    proxy.plan = () => faults.answer(400, "InvalidRequest");
    const read = storage.read(file("a.docx"));
    await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: false });
    expect(proxy.seen).toHaveLength(1);
  });
});

/** Creates a storage behind a proxy, and a separate folder. */
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

/** Whether a request writes an object, other than one that tests the server. */
function isPut({ method, url }: Seen): boolean {
  return method === "PUT" && !url.pathname.includes(".quire-probe-");
}

async function namesIn(
  storage: ReturnType<typeof s3Storage>,
  folder: typeof OUT | { readonly type: "folder"; readonly id: string },
): Promise<string[]> {
  return (await storage.list(folder)).entries.map(({ name }) => name);
}
