/** Tests hostile clients of a running service, which responds, needs little memory, and serves other clients. */
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePlace, type Place, until } from "./cli.ts";
import { docx } from "./docx.ts";
import { head, peakMb, statusesIn, type Wire, wire } from "./raw.ts";
import { type ServiceProcess, serveProcess, TOKEN } from "./serve.ts";

const AUTH = { authorization: `Bearer ${TOKEN}`, "service-version": "2025.0" };
const JSON_BODY = { ...AUTH, "content-type": "application/json" };
const BATCHES = "POST /2.0/docgen_batches";
const UPLOAD = "POST /2.0/files/content";
const MB = 1024 * 1024;
const GB = 1024 * MB;
/** A Node process grows while it works, but a body of 1 GB in memory still exceeds this. */
const FEW_MB = 250;
/** More than the maximum number of concurrent requests. */
const SLOW_CLIENTS = 80;

/** The extent of a test of hostile clients. */
interface Extent {
  /** The decompressed size of a compressed body. */
  readonly unpackedBytes: number;
  /** Whether to wait half a minute until slow clients are disconnected. */
  readonly isPatient: boolean;
}

/** Adds the tests of hostile clients, with one service. */
export function testHostileClients({ unpackedBytes, isPatient }: Extent): void {
  let place: Place;
  let service: ServiceProcess;
  const clean: (() => void | Promise<void>)[] = [];
  const slow: { head?: Wire; bodies: Wire[] } = { bodies: [] };

  beforeAll(async () => {
    place = await makePlace({}, (each) => clean.push(each));
    const owner = ["--user", "slow", "--enterprise", "slow", "--data", "data"];
    const { stdout } = await place.quire(["token", "create", ...owner]);
    service = await serveProcess(place, {
      args: ["--no-pdf", "--rate", "0", "--max-upload", String(MB)],
    });
    // These clients remain connected during all other tests.
    slow.head = await connect();
    await slow.head.write("GET /2.0/folders/0 HTTP/1.1\r\nhost: service\r\n");
    const headers = {
      ...JSON_BODY,
      authorization: `Bearer ${stdout.trim()}`,
      "content-length": "100",
    };
    for (let count = 0; count < SLOW_CLIENTS; count += 1) {
      const client = await connect();
      await client.write(`${head(BATCHES, headers)}{`);
      slow.bodies.push(client);
    }
  }, 90_000);

  afterAll(async () => {
    for (const each of clean.reverse()) await each();
  });

  function connect(): Promise<Wire> {
    return wire(service.port, (each) => clean.push(each));
  }

  /** Whether another client is served. */
  async function isServed(): Promise<boolean> {
    return (await service.ask("/2.0/folders/0")).status === 200;
  }

  /** Sends chunks until the service stops reading them. */
  async function pour(
    first: string,
    chunk: string | Uint8Array,
  ): Promise<{ readonly sent: number; readonly status: number | undefined }> {
    const { write, text, closed } = await connect();
    await write(first);
    let sent = 0;
    while (sent < GB && (await write(chunk))) {
      sent += chunk.length;
      // Gives the socket time to read the response.
      await sleep(0);
    }
    await closed();
    return { sent, status: statusesIn(text())[0] };
  }

  /** Compresses this number of zeros. */
  async function zip(bytes: number): Promise<Buffer> {
    const gzip = createGzip({ level: 9 });
    const chunks: Buffer[] = [];
    gzip.on("data", (chunk: Buffer) => chunks.push(chunk));
    const zeros = new Uint8Array(16 * MB);
    for (let written = 0; written < bytes; written += zeros.length) {
      if (!gzip.write(zeros)) await once(gzip, "drain");
    }
    gzip.end();
    await once(gzip, "end");
    return Buffer.concat(chunks);
  }

  describe("A body", () => {
    test.skipIf(process.platform !== "linux")(
      "of a gigabyte is rejected, whether it is declared, endless or compressed, while others are served",
      async () => {
        expect(await isServed()).toBe(true);
        const { pid } = service.process;
        const before = peakMb(pid);
        const zeros = new Uint8Array(MB);
        const chunk = Buffer.concat([Buffer.from("100000\r\n"), zeros, Buffer.from("\r\n")]);
        const said = { ...JSON_BODY, "content-length": String(GB) };
        const unsaid = { ...JSON_BODY, "transfer-encoding": "chunked" };
        const part = [
          "--xx\r\ncontent-disposition: form-data; name=attributes\r\n\r\n",
          '{"name":"large.docx","parent":{"id":"0"}}\r\n',
          "--xx\r\ncontent-disposition: form-data; name=file; filename=large.docx\r\n\r\n",
        ].join("");
        const form = { ...unsaid, "content-type": "multipart/form-data; boundary=xx" };
        const upload = `${head(UPLOAD, form)}${part.length.toString(16)}\r\n${part}\r\n`;
        const stranger = { ...said, authorization: "Bearer nobody-knows-this" };
        const pouring = Promise.all([
          pour(head(BATCHES, said), zeros),
          pour(head(BATCHES, unsaid), chunk),
          pour(upload, chunk),
          pour(head(BATCHES, stranger), zeros),
          pour(head("POST /nowhere", said), zeros),
          pour(head("GET /healthz", said), zeros),
        ]);
        let isOver = false;
        let others = 0;
        void pouring.finally(() => {
          isOver = true;
        });
        do {
          expect(await isServed()).toBe(true);
          others += 1;
        } while (!isOver);
        const poured = await pouring;
        expect(poured.map(({ status }) => status)).toEqual([413, 413, 413, 401, 404, 200]);
        // The limit covers the bytes that are read before the response and the bytes in system buffers.
        for (const { sent } of poured) expect(sent).toBeLessThan(GB / 4);
        expect(others).toBeGreaterThan(0);
        const bomb = await zip(unpackedBytes);
        expect(bomb.length).toBeLessThan(2 * MB);
        const { status } = await fetch(`${service.url}/2.0/docgen_batches`, {
          method: "POST",
          headers: { ...JSON_BODY, "content-encoding": "gzip" },
          body: new Uint8Array(bomb),
        });
        expect(status).toBe(413);
        expect(peakMb(pid) - before).toBeLessThan(FEW_MB);
      },
      120_000,
    );

    test("that is nested a million levels deep, or is not JSON, is rejected", async () => {
      const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
      const objects = '{"a":'.repeat(1_000_000);
      for (const body of [deep, objects, `{"document_generation_data":${deep}}`, "{", "\0", ""]) {
        const { status } = await fetch(`${service.url}/2.0/docgen_batches`, {
          method: "POST",
          headers: JSON_BODY,
          body,
        });
        expect([body.slice(0, 30), status]).toEqual([body.slice(0, 30), 400]);
      }
      expect(await isServed()).toBe(true);
    }, 60_000);
  });

  describe("A connection", () => {
    test("is closed after a 413, and the bytes after it are never read as a request", async () => {
      const client = await connect();
      const within = head("POST /2.0/folders", { ...JSON_BODY, "content-length": "38" });
      const folder = '{"name":"smuggled","parent":{"id":"0"}}';
      const length = String(GB);
      await client.write(head(BATCHES, { ...JSON_BODY, "content-length": length }));
      await client.write(`${within}${folder}`);
      expect(statusesIn(await client.closed())).toEqual([413]);
      const { body } = await service.ask("/2.0/folders/0/items");
      expect(body.entries.map(({ name }: { name: string }) => name)).not.toContain("smuggled");
    });

    test("with an ambiguous head is rejected", async () => {
      const [name, value] = ["authorization", `Bearer ${TOKEN}`];
      const ask = "GET /2.0/folders/0";
      const post = (...headers: string[]) =>
        head("POST /2.0/folders", [
          `${name}: ${value}`,
          "content-type: application/json",
          ...headers,
        ]);
      const cases: [string, number][] = [
        [post("content-length: 3", "content-length: 4"), 400],
        [post("content-length: 3", "transfer-encoding: chunked"), 400],
        [post("transfer-encoding: chunked", "transfer-encoding: identity"), 400],
        [post("transfer-encoding: chunked, identity"), 400],
        [post("transfer-encoding : chunked"), 400],
        [post("content-length: +3"), 400],
        [post("content-length: 0x3"), 400],
        [head(ask, [`${name}: ${value}`, "x: a\rb"]), 400],
        [head(ask, [`${name}: ${value}`, "x: a\0b"]), 400],
        [`${ask} HTTP/1.1\r\n\r\n`, 400],
        [head(ask, [`${name}: ${value}`, `x: ${"y".repeat(20_000)}`]), 431],
        // Two tokens authenticate nobody.
        [head(ask, [`${name}: ${value}`, `${name}: Bearer other-token`, "connection: close"]), 401],
        [head(ask, [`${name}: Bearer other-token`, `${name}: ${value}`, "connection: close"]), 401],
        [head(ask, [`${name}: ${value}`, "connection: close"]), 200],
      ];
      for (const [request, status] of cases) {
        const client = await connect();
        await client.write(request);
        const statuses = statusesIn(await client.closed());
        expect([request.slice(0, 300), statuses]).toEqual([request.slice(0, 300), [status]]);
      }
    }, 60_000);

    test("that does nothing does not affect others, even if there are two thousand", async () => {
      const idle: Wire[] = [];
      for (let group = 0; group < 20; group += 1) {
        idle.push(...(await Promise.all(Array.from({ length: 100 }, connect))));
      }
      expect(await isServed()).toBe(true);
      await idle[0]?.write(head("GET /healthz", { connection: "close" }));
      expect(statusesIn((await idle[0]?.closed()) ?? "")).toEqual([200]);
      for (const { socket } of idle) socket.destroy();
      expect(await isServed()).toBe(true);
    }, 60_000);
  });

  describe("An upload", () => {
    const stored = async () =>
      (await readdir(place.path("data", "files"), { recursive: true })).sort();

    test("that is too long or breaks off leaves nothing in the storage, and its name is free", async () => {
      await service.upload("first.docx", docx(["{{name}}"]));
      const before = await stored();
      await expect(service.upload("new.docx", new Uint8Array(MB + 1))).rejects.toThrow("413");
      expect(await stored()).toEqual(before);
      const client = await connect();
      const form = { ...AUTH, "content-type": "multipart/form-data; boundary=xx" };
      await client.write(head(UPLOAD, { ...form, "content-length": "900000" }));
      await client.write(
        [
          "--xx\r\ncontent-disposition: form-data; name=attributes\r\n\r\n",
          '{"name":"new.docx","parent":{"id":"0"}}\r\n',
          "--xx\r\ncontent-disposition: form-data; name=file; filename=new.docx\r\n\r\n",
          "x".repeat(500_000),
        ].join(""),
      );
      // The upload breaks off after half of its content.
      await until("it is being written", async () => (await stored()).length > before.length);
      client.socket.destroy();
      await until("its content was removed", async () => (await stored()).length === before.length);
      expect(await stored()).toEqual(before);
      expect(await service.upload("new.docx", docx(["{{name}}"]))).toMatch(/./);
      await expect(service.upload("new.docx", docx(["{{name}}"]))).rejects.toThrow("409");
      expect(await isServed()).toBe(true);
    }, 60_000);
  });

  // The short form does not register this test. A skipped test would look like a gap, but the long form runs it.
  if (!isPatient) return;
  test("Clients that send a head or a body drop by drop are disconnected, while others are served", async () => {
    expect(statusesIn((await slow.head?.closed()) ?? "")).toEqual([408]);
    const [first] = slow.bodies;
    expect(statusesIn((await first?.closed()) ?? "")).toEqual([408]);
    expect(await isServed()).toBe(true);
  }, 90_000);
}
