import assert from "node:assert/strict";
import { isQuireError, type TokenRecord, type TokenStore } from "@quire/contracts";
import { rejects, sha256, text } from "./assertions.ts";
import {
  registerServiceCases,
  type ServiceCases,
  type ServiceStoreConformanceOptions,
  type ServiceStoreFixture,
} from "./service-fixture.ts";

/** Tests the contract of `TokenStore`, for any implementation and any runner. */
export function tokenStoreConformance(
  options: ServiceStoreConformanceOptions<ServiceStoreFixture<TokenStore>>,
): void {
  registerServiceCases(tokenCases, options);
}

const tokenCases: ServiceCases<TokenStore> = {
  "an added token is found by its hash, on every handle": async ({ store, other }) => {
    const token = newToken("a", { scopes: ["read", "write:Söhne"], expiresAt: Date.now() + 1e12 });
    await store.add(token);
    await store.add(newToken("b", { scopes: [] }));
    assert.deepEqual(await other.find(token.hash), token);
    assert.deepEqual((await other.find(hashOf("b")))?.scopes, []);
    assert.equal(await other.find(hashOf("c")), null);
    assert.equal(await other.find(token.id), null);
  },

  "an expired token is found, too": async ({ store, other }) => {
    await store.add(newToken("old", { createdAt: 1, expiresAt: 2 }));
    assert.equal((await other.find(hashOf("old")))?.expiresAt, 2);
  },

  "changing a record after add does not change the token": async ({ store }) => {
    const scopes = ["read"];
    await store.add(newToken("a", { scopes }));
    scopes.push("write");
    assert.deepEqual((await store.find(hashOf("a")))?.scopes, ["read"]);
  },

  "rejects an existing id or hash with conflict": async ({ store, other }) => {
    const token = newToken("a");
    await store.add(token);
    await rejects(other.add(token), "conflict");
    await rejects(other.add(newToken("b", { id: token.id })), "conflict");
    await rejects(other.add(newToken("b", { hash: token.hash })), "conflict");
    assert.deepEqual(await store.list(), [token]);
    await other.add(newToken("b"));
  },

  "if twenty calls add one hash concurrently, exactly one succeeds": async ({ store, other }) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        (n % 2 === 0 ? store : other).add(newToken(`${n}`, { hash: hashOf("one") })),
      ),
    );
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    for (const { reason } of refused)
      assert.ok(isQuireError(reason) && reason.code === "conflict", String(reason));
    assert.equal(refused.length, 19);
    assert.equal((await other.list()).length, 1);
  },

  "tokens are listed newest first": async ({ store, other }) => {
    assert.deepEqual(await store.list(), []);
    const tokens: TokenRecord[] = [];
    for (const name of ["b", "a", "c"]) {
      const token = newToken(name);
      tokens.unshift(token);
      await store.add(token);
    }
    assert.deepEqual(await other.list(), tokens);
  },

  "remove returns whether the token existed, and removes it": async ({ store, other }) => {
    const token = newToken("a");
    await store.add(token);
    await store.add(newToken("b"));
    assert.equal(await other.remove(token.id), true);
    assert.equal(await store.find(token.hash), null);
    assert.equal(await store.remove(token.id), false);
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      ["id-b"],
    );
    await store.add(token);
    assert.deepEqual(await other.find(token.hash), token);
  },

  "all tokens of an enterprise are erased, and other tokens are not affected": async ({
    store,
    other,
  }) => {
    await store.add(newToken("a", { enterprise: "a" }));
    await store.add(newToken("b", { enterprise: "a" }));
    await store.add(newToken("c", { enterprise: "A" }));
    assert.equal(await other.eraseTenant("a"), 2);
    assert.deepEqual(
      (await store.list()).map(({ id }) => id),
      ["id-c"],
    );
    assert.equal(await store.eraseTenant("a"), 0);
  },

  "a closed store rejects every call": async ({ store, fixture }) => {
    if (fixture.close === undefined) return;
    await store.add(newToken("a"));
    await fixture.close();
    const calls: (() => Promise<unknown>)[] = [
      () => store.add(newToken("b")),
      () => store.find(hashOf("a")),
      () => store.list(),
      () => store.remove("id-a"),
    ];
    for (const call of calls) await rejects(call(), "job_store_failed");
  },
};

function newToken(name: string, parts: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id: `id-${name}`,
    hash: hashOf(name),
    user: "user-1",
    enterprise: "Bücher & Söhne",
    scopes: ["read"],
    createdAt: Date.now(),
    expiresAt: null,
    ...parts,
  };
}

function hashOf(name: string): string {
  return sha256(text(name));
}
