import { createHmac, createPublicKey, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import type { JWTHeaderParameters, JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type JwtOptions, jwt } from "../../src/auth/jwt.ts";
import { caught, shown } from "./support/caught.ts";
import { FAILURES, json, type LocalServer, localServer, status } from "./support/local-server.ts";
import { compact, type SigningKey, sign, signingKey } from "./support/signing-keys.ts";

const ISSUER = "https://issuer.example/";
const AUDIENCE = "quire";

const now = (): number => Math.floor(Date.now() / 1000);

/** Returns the claims of a valid token. */
function good(change: JWTPayload = {}): JWTPayload {
  return {
    iss: ISSUER,
    aud: AUDIENCE,
    sub: "ann",
    enterprise: "acme",
    scope: "root_readonly root_readwrite",
    exp: now() + 60,
    ...change,
  };
}

function without(name: string): JWTPayload {
  const { [name]: _, ...rest } = good();
  return rest;
}

function optionsFor(server: LocalServer, change: Partial<JwtOptions> = {}): JwtOptions {
  const jwksUrl = `${server.origin}/keys?code=hush`;
  return { issuer: ISSUER, audience: AUDIENCE, jwksUrl, allowInsecure: true, ...change };
}

function published(...keys: readonly SigningKey[]) {
  return json({ keys: keys.map((key) => key.published) });
}

let rsa: SigningKey;
let ec: SigningKey;
let ed: SigningKey;
let stranger: SigningKey;
let server: LocalServer;

beforeAll(async () => {
  rsa = await signingKey("rsa-1", "RS256");
  ec = await signingKey("ec-1", "ES256");
  ed = await signingKey("ed-1", "EdDSA");
  stranger = await signingKey("rsa-1", "RS256");
  server = await localServer(published(rsa, ec, ed));
});

afterAll(async () => await server.close());

describe("a signed token", () => {
  test("belongs to the user and tenant that it names, with any of the published keys", async () => {
    const authenticate = jwt(optionsFor(server));
    for (const key of [rsa, ec, ed]) {
      expect(await authenticate(await sign(key, good()), {})).toEqual({
        user: "ann",
        enterprise: "acme",
        scopes: ["root_readonly", "root_readwrite"],
      });
    }
  });

  test("may have its scopes as a list, including unknown ones, and no scopes", async () => {
    const authenticate = jwt(optionsFor(server));
    const scopesOf = async (scope: unknown) =>
      (await authenticate(await sign(rsa, good({ scope })), {}))?.scopes;
    expect(await scopesOf(["root_readonly", "files all"])).toEqual(["root_readonly", "files all"]);
    expect(await scopesOf("a  b a ")).toEqual(["a", "b"]);
    expect(await scopesOf("")).toEqual([]);
    expect(await scopesOf([])).toEqual([]);
  });

  test("may name several audiences", async () => {
    const token = await sign(rsa, good({ aud: ["other", AUDIENCE] }));
    expect(await jwt(optionsFor(server))(token, {})).not.toBeNull();
    const either = jwt(optionsFor(server, { audience: ["a", "other"] }));
    expect(await either(token, {})).not.toBeNull();
  });

  test("has its user, tenant and scopes in the claims that the options name", async () => {
    const claims = { user: "client_id", enterprise: "https://x.example/tenant", scopes: "scp" };
    const token = await sign(rsa, {
      ...good({ sub: "someone else", enterprise: "another", scope: "root_readwrite" }),
      client_id: "bot",
      "https://x.example/tenant": "globex",
      scp: ["root_readonly"],
    });
    expect(await jwt(optionsFor(server, { claims }))(token, {})).toEqual({
      user: "bot",
      enterprise: "globex",
      scopes: ["root_readonly"],
    });
    expect(await jwt(optionsFor(server, { claims }))(await sign(rsa, good()), {})).toBeNull();
  });

  test.each<[string, () => JWTPayload]>([
    ["of another issuer", () => good({ iss: "https://other.example/" })],
    ["of an issuer with a similar name", () => good({ iss: "https://issuer.example" })],
    ["of an issuer in a list", () => good({ iss: [ISSUER] as unknown as string })],
    ["without an issuer", () => without("iss")],
    ["for another service", () => good({ aud: "other" })],
    ["for a service with a longer name", () => good({ aud: "quire2" })],
    ["for nobody", () => good({ aud: [] })],
    ["without an audience", () => without("aud")],
    ["that has expired", () => good({ exp: now() - 60 })],
    ["without an expiry", () => without("exp")],
    ["whose expiry is a string", () => good({ exp: String(now() + 60) as unknown as number })],
    ["whose expiry is null", () => good({ exp: null as unknown as number })],
    ["that is not valid yet", () => good({ nbf: now() + 60 })],
    ["whose start is a string", () => good({ nbf: "0" as unknown as number })],
    ["without a user", () => without("sub")],
    ["with a number as user", () => good({ sub: 7 as unknown as string })],
    ["with an empty user", () => good({ sub: "" })],
    ["without a tenant", () => without("enterprise")],
    ["with a number as tenant", () => good({ enterprise: 7 })],
    ["with a list as tenant", () => good({ enterprise: ["acme"] })],
    ["with an empty tenant", () => good({ enterprise: "" })],
    ["with a line end in the tenant", () => good({ enterprise: "acme\n" })],
    ["with a long tenant", () => good({ enterprise: "x".repeat(256) })],
    ["without scopes", () => without("scope")],
    ["with a number as scope", () => good({ scope: 7 })],
    ["with numbers as scopes", () => good({ scope: ["root_readonly", 7] })],
    ["with an object as scopes", () => good({ scope: { root_readwrite: true } })],
    ["that is bound to a key", () => good({ cnf: { jkt: "x" } })],
  ])("is none %s", async (_, claims) => {
    expect(await jwt(optionsFor(server))(await sign(rsa, claims()), {})).toBeNull();
  });

  test("is not read from inherited properties", async () => {
    const claims = { user: "toString", enterprise: "constructor", scopes: "__proto__" };
    expect(await jwt(optionsFor(server, { claims }))(await sign(rsa, good()), {})).toBeNull();
  });

  test("may be slightly late or early, within the tolerance", async () => {
    const late = await sign(rsa, good({ exp: now() - 20 }));
    const early = await sign(rsa, good({ nbf: now() + 20 }));
    const tolerant = jwt(optionsFor(server, { clockToleranceSeconds: 30 }));
    for (const token of [late, early]) {
      expect(await tolerant(token, {})).not.toBeNull();
      expect(await jwt(optionsFor(server))(token, {})).toBeNull();
    }
  });

  test("is checked with the given clock", async () => {
    const token = await sign(rsa, good());
    const later = jwt(optionsFor(server, { now: () => Date.now() + 120_000 }));
    expect(await later(token, {})).toBeNull();
  });

  test("must have the requested type", async () => {
    const authenticate = jwt(optionsFor(server, { type: "at+jwt" }));
    const ofType = async (header: Partial<JWTHeaderParameters>) =>
      await authenticate(await sign(rsa, good(), header), {});
    expect(await ofType({ typ: "at+jwt" })).not.toBeNull();
    expect(await ofType({ typ: "application/AT+JWT" })).not.toBeNull();
    expect(await ofType({ typ: "JWT" })).toBeNull();
    expect(await ofType({})).toBeNull();
  });
});

describe("a forged token", () => {
  const refuse = async (token: string): Promise<void> => {
    expect(await jwt(optionsFor(server))(token, {})).toBeNull();
  };

  test("without a signature is rejected, for any spelling of its algorithm", async () => {
    const [, , signature] = (await sign(rsa, good())).split(".");
    for (const alg of ["none", "None", "NONE", "nOnE", "", null, undefined]) {
      await refuse(compact({ alg, kid: "rsa-1" }, good()));
      await refuse(compact({ alg, kid: "rsa-1" }, good(), signature));
    }
  });

  test("signed with a published key as a shared secret is rejected", async () => {
    const key = createPublicKey({ key: rsa.published as never, format: "jwk" });
    const secrets = [
      key.export({ type: "spki", format: "pem" }),
      key.export({ type: "spki", format: "der" }),
      key.export({ type: "pkcs1", format: "pem" }),
      JSON.stringify(rsa.published),
      "",
    ];
    for (const alg of ["HS256", "HS384", "HS512"]) {
      for (const secret of secrets) {
        const text = compact({ alg, kid: "rsa-1" }, good()).slice(0, -1);
        const hmac = createHmac(`sha${alg.slice(2)}`, secret)
          .update(text)
          .digest("base64url");
        await refuse(`${text}.${hmac}`);
      }
    }
  });

  test("signed with a foreign key is rejected, whatever its header contains", async () => {
    await refuse(await sign(stranger, good()));
    await refuse(await sign(stranger, good(), { kid: "ec-1" }));
    await refuse(await sign(stranger, good(), { kid: "" }));
    await refuse(await sign(stranger, good(), { jwk: stranger.published as never }));
  });

  test("that points to its own keys is rejected, and these keys are not fetched", async () => {
    await using evil = await localServer(published(stranger));
    for (const name of ["jku", "x5u"]) {
      await refuse(await sign(stranger, good(), { [name]: `${evil.origin}/keys` }));
      await refuse(await sign(stranger, good({ iss: evil.origin }), { [name]: evil.origin }));
    }
    expect(evil.asked).toEqual([]);
  });

  test("with another payload under a valid signature is rejected", async () => {
    const [header, , signature] = (await sign(rsa, good())).split(".");
    const [, payload] = (await sign(rsa, good({ enterprise: "globex" }))).split(".");
    await refuse(`${header}.${payload}.${signature}`);
  });

  test("with unknown critical headers is rejected", async () => {
    await refuse(await sign(rsa, good(), { kid: "rsa-1" }).then((token) => withCrit(token, ["x"])));
    const text = compact({ alg: "RS256", kid: "rsa-1", crit: ["b64"], b64: false }, good());
    await refuse(text);
  });

  test("with an algorithm that is not allowed is rejected, even if the key is published", async () => {
    const strict = jwt(optionsFor(server, { algorithms: ["ES256"] }));
    expect(await strict(await sign(rsa, good()), {})).toBeNull();
    expect(await strict(await sign(ec, good()), {})).not.toBeNull();
  });

  test("with the key of another algorithm is rejected", async () => {
    await refuse(await sign(ec, good(), { kid: "rsa-1" }));
    await refuse(await sign(rsa, good(), { kid: "ec-1" }));
  });

  test("is rejected after any change to a valid token", async () => {
    const authenticate = jwt(optionsFor(server));
    const token = await sign(ed, good());
    // The last letter is left out, because some of its bits are not part of the signature.
    const place = fc.nat(token.length - 2);
    const letter = fc.stringMatching(/^[A-Za-z0-9\-._~+/=]$/);
    await fc.assert(
      fc.asyncProperty(place, letter, async (at, other) => {
        fc.pre(token[at] !== other);
        const changed = token.slice(0, at) + other + token.slice(at + 1);
        expect(await authenticate(changed, {})).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  test("is rejected for any combination of parts", async () => {
    const authenticate = jwt(optionsFor(server));
    const part = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9\-_=]{0,40}$/),
      fc.json().map((text) => Buffer.from(text).toString("base64url")),
      fc
        .record({ alg: fc.constantFrom("RS256", "ES256", "EdDSA", "none", 1), kid: fc.anything() })
        .map((header) => Buffer.from(JSON.stringify(header) ?? "").toString("base64url")),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        expect(await authenticate(parts.join("."), {})).toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});

/** Returns a token that is signed with the right key and has a `crit` header, which the library would not create. */
async function withCrit(token: string, crit: readonly string[]): Promise<string> {
  const [, payload] = token.split(".");
  const header = Buffer.from(JSON.stringify({ alg: "RS256", kid: "rsa-1", crit, x: 1 }));
  const text = `${header.toString("base64url")}.${payload}`;
  const signature = await crypto.subtle.sign(
    "RSASSA-PKCS1-v1_5",
    rsa.privateKey,
    Buffer.from(text),
  );
  return `${text}.${Buffer.from(signature).toString("base64url")}`;
}

describe("the keys of an issuer", () => {
  test("are fetched with the first token, once for all concurrent tokens", async () => {
    await using issuer = await localServer(published(rsa, ec));
    const authenticate = jwt(optionsFor(issuer));
    expect(issuer.asked).toEqual([]);
    const tokens = await Promise.all([sign(rsa, good()), sign(ec, good()), sign(rsa, good())]);
    const principals = await Promise.all(tokens.map((token) => authenticate(token, {})));
    expect(principals).not.toContain(null);
    expect(issuer.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /keys?code=hush",
    ]);
  });

  test("are not fetched for a token of another issuer", async () => {
    await using issuer = await localServer(published(rsa));
    const authenticate = jwt(optionsFor(issuer));
    await issuer.close();
    const foreign = await sign(rsa, good({ iss: "https://other.example/" }));
    for (const token of [
      "",
      "quire_x",
      "a.b.c",
      "a.b.c.d.e",
      compact({ alg: "none" }, good()),
      foreign,
    ]) {
      expect(await authenticate(token, {})).toBeNull();
    }
  });

  test("may change: a new key is found at once, and the old one becomes invalid", async () => {
    await using issuer = await localServer(published(rsa));
    const authenticate = jwt(optionsFor(issuer, { cooldownMs: 0 }));
    expect(await authenticate(await sign(rsa, good()), {})).not.toBeNull();
    issuer.answer = published(ec);
    expect(await authenticate(await sign(ec, good()), {})).not.toBeNull();
    expect(await authenticate(await sign(rsa, good()), {})).toBeNull();
  });

  test("are fetched again after their maximum age, so that withdrawn keys become invalid", async () => {
    await using issuer = await localServer(published(rsa));
    const authenticate = jwt(optionsFor(issuer, { keysMaxAgeMs: 1 }));
    expect(await authenticate(await sign(rsa, good()), {})).not.toBeNull();
    issuer.answer = published(ec);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await authenticate(await sign(rsa, good()), {})).toBeNull();
  });

  test("are not fetched again for each token with an unknown key", async () => {
    await using issuer = await localServer(published(rsa));
    const authenticate = jwt(optionsFor(issuer));
    await authenticate(await sign(rsa, good()), {});
    for (const kid of ["x", "y", "z"]) {
      expect(await authenticate(await sign(stranger, good(), { kid }), {})).toBeNull();
    }
    expect(issuer.asked).toHaveLength(1);
  });

  test("are all tried for a token without a key id", async () => {
    const other = await signingKey("rsa-2", "RS256");
    await using issuer = await localServer(published(rsa, other));
    const authenticate = jwt(optionsFor(issuer));
    const nameless = { kid: undefined as unknown as string };
    expect(await authenticate(await sign(other, good(), nameless), {})).not.toBeNull();
    expect(await authenticate(await sign(rsa, good(), nameless), {})).not.toBeNull();
    expect(await authenticate(await sign(stranger, good(), nameless), {})).toBeNull();
    const expired = await sign(other, good({ exp: now() - 60 }), nameless);
    expect(await authenticate(expired, {})).toBeNull();
  });

  test("that are secrets are ignored", async () => {
    const k = Buffer.from("a shared secret that was published").toString("base64url");
    await using issuer = await localServer(json({ keys: [{ kty: "oct", kid: "rsa-1", k }] }));
    const text = compact({ alg: "HS256", kid: "rsa-1" }, good()).slice(0, -1);
    const hmac = createHmac("sha256", Buffer.from(k, "base64url")).update(text).digest("base64url");
    expect(await jwt(optionsFor(issuer))(`${text}.${hmac}`, {})).toBeNull();
  });

  test("that are too short to be safe are rejected", async () => {
    const pair = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const jwk = { ...pair.publicKey.export({ format: "jwk" }), kid: "short" };
    await using issuer = await localServer(json({ keys: [jwk] }));
    const token = compact({ alg: "RS256", kid: "short" }, good(), "AAAA");
    const error = await caught(() => jwt(optionsFor(issuer))(token, {}));
    expect(error).toMatchObject({ code: "unavailable" });
    expect(error.message).toContain("2048 bits");
  });
});

describe("an issuer whose keys cannot be fetched", () => {
  test.each(Object.entries(FAILURES))("that %s is unavailable", async (_, answer) => {
    await using issuer = await localServer(answer);
    const token = await sign(rsa, good());
    const error = await caught(() => jwt(optionsFor(issuer, { timeoutMs: 300 }))(token, {}));
    expect(error).toMatchObject({ code: "unavailable", retryable: true });
    expect(error.message).toMatch(
      /^The access token cannot be checked: the request to the issuer .*\.$/,
    );
    expect(error.message).toContain(`${issuer.origin}/keys`);
    expect(error.cause).toBeInstanceOf(Error);
    expect(shown(error)).not.toContain(token);
    expect(error.message).not.toContain("hush");
  });

  test("that nobody listens on is unavailable, and works again when it is back", async () => {
    await using issuer = await localServer(status(500));
    let time = Date.now();
    const authenticate = jwt(optionsFor(issuer, { now: () => time }));
    const token = await sign(rsa, good());
    const error = await caught(() => authenticate(token, {}));
    expect(error.message).toContain("status 500");
    issuer.answer = published(rsa);
    time += 1001;
    expect(await authenticate(token, {})).not.toBeNull();

    await issuer.close();
    expect(await authenticate(token, {})).not.toBeNull();
    const down = await caught(() => jwt(optionsFor(issuer))(token, {}));
    expect(down.message).toContain("cannot be reached (ECONNREFUSED)");
  });

  test("is not asked again right after a failure, but soon after", async () => {
    await using issuer = await localServer(json({ hello: "world" }));
    let time = Date.now();
    const authenticate = jwt(optionsFor(issuer, { now: () => time }));
    const token = await sign(rsa, good());
    for (let turn = 0; turn < 10; turn += 1) {
      expect((await caught(() => authenticate(token, {}))).code).toBe("unavailable");
      expect(issuer.asked).toHaveLength(1);
      time += 100;
    }
    expect((await caught(() => authenticate(token, {}))).code).toBe("unavailable");
    expect(issuer.asked).toHaveLength(2);
  });

  test("does not affect keys that are already known", async () => {
    await using issuer = await localServer(published(rsa));
    const authenticate = jwt(optionsFor(issuer, { cooldownMs: 0 }));
    const token = await sign(rsa, good());
    expect(await authenticate(token, {})).not.toBeNull();
    issuer.answer = status(500);
    const unknown = await sign(stranger, good(), { kid: "x" });
    expect((await caught(() => authenticate(unknown, {}))).code).toBe("unavailable");
    expect(await authenticate(token, {})).not.toBeNull();
  });

  test("does not delay an aborted request", async () => {
    await using issuer = await localServer(() => {});
    const aborted = new AbortController();
    const authenticate = jwt(optionsFor(issuer, { timeoutMs: 500 }));
    const token = await sign(rsa, good());
    const left = caught(() => authenticate(token, { signal: aborted.signal }));
    const stayed = caught(() => authenticate(token, {}));
    aborted.abort();
    expect((await left).code).toBe("aborted");
    expect((await stayed).code).toBe("unavailable");
  });
});

describe("invalid options for signed tokens", () => {
  const OPTIONS: JwtOptions = { issuer: ISSUER, audience: AUDIENCE, jwksUrl: "https://a.example/" };

  test.each<[string, object, string]>([
    ["no issuer", { issuer: "" }, "/issuer"],
    ["no audience", { audience: undefined }, "/audience"],
    ["an empty audience", { audience: "" }, "/audience"],
    ["an empty list of audiences", { audience: [] }, "/audience"],
    ["keys over http", { jwksUrl: "http://a.example/secret" }, "/jwksUrl"],
    ["keys in a file", { jwksUrl: "file:///secret" }, "/jwksUrl"],
    ["an address with a password", { jwksUrl: "https://u:secret@a.example/" }, "/jwksUrl"],
    ["no address", { jwksUrl: "secret" }, "/jwksUrl"],
    ["no algorithm", { algorithms: [] }, "/algorithms"],
    ["the algorithm none", { algorithms: ["none"] }, "/algorithms"],
    ["a shared secret", { algorithms: ["RS256", "HS256"] }, "/algorithms"],
    ["a claim with an empty name", { claims: { enterprise: "" } }, "/claims/enterprise"],
    ["a negative tolerance", { clockToleranceSeconds: -1 }, "/clockToleranceSeconds"],
    ["a large tolerance", { clockToleranceSeconds: 3600 }, "/clockToleranceSeconds"],
    ["a timeout of zero", { timeoutMs: 0 }, "/timeoutMs"],
    ["a cooldown that is not a number", { cooldownMs: Number.NaN }, "/cooldownMs"],
    [
      "an infinite maximum age of keys",
      { keysMaxAgeMs: Number.POSITIVE_INFINITY },
      "/keysMaxAgeMs",
    ],
    ["an empty type", { type: "" }, "/type"],
  ])("are refused: %s", async (_, change, pointer) => {
    const error = await caught(() => jwt({ ...OPTIONS, ...change } as JwtOptions));
    expect(error.code).toBe("invalid_request");
    expect(error.diagnostics.map((problem) => problem.pointer)).toEqual([pointer]);
    expect(error.message).toMatch(/\.$/);
    expect(shown(error)).not.toContain("secret");
  });
});
