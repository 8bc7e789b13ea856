import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Limits } from "../../src/index.ts";
import { answerOf, everythingOf, exchange, open, serve } from "../support/server.ts";
import {
  batchBody,
  expectError,
  LETTER,
  ORIGIN,
  type TestService,
  TOKENS,
  testService,
  told,
} from "../support/service.ts";

const HEADERS = {
  authorization: `Bearer ${TOKENS.ann.token}`,
  "service-version": "2025.0",
  "content-type": "application/json",
};
type Body = NonNullable<RequestInit["body"]>;
const FOLDER = { name: "a", parent: { id: "0" } };

/** Sends bytes as the body of a request, by default a request that creates a folder. */
async function send(
  service: TestService,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
  path = "/2.0/folders",
) {
  const init = { method: "POST", headers: { ...HEADERS, ...headers }, body, duplex: "half" };
  return told(await service.handle(new Request(ORIGIN + path, init as RequestInit)));
}

const bytes = (data: Uint8Array): Body => data as unknown as Body;

/** Returns a body that continues for as long as it is read. `taken` counts its chunks. */
function endless(chunk: Uint8Array): { readonly body: Body; taken: number } {
  const source = {
    taken: 0,
    body: new ReadableStream<Uint8Array>({
      pull(controller) {
        source.taken += 1;
        controller.enqueue(chunk);
      },
    }) as Body,
  };
  return source;
}

describe("The length of a body", () => {
  const limits: Partial<Limits> = { bodyBytes: 1000 };

  test("above the limit is a 413 by its content-length, before anything is read", async () => {
    const service = await testService({ limits });
    const { body, taken } = endless(Buffer.from("x"));
    const answer = await send(service, body, { "content-length": "1001" });
    expectError(answer, 413, "bad_request");
    expect(answer.body.context_info.limit_bytes).toBe(1000);
    expect(taken).toBeLessThan(2);
  });

  test("above the limit is a 413 by counting, soon after the limit, for any content-length", async () => {
    const service = await testService({ limits });
    const chunk = Buffer.from(" ".repeat(100));
    for (const length of [undefined, "5", "0", "-1", "NaN", "1e3", "", "0x10", "10, 10"]) {
      const source = endless(chunk);
      const headers = length === undefined ? undefined : { "content-length": length };
      expectError(await send(service, source.body, headers), 413, "bad_request");
      expect(source.taken).toBeLessThan(16);
    }
  });

  test("at the limit is accepted, and one byte more is not", async () => {
    const service = await testService({ limits });
    const padded = (length: number) => JSON.stringify(FOLDER).padEnd(length, " ");
    expect((await send(service, padded(1000))).status).toBe(201);
    expectError(await send(service, padded(1001)), 413, "bad_request");
  });

  test("counts after decompression: a gzip bomb costs its limit, not its size", async () => {
    const service = await testService({ limits });
    // 200 MB of spaces in about 200 KB, as twenty streams in a row, which are cheaper to create than one stream.
    const part = gzipSync(Buffer.alloc(10_000_000, " "));
    const bomb = Buffer.concat(Array<Buffer>(20).fill(part));
    const before = process.memoryUsage().rss;
    expectError(
      await send(service, bytes(bomb.subarray(0, 900)), { "content-encoding": "gzip" }),
      413,
      "bad_request",
    );
    const wide = await testService({ limits: { bodyBytes: 1_000_000 } });
    expectError(await send(wide, bytes(bomb), { "content-encoding": "gzip" }), 413, "bad_request");
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  test("of all bodies of a tenant together is limited: a 429, and room again when they are done", async () => {
    const service = await testService({ limits: { heldBodyBytes: 2000 } });
    const gate = Promise.withResolvers<void>();
    const held = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(Buffer.from(" ".repeat(1900)));
        await gate.promise;
        controller.enqueue(Buffer.from("{}"));
        controller.close();
      },
    });
    const first = send(service, held as Body);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const refused = await send(service, " ".repeat(200));
    expectError(refused, 429, "too_many_requests");
    expect(refused.headers.get("connection")).toBe("close");
    gate.resolve();
    expectError(await first, 400, "bad_request");
    expectError(await send(service, " ".repeat(1900)), 400, "bad_request");
  });
});

describe("The encoding of a body", () => {
  test("may be gzip or deflate, in any case, or missing", async () => {
    const service = await testService();
    let count = 0;
    const folder = () => {
      count += 1;
      return Buffer.from(JSON.stringify({ ...FOLDER, name: `folder ${count}` }));
    };
    for (const encoding of ["gzip", "GZIP", " x-gzip "]) {
      const answer = await send(service, bytes(gzipSync(folder())), {
        "content-encoding": encoding,
      });
      expect([encoding, answer.status]).toEqual([encoding, 201]);
    }
    const deflated = bytes(deflateSync(folder()));
    expect((await send(service, deflated, { "content-encoding": "deflate" })).status).toBe(201);
    for (const encoding of ["identity", ""]) {
      const answer = await send(service, bytes(folder()), { "content-encoding": encoding });
      expect([encoding, answer.status]).toEqual([encoding, 201]);
    }
  });

  test.each(["br", "zstd", "compress", "gzip, gzip", "gzip,deflate", "none", "__proto__", "utf-8"])(
    "that is unknown is a 415: %s",
    async (encoding) => {
      const service = await testService();
      const answer = await send(service, JSON.stringify(FOLDER), { "content-encoding": encoding });
      expectError(answer, 415, "bad_request");
      expect(answer.headers.get("connection")).toBe("close");
    },
  );

  test("that does not match the bytes is a 400", async () => {
    const service = await testService();
    const whole = gzipSync(Buffer.from(JSON.stringify(FOLDER)));
    const damaged = Buffer.from(whole);
    damaged[whole.length - 6] = (damaged[whole.length - 6] ?? 0) ^ 1;
    const broken: [string, Uint8Array][] = [
      ["gzip", Buffer.from(JSON.stringify(FOLDER))],
      ["gzip", whole.subarray(0, whole.length - 5)],
      ["gzip", whole.subarray(0, 5)],
      ["gzip", damaged],
      ["gzip", Buffer.concat([whole, Buffer.from("rest")])],
      ["gzip", deflateSync(Buffer.from("{}"))],
      ["deflate", whole],
      ["deflate", deflateRawSync(Buffer.from("{}"))],
      ["deflate", Buffer.from([0])],
    ];
    for (const [encoding, body] of broken) {
      const answer = await send(service, bytes(body), { "content-encoding": encoding });
      expectError(answer, 400, "bad_request");
    }
    expect((await service.ask("/2.0/folders/0/items")).body.total_count).toBe(0);
  });
});

describe("The type of a body", () => {
  test.each([
    "",
    "text/plain",
    "application/json; charset=utf-16",
    "application/json; charset=latin1",
    "application/json, application/json",
    "application/jsonp",
    "application/json-patch+json",
    "application/vnd.api+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "json",
  ])("that is not JSON in UTF-8 is a 415: %j", async (type) => {
    const service = await testService();
    expectError(
      await send(service, JSON.stringify(FOLDER), { "content-type": type }),
      415,
      "bad_request",
    );
  });

  test("may name UTF-8", async () => {
    const service = await testService();
    const types = [
      "application/json",
      "Application/JSON; charset=UTF-8",
      'application/json ;charset="utf-8"',
    ];
    for (const [index, type] of types.entries()) {
      const body = JSON.stringify({ ...FOLDER, name: `folder ${index}` });
      expect((await send(service, body, { "content-type": type })).status).toBe(201);
    }
  });

  test("of an upload that is not multipart with a boundary is a 415", async () => {
    const service = await testService();
    for (const type of [
      "application/json",
      "multipart/form-data",
      "multipart/mixed; boundary=x",
      "",
    ]) {
      const answer = await send(service, "--x--", { "content-type": type }, "/2.0/files/content");
      expectError(answer, 415, "bad_request");
    }
  });
});

describe("The content of a body", () => {
  test("is rejected with a 400 that quotes nothing of it if it is not JSON", async () => {
    const service = await testService();
    for (const body of [
      "canary",
      "{",
      '{"name":canary}',
      "[1,]",
      "{'name':'canary'}",
      "canary\0",
      "\0",
      "NaN",
      "{}{}",
    ]) {
      const answer = await send(service, body);
      expectError(answer, 400, "bad_request");
      expect(answer.body.context_info.errors[0]).toMatchObject({ path: "", code: "not_json" });
      expect(JSON.stringify(answer.body)).not.toContain("canary");
    }
  });

  test("is required if the operation has a body", async () => {
    const service = await testService();
    for (const answer of [await send(service, ""), await send(service, bytes(new Uint8Array()))]) {
      expectError(answer, 400, "bad_request");
      expect(answer.body.context_info.errors[0]).toMatchObject({ path: "", code: "required" });
    }
    const nothing = await service.ask("/2.0/folders", {
      method: "POST",
      headers: { "content-type": "application/json" },
    });
    expectError(nothing, 400, "bad_request");
    const compressed = await send(service, bytes(gzipSync("")), { "content-encoding": "gzip" });
    expectError(compressed, 400, "bad_request");
  });

  test("is UTF-8, and may begin with a byte order mark", async () => {
    const service = await testService();
    const text = JSON.stringify(FOLDER);
    for (const body of [
      Buffer.from(text, "utf16le"),
      Buffer.from('{"name":"\xe9"}', "latin1"),
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
    ]) {
      const answer = await send(service, bytes(body));
      expectError(answer, 400, "bad_request");
    }
    expect((await send(service, bytes(Buffer.from(`\ufeff${text}`)))).status).toBe(201);
  });

  test("may be split anywhere, even within a character", async () => {
    const service = await testService();
    const whole = Buffer.from(JSON.stringify({ ...FOLDER, name: "Zoë 🎉" }));
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at === whole.length) return controller.close();
        controller.enqueue(whole.subarray(at, ++at));
      },
    });
    expect((await send(service, body as Body)).body.name).toBe("Zoë 🎉");
  });

  test("with a million levels is rejected, as an object, as a list and after other fields", async () => {
    const service = await testService();
    for (const body of [
      "[".repeat(1_000_000),
      '{"a":'.repeat(1_000_000),
      `{"name":"a","parent":${'{"id":'.repeat(100_000)}`,
      `{"name":${"[".repeat(500_000)}${"]".repeat(500_000)}}`,
    ]) {
      const answer = await send(service, body);
      expectError(answer, 400, "bad_request");
      expect(answer.body.message).toContain("nested deeper");
    }
  });

  test("may have at most 64 levels of data", async () => {
    const service = await testService();
    const file = await service.upload("letter.docx", LETTER);
    const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
    const post = (data: object) =>
      service.ask("/2.0/docgen_batches", {
        body: batchBody(file, "0", [{ generated_file_name: "one", user_input: data }]),
      });
    expect((await post(deep(64))).status).toBe(202);
    for (const levels of [66, 70, 1000]) expectError(await post(deep(levels)), 400, "bad_request");
  });

  test("is rejected with too many keys, values, bytes of a string, and bytes of an entry", async () => {
    const service = await testService({
      limits: { keys: 1000, values: 2000, stringBytes: 5000, entryBytes: 10_000 },
    });
    const file = await service.upload("letter.docx", LETTER);
    const post = async (data: object) => {
      const body = batchBody(file, "0", [{ generated_file_name: "one", user_input: data }]);
      return service.ask("/2.0/docgen_batches", { body });
    };
    const keys = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`${index}`, 0]));
    const cases: [object, string][] = [
      [keys, "more than 1000 keys"],
      [{ list: Array.from({ length: 2001 }, () => 0) }, "more than 2000 values"],
      [{ text: "x".repeat(5001) }, "longer than 5000 bytes"],
      [{ ["x".repeat(5001)]: 1 }, "longer than 5000 bytes"],
      [
        { a: "x".repeat(4000), b: "x".repeat(4000), c: "x".repeat(4000) },
        "longer than 10000 bytes",
      ],
    ];
    for (const [data, why] of cases) {
      const answer = await post(data);
      expectError(answer, 400, "bad_request");
      expect(answer.body.message).toContain(why);
      expect(answer.body.context_info.errors[0].code).toBe("limit_exceeded");
    }
    expect((await post({ text: "x".repeat(4999) })).status).toBe(202);
  });

  test("is rejected with an entry over 1 MiB, and with too many entries for a batch", async () => {
    const service = await testService();
    const file = await service.upload("letter.docx", LETTER);
    const half = "x".repeat(600_000);
    const entry = { generated_file_name: "one", user_input: { a: half, b: half } };
    const long = await service.ask("/2.0/docgen_batches", { body: batchBody(file, "0", [entry]) });
    expectError(long, 400, "bad_request");
    expect(long.body.message).toContain("An entry is longer than 1048576 bytes");
    const many = Array.from({ length: 10_001 }, () => ({
      generated_file_name: "a",
      user_input: {},
    }));
    const refused = await service.ask("/2.0/docgen_batches", { body: batchBody(file, "0", many) });
    expectError(refused, 400, "bad_request");
    expect(refused.body.context_info.errors).toMatchObject([{ path: "/document_generation_data" }]);
  });

  test("with the maximum number of invalid values is rejected quickly and briefly", async () => {
    const service = await testService({
      webhooks: { keys: { primary: "0123456789abcdef0123456789abcdef" } },
    });
    const wrong = `[${"1,".repeat(1_500_000)}1]`;
    const bodies: [string, string][] = [
      [
        "/2.0/webhooks",
        `{"target":{"type":"folder","id":"0"},"address":"https://x.test","triggers":${wrong}}`,
      ],
      ["/2.0/docgen_batches", `{"file":{"id":"x"},"document_generation_data":${wrong}}`],
    ];
    for (const [path, body] of bodies) {
      const answer = await send(service, body, {}, path);
      expectError(answer, 400, "bad_request");
      expect(JSON.stringify(answer.body).length).toBeLessThan(10_000);
    }
  });

  test("has no key twice in an object, and __proto__ is a key like others", async () => {
    const service = await testService();
    const twice = await send(service, '{"name":"first","name":"second","parent":{"id":"0"}}');
    expectError(twice, 400, "bad_request");
    expect(twice.body.context_info.errors).toEqual([
      { path: "/name", code: "duplicate_key", message: expect.any(String) },
    ]);
    for (const key of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
      const body = `{"name":"of ${key}","parent":{"id":"0"},"${key}":{"name":"bad","isAdmin":true}}`;
      expect((await send(service, body)).body.name).toBe(`of ${key}`);
      const hidden = await send(service, `{"${key}":{"name":"a","parent":{"id":"0"}}}`);
      expectError(hidden, 400, "bad_request");
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test("is reported with all its problems, each with its place", async () => {
    const service = await testService();
    const answer = await send(service, '{"name":1,"parent":{"type":"file","id":""}}');
    expectError(answer, 400, "bad_request");
    expect(answer.body.context_info.errors).toEqual([
      { path: "/name", code: "wrong_type", message: "The field 'name' must be a string." },
      {
        path: "/parent/type",
        code: "wrong_value",
        message: "The field 'type' must be \"folder\".",
      },
      { path: "/parent/id", code: "empty", message: "The field 'id' must not be empty." },
    ]);
    for (const body of ["null", "1", '"text"', "[]", "true"]) {
      const { context_info } = (await send(service, body)).body;
      expect(context_info.errors).toMatchObject([{ path: "", code: "wrong_type" }]);
    }
  });
});

describe("A client over a real connection", () => {
  const HEAD = [
    "POST /2.0/folders HTTP/1.1",
    "Host: x",
    `Authorization: Bearer ${TOKENS.ann.token}`,
    "Content-Type: application/json",
  ];

  test("that stalls in its body gets a 408, and the connection is closed", async () => {
    const service = await testService({ limits: { idleMs: 100 } });
    const { port } = await serve(service.service.handler);
    const socket = open(port);
    socket.write(`${[...HEAD, "Content-Length: 100"].join("\r\n")}\r\n\r\n{"name":`);
    const answer = answerOf(await everythingOf(socket));
    expect([answer.status, answer.headers.get("connection")]).toEqual([408, "close"]);
    expect(JSON.parse(answer.body)).toMatchObject({
      type: "error",
      status: 408,
      code: "bad_request",
    });
  });

  test("that stalls in an upload gets a 408, and leaves nothing of the file", async () => {
    const service = await testService({ limits: { idleMs: 100 } });
    const { port } = await serve(service.service.handler);
    const socket = open(port);
    const attributes = JSON.stringify({ name: "a.docx", parent: { id: "0" } });
    const part = (name: string, text: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n\r\n${text}`;
    const body = `${part("attributes", attributes).replace('; filename="x"', "")}\r\n${part("file", "bytes")}`;
    const head = ["POST /2.0/files/content HTTP/1.1", ...HEAD.slice(1, 3)];
    const type = "Content-Type: multipart/form-data; boundary=b";
    socket.write(`${[...head, type, "Content-Length: 10000"].join("\r\n")}\r\n\r\n${body}`);
    const answer = answerOf(await everythingOf(socket));
    expect(answer.status).toBe(408);
    expect((await service.ask("/2.0/folders/0/items")).body.total_count).toBe(0);
  });

  test("that disconnects in its body leaves nothing behind, and the service still works", async () => {
    const service = await testService({ limits: { requests: 1 } });
    const { port } = await serve(service.service.handler);
    for (let count = 0; count < 5; count += 1) {
      const socket = open(port);
      socket.write(`${[...HEAD, "Content-Length: 100"].join("\r\n")}\r\n\r\n{"name":`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.destroy();
    }
    const body = JSON.stringify(FOLDER);
    const lines = [...HEAD, "Connection: close", `Content-Length: ${body.length}`];
    expect((await exchange(port, lines, body)).status).toBe(201);
  });

  test("reads its 413 although it would have sent more, even with fetch", async () => {
    const service = await testService({ limits: { bodyBytes: 1000 } });
    const { url } = await serve(service.service.handler);
    for (const size of [1001, 1_000_000, 20_000_000]) {
      for (const body of [" ".repeat(size), streamOf(size)]) {
        const init = { method: "POST", headers: HEADERS, body, duplex: "half" } as RequestInit;
        const answer = await told(await fetch(`${url}/2.0/folders`, init));
        expectError(answer, 413, "bad_request");
      }
    }
  });

  test("reads why an upload is rejected although it would have sent more", async () => {
    const service = await testService();
    await service.upload("a.docx", LETTER);
    const { url } = await serve(service.service.handler);
    for (let count = 0; count < 3; count += 1) {
      const form = new FormData();
      form.append("attributes", JSON.stringify({ name: "a.docx", parent: { id: "0" } }));
      form.append("file", new Blob([new Uint8Array(12_000_000)]), "a.docx");
      const headers = { authorization: HEADERS.authorization };
      const response = await fetch(`${url}/2.0/files/content`, {
        method: "POST",
        headers,
        body: form,
      });
      expectError(await told(response), 409, "conflict");
    }
  });
});

function streamOf(size: number): ReadableStream<Uint8Array> {
  let left = size;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(new Uint8Array(Math.min(left, 65_536)).fill(32));
      left -= 65_536;
    },
  });
}
