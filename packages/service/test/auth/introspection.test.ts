import { describe, expect, test } from "vitest";
import { expiringCache } from "../../src/auth/expiring-cache.ts";
import { type IntrospectionOptions, introspection } from "../../src/auth/introspection.ts";
import { caught, shown } from "./support/caught.ts";
import {
  type Answer,
  FAILURES,
  json,
  type LocalServer,
  localServer,
  status,
} from "./support/local-server.ts";
import { compact } from "./support/signing-keys.ts";

const TOKEN = "an-opaque-token";

const ISSUER = "https://issuer.example/";

const ACTIVE = {
  active: true,
  sub: "ann",
  enterprise: "acme",
  scope: "root_readonly",
  token_type: "Bearer",
};

function optionsFor(
  server: LocalServer,
  change: Partial<IntrospectionOptions> = {},
): IntrospectionOptions {
  const url = `${server.origin}/introspect`;
  return { url, clientId: "gate", clientSecret: "hush-hush", allowInsecure: true, ...change };
}

const seconds = (): number => Math.floor(Date.now() / 1000);

describe("a response about a token", () => {
  test("becomes a principal, after a request according to RFC 7662", async () => {
    await using server = await localServer(json(ACTIVE));
    expect(await introspection(optionsFor(server))(TOKEN, {})).toEqual({
      user: "ann",
      enterprise: "acme",
      scopes: ["root_readonly"],
    });
    const [asked] = server.asked;
    expect(`${asked?.method} ${asked?.path}`).toBe("POST /introspect");
    expect(asked?.headers.authorization).toMatch(/^Basic /);
    expect(asked?.headers["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
    const form = Object.fromEntries(new URLSearchParams(asked?.body));
    expect(form).toEqual({ token: TOKEN, token_type_hint: "access_token" });
  });

  test("is requested with client credentials in the form if the options say so", async () => {
    await using server = await localServer(json(ACTIVE));
    const post = optionsFor(server, { clientAuthentication: "post" });
    expect(await introspection(post)(TOKEN, {})).not.toBeNull();
    const form = new URLSearchParams(server.asked[0]?.body);
    expect([form.get("client_id"), form.get("client_secret")]).toEqual(["gate", "hush-hush"]);
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
  });

  test.each<[string, object]>([
    ["if it is not active", { active: false }],
    ["if it has expired", { exp: seconds() - 1 }],
    ["if its expiry is a string", { exp: String(seconds() + 60) }],
    ["if its expiry is null", { exp: null }],
    ["of another issuer", { iss: "https://other.example" }],
    ["if its issuer is a list", { iss: ["https://issuer.example"] }],
    ["for another service", { aud: "other" }],
    ["for other services", { aud: ["other", "another"] }],
    ["for nobody", { aud: undefined }],
    ["of a type that needs a proof", { token_type: "DPoP" }],
    ["of a type that is not a string", { token_type: ["Bearer"] }],
    ["that is bound to a key", { cnf: { jkt: "x" } }],
    ["without a user", { sub: undefined }],
    ["with a number as user", { sub: 7 }],
    ["without a tenant", { enterprise: undefined }],
    ["with a number as tenant", { enterprise: 7 }],
    ["with a control character in the tenant", { enterprise: "a\u0000" }],
    ["without scopes", { scope: undefined }],
    ["with a number as scope", { scope: 7 }],
  ])("makes none %s", async (_, change) => {
    const claims = { ...ACTIVE, aud: "quire", iss: "https://issuer.example" };
    await using server = await localServer(json(claims));
    const authenticate = introspection(optionsFor(server, { issuer: ISSUER, audience: "quire" }));
    expect(await authenticate(TOKEN, {})).not.toBeNull();
    server.answer = json({ ...claims, ...change });
    expect(await authenticate(`${TOKEN}-2`, {})).toBeNull();
  });

  test("with an unknown token type of the issuer is accepted", async () => {
    const answer: Answer = (response) => {
      const body = JSON.stringify({ error: "unsupported_token_type" });
      response.writeHead(400, { "content-type": "application/json" }).end(body);
    };
    await using server = await localServer(answer);
    expect(await introspection(optionsFor(server))(TOKEN, {})).toBeNull();
  });
});

describe("a cached response", () => {
  test("is requested once, and again after it has expired", async () => {
    await using server = await localServer(json(ACTIVE));
    let now = Date.now();
    const authenticate = introspection(optionsFor(server, { now: () => now }));
    await authenticate(TOKEN, {});
    now += 29_999;
    expect(await authenticate(TOKEN, {})).not.toBeNull();
    expect(server.asked).toHaveLength(1);
    now += 1;
    server.answer = json({ active: false });
    expect(await authenticate(TOKEN, {})).toBeNull();
  });

  test("expires with its token", async () => {
    let now = 1_000_000_000_000;
    await using server = await localServer(json({ ...ACTIVE, exp: now / 1000 + 10 }));
    const authenticate = introspection(optionsFor(server, { now: () => now }));
    await authenticate(TOKEN, {});
    now += 9_999;
    await authenticate(TOKEN, {});
    expect(server.asked).toHaveLength(1);
    now += 1;
    expect(await authenticate(TOKEN, {})).toBeNull();
    expect(server.asked).toHaveLength(2);
  });

  test("applies to one token only", async () => {
    await using server = await localServer(json(ACTIVE));
    const authenticate = introspection(optionsFor(server));
    await authenticate(TOKEN, {});
    server.answer = json({ active: false });
    for (const other of [`${TOKEN}=`, TOKEN.slice(1), TOKEN.toUpperCase()]) {
      expect(await authenticate(other, {})).toBeNull();
    }
  });

  test("is never a failure, and never negative if negative responses are not cached", async () => {
    await using server = await localServer(json({ active: false }));
    const authenticate = introspection(optionsFor(server, { inactiveCacheMs: 0 }));
    expect(await authenticate(TOKEN, {})).toBeNull();
    server.answer = status(500);
    expect((await caught(() => authenticate(TOKEN, {}))).code).toBe("unavailable");
    server.answer = json(ACTIVE);
    expect(await authenticate(TOKEN, {})).not.toBeNull();
  });

  test("is used while the issuer is down", async () => {
    await using server = await localServer(json(ACTIVE));
    const authenticate = introspection(optionsFor(server));
    await authenticate(TOKEN, {});
    await server.close();
    expect(await authenticate(TOKEN, {})).not.toBeNull();
    expect((await caught(() => authenticate("another-token", {}))).code).toBe("unavailable");
  });

  test("can be turned off", async () => {
    await using server = await localServer(json(ACTIVE));
    const authenticate = introspection(optionsFor(server, { cacheMs: 0 }));
    await authenticate(TOKEN, {});
    await authenticate(TOKEN, {});
    expect(server.asked).toHaveLength(2);
  });

  test("is evicted for newer ones, least recently used first", async () => {
    await using server = await localServer(json(ACTIVE));
    const authenticate = introspection(optionsFor(server, { cacheSize: 2 }));
    for (const token of ["one", "two", "one", "three"]) await authenticate(token, {});
    expect(server.asked).toHaveLength(3);
    await authenticate("one", {});
    expect(server.asked).toHaveLength(3);
    await authenticate("two", {});
    expect(server.asked).toHaveLength(4);
  });

  test("is removed when it has expired, so that nothing piles up", () => {
    let now = 0;
    const recent = expiringCache(2, () => now);
    const principal = { user: "u", enterprise: "acme", scopes: [] };
    recent.set("a", principal, 10);
    recent.set("b", principal, 0);
    expect([recent.get("a"), recent.get("b")]).toEqual([principal, null]);
    now = 10;
    expect(recent.get("a")).toBeNull();
  });
});

describe("concurrent requests with one token", () => {
  test("share one request to the issuer, and its failure", async () => {
    await using server = await localServer(json(ACTIVE));
    const authenticate = introspection(optionsFor(server, { cacheMs: 0 }));
    const ask = () => Array.from({ length: 10 }, () => authenticate(TOKEN, {}));
    expect(await Promise.all(ask())).not.toContain(null);
    expect(server.asked).toHaveLength(1);
    server.answer = status(500);
    const failed = await Promise.allSettled(ask());
    expect(failed.every(({ status: how }) => how === "rejected")).toBe(true);
    expect(server.asked).toHaveLength(2);
  });

  test("do not share requests with other tokens", async () => {
    const answer: Answer = (response, asked) => {
      const sub = new URLSearchParams(asked.body).get("token");
      return json({ ...ACTIVE, sub })(response, asked);
    };
    await using server = await localServer(answer);
    const authenticate = introspection(optionsFor(server));
    const names = Array.from({ length: 20 }, (_, index) => `user-${index % 5}`);
    const principals = await Promise.all(names.map((name) => authenticate(name, {})));
    expect(principals.map((principal) => principal?.user)).toEqual(names);
    expect(server.asked).toHaveLength(5);
  });

  test("continue when one of them is aborted", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using server = await localServer(async (response, asked) => {
      await held;
      await json(ACTIVE)(response, asked);
    });
    const authenticate = introspection(optionsFor(server));
    const aborted = new AbortController();
    const left = caught(() => authenticate(TOKEN, { signal: aborted.signal }));
    const stayed = authenticate(TOKEN, {});
    aborted.abort();
    expect((await left).code).toBe("aborted");
    release();
    expect(await stayed).not.toBeNull();
    expect(server.asked).toHaveLength(1);
  });
});

describe("an issuer that cannot be asked about tokens", () => {
  const more: Record<string, Answer> = {
    "rejects the client": status(401, { "www-authenticate": "Basic" }),
    "forbids introspection": status(403),
    "calls the request invalid": status(400),
    "reports active as a string": json({ ...ACTIVE, active: "true" }),
    "reports active as a number": json({ ...ACTIVE, active: 1 }),
    "does not report active": json({ ...ACTIVE, active: undefined }),
    "signs its response, but the signature would not be checked": (response) => {
      const header = { alg: "RS256", typ: "token-introspection+jwt" };
      const claims = { iss: ISSUER, aud: "gate", iat: seconds(), token_introspection: ACTIVE };
      const type = "application/token-introspection+jwt";
      response.writeHead(200, { "content-type": type }).end(compact(header, claims, "AAAA"));
    },
    "repeats the token in garbage": (response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(`${TOKEN} is good`);
    },
    "repeats the token in an object": json({ token: TOKEN }),
    "repeats the token in an error": (response) => {
      const body = JSON.stringify({ error: "invalid_request", error_description: TOKEN });
      response.writeHead(400, { "content-type": "application/json" }).end(body);
    },
  };
  test.each(Object.entries({ ...FAILURES, ...more }))(
    "that %s is unavailable, and no token is quoted",
    async (_, answer) => {
      await using server = await localServer(answer);
      const options = optionsFor(server, { timeoutMs: 300, issuer: ISSUER });
      const authenticate = introspection(options);
      const error = await caught(() => authenticate(TOKEN, {}));
      expect(error).toMatchObject({ code: "unavailable", retryable: true });
      expect(error.message).toMatch(
        /^The access token cannot be checked: the request to the issuer .*\.$/,
      );
      expect(error.message).toContain(`${server.origin}/introspect`);
      expect(error.cause).toBeInstanceOf(Error);
      expect(shown(error)).not.toContain(TOKEN);
      expect(shown(error)).not.toContain("hush-hush");
    },
  );

  test("that nobody listens on is unavailable", async () => {
    await using server = await localServer(json(ACTIVE));
    await server.close();
    const error = await caught(() => introspection(optionsFor(server))(TOKEN, {}));
    expect(error).toMatchObject({ code: "unavailable", retryable: true });
    expect(error.message).toContain("cannot be reached (ECONNREFUSED)");
  });
});

describe("the endpoint of an issuer", () => {
  const oidc = "/.well-known/openid-configuration";
  const oauth = "/.well-known/oauth-authorization-server";

  function issuerWith(paths: Readonly<Record<string, Answer>>): Answer {
    return (response, asked) => (paths[asked.path] ?? status(404))(response, asked);
  }

  function optionsOf(server: LocalServer): IntrospectionOptions {
    const { url: _, ...rest } = optionsFor(server, { cacheMs: 0 });
    return { ...rest, issuer: server.origin };
  }

  test("is looked up once, in either kind of metadata", async () => {
    for (const path of [oidc, oauth]) {
      await using server = await localServer(status(404));
      const metadata = { issuer: server.origin, introspection_endpoint: `${server.origin}/ask` };
      server.answer = issuerWith({ [path]: json(metadata), "/ask": json(ACTIVE) });
      const authenticate = introspection(optionsOf(server));
      expect(await Promise.all([authenticate("a", {}), authenticate("b", {})])).not.toContain(null);
      await authenticate("c", {});
      expect(server.asked.filter((asked) => asked.path === path)).toHaveLength(1);
      expect(server.asked.filter((asked) => asked.path === "/ask")).toHaveLength(3);
    }
  });

  test("is looked up again after a failure", async () => {
    await using server = await localServer(status(500));
    const authenticate = introspection(optionsOf(server));
    expect((await caught(() => authenticate(TOKEN, {}))).code).toBe("unavailable");
    const metadata = { issuer: server.origin, introspection_endpoint: `${server.origin}/old` };
    server.answer = issuerWith({ [oidc]: json(metadata) });
    expect((await caught(() => authenticate(TOKEN, {}))).code).toBe("unavailable");
    const moved = { issuer: server.origin, introspection_endpoint: `${server.origin}/new` };
    server.answer = issuerWith({ [oidc]: json(moved), "/new": json(ACTIVE) });
    expect(await authenticate(TOKEN, {})).not.toBeNull();
  });

  test("is rejected if the metadata name another issuer or no endpoint", async () => {
    await using server = await localServer(status(404));
    const endpoint = { introspection_endpoint: `${server.origin}/ask` };
    const all = [{ issuer: "https://other.example", ...endpoint }, { issuer: server.origin }, {}];
    for (const metadata of all) {
      server.answer = issuerWith({ [oidc]: json(metadata), "/ask": json(ACTIVE) });
      const error = await caught(() => introspection(optionsOf(server))(TOKEN, {}));
      expect(error.code).toBe("unavailable");
      expect(server.asked.some((asked) => asked.path === "/ask")).toBe(false);
    }
  });

  test("receives no secrets if the metadata move from https to http", async () => {
    await using server = await localServer(json(ACTIVE));
    const metadata = { issuer: "https://safe.example", introspection_endpoint: server.origin };
    const authenticate = introspection({
      issuer: "https://safe.example",
      clientId: "gate",
      clientSecret: "hush-hush",
      fetch: async (url, options) =>
        url.startsWith("https://safe.example/")
          ? Response.json(metadata)
          : await fetch(url, options),
    });
    expect((await caught(() => authenticate(TOKEN, {}))).code).toBe("unavailable");
    expect(server.asked).toEqual([]);
  });
});

describe("invalid options for introspection", () => {
  const OPTIONS = { url: "https://a.example/", clientId: "gate", clientSecret: "hush-hush" };

  test.each<[string, object, string]>([
    ["neither endpoint nor issuer", { url: undefined }, "/url"],
    ["an endpoint over http", { url: "http://a.example/hush-hush" }, "/url"],
    ["an issuer over http", { issuer: "http://a.example" }, "/issuer"],
    ["an endpoint with a password", { url: "https://u:hush-hush@a.example" }, "/url"],
    ["no address", { url: "hush-hush" }, "/url"],
    ["no client", { clientId: "" }, "/clientId"],
    ["no secret", { clientSecret: "" }, "/clientSecret"],
    ["an empty audience", { audience: "" }, "/audience"],
    ["an unknown authentication method", { clientAuthentication: "none" }, "/clientAuthentication"],
    ["a claim with an empty name", { claims: { user: "" } }, "/claims/user"],
    ["an infinite cache time", { cacheMs: Number.POSITIVE_INFINITY }, "/cacheMs"],
    ["a cache time of an hour", { cacheMs: 3_600_000 }, "/cacheMs"],
    ["a cache size of zero", { cacheSize: 0 }, "/cacheSize"],
    ["a negative cache time of an hour", { inactiveCacheMs: 3_600_000 }, "/inactiveCacheMs"],
    ["a concurrency of zero", { concurrency: 0 }, "/concurrency"],
    ["a timeout of zero", { timeoutMs: 0 }, "/timeoutMs"],
  ])("are refused: %s", async (_, change, pointer) => {
    const options = { ...OPTIONS, ...change } as IntrospectionOptions;
    const error = await caught(() => introspection(options));
    expect(error.code).toBe("invalid_request");
    expect(error.diagnostics.map((problem) => problem.pointer)).toEqual([pointer]);
    expect(error.message).toMatch(/\.$/);
    expect(shown(error)).not.toContain("hush-hush");
  });
});
