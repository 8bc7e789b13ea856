import type { Operation } from "@quire/http/parts";
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS, SCOPES, staticTokens } from "../../src/index.ts";
import { openApiDocument } from "../../src/openapi/document.ts";
import { OPERATIONS } from "../../src/operations/all.ts";
import { exchange, serve } from "../support/server.ts";
import { ORIGIN, type TestService, TOKENS, testService, told } from "../support/service.ts";

const { token } = TOKENS.ann;

/** Invalid values of the header `Authorization`. */
const MALFORMED: readonly string[] = [
  "",
  "Bearer",
  "Bearer ",
  "Bearer  ",
  token,
  ` ${token} `,
  `Basic ${token}`,
  `Basic ${Buffer.from(`ann:${token}`).toString("base64")}`,
  `Token ${token}`,
  `Digest username="ann", response="${token}"`,
  `Bearer: ${token}`,
  `Bearer=${token}`,
  `Bearer,${token}`,
  `Bearer\t${token}`,
  `Bearer \t${token}`,
  `Bearer${token}`,
  `Bearer_${token}`,
  `Bearer/${token}`,
  `xBearer ${token}`,
  `Bearerx ${token}`,
  `Bearer "${token}"`,
  `Bearer '${token}'`,
  `Bearer <${token}>`,
  `Bearer token=${token}`,
  `Bearer token="${token}"`,
  `Bearer ${token},`,
  `Bearer ${token};`,
  `Bearer ${token}, Bearer ${token}`,
  `Bearer ${token},Bearer ${token}`,
  `Bearer ${token} ${token}`,
  `Bearer ${token} x`,
  `Bearer Bearer ${token}`,
  `Bearer x ${token}`,
  `Bearer ${token}=`,
  `Bearer =${token}`,
  `Bearer ${token}%00`,
  `Bearer ${token}%20`,
  `Bearer ${token}\u00a0`,
  `Bearer \u00a0${token}`,
  `Bearer\u00a0${token}`,
  `Bearer ${token}\u00e9`,
  `Bearer ${token.toUpperCase()}`,
  `Bearer ${token.slice(0, -1)}`,
  `Bearer ${token}n`,
  `Bearer ${encodeURIComponent(`${token} `)}`,
  `Bearer ${Buffer.from(token).toString("base64")}`,
  "Bearer null",
  "Bearer undefined",
  "Bearer [object Object]",
  "Bearer *",
  "Bearer ../../etc/passwd",
  "Bearer ' OR '1'='1",
  "Bearer __proto__",
  "Bearer constructor",
  "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4iLCJlbnRlcnByaXNlIjoiYWNtZSJ9.",
  `Bearer ${"a".repeat(8000)}`,
  `Bearer ${"a".repeat(9000)}`,
  `Bearer ${" ".repeat(9000)}${token}`,
];

/** Checks the response to an invalid token. */
function expectUnauthorized(what: string, answer: { status: number; body: unknown }): void {
  expect([what, answer.status, answer.body]).toMatchObject([
    what,
    401,
    { type: "error", status: 401, code: "unauthorized", context_info: null },
  ]);
}

/** Sends a request for an operation, with ids that do not exist. */
function requestOf(service: TestService, operation: Operation, who: keyof typeof TOKENS) {
  const path = `/2.0${operation.path.replaceAll(/\{\w+\}/g, "none")}`;
  return service.ask(path, {
    method: operation.method,
    who,
    ...(operation.body === null ? {} : { body: {} }),
  });
}

describe("The caller of a request", () => {
  test.each(MALFORMED.map((value) => [value.slice(0, 60), value]))(
    "is unknown for the Authorization %j",
    async (name, value) => {
      const service = await testService();
      const headers = { authorization: value };
      const answer = await service.ask("/2.0/folders/0", { who: null, headers });
      expectUnauthorized(name, answer);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    },
  );

  test("is unknown for each of these over a real connection, too", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler);
    for (const value of MALFORMED) {
      const answer = await exchange(port, [
        "GET /2.0/folders/0 HTTP/1.1",
        "Host: x",
        "Connection: close",
        `Authorization: ${value}`,
      ]);
      expectUnauthorized(value, { status: answer.status, body: JSON.parse(answer.body) });
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
  });

  test("is unknown with several Authorization headers, even if one of them is valid", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler);
    const good = `Authorization: Bearer ${token}`;
    const pairs = [
      [good, `Authorization: Bearer ${TOKENS.bob.token}`],
      [`Authorization: Bearer ${TOKENS.eve.token}`, good],
      [good, "authorization: Bearer nonsense"],
      ["AUTHORIZATION: Bearer nonsense", good],
      [good, "Authorization: Basic YTpi"],
      [good, "Authorization:"],
      ["Authorization:", good],
      [good, good],
      [good, good, good],
    ];
    for (const headers of pairs) {
      const lines = ["GET /2.0/folders/0 HTTP/1.1", "Host: x", "Connection: close", ...headers];
      const answer = await exchange(port, lines);
      expectUnauthorized(headers.join(" | "), { ...answer, body: JSON.parse(answer.body) });
    }
    const lines = ["GET /2.0/folders/0 HTTP/1.1", "Host: x", "Connection: close", good];
    expect((await exchange(port, lines)).status).toBe(200);
  });

  test("is known for Bearer in any case, with spaces around the token", async () => {
    const service = await testService();
    const { port } = await serve(service.service.handler);
    for (const value of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`]) {
      const headers = { authorization: value };
      const { status } = await service.ask("/2.0/folders/0", { who: null, headers });
      expect([value, status]).toEqual([value, 200]);
    }
    const lines = ["GET /2.0/folders/0 HTTP/1.1", "Host: x", "Connection: close"];
    const answer = await exchange(port, [...lines, `Authorization: \t Bearer ${token} \t`]);
    expect(answer.status).toBe(200);
  });

  test("is required, and the challenge names no error without Authorization", async () => {
    const service = await testService();
    const answer = await service.ask("/2.0/folders/0", { who: null });
    expectUnauthorized("none", answer);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    for (const operation of OPERATIONS) {
      const path = `/2.0${operation.path.replaceAll(/\{\w+\}/g, "none")}`;
      const { method } = operation;
      expectUnauthorized(operation.id, await service.ask(path, { method, who: null }));
    }
  });

  test("is not read from a query, a body, a cookie, or another header", async () => {
    const service = await testService();
    for (const query of [
      `access_token=${token}`,
      `token=${token}`,
      `Authorization=Bearer%20${token}`,
    ]) {
      expectUnauthorized(query, await service.ask(`/2.0/folders/0?${query}`, { who: null }));
    }
    for (const name of [
      "x-authorization",
      "x-access-token",
      "proxy-authorization",
      "cookie",
      "x-api-key",
    ]) {
      for (const value of [token, `Bearer ${token}`, `access_token=${token}`]) {
        const headers = { [name]: value };
        expectUnauthorized(name, await service.ask("/2.0/folders/0", { who: null, headers }));
      }
    }
    const form = new URLSearchParams({ access_token: token });
    const answer = await service.fetch("/2.0/folders", {
      who: null,
      raw: { method: "POST", body: form },
    });
    expectUnauthorized("a form", await told(answer));
    const body = { access_token: token, name: "a", parent: { id: "0" } };
    expectUnauthorized("a body", await service.ask("/2.0/folders", { who: null, body }));
  });

  test("is read from the header if the query contains another token", async () => {
    const service = await testService();
    const { body } = await service.ask("/2.0/folders", {
      body: { name: "hers", parent: { id: "0" } },
    });
    const path = `/2.0/folders/${body.id}?access_token=${token}`;
    expect((await service.ask(path, { who: "eve" })).status).toBe(404);
  });

  test("is checked before everything else of the request: path, version, body", async () => {
    const service = await testService();
    const answer = await service.ask("/2.0/docgen_batches", {
      who: null,
      method: "POST",
      headers: { "service-version": "1999", "content-type": "text/plain" },
    });
    expectUnauthorized("all wrong", answer);
  });

  test("is not required for routes other than operations", async () => {
    const service = await testService();
    for (const path of ["/healthz", "/readyz", "/openapi.json"]) {
      const response = await service.handle(new Request(ORIGIN + path));
      expect([path, response.status]).toEqual([path, 200]);
    }
  });
});

describe("The scopes of a token", () => {
  test.each(
    OPERATIONS.filter(({ needs }) => needs !== "read").map((one) => [one.id, one] as const),
  )(
    "with only root_readonly do not allow %s, which is reported before other problems of the request",
    async (_, operation) => {
      const service = await testService();
      const answer = await requestOf(service, operation, "reader");
      expect(answer).toMatchObject({
        status: 403,
        body: { type: "error", status: 403, code: "insufficient_scope", context_info: null },
      });
      const scope = operation.needs === "write" ? "root_readwrite" : "manage_webhook";
      expect(answer.headers.get("www-authenticate")).toBe(
        `Bearer error="insufficient_scope", scope="${scope}"`,
      );
      expect(answer.body.message).toContain(`lacks the scope ${scope}.`);
      expect((await requestOf(service, operation, "ann")).body.code).not.toBe("insufficient_scope");
    },
  );

  test.each(
    OPERATIONS.filter(({ needs }) => needs === "read").map((one) => [one.id, one] as const),
  )("with only root_readonly allow %s", async (_, operation) => {
    const service = await testService();
    const { status } = await requestOf(service, operation, "reader");
    expect([401, 403]).not.toContain(status);
  });

  test("are what the OpenAPI document says, for each scope alone and without any", async () => {
    const alone = [...SCOPES.map((scope) => [scope]), []];
    const principals = alone.map((scopes, index) => ({
      token: `token-number-${index}`,
      user: `user-${index}`,
      enterprise: "acme",
      scopes,
    }));
    const service = await testService({ authenticate: staticTokens(principals) });
    const { paths } = openApiDocument(OPERATIONS, ORIGIN, DEFAULT_LIMITS) as {
      paths: Record<string, Record<string, { security: { oauth2: string[] }[] }>>;
    };
    for (const operation of OPERATIONS) {
      const told = paths[operation.path]?.[operation.method.toLowerCase()]?.security ?? [];
      for (const { token, scopes } of principals) {
        // `ask` is not used here, because it would check each of these many responses against the document.
        const path = `/2.0${operation.path.replaceAll(/\{\w+\}/g, "none")}`;
        const headers = { authorization: `Bearer ${token}` };
        const { method } = operation;
        const response = await service.service.handler(
          new Request(ORIGIN + path, { method, headers }),
        );
        const { status, headers: answered } = response;
        await response.body?.cancel();
        const isAllowed = told.some(({ oauth2 }) =>
          oauth2.every((one) => scopes.includes(one as never)),
        );
        const challenge = answered.get("www-authenticate") ?? "";
        const isRefused = status === 403 && challenge.includes("insufficient_scope");
        expect([operation.id, scopes, !isRefused]).toEqual([operation.id, scopes, isAllowed]);
      }
    }
  });

  test("for webhooks alone allow no reading of files, folders, templates or jobs", () => {
    const open = OPERATIONS.filter(({ needs }) => needs === "webhooks");
    expect(open.map(({ path }) => path.split("/")[1])).toEqual(open.map(() => "webhooks"));
  });

  test("are checked for HEAD as for GET", async () => {
    const service = await testService();
    const { status } = await service.ask("/2.0/webhooks", { method: "HEAD", who: "reader" });
    expect(status).toBe(403);
  });
});
