import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IntrospectionOptions, introspection } from "../../src/auth/introspection.ts";
import { caught, shown } from "./support/caught.ts";
import { type OidcProcess, oidcProcess } from "./support/oidc-process.ts";
import { compact } from "./support/signing-keys.ts";

let server: OidcProcess;

beforeAll(async () => {
  server = await oidcProcess();
});

afterAll(async () => await server[Symbol.asyncDispose]());

function options(change: Partial<IntrospectionOptions> = {}): IntrospectionOptions {
  return {
    issuer: server.issuer,
    clientId: server.gate.id,
    clientSecret: server.gate.secret,
    claims: { user: "client_id", enterprise: "tenant" },
    cacheMs: 0,
    allowInsecure: true,
    ...change,
  };
}

describe("a token of a real OAuth server", () => {
  test("belongs to the client and tenant that the server reports; its metadata name the endpoint", async () => {
    const authenticate = introspection(options());
    const token = await server.makeToken("root_readonly something_else");
    expect(await authenticate(token, {})).toEqual({
      user: "user-7",
      enterprise: "acme",
      scopes: ["root_readonly", "something_else"],
    });
  });

  test("is checked with only the endpoint, with either way of client authentication", async () => {
    const { issuer: _, ...rest } = options();
    const url = `${server.issuer}/token/introspection`;
    const token = await server.makeToken("root_readwrite");
    for (const clientAuthentication of ["basic", "post"] as const) {
      const authenticate = introspection({ ...rest, url, clientAuthentication });
      expect(await authenticate(token, {})).not.toBeNull();
    }
  });

  test("is invalid once it is revoked", async () => {
    const authenticate = introspection(options());
    const token = await server.makeToken("root_readonly");
    expect(await authenticate(token, {})).not.toBeNull();
    await server.revoke(token);
    expect(await authenticate(token, {})).toBeNull();
  });

  test("remains valid after revocation while the response is cached", async () => {
    let now = Date.now();
    const authenticate = introspection(options({ cacheMs: 10_000, now: () => now }));
    const token = await server.makeToken("root_readonly");
    expect(await authenticate(token, {})).not.toBeNull();
    await server.revoke(token);
    now += 9_999;
    expect(await authenticate(token, {})).not.toBeNull();
    now += 1;
    expect(await authenticate(token, {})).toBeNull();
  });

  test("is invalid if the server does not know it", async () => {
    const authenticate = introspection(options());
    for (const token of ["x", "quire_abc", "a.b.c", compact({ alg: "RS256" }, {}, "AAAA")]) {
      expect(await authenticate(token, {})).toBeNull();
    }
  });

  test("is invalid without a user, without a tenant and without scopes", async () => {
    const token = await server.makeToken("root_readonly");
    expect(
      await introspection(options({ claims: { enterprise: "tenant" } }))(token, {}),
    ).toBeNull();
    expect(await introspection(options({ claims: { user: "client_id" } }))(token, {})).toBeNull();
    expect(await introspection(options())(await server.makeToken(""), {})).toBeNull();
  });

  test("cannot be checked by a client that the server rejects", async () => {
    const token = await server.makeToken("root_readonly");
    const clientSecret = "a wrong secret";
    const error = await caught(() => introspection(options({ clientSecret }))(token, {}));
    expect(error).toMatchObject({ code: "unavailable", retryable: true });
    expect(error.message).toContain("status 401. Check clientId and clientSecret");
    expect(shown(error)).not.toContain(token);
    expect(shown(error)).not.toContain(clientSecret);
  });
});
