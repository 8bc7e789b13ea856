import type { TokenRecord } from "@quire/core";
import { isBearerToken } from "@quire/http/parts";
import { describe, expect, test } from "vitest";
import { createToken, type NewToken, storedTokens } from "../../src/auth/stored-tokens.ts";
import { hashToken } from "../../src/auth/token-hash.ts";
import { caught, shown } from "./support/caught.ts";
import { memoryTokenStore } from "./support/memory-token-store.ts";

const OWNER = { user: "ann", enterprise: "acme" };

describe("a new token", () => {
  test("is random, has a prefix, and can be sent in a header", async () => {
    const store = memoryTokenStore();
    const made = await Promise.all(Array.from({ length: 50 }, () => createToken(store, OWNER)));
    for (const { token } of made) {
      expect(token).toMatch(/^quire_[A-Za-z0-9_-]{43}$/);
      expect(isBearerToken(token)).toBe(true);
    }
    expect(new Set(made.map(({ token }) => token)).size).toBe(50);
    expect(new Set(made.map(({ record }) => record.id)).size).toBe(50);
  });

  test("is stored only as its hash", async () => {
    const store = memoryTokenStore();
    const { token, record } = await createToken(store, OWNER, { now: () => 1000 });
    expect(record).toEqual({
      id: expect.any(String),
      hash: hashToken(token).toString("hex"),
      user: "ann",
      enterprise: "acme",
      scopes: ["root_readonly", "root_readwrite", "manage_webhook"],
      createdAt: 1000,
      expiresAt: null,
    });
    expect(await store.list()).toEqual([record]);
    const kept = JSON.stringify(await store.list());
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(token.slice("quire_".length));
    expect(token).not.toContain(record.id);
  });

  test.each<[string, Partial<NewToken>, string]>([
    ["no user", { user: " " }, "/user"],
    ["a tenant with a control character", { enterprise: "a\u0000" }, "/enterprise"],
    ["a long tenant", { enterprise: "x".repeat(256) }, "/enterprise"],
    ["an unknown scope", { scopes: ["root_readwrite", "root"] }, "/scopes/1"],
    ["a lifetime of zero", { expiresInMs: 0 }, "/expiresInMs"],
    ["a negative lifetime", { expiresInMs: -1 }, "/expiresInMs"],
    ["a lifetime that is not a number", { expiresInMs: Number.NaN }, "/expiresInMs"],
    ["a fraction of a millisecond", { expiresInMs: 0.5 }, "/expiresInMs"],
    ["an infinite lifetime", { expiresInMs: Number.POSITIVE_INFINITY }, "/expiresInMs"],
    ["an expiry after the last date", { expiresInMs: Number.MAX_SAFE_INTEGER }, "/expiresInMs"],
  ])("is not created with %s", async (_, change, pointer) => {
    const store = memoryTokenStore();
    const error = await caught(() => createToken(store, { ...OWNER, ...change }));
    expect(error.code).toBe("invalid_request");
    expect(error.diagnostics.map((problem) => problem.pointer)).toEqual([pointer]);
    expect(await store.list()).toEqual([]);
  });

  test("is not returned when the store fails", async () => {
    const store = memoryTokenStore();
    store.close();
    expect((await caught(() => createToken(store, OWNER))).code).toBe("job_store_failed");
  });
});

describe("stored tokens", () => {
  test("are matched as a whole", async () => {
    const store = memoryTokenStore();
    const authenticate = storedTokens(store);
    const scopes = ["root_readonly"];
    const { token, record } = await createToken(store, { ...OWNER, scopes });
    await createToken(store, { user: "bob", enterprise: "globex" });
    expect(await authenticate(token, {})).toEqual({ ...OWNER, scopes });
    for (const other of ["", "quire_", token.slice(0, -1), `${token}=`, record.hash, record.id]) {
      expect(await authenticate(other, {})).toBeNull();
    }
  });

  test("are valid until they expire", async () => {
    const store = memoryTokenStore();
    let now = 1_000_000;
    const clock = { now: () => now };
    const authenticate = storedTokens(store, clock);
    const { token } = await createToken(store, { ...OWNER, expiresInMs: 5000 }, clock);
    now += 4999;
    expect(await authenticate(token, {})).not.toBeNull();
    now += 1;
    expect(await authenticate(token, {})).toBeNull();
  });

  test("are invalid as soon as they are removed", async () => {
    const store = memoryTokenStore();
    const authenticate = storedTokens(store);
    const { token, record } = await createToken(store, OWNER);
    expect(await authenticate(token, {})).not.toBeNull();
    expect(await store.remove(record.id)).toBe(true);
    expect(await authenticate(token, {})).toBeNull();
  });

  test("are unavailable when the store fails, and never quoted", async () => {
    const store = memoryTokenStore();
    const authenticate = storedTokens(store);
    const { token } = await createToken(store, OWNER);
    store.close();
    const error = await caught(() => authenticate(token, {}));
    expect(error).toMatchObject({ code: "unavailable", retryable: true });
    expect(error.cause).toMatchObject({ code: "job_store_failed" });
    expect(shown(error)).not.toContain(token);
  });

  test.each<[string, Partial<TokenRecord>]>([
    ["of another token", { hash: "0".repeat(64) }],
    ["without a user", { user: "" }],
    ["without a tenant", { enterprise: "" }],
    ["with an invalid expiry", { expiresAt: Number.NaN }],
  ])("are rejected by a record %s", async (_, damage) => {
    const store = memoryTokenStore();
    const { token, record } = await createToken(store, OWNER);
    const damaged = { ...store, find: async () => ({ ...record, ...damage }) };
    expect(await storedTokens(damaged)(token, {})).toBeNull();
  });

  test("are not waited for when the request is aborted", async () => {
    const store = memoryTokenStore();
    const stuck = { ...store, find: () => new Promise<never>(() => {}) };
    const aborted = new AbortController();
    const asked = caught(() => storedTokens(stuck)("quire_x", { signal: aborted.signal }));
    aborted.abort();
    expect((await asked).code).toBe("aborted");
  });
});
