import { memoryJobStore } from "@quire/core";
import { describe, expect, test } from "vitest";
import { everythingOf, exchange, open, roundTrip, serve } from "../support/server.ts";
import {
  batchBody,
  entries,
  expectError,
  HELLO,
  memoryStores,
  TOKENS,
  testService,
  type Who,
} from "../support/service.ts";

const globals = [globalThis.Request, globalThis.Response, globalThis.Headers];

/** Returns a storage method that waits until `open` is called. */
function held<A extends unknown[], R>(method: (...args: A) => Promise<R>) {
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  return {
    open: () => gate.resolve(),
    get waiting() {
      return waiting;
    },
    method: async (...args: A): Promise<R> => {
      waiting += 1;
      await gate.promise;
      return method(...args);
    },
  };
}

describe("Requests of two tenants", () => {
  test("take turns: a tenant with hundreds of waiting requests does not block the other", async () => {
    const service = await testService({ limits: { requests: 1, requestsPerMinute: Infinity } });
    const files = {
      ann: await service.upload("a.docx", HELLO),
      eve: await service.upload("e.docx", HELLO, { who: "eve" }),
    };
    const { storage } = service;
    const read = held(storage.read.bind(storage));
    storage.read = read.method;
    const order: Who[] = [];
    const download = async (who: "ann" | "eve") => {
      const { status } = await service.ask(`/2.0/files/${files[who]}/content`, { who });
      expect(status).toBe(200);
      order.push(who);
    };
    const flood = Array.from({ length: 200 }, () => download("ann"));
    await expect.poll(() => read.waiting).toBe(1);
    const few = [download("eve"), download("eve"), download("eve")];
    await new Promise((resolve) => setTimeout(resolve, 20));
    read.open();
    await Promise.all([...flood, ...few]);
    expect(order).toHaveLength(203);
    expect(order.lastIndexOf("eve")).toBeLessThan(10);
  });

  test("above the limit are a 429 for their tenant, and a 503 when no further request can wait", async () => {
    const service = await testService({
      limits: { requests: 1, waitingPerTenant: 2, waiting: 3 },
      logger: { info() {}, warn() {}, error() {} },
    });
    const file = await service.upload("a.docx", HELLO);
    const { storage } = service;
    const read = held(storage.read.bind(storage));
    storage.read = read.method;
    const waiting = [service.ask(`/2.0/files/${file}/content`)];
    await expect.poll(() => read.waiting).toBe(1);
    waiting.push(service.ask("/2.0/folders/0"), service.ask("/2.0/folders/0"));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expectError(await service.ask("/2.0/folders/0"), 429, "too_many_requests");
    // Even at the limit, an invalid request gets its own error, and its connection ends.
    const headers = { "content-encoding": "zstd" };
    const wrong = await service.ask("/2.0/folders", { body: { name: "a" }, headers });
    expectError(wrong, 415, "bad_request");
    expect(wrong.headers.get("connection")).toBe("close");
    expect((await service.ask("/readyz")).status).toBe(200);
    waiting.push(service.ask("/2.0/folders/0", { who: "eve" }));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expectError(await service.ask("/2.0/folders/0", { who: "eve" }), 503, "unavailable");
    expectError(await service.ask("/readyz"), 503, "unavailable");
    expect((await service.ask("/healthz")).status).toBe(200);
    read.open();
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
    expect((await service.ask("/readyz")).status).toBe(200);
  });

  test("are not parsed before their turn, and never if they are rejected", async () => {
    const service = await testService({ limits: { requests: 1, waitingPerTenant: 0 } });
    const file = await service.upload("a.docx", HELLO);
    const { storage } = service;
    const read = held(storage.read.bind(storage));
    storage.read = read.method;
    const first = service.ask(`/2.0/files/${file}/content`);
    await expect.poll(() => read.waiting).toBe(1);
    const headers = { "content-type": "application/json" };
    const broken = { method: "POST", body: "[", headers };
    const send = () =>
      service.fetch("/2.0/folders", {
        raw: { ...broken, headers: { ...headers, authorization: `Bearer ${TOKENS.ann.token}` } },
      });
    expect((await send()).status).toBe(429);
    read.open();
    expect((await first).status).toBe(200);
    expect((await send()).status).toBe(400);
  });

  test("with long bodies are limited to one per tenant: the rest wait and block no others", async () => {
    const service = await testService();
    const long = { text: "x".repeat(600_000) };
    const { storage } = service;
    const read = held(storage.read.bind(storage));
    const send = async (who: "ann" | "eve", name: string, data: object) => {
      const file = await service.upload(`${name}.docx`, HELLO, { who });
      const body = batchBody(file, "0", [{ generated_file_name: name, user_input: data }]);
      return () => service.ask("/2.0/docgen_batches", { who, body });
    };
    const [first, second, short] = [
      await send("ann", "first", long),
      await send("ann", "second", long),
      await send("ann", "short", {}),
    ];
    const another = await send("eve", "another", long);
    storage.read = read.method;
    const answers = [first(), second()];
    await expect.poll(() => read.waiting).toBe(1);
    answers.push(short(), another());
    await expect.poll(() => read.waiting).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(read.waiting).toBe(3);
    read.open();
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(202);
  });

  test("count their templates as held: a tenant holds at most as much as is free, for any version that it names", async () => {
    const service = await testService({ limits: { heldBodyBytes: 3 * HELLO.length } });
    const file = await service.upload("a.docx", HELLO);
    const { body: uploaded } = await service.ask(`/2.0/files/${file}`);
    const theirs = await service.upload("e.docx", HELLO, { who: "eve" });
    const form = new FormData();
    form.append("attributes", "{}");
    form.append("file", new Blob(["x"]), "a.docx");
    const raw = { method: "POST", body: form };
    expect((await service.fetch(`/2.0/files/${file}/content`, { raw })).status).toBe(201);
    const version = { file_version: { id: uploaded.file_version.id } };
    const { storage } = service;
    const read = held(storage.read.bind(storage));
    storage.read = read.method;
    const send = (who: Who, id: string, more: object) =>
      service.ask("/2.0/docgen_batches", {
        who,
        body: { ...batchBody(id, "0", entries("a")), ...more },
      });
    const first = send("ann", file, version);
    await expect.poll(() => read.waiting).toBe(1);
    expectError(await send("ann", file, version), 429, "too_many_requests");
    const other = send("eve", theirs, {});
    await expect.poll(() => read.waiting).toBe(2);
    read.open();
    expect((await first).status).toBe(202);
    expect((await other).status).toBe(202);
    expect((await send("ann", file, version)).status).toBe(202);
  });

  test("above the limit per minute are a 429 with retry-after, for each user separately", async () => {
    const service = await testService({ limits: { requestsPerMinute: 5 } });
    for (let count = 0; count < 5; count += 1) {
      expect((await service.ask("/2.0/folders/0")).status).toBe(200);
    }
    const refused = await service.ask("/2.0/folders/0");
    expectError(refused, 429, "too_many_requests");
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(12);
    expect((await service.ask("/2.0/folders/0", { who: "bob" })).status).toBe(200);
    expect((await service.ask("/healthz")).status).toBe(200);
  });

  test("that cannot be stored are a 503 when the queue of jobs is full", async () => {
    const service = await testService({
      stores: { ...memoryStores(), jobs: memoryJobStore({ maxWaiting: 2 }) },
      logger: { info() {}, warn() {}, error() {} },
    });
    const file = await service.upload("a.docx", HELLO);
    const body = batchBody(file, "0", entries("a", "b", "c"));
    expectError(await service.ask("/2.0/docgen_batches", { body }), 503, "unavailable");
  });
});

/** Returns an upload that remains incomplete until `end` is called. */
function drip(name: string): { readonly raw: RequestInit; end(): void; isRead(): boolean } {
  const part = (head: string, content: string) =>
    `--xx\r\ncontent-disposition: form-data; ${head}\r\n\r\n${content}`;
  const attributes = JSON.stringify({ name, parent: { id: "0" } });
  const begins = `${part("name=attributes", attributes)}\r\n${part("name=file; filename=a", "x")}`;
  let isRead = false;
  let source: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        source = controller;
      },
      pull(controller) {
        if (!isRead) controller.enqueue(Buffer.from(begins));
        isRead = true;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-type": "multipart/form-data; boundary=xx" };
  return {
    raw: { method: "POST", body, headers, duplex: "half" } as RequestInit,
    isRead: () => isRead,
    end() {
      source?.enqueue(Buffer.from("\r\n--xx--\r\n"));
      source?.close();
    },
  };
}

describe("Uploads of slow clients", () => {
  const bearer = (who: Who) => ({ authorization: `Bearer ${TOKENS[who].token}` });
  const send = (service: Awaited<ReturnType<typeof testService>>, who: Who, name: string) => {
    const { raw, ...dripping } = drip(name);
    const headers = { ...(raw.headers as Record<string, string>), ...bearer(who) };
    const answer = service.fetch("/2.0/files/content", { raw: { ...raw, headers } });
    return { ...dripping, answer };
  };

  test("occupy no places of any tenant while they wait, however many there are", async () => {
    const service = await testService({ limits: { slowRequests: 1 } });
    const slow: ReturnType<typeof send>[] = [];
    for (const who of ["ann", "eve"] as const) {
      for (let count = 0; count < 17; count += 1) slow.push(send(service, who, `${count}.docx`));
    }
    await expect.poll(() => slow.every((one) => one.isRead())).toBe(true);
    const file = await service.upload("quick.docx", HELLO);
    const check = await service.ask("/2.0/docgen_batches/check", {
      body: batchBody(file, "0", entries("a")),
    });
    expect(check.status).toBe(200);
    for (const one of slow) one.end();
    for (const { answer } of slow) expect((await answer).status).toBe(201);
  });

  test("wait for each other above the limit of a tenant", async () => {
    const service = await testService({ limits: { uploadsPerTenant: 2 } });
    const [first, second, third] = [1, 2, 3].map((number) =>
      send(service, "eve", `${number}.docx`),
    );
    await expect.poll(() => second?.isRead()).toBe(true);
    await service.upload("quick.docx", HELLO);
    expect(third?.isRead()).toBe(false);
    first?.end();
    await expect.poll(() => third?.isRead()).toBe(true);
    second?.end();
    third?.end();
    for (const one of [first, second, third]) expect((await one?.answer)?.status).toBe(201);
  });
});

describe("A service that drains", () => {
  const logger = { info() {}, warn() {}, error() {} };

  test("fails /readyz, rejects writes, and serves all other requests", async () => {
    const service = await testService({ logger });
    const file = await service.upload("a.docx", HELLO);
    const batch = await service.batch(file, "0", entries("a"));
    expect((await service.ask("/readyz")).body).toEqual({ status: "ready" });
    service.service.handler.drain();
    service.service.handler.drain();
    const ready = await service.ask("/readyz");
    expectError(ready, 503, "unavailable");
    expect((await service.ask("/healthz")).body).toEqual({ status: "ok" });
    const body = batchBody(file, "0", entries("b"));
    expectError(await service.ask("/2.0/docgen_batches", { body }), 503, "unavailable");
    for (const [method, path] of [
      ["DELETE", `/2.0/files/${file}`],
      ["PUT", `/2.0/files/${file}`],
      ["POST", "/2.0/files/content"],
      ["POST", "/2.0/folders"],
      ["POST", "/2.0/docgen_templates"],
      ["POST", `/2.0/docgen_batches/${batch}/cancel`],
      ["POST", "/2.0/webhooks"],
      ["DELETE", "/2.0/webhooks/none"],
    ] as const) {
      expectError(await service.ask(path, { method }), 503, "unavailable");
    }
    expect((await service.finished(batch)).body.counts.completed).toBe(1);
    expect((await service.ask(`/2.0/files/${file}`)).status).toBe(200);
    expect((await service.ask("/2.0/docgen_batches/check", { body })).status).toBe(200);
  });

  test("finishes its work, and can be closed twice without an error", async () => {
    const service = await testService({ logger });
    const file = await service.upload("a.docx", HELLO);
    await service.batch(file, "0", entries("a", "b", "c"));
    await Promise.all([service.service.close(), service.service.close()]);
    const names = (await service.ask("/2.0/folders/0/items")).body.entries;
    expect(names.map(({ name }: { name: string }) => name)).toContain("c.docx");
    expectError(await service.ask("/readyz"), 503, "unavailable");
  });

  test("behind a server ends its connections after their requests", async () => {
    const service = await testService({ logger });
    const server = await serve(service.service.handler);
    const file = await service.upload("a.docx", HELLO);
    const { storage } = service;
    const read = held(storage.read.bind(storage));
    storage.read = read.method;
    const answer = exchange(server.port, [
      `GET /2.0/files/${file}/content HTTP/1.1`,
      "Host: x",
      `Authorization: Bearer ${TOKENS.ann.token}`,
    ]);
    await expect.poll(() => read.waiting).toBe(1);
    const closing = Promise.all([server.close({ graceMs: 5000 }), server.close()]);
    read.open();
    expect((await answer).status).toBe(200);
    await closing;
    await expect(fetch(server.url)).rejects.toThrow();
  });

  test("behind a server cuts off requests that do not end in time", async () => {
    const service = await testService({ logger });
    const server = await serve(service.service.handler);
    const file = await service.upload("a.docx", HELLO);
    const { storage } = service;
    const read = held(storage.read.bind(storage));
    storage.read = read.method;
    const answer = exchange(server.port, [
      `GET /2.0/files/${file}/content HTTP/1.1`,
      "Host: x",
      `Authorization: Bearer ${TOKENS.ann.token}`,
    ]);
    await expect.poll(() => read.waiting).toBe(1);
    await server.close({ graceMs: 10 });
    expect((await answer).status).toBe(0);
    read.open();
  });
});

describe("The server", () => {
  test("rejects an address that is not available, and leaves the globals of the process alone", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler);
    await expect(serve(service.service.handler, { port })).rejects.toThrow("EADDRINUSE");
    expect([globalThis.Request, globalThis.Response, globalThis.Headers]).toEqual(globals);
  });

  test("closes the connection of a client that does not send its head", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler, { headersTimeoutMs: 200 });
    const socket = open(port);
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\nX: ");
    expect(await everythingOf(socket)).toMatch(/^HTTP\/1.1 408/);
  });

  test("rejects heads that are too long", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler);
    const long = ["GET /healthz HTTP/1.1", "Host: x", `X-Long: ${"a".repeat(20_000)}`];
    expect((await exchange(port, long)).status).toBe(431);
    expect((await exchange(port, [`GET /${"a".repeat(20_000)} HTTP/1.1`, "Host: x"])).status).toBe(
      431,
    );
  });

  test("serves requests one after the other on a connection, and none that hides in another's body", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler);
    const bearer = `Authorization: Bearer ${TOKENS.ann.token}`;
    const hidden = `GET /2.0/hidden HTTP/1.1\r\nHost: x\r\n${bearer}\r\n\r\n`;
    const smuggling = [
      ["Content-Length: 5", "Transfer-Encoding: chunked"],
      ["Content-Length: 5", "Content-Length: 6"],
      ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
      ["Transfer-Encoding: xchunked"],
      ["Content-Length: +5"],
      ["Content-Length : 5"],
    ];
    for (const headers of smuggling) {
      const head = ["POST /2.0/folders HTTP/1.1", "Host: x", bearer, ...headers].join("\r\n");
      const said = await roundTrip(port, Buffer.from(`${head}\r\n\r\n0\r\n\r\n${hidden}`));
      expect([headers, said.slice(0, 12)]).toEqual([headers, "HTTP/1.1 400"]);
      expect(said).not.toContain("200 OK");
    }
    const whole = `POST /2.0/folders HTTP/1.1\r\nHost: x\r\n${bearer}\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`;
    const last = `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const said = await roundTrip(port, Buffer.from(whole + last));
    expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 415", "HTTP/1.1 200"]);
  });
});
