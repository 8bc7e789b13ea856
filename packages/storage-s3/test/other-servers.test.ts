import { randomUUID } from "node:crypto";
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { s3Storage } from "../src/index.ts";
import { type Fault, faultProxy, faults, type Plan } from "./support/fault-proxy.ts";
import {
  clientFor,
  keysIn,
  makePlace,
  type Place,
  pattern,
  START_TIMEOUT_MS,
  text,
  withoutCondition,
} from "./support/place.ts";

const MB = 1024 * 1024;
let place: Place;

beforeAll(async () => {
  place = await makePlace();
}, START_TIMEOUT_MS);

describe("s3Storage: a server that ignores If-None-Match", () => {
  test("is detected with an object that is then removed", async () => {
    const { storage, folder, requests } = ignoring();
    await storage.create(folder, "a.docx", text("one"));
    await storage.create(folder, "b.docx", text("two"));
    expect(requests.filter((name) => name === "HeadObject")).toHaveLength(4);
    expect(await keysIn(place, folder.id)).toEqual([`${folder.id}/a.docx`, `${folder.id}/b.docx`]);
    expect((await keysIn(place)).filter((key) => key.includes(".quire"))).toEqual([]);
  });

  test("overwrites no existing object", async () => {
    const { storage, folder } = ignoring();
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    for (const bytes of [text("two"), pattern(9 * MB, 1)]) {
      await expect(storage.create(folder, "a.docx", bytes)).rejects.toMatchObject({
        code: "conflict",
      });
    }
    expect((await storage.read(ref)).bytes).toEqual(text("one"));
  });

  test("receives a large file in parts", async () => {
    const { storage, folder, requests } = ignoring();
    const bytes = pattern(9 * MB, 1);
    const info = await storage.create(folder, "a.docx", bytes);
    expect(requests.filter((name) => name === "UploadPart")).toHaveLength(2);
    expect(await storage.stat(info.ref)).toEqual(info);
    expect(Buffer.compare((await storage.read(info.ref)).bytes, bytes)).toBe(0);
  });

  test("lets a writer detect that it was overwritten immediately", async () => {
    const { client, storage, folder } = ignoring();
    const Key = `${folder.id}/a.docx`;
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const output = await next(args);
          const input = { Bucket: place.bucket, Key, Body: text("two") };
          const ours = commandName === "PutObjectCommand" && Object(args.input).Key === Key;
          if (ours) await place.client.send(new PutObjectCommand(input));
          return output;
        },
      { step: "initialize" },
    );
    const created = storage.create(folder, "a.docx", text("one"));
    await expect(created).rejects.toMatchObject({ code: "conflict" });
    expect((await storage.read({ type: "file", id: Key })).bytes).toEqual(text("two"));
  });
});

describe("s3Storage: a server that", () => {
  test.for([400, 501])(
    "rejects If-None-Match with status %i gets requests without it",
    async (status) => {
      const { storage, folder } = await behind(({ headers }) =>
        headers["if-none-match"] === undefined ? null : faults.answer(status, "NotImplemented"),
      );
      const info = await storage.create(folder, "a.docx", text("one"));
      expect(await storage.stat(info.ref)).toEqual(info);
      const again = storage.create(folder, "a.docx", text("two"));
      await expect(again).rejects.toMatchObject({ code: "conflict" });
    },
  );

  test.for([
    ["answers 501 to ?versions", faults.answer(501, "NotImplemented")],
    ["answers 405 to ?versions", faults.answer(405, "MethodNotAllowed")],
    ["ignores ?versions", listsWithoutVersions],
  ] as const)("%s removes the object itself", async ([, fault]) => {
    const { storage, folder } = await behind(({ url }) =>
      url.searchParams.has("versions") ? fault : null,
    );
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    await storage.remove(ref);
    await storage.remove(ref);
    expect(await storage.stat(ref)).toBeNull();
    expect((await keysIn(place)).filter((key) => key.includes(".quire"))).toEqual([]);
  });

  test.for(["plain", "versioned"] as const)(
    "reports deletions that it ignores does not count as having removed the file (%s)",
    async (kind) => {
      const there = await makePlace(kind);
      const ignore: Fault = ({ reply }) =>
        reply({ status: 204, headers: {}, body: Buffer.alloc(0) });
      const { storage, folder } = await behind(
        ({ method }) => (method === "DELETE" ? ignore : null),
        there,
      );
      const { ref } = await storage.create(folder, "a.docx", text("one"));
      await expect(storage.remove(ref)).rejects.toMatchObject({
        code: "storage_failed",
        retryable: false,
        message: expect.stringContaining("still there"),
      });
    },
  );

  test("ignores ?versionId in deletions does not count as having removed the versions", async () => {
    const there = await makePlace("versioned");
    const plainly: Fault = async ({ seen, reply }) => {
      const Key = decodeURIComponent(seen.url.pathname.slice(`/${there.bucket}/`.length));
      await there.client.send(new DeleteObjectCommand({ Bucket: there.bucket, Key }));
      reply({ status: 204, headers: {}, body: Buffer.alloc(0) });
    };
    const { storage, folder } = await behind(
      ({ method, url }) =>
        method === "DELETE" && url.searchParams.has("versionId") ? plainly : null,
      there,
    );
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    await expect(storage.remove(ref)).rejects.toMatchObject({ code: "storage_failed" });
  });

  test("lets another writer create the file during its removal does not fail the removal", async () => {
    const { storage, folder } = await behind(({ method, url }) =>
      method === "DELETE" && url.pathname.endsWith("/a.docx") ? recreate : null,
    );
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    const recreate: Fault = async ({ forward, reply }) => {
      const answer = await forward();
      await s3Storage(place.options).create(folder, "a.docx", text("one"));
      reply(answer);
    };
    await storage.remove(ref);
    expect(await storage.stat(ref)).toMatchObject({ size: 3 });
  });

  test("rejects a version id as malformed does not have that version", async () => {
    const { storage, folder } = await behind(({ url }) =>
      url.searchParams.has("versionId") ? faults.answer(400, "InvalidArgument") : null,
    );
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    const read = storage.read(ref, { version: "no-such-version" });
    await expect(read).rejects.toMatchObject({ code: "not_found" });
  });

  test("ignores version ids is not trusted to return the requested version", async () => {
    const current = { status: 200, headers: {}, body: Buffer.from("one") };
    const { storage, folder } = await behind(({ url }) =>
      url.searchParams.has("versionId") ? ({ reply }) => reply(current) : null,
    );
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    const read = storage.read(ref, { version: "no-such-version" });
    await expect(read).rejects.toMatchObject({ code: "not_found" });
  });

  test("forbids deletion still stores new files", async () => {
    const { storage, folder } = await behind(({ method }) =>
      method === "DELETE" ? faults.answer(403, "AccessDenied") : null,
    );
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    await expect(storage.remove(ref)).rejects.toMatchObject({ code: "storage_failed" });
    expect(await storage.stat(ref)).toMatchObject({ size: 3 });
  });

  test("could not be tested is tested again by the next create", async () => {
    let allowed = false;
    const { storage, folder } = await behind(() =>
      allowed ? null : faults.answer(403, "AccessDenied"),
    );
    const created = storage.create(folder, "a.docx", text("one"));
    await expect(created).rejects.toMatchObject({ code: "storage_failed", retryable: false });
    allowed = true;
    expect(await storage.create(folder, "a.docx", text("one"))).toMatchObject({ size: 3 });
  });

  test("is being tested stops an aborted create, but not the others that wait", async () => {
    const { storage, folder } = await behind(({ url }) =>
      url.pathname.includes(".quire-probe-") ? faults.slow(200) : null,
    );
    const signal = AbortSignal.timeout(100);
    const aborted = storage.create(folder, "a.docx", text("one"), { signal });
    const waiting = storage.create(folder, "b.docx", text("two"));
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    expect(await waiting).toMatchObject({ size: 3 });
    const { entries } = await storage.list(folder);
    expect(entries.map(({ name }) => name)).toEqual(["b.docx"]);
  });
});

function ignoring() {
  const commands = ["PutObjectCommand", "CompleteMultipartUploadCommand"];
  const client = withoutCondition(clientFor(place.options), ...commands);
  const requests: string[] = [];
  client.middlewareStack.add((next, { commandName = "" }) => (args) => {
    const key = String(Object(args.input).Key);
    if (!key.includes(".quire-probe-")) requests.push(commandName.replace("Command", ""));
    return next(args);
  });
  onTestFinished(() => client.destroy());
  return { ...stored(client), client, requests };
}

function stored(client: S3Client) {
  const storage = s3Storage({ client, bucket: place.bucket });
  return { storage, folder: { type: "folder", id: randomUUID() } as const };
}

/** Answers a request for versions with a listing of objects, which has no versions. */
const listsWithoutVersions: Fault = ({ reply }) =>
  reply({
    status: 200,
    headers: { "content-type": "application/xml" },
    body: Buffer.from("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"),
  });

async function behind(plan: Plan, at: Place = place) {
  const proxy = await faultProxy(at.options.endpoint, plan);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const storage = s3Storage({ ...at.options, endpoint: proxy.endpoint });
  return { proxy, storage, folder: { type: "folder", id: randomUUID() } as const };
}
