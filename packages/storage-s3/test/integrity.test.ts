import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type S3StorageOptions, s3Storage } from "../src/index.ts";
import { type Exchange, faultProxy, faults } from "./support/fault-proxy.ts";
import {
  clientFor,
  makePlace,
  type Place,
  pattern,
  START_TIMEOUT_MS,
  sha256,
  text,
} from "./support/place.ts";

const MB = 1024 * 1024;
let place: Place;

beforeAll(async () => {
  place = await makePlace("versioned");
}, START_TIMEOUT_MS);

describe("s3Storage: the checksums of requests", () => {
  test("are the signed SHA-256, the SHA-256 in the metadata, and CRC32 where S3 supports it", async () => {
    const { bodies, storage, folder } = await checking({ checksums: "when_supported" });
    await storage.create(folder, "a.docx", text("one"));
    await storage.create(folder, "b.docx", pattern(9 * MB, 1));
    // At least two requests that test the server, one for the whole object, and two for parts.
    expect(bodies.length).toBeGreaterThanOrEqual(5);
    for (const { headers, body } of bodies) {
      expect(headers["x-amz-content-sha256"]).toBe(sha256(body));
      expect(headers["x-amz-checksum-crc32"]).toBe(base64Crc32(body));
      expect(headers["content-length"]).toBe(String(body.length));
      // Not chunked with a trailing checksum: some servers store the chunks as the object.
      expect(headers["content-encoding"]).toBeUndefined();
      expect(headers["x-amz-trailer"]).toBeUndefined();
    }
  });

  test("are by default only those that every server supports, if an endpoint is set", async () => {
    const { bodies, storage, folder } = await checking({});
    await storage.create(folder, "a.docx", text("one"));
    expect(bodies.length).toBeGreaterThan(0);
    for (const { headers, body } of bodies) {
      expect(headers["x-amz-content-sha256"]).toBe(sha256(body));
      expect(Object.keys(headers).filter((name) => /checksum|trailer/.test(name))).toEqual([]);
    }
  });

  test("are stored with the object, together with the id of the write", async () => {
    const { bodies, storage, folder } = await checking({});
    await storage.create(folder, "letter.docx", text("one"));
    await storage.create(folder, "letter.PDF", text("one"));
    const [docx, pdf] = bodies.slice(-2).map(({ headers }) => headers);
    for (const headers of [docx, pdf]) {
      expect(headers?.["x-amz-meta-quire-sha256"]).toBe(sha256(text("one")));
    }
    const ids = [docx, pdf].map((headers) => headers?.["x-amz-meta-quire-write-id"]);
    expect(new Set(ids).size).toBe(2);
    expect(docx?.["content-type"]).toMatch(/wordprocessingml\.document$/);
    expect(pdf?.["content-type"]).toBe("application/pdf");
  });
});

describe("s3Storage: the checksums of responses", () => {
  test("detect an object that another program changed without changing the metadata", async () => {
    const { storage, folder } = await checking({ attempts: 2 });
    const { ref } = await storage.create(folder, "a.docx", text("one"));
    const Metadata = { "quire-sha256": sha256(text("one")) };
    const input = { Bucket: place.bucket, Key: ref.id, Body: text("two"), Metadata };
    await place.client.send(new PutObjectCommand(input));
    const read = storage.read(ref);
    await expect(read).rejects.toMatchObject({ code: "storage_failed" });
    await expect(read).rejects.toThrow(/not the bytes that were written .+ another program .+\.$/);
  });

  test("do not replace the check of the length that the server announced", async () => {
    const Key = `${randomUUID()}.docx`;
    await place.client.send(new PutObjectCommand({ Bucket: place.bucket, Key, Body: "one two" }));
    const client = clientFor(place.options);
    onTestFinished(() => client.destroy());
    client.middlewareStack.add(
      (next) => async (args) => {
        const answer = await next(args);
        Object(answer.output).Body = Readable.from([text("one")]);
        return answer;
      },
      { step: "initialize" },
    );
    const read = s3Storage({ client, bucket: place.bucket, attempts: 2 }).read({
      type: "file",
      id: Key,
    });
    await expect(read).rejects.toMatchObject({ code: "storage_failed", retryable: true });
    await expect(read).rejects.toThrow(
      /was cut off, or its bytes are not the bytes that were written/,
    );
  });

  test("include CRC32 where the server sends it, even for objects of other programs", async () => {
    const Key = `${randomUUID()}.docx`;
    const Body = pattern(1000, 1);
    await place.client.send(new PutObjectCommand({ Bucket: place.bucket, Key, Body }));
    const crc = { "x-amz-checksum-crc32": base64Crc32(Body) };
    const summed = async ({ forward, reply }: Exchange, damaged: boolean) => {
      const answer = await forward();
      const body = Buffer.from(answer.body);
      if (damaged) body.reverse();
      reply({ ...answer, headers: { ...answer.headers, ...crc }, body });
    };
    const proxy = await faultProxy(place.options.endpoint);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const options = { ...place.options, endpoint: proxy.endpoint };
    const storage = s3Storage({ ...options, checksums: "when_supported" });
    let damaged = 0;
    proxy.plan = () => (exchange) => {
      damaged += 1;
      return summed(exchange, damaged <= 2);
    };
    const { bytes } = await storage.read({ type: "file", id: Key });
    expect(Buffer.compare(bytes, Body)).toBe(0);
    expect(damaged).toBe(3);
  });
});

/** Creates a storage, and a list of all bodies that it sends. */
async function checking(options: Partial<S3StorageOptions>) {
  const bodies: { headers: Exchange["seen"]["headers"]; body: Buffer }[] = [];
  const proxy = await faultProxy(place.options.endpoint, ({ method }) => async (exchange) => {
    const body = await exchange.read();
    if (method === "PUT") bodies.push({ headers: exchange.seen.headers, body });
    await faults.none(exchange);
  });
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  const storage = s3Storage({ ...place.options, ...options, endpoint: proxy.endpoint });
  return { bodies, storage, folder: { type: "folder", id: randomUUID() } as const };
}

function base64Crc32(bytes: Uint8Array): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum.toString("base64");
}
