import { randomUUID } from "node:crypto";
import {
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { s3Storage } from "../src/index.ts";
import { faultProxy } from "./support/fault-proxy.ts";
import {
  clientFor,
  file,
  keysIn,
  makePlace,
  OUT,
  type Place,
  pattern,
  START_TIMEOUT_MS,
  sha256,
  text,
} from "./support/place.ts";

const ROOT = { type: "folder", id: "." } as const;
let place: Place;

beforeAll(async () => {
  place = await makePlace();
}, START_TIMEOUT_MS);

/** Writes an object as another program does. */
async function put(key: string, content: string, { client, bucket } = place): Promise<void> {
  const input = { Bucket: bucket, Key: key, Body: text(content) };
  await client.send(new PutObjectCommand(input));
}

/** Creates a storage over an unused prefix of the bucket. */
function fresh({ options } = place) {
  const prefix = randomUUID();
  return { prefix, storage: s3Storage({ ...options, prefix }) };
}

describe("s3Storage: ids", () => {
  test("rejects ids that are not normalized paths below the prefix", async () => {
    const { storage } = fresh();
    const ids = ["/a", "a/", "out//a", "./a", "out/../a", "out\\a", "\\a", "a\0", "a\ud800", "//"];
    for (const id of ids) {
      await expect(storage.read(file(id)), id).rejects.toMatchObject({ code: "forbidden" });
    }
  });

  test("are keys below the prefix, character by character", async () => {
    const { storage, prefix } = fresh();
    const names = ["a+b c%41 & 'd'=;@$,!(~)#.docx", "..a..b", "請求書 📄.docx"];
    for (const name of names) {
      const { ref } = await storage.create(OUT, name, text(name));
      expect(await storage.read(ref)).toMatchObject({ name, bytes: text(name) });
    }
    const keys = await keysIn(place, prefix);
    expect(keys.sort()).toEqual(names.map((name) => `${prefix}/out/${name}`).sort());
    for (const name of names) await storage.remove(file(`out/${name}`));
    expect((await storage.list(OUT)).entries).toEqual([]);
  });

  test("never lead out of the prefix", async () => {
    const { storage, prefix } = fresh();
    await put(`${prefix}-beside/a.docx`, "one");
    await put(`${prefix}x`, "two");
    expect((await storage.list(ROOT)).entries).toEqual([]);
    expect(await storage.stat(file("a.docx"))).toBeNull();
  });

  test("cover the whole bucket without a prefix", async () => {
    const own = await makePlace();
    const storage = s3Storage(own.options);
    const { ref } = await storage.create(ROOT, "a.docx", text("one"));
    expect(ref.id).toBe("a.docx");
    expect(await keysIn(own)).toEqual(["a.docx"]);
    expect(await storage.list(ROOT)).toMatchObject({ entries: [{ ref, name: "a.docx" }] });
    await expect(storage.read(file("."))).rejects.toMatchObject({ code: "not_found" });
  });

  test("that are too long for S3 name no file, and no file is created there", async () => {
    const { storage } = fresh();
    const long = `${"x".repeat(999)}/a.docx`;
    expect(await storage.stat(file(long))).toBeNull();
    await expect(storage.read(file(long))).rejects.toMatchObject({ code: "not_found" });
    const folder = { type: "folder", id: "ü".repeat(491) } as const;
    expect(await storage.list(folder)).toEqual({ entries: [], nextMarker: null });
    const created = storage.create(folder, "a.docx", text("one"));
    await expect(created).rejects.toMatchObject({ code: "storage_failed", retryable: false });
    await expect(created).rejects.toThrow(
      /key would be 1026 bytes long, but S3 allows at most 1024\. .+\.$/,
    );
  });

  test("are quoted in messages, but no data", async () => {
    const read = fresh().storage.read(file("out/gone.docx"));
    await expect(read).rejects.toThrow(/^There is no file "out\/gone\.docx" below .+\. .+\.$/);
  });
});

describe("s3Storage: listing", () => {
  test("treats prefixes of keys as folders, even next to a file of the same name", async () => {
    const { storage, prefix } = fresh();
    for (const key of ["a", "a/1", "a/2/3", "a!", "b/1"]) await put(`${prefix}/${key}`, key);
    const names = [
      ["file", "a"],
      ["file", "a!"],
      ["folder", "a"],
      ["folder", "b"],
    ];
    for (const limit of [1, 2, 3, 4, 5]) {
      const found: string[][] = [];
      let marker: string | undefined;
      do {
        const page = await storage.list(ROOT, { limit, ...(marker ? { marker } : {}) });
        expect(page.entries.length).toBe(Math.min(limit, names.length - found.length));
        found.push(...page.entries.map(({ ref, name }) => [ref.type, name]));
        marker = page.nextMarker ?? undefined;
      } while (marker !== undefined);
      expect(found).toEqual(names);
    }
  });

  test("sorts by the bytes of the keys, in any order of creation", async () => {
    const { storage } = fresh();
    for (const name of ["b", "ﬂ", "📄", "ä", "10", "a", "Z", "9"]) {
      await storage.create(OUT, name, text(""));
    }
    const { entries } = await storage.list(OUT);
    expect(entries.map(({ name }) => name)).toEqual(["10", "9", "Z", "a", "b", "ä", "ﬂ", "📄"]);
  });

  test("skips keys that are not valid ids, and still fills its pages", async () => {
    const { storage, prefix } = fresh();
    const hidden = ["", "/x", "../x", "./x", "a\\b", ".quire-probe-1", "a//b"];
    for (const key of [...hidden, "\u0001", "b", "c"]) await put(`${prefix}/${key}`, "one");
    const names = ["\u0001", "a", "b", "c"];
    const page = await storage.list(ROOT, { limit: 3 });
    expect(page.entries.map(({ name }) => name)).toEqual(names.slice(0, 3));
    const { entries } = await storage.list(ROOT, { limit: 3, marker: page.nextMarker ?? "" });
    expect(entries.map(({ name }) => name)).toEqual(names.slice(3));
    expect((await storage.list(ROOT)).entries.map(({ ref }) => ref.id)).toEqual(names);
  });

  test("returns a folder once, even if a server repeats it on the next page", async () => {
    const own = await makePlace();
    const keys = [
      "<CommonPrefixes><Prefix>a/</Prefix></CommonPrefixes>",
      "<Contents><Key>b</Key></Contents>",
    ];
    const content = `<ListBucketResult><IsTruncated>false</IsTruncated>${keys.join("")}</ListBucketResult>`;
    const again = { status: 200, headers: {}, body: Buffer.from(content) };
    const proxy = await faultProxy(own.options.endpoint, ({ url }) =>
      url.searchParams.has("start-after") ? ({ reply }) => reply(again) : null,
    );
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const storage = s3Storage({ ...own.options, endpoint: proxy.endpoint });
    for (const key of ["a/1", "b"]) await put(key, key, own);
    const first = await storage.list(ROOT, { limit: 1 });
    expect(first.entries.map(({ name }) => name)).toEqual(["a"]);
    const rest = await storage.list(ROOT, { limit: 1, marker: first.nextMarker ?? "" });
    expect(rest).toMatchObject({ entries: [{ name: "b" }], nextMarker: null });
  });

  test("returns more entries than S3 returns in one response", async () => {
    const { storage, prefix } = fresh();
    const names = Array.from({ length: 1005 }, (_, index) => `${1000 + index}`);
    for (let at = 0; at < names.length; at += 50) {
      await Promise.all(names.slice(at, at + 50).map((name) => put(`${prefix}/${name}`, "")));
    }
    const all = await storage.list(ROOT, { limit: 2000 });
    expect(all.entries.map(({ name }) => name)).toEqual(names);
    expect(all.nextMarker).toBeNull();
    const first = await storage.list(ROOT);
    expect(first.entries).toEqual(all.entries.slice(0, 1000));
    const rest = await storage.list(ROOT, { marker: first.nextMarker ?? "" });
    expect(rest).toEqual({ entries: all.entries.slice(1000), nextMarker: null });
  });

  test("continues after files were created and removed", async () => {
    const { storage } = fresh();
    for (const name of ["b", "d", "f"]) await storage.create(OUT, name, text(""));
    const { nextMarker } = await storage.list(OUT, { limit: 2 });
    await storage.remove(file("out/d"));
    await storage.create(OUT, "a", text(""));
    await storage.create(OUT, "e", text(""));
    const rest = await storage.list(OUT, { marker: nextMarker ?? "" });
    expect(rest.entries.map(({ name }) => name)).toEqual(["e", "f"]);
  });

  test("rejects invalid markers and limits", async () => {
    const { storage } = fresh();
    for (const page of [{ marker: "!" }, { marker: "" }, { limit: 0 }, { limit: Number.NaN }]) {
      await expect(storage.list(OUT, page)).rejects.toMatchObject({ code: "invalid_request" });
    }
  });
});

describe("s3Storage: objects that other programs wrote", () => {
  test("are read, with the SHA-256 of their bytes as version", async () => {
    const { storage, prefix } = fresh();
    await put(`${prefix}/a.docx`, "one");
    const version = sha256(text("one"));
    const info = { ref: file("a.docx"), version, name: "a.docx", size: 3 };
    expect(await storage.stat(file("a.docx"))).toEqual(info);
    const read = await storage.read(file("a.docx"), { version });
    expect(read).toEqual({ ...info, sha256: version, bytes: text("one") });
    await put(`${prefix}/a.docx`, "two");
    const old = storage.read(file("a.docx"), { version });
    await expect(old).rejects.toMatchObject({ code: "not_found" });
    await expect(storage.create(ROOT, "a.docx", text(""))).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test("are returned as bytes that do not share memory", async () => {
    const { storage, prefix } = fresh();
    await put(`${prefix}/a.docx`, "one");
    const { bytes } = await storage.read(file("a.docx"));
    expect(bytes.buffer.byteLength).toBe(3);
    expect(Buffer.isBuffer(bytes)).toBe(false);
  });
});

describe("s3Storage: a bucket with versions", () => {
  let versioned: Place;

  beforeAll(async () => {
    versioned = await makePlace("versioned");
  }, START_TIMEOUT_MS);

  test("creates a file whose name is a prefix of another name", async () => {
    const { storage } = fresh(versioned);
    for (const name of ["a.docx", "a"]) {
      expect(await storage.create(ROOT, name, text(name))).toMatchObject({ name });
    }
    await storage.remove(file("a"));
    expect((await storage.list(ROOT)).entries.map(({ name }) => name)).toEqual(["a.docx"]);
  });

  test("returns every earlier version by its id", async () => {
    const { storage, prefix } = fresh(versioned);
    const first = await storage.create(ROOT, "a.docx", text("one"));
    await put(`${prefix}/a.docx`, "two", versioned);
    const second = await storage.stat(first.ref);
    expect(second?.version).not.toBe(first.version);
    expect((await storage.read(first.ref)).bytes).toEqual(text("two"));
    for (const [version, content] of [
      [first.version, "one"],
      [second?.version, "two"],
    ] as const) {
      const read = await storage.read(first.ref, version ? { version } : {});
      expect(read).toMatchObject({ version, bytes: text(content), sha256: sha256(text(content)) });
    }
  });

  test("hides a file whose newest version is a delete marker, but returns its earlier versions", async () => {
    const { storage, prefix } = fresh(versioned);
    const { ref, version } = await storage.create(ROOT, "a.docx", text("one"));
    const input = { Bucket: versioned.bucket, Key: `${prefix}/a.docx` };
    const { VersionId = "" } = await versioned.client.send(new DeleteObjectCommand(input));
    expect(await storage.stat(ref)).toBeNull();
    expect((await storage.list(ROOT)).entries).toEqual([]);
    expect((await storage.read(ref, { version })).bytes).toEqual(text("one"));
    for (const gone of [VersionId, "null", "", "x".repeat(5000), sha256(text("one"))]) {
      const read = storage.read(ref, { version: gone });
      await expect(read).rejects.toMatchObject({ code: "not_found" });
    }
    const second = await storage.create(ROOT, "a.docx", text("two"));
    expect(await storage.stat(ref)).toEqual(second);
    expect((await storage.read(ref)).bytes).toEqual(text("two"));
  });

  test("keeps no version of a removed file, and all versions of keys with the same beginning", async () => {
    const { storage, prefix } = fresh(versioned);
    for (const content of ["one", "two", "three"]) await put(`${prefix}/a`, content, versioned);
    await versioned.client.send(
      new DeleteObjectCommand({ Bucket: versioned.bucket, Key: `${prefix}/a` }),
    );
    await put(`${prefix}/a`, "four", versioned);
    for (const key of ["a b", "a/b", "a"]) await put(`${prefix}/x${key}`, key, versioned);
    await put(`${prefix}/a.docx`, "beside", versioned);
    await storage.remove(file("a"));
    const left = await versionedKeys(versioned, `${prefix}/`);
    expect(left).toEqual(["a.docx", "xa", "xa b", "xa/b"].map((key) => `${prefix}/${key}`));
  });

  test("keeps no object that tested the server", async () => {
    const { storage, prefix } = fresh(versioned);
    await storage.create(ROOT, "a.docx", text("one"));
    await storage.create(ROOT, "b.docx", pattern(9 * 1024 * 1024, 1));
    const left = await versionedKeys(versioned, `${prefix}/`);
    expect(left).toEqual([`${prefix}/a.docx`, `${prefix}/b.docx`]);
  });

  test("may have had versions disabled before, and may disable them again", async () => {
    const own = await makePlace();
    const storage = s3Storage(own.options);
    const before = await storage.create(ROOT, "before", text("one"));
    const bytes = sha256(text("one"));
    expect(before.version).toBe(bytes);
    for (const Status of ["Enabled", "Suspended"] as const) {
      const input = { Bucket: own.bucket, VersioningConfiguration: { Status } };
      await own.client.send(new PutBucketVersioningCommand(input));
      expect(await storage.stat(before.ref)).toEqual(before);
      expect(await storage.read(before.ref, { version: bytes })).toMatchObject(before);
      const { version } = await s3Storage(own.options).create(ROOT, Status, text("one"));
      if (Status === "Enabled") expect(version).not.toBe(bytes);
      else expect(version).toBe(bytes);
    }
    await storage.remove(before.ref);
    expect(await storage.stat(before.ref)).toBeNull();
  });
});

describe("s3Storage: errors", () => {
  test("mention the credentials when the secret is wrong, but never the secret", async () => {
    const { credentials, ...options } = place.options;
    const accessKeyId = "accessKeyId" in Object(credentials) ? Object(credentials).accessKeyId : "";
    const wrong = { accessKeyId, secretAccessKey: "such-a-secret" };
    const storage = s3Storage({ ...options, credentials: wrong });
    for (const call of [
      () => storage.read(file("a.docx")),
      () => storage.create(ROOT, "a.docx", text("one")),
      () => storage.list(ROOT),
    ]) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: "storage_failed",
        retryable: false,
        message: expect.stringMatching(
          /does not accept the credentials \(SignatureDoesNotMatch, status 403\)\. Check .+\.$/,
        ),
      });
      expect(String(error)).not.toContain("such-a-secret");
    }
    await expect(storage.stat(file("a"))).rejects.toThrow(/denies access .+ Check the credentials/);
  });

  test("name a bucket that does not exist", async () => {
    const storage = s3Storage({ ...place.options, bucket: "no-such-bucket" });
    for (const call of [
      () => storage.read(file("a.docx")),
      () => storage.stat(file("a.docx")),
      () => storage.create(ROOT, "a.docx", text("one")),
      () => storage.list(ROOT),
      () => storage.remove(file("a.docx")),
    ]) {
      const failed = { code: "storage_failed", retryable: false };
      await expect(call()).rejects.toMatchObject(failed);
      await expect(call()).rejects.toThrow(
        /the bucket "no-such-bucket" does not exist .+ Create it, .+\.$/,
      );
    }
  });

  test("mention a server that cannot be reached", async () => {
    const proxy = await faultProxy(place.options.endpoint);
    await proxy[Symbol.asyncDispose]();
    const storage = s3Storage({ ...place.options, endpoint: proxy.endpoint, attempts: 2 });
    const created = storage.create(ROOT, "a.docx", text("one"));
    await expect(created).rejects.toMatchObject({ code: "storage_failed", retryable: true });
    await expect(created).rejects.toThrow(
      /cannot be reached \(ECONNREFUSED\)\. Check the endpoint, .+\.$/,
    );
    await expect(created).rejects.not.toThrow(/may still have succeeded/);
  });

  test("mention missing credentials", async () => {
    const { credentials: _credentials, ...options } = place.options;
    const none = async () => {
      throw Object.assign(new Error("none here"), { name: "CredentialsProviderError" });
    };
    const storage = s3Storage({ ...options, credentials: none });
    const read = storage.read(file("a.docx"));
    await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: false });
    await expect(read).rejects.toThrow(
      /no credentials were found .+ Pass credentials to s3Storage, .+\.$/,
    );
  });
});

describe("s3Storage: its options", () => {
  test("must be valid", () => {
    const client = clientFor(place.options);
    const { bucket } = place;
    const wrong: [Parameters<typeof s3Storage>[0], RegExp][] = [
      [{ bucket: "" }, /the bucket has no name/],
      [{} as { bucket: string }, /the bucket has no name/],
      [
        { bucket, prefx: "a" } as { bucket: string },
        /no option "prefx" \(did you mean "prefix"\?\)/,
      ],
      [{ bucket, checksums: "never" as "when_required" }, /checksums cannot be "never"/],
      [{ bucket, prefix: "/a" }, /prefix "\/a" is an absolute path/],
      [{ bucket, prefix: "a/../b" }, /has a segment "\.\."/],
      [{ bucket, attempts: 0 }, /attempts/],
      [{ bucket, requestTimeoutMs: -1 }, /requestTimeoutMs/],
      [{ bucket, totalTimeoutMs: Number.NaN }, /totalTimeoutMs/],
      [{ bucket, client, region: "us-east-1", checksums: "when_required" }, /region, checksums/],
    ];
    for (const [options, message] of wrong) {
      expect(() => s3Storage(options)).toThrow(message);
      expect(() => s3Storage(options)).toThrow(
        expect.objectContaining({ code: "invalid_request" }),
      );
    }
  });

  test("without a region are reported with the variable to set", async () => {
    for (const name of ["AWS_REGION", "AWS_DEFAULT_REGION"]) vi.stubEnv(name, undefined);
    for (const name of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(name, "/no");
    onTestFinished(() => void vi.unstubAllEnvs());
    const credentials = { accessKeyId: "a", secretAccessKey: "b" };
    const storage = s3Storage({ bucket: "letters", credentials });
    await expect(storage.list(OUT, { limit: 1 })).rejects.toThrow(
      /no region is configured\. Pass the region .+ or set AWS_REGION\./,
    );
  });

  test("may include a client, which still works after the storage is discarded", async () => {
    const prefix = `${randomUUID()}/`;
    const client = clientFor(place.options);
    const storage = s3Storage({ client, bucket: place.bucket, prefix });
    const { ref } = await storage.create(OUT, "a.docx", text("one"));
    expect((await s3Storage({ ...place.options, prefix }).read(ref)).bytes).toEqual(text("one"));
    client.destroy();
  });
});

async function versionedKeys({ client, bucket }: Place, prefix: string): Promise<string[]> {
  const input = { Bucket: bucket, Prefix: prefix };
  const { Versions = [], DeleteMarkers = [] } = await client.send(
    new ListObjectVersionsCommand(input),
  );
  return [...Versions, ...DeleteMarkers].map(({ Key }) => Key ?? "");
}
