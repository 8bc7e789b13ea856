import type { Converter, ConverterSeal } from "@quire/core";
import { describe, expect, test } from "vitest";
import { OPERATIONS } from "../../src/operations/all.ts";
import { exchange, roundTrip, serve } from "../support/server.ts";
import { expectError, LETTER, ORIGIN, TOKENS, testService } from "../support/service.ts";

const AUTHORIZED = [
  "Host: service.test",
  "Connection: close",
  "Service-Version: 2025.0",
  `Authorization: Bearer ${TOKENS.ann.token}`,
];

describe("Paths", () => {
  test.each([
    "/",
    "/2.0",
    "/2.0/",
    "//2.0/folders/0",
    "/2.0//folders/0",
    "/2.0/folders//0",
    "/2.0/folders/0/",
    "/2.0/folders/0//items",
    "/2.0/folders/0/items/",
    "/2.0/FOLDERS/0",
    "/2.0/Folders/0",
    "/2.00/folders/0",
    "/2/folders/0",
    "/3.0/folders/0",
    "/2.0/folders;x=1/0",
    "/2.0;v=1/folders/0",
    "/2.0%2ffolders%2f0",
    "/2.0/folders%2f0",
    "/2.0/folders/0%2fitems",
    "/2.0/folders/0;/items",
    "/2.0/folders%00/0",
    "/2.0/folders/0/items%00",
    "/2.0/folders/0/%69tems%20",
    "/api/2.0/folders/0",
    "/api/2.0/docgen_batches",
    "/2.0/docgen_batches/a/b/c/d",
    "/2.0/__proto__",
    "/2.0/constructor",
    "/2.0/*",
    "/2.0/:file_id",
    "/HEALTHZ",
    "/healthz/",
    "/readyz/x",
    "/.env",
    "/metrics",
    "/favicon.ico",
    "/2.0/folders/%",
    "/2.0/folders/%zz",
    "/2.0/folders/%c3%28",
    "/2.0/folders/%ff",
    "/2.0/folders/0%",
  ])("that are unknown are a 404: %s", async (path) => {
    const service = await testService();
    expectError(await service.ask(path), 404, "not_found");
  });

  test.each([
    "/2.0/./folders/0",
    "/2.0/x/../folders/0",
    "/2.0/x/%2e%2e/folders/0",
    "/2.0/%2E/folders/0",
    "/../../2.0/folders/0",
  ])("with dot segments are normalized like URLs, and never leave the root: %s", async (path) => {
    const service = await testService();
    expect((await service.ask(path)).body).toMatchObject({ type: "folder", id: "0" });
    const { port } = await serve(service.service.handler);
    const answer = await exchange(port, [`GET ${path} HTTP/1.1`, ...AUTHORIZED]);
    expect(JSON.parse(answer.body)).toMatchObject({ type: "folder", id: "0" });
    const stranger = await exchange(port, [`GET ${path} HTTP/1.1`, "Host: x", "Connection: close"]);
    expect(stranger.status).toBe(401);
  });

  const IDS: readonly (readonly [string, string])[] = [
    ["NUL", "a%00b"],
    ["dots", "..%2f..%2fetc%2fpasswd"],
    ["encoded dots", "%2e%2e%2fx"],
    ["a slash", "%2f"],
    ["a backslash", "..%5c..%5cx"],
    ["CR and LF", "a%0d%0aSet-Cookie:%20a=b"],
    ["a dot", "%252e%252e"],
    ["unicode", encodeURIComponent("日本語🎉")],
    ["a combining text", encodeURIComponent("e\u0301")],
    ["another direction", encodeURIComponent("\u202eabc")],
    ["half an encoding", "%e0%a4%a"],
    ["no UTF-8", "%ff%fe"],
    ["overlong UTF-8", "%c0%ae%c0%ae"],
    ["4,000 characters", "a".repeat(4000)],
    ["a name of a prototype", "__proto__"],
    ["toString", "toString"],
    ["a quote", "%22%27%60"],
    ["markup", encodeURIComponent("<script>alert(1)</script>")],
    ["a semicolon", "a;b=c"],
    ["an emoji cut in half", "%ed%a0%bd"],
    ["a plus", "a+b"],
    ["a colon", "a:b"],
    ["a wildcard", "*"],
    ["SQL", encodeURIComponent("' OR 1=1 --")],
    ["spaces", "%20%20"],
  ];

  test.each(IDS)("with unknown ids are a 404, in any position of an id: %s", async (_, id) => {
    const service = await testService({
      webhooks: { keys: { primary: "0123456789abcdef0123456789abcdef" } },
    });
    for (const { method, path, body } of OPERATIONS.filter((one) => one.path.includes("{"))) {
      const answer = await service.ask(`/2.0${path.replace(/\{\w+\}/, id)}`, {
        method,
        ...(body === null ? {} : { body: {} }),
      });
      expectError(answer, 404, "not_found");
    }
  });

  test("of files may name them by path in one segment, but never leave the root", async () => {
    const service = await testService();
    const folder = await service.folder("letters");
    const file = await service.upload("a.docx", LETTER, { parent: folder });
    const found = await service.ask("/2.0/files/path:letters%2Fa.docx");
    expect(found.body).toMatchObject({ id: file });
    for (const path of [
      "..%2Fx",
      "letters%2F..%2F..%2Fother",
      "%2Fetc",
      "letters%2F.%2Fa.docx",
      "letters%2F",
    ]) {
      expectError(await service.ask(`/2.0/files/path:${path}`), 403, "forbidden");
    }
    expectError(
      await service.ask("/2.0/files/path:letters%2Fa.docx", { who: "eve" }),
      404,
      "not_found",
    );
  });

  test("are not decoded twice: %2565 is %65, not e", async () => {
    const service = await testService();
    const { body } = await service.ask("/2.0/files/%2565");
    expect(body.message).toContain('"%65"');
  });
});

describe("Methods", () => {
  const METHODS = [
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "OPTIONS",
    "PATCH",
    "QUERY",
    "PROPFIND",
    "PURGE",
  ];

  test("that a path does not support are a 405 with the supported methods", async () => {
    const service = await testService();
    const allowed = new Map<string, Set<string>>();
    for (const { method, path } of OPERATIONS) {
      const methods = allowed.get(path) ?? new Set();
      allowed.set(path, methods.add(method));
      if (method === "GET") methods.add("HEAD");
    }
    for (const [path, taken] of allowed) {
      // "check" and "content" are also valid as ids.
      const isId = path === "/docgen_batches/check" || path === "/files/content";
      for (const method of METHODS.filter((one) => !taken.has(one))) {
        if (isId && ["GET", "HEAD", "PUT", "DELETE"].includes(method)) continue;
        const answer = await service.ask(`/2.0${path.replace(/\{\w+\}/, "none")}`, { method });
        const told = answer.headers.get("allow")?.split(", ");
        expect([path, method, answer.status, new Set(told)]).toEqual([path, method, 405, taken]);
        if (method !== "HEAD") expectError(answer, 405, "method_not_allowed");
      }
    }
  });

  test("that pages do not support are a 405", async () => {
    const service = await testService();
    for (const path of ["/healthz", "/readyz"]) {
      const answer = await service.ask(path, { method: "POST" });
      expectError(answer, 405, "method_not_allowed");
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    }
  });

  test("to /readyz report the converter's seal after its test", async () => {
    let seal: ConverterSeal | null = null;
    const converter: Converter = {
      convert: () => Promise.reject(new Error("nothing is converted here")),
      close: async () => {},
      seal: () => seal,
    };
    const service = await testService({ converter });
    expect((await service.ask("/readyz")).body).toEqual({ status: "ready" });
    seal = {
      ...{ cleaned: true, hardened: true, network: true },
      ...{ files: false, processes: false, calls: true, room: false },
    };
    expect((await service.ask("/readyz")).body).toEqual({ status: "ready", seal });
  });

  test("are never overridden by a header, a query or a form", async () => {
    const service = await testService();
    const file = await service.upload("a.docx", LETTER);
    const names = ["x-http-method-override", "x-http-method", "x-method-override", "_method"];
    for (const name of names) {
      const { status } = await service.ask(`/2.0/files/${file}?_method=DELETE`, {
        headers: { [name]: "DELETE" },
      });
      expect([name, status]).toEqual([name, 200]);
      const posted = await service.ask(`/2.0/files/${file}`, {
        method: "POST",
        headers: { [name]: "DELETE" },
        body: { _method: "DELETE" },
      });
      expectError(posted, 405, "method_not_allowed");
    }
    expect((await service.ask(`/2.0/files/${file}`)).status).toBe(200);
  });

  test("HEAD responds like GET, without a body", async () => {
    const service = await testService();
    const file = await service.upload("a.docx", LETTER);
    const get = await service.fetch(`/2.0/files/${file}/content`);
    const head = await service.fetch(`/2.0/files/${file}/content`, { method: "HEAD" });
    expect([head.status, head.body]).toEqual([200, null]);
    for (const name of ["content-disposition", "content-length", "content-type"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect((await service.fetch("/2.0/files/none", { method: "HEAD" })).status).toBe(404);
    expect((await service.fetch("/2.0/docgen_batches", { method: "HEAD" })).status).toBe(405);
  });

  test("over a real connection always get a response", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler);
    for (const method of ["TRACE", "PATCH", "PROPFIND", "LOCK", "PURGE", "M-SEARCH", "QUERY"]) {
      const answer = await exchange(port, [`${method} /2.0/folders/0 HTTP/1.1`, ...AUTHORIZED]);
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers.get("allow")).toBe("GET, HEAD, DELETE");
      expect(answer.body).not.toContain(TOKENS.ann.token);
    }
    for (const method of ["get", "FOO", "GET\0", "", "G ET"]) {
      const bytes = Buffer.from(
        `${method} /2.0/folders/0 HTTP/1.1\r\n${AUTHORIZED.join("\r\n")}\r\n\r\n`,
      );
      const said = await roundTrip(port, bytes);
      expect([method, said.slice(0, 12)]).toEqual([method, "HTTP/1.1 400"]);
    }
    const connect = await roundTrip(port, Buffer.from("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n"));
    expect(connect).not.toMatch(/^HTTP\/1.1 2/);
    expect((await exchange(port, ["OPTIONS * HTTP/1.1", ...AUTHORIZED])).status).toBeLessThan(500);
  });
});

describe("Request targets and hosts over a real connection", () => {
  async function ask(port: number, target: string, headers: readonly string[]) {
    return exchange(port, [`GET ${target} HTTP/1.1`, "Connection: close", ...headers]);
  }

  test("in absolute form are used as their path", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler);
    const bearer = `Authorization: Bearer ${TOKENS.ann.token}`;
    const good = await ask(port, "http://elsewhere.test/2.0/folders/0", ["Host: x", bearer]);
    expect([good.status, JSON.parse(good.body).id]).toEqual([200, "0"]);
    for (const target of ["http://x/2.0/folders/none", "https://x@y/2.0/folders/none"]) {
      expect((await ask(port, target, ["Host: x", bearer])).status).toBe(404);
    }
    for (const target of [
      "file:///etc/passwd",
      "http://",
      "//x",
      "*",
      "x",
      "javascript:1",
      "\\\\x",
    ]) {
      const answer = await ask(port, target, ["Host: x", bearer]);
      expect([target, answer.status < 500 && answer.status >= 400]).toEqual([target, true]);
    }
  });

  test("do not affect the addresses of a service with a public address", async () => {
    const service = await testService({ publicUrl: "https://docs.example.com/" });
    const { port } = await serve(service.service.handler);
    const headers = ["Host: evil.test", "X-Forwarded-Host: evil.test", "Forwarded: host=evil.test"];
    const answer = await ask(port, "/2.0/folders/0", headers);
    expect(JSON.parse(answer.body).help_url).toBe(
      "https://docs.example.com/docs/errors#unauthorized",
    );
    expect(`${answer.head}${answer.body}`).not.toContain("evil");
  });

  test("set the address of a service without one from Host alone, and only if it is valid", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler);
    const forwarded = ["X-Forwarded-Host: evil.test", "X-Forwarded-Proto: gopher"];
    const answer = await ask(port, "/2.0/x", ["Host: good.test:8443", ...forwarded]);
    expect(JSON.parse(answer.body).help_url).toBe("http://good.test:8443/docs/errors#not_found");
    for (const host of [
      "a b",
      "a/b",
      "a@b",
      "a?b",
      "a#b",
      "a\\b",
      '"><script>',
      "a:99999",
      "a:b",
      "[::1",
      "x, y",
      "x\ty",
      "%00",
      "é",
      "a".repeat(5000),
      ":80",
      "javascript:alert(1)",
    ]) {
      const { status, body, head } = await ask(port, "/2.0/x", [`Host: ${host}`]);
      expect([host, status === 400 || status === 404]).toEqual([host, true]);
      if (body !== "") expect(new URL(JSON.parse(body).help_url).pathname).toBe("/docs/errors");
      expect(head).not.toContain(host.length > 1 && host.length < 20 ? host : "\0");
    }
    expect((await ask(port, "/2.0/x", [])).status).toBe(400);
  });
});

describe("A prefix", () => {
  test("comes before all paths, and in all addresses in responses", async () => {
    const service = await testService({ prefix: "/v1/docs/" });
    expect((await service.ask("/v1/docs/2.0/folders/0")).status).toBe(200);
    expect((await service.ask("/v1/docs/healthz")).status).toBe(200);
    const missing = await service.ask("/2.0/folders/0");
    expectError(missing, 404, "not_found");
    expect(missing.body.help_url).toBe(`${ORIGIN}/v1/docs/docs/errors#not_found`);
    const { body } = await service.ask("/v1/docs/2.0/files/content", {
      method: "OPTIONS",
      body: { name: "a.docx", parent: { id: "0" }, size: 1 },
    });
    expect(body.upload_url).toBe(`${ORIGIN}/v1/docs/2.0/files/content`);
  });
});
