import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type StaticToken, staticTokens } from "../../src/auth/static-tokens.ts";
import { findHash, hashToken } from "../../src/auth/token-hash.ts";
import { caught, shown } from "./support/caught.ts";

const OWNER = { user: "u", enterprise: "acme" };

describe("static tokens", () => {
  const hash = createHash("sha256").update("by-its-hash").digest("hex");
  const authenticate = staticTokens([
    { token: "first-token", user: "ann", enterprise: "acme", scopes: ["root_readonly"] },
    { token: "second-token", user: "bob", enterprise: "globex" },
    { hash: hash.toUpperCase(), user: "cy", enterprise: "acme", scopes: [] },
  ]);

  test("belong to different users", async () => {
    expect(await authenticate("first-token", {})).toEqual({
      user: "ann",
      enterprise: "acme",
      scopes: ["root_readonly"],
    });
    expect((await authenticate("second-token", {}))?.enterprise).toBe("globex");
    expect((await authenticate("by-its-hash", {}))?.user).toBe("cy");
  });

  test("may read, write and manage webhooks by default, and nothing with an empty list of scopes", async () => {
    const scopes = ["root_readonly", "root_readwrite", "manage_webhook"];
    expect((await authenticate("second-token", {}))?.scopes).toEqual(scopes);
    expect((await authenticate("by-its-hash", {}))?.scopes).toEqual([]);
  });

  test.each([
    "",
    "first-toke",
    "first-token ",
    "First-token",
    "first-tokem",
    hash,
    "x".repeat(9000),
  ])("do not include %j", async (token) => {
    expect(await authenticate(token, {})).toBeNull();
  });

  test("reject every token if the list is empty", async () => {
    expect(await staticTokens([])("first-token", {})).toBeNull();
  });

  test("are read once: later changes to the list have no effect", async () => {
    const list: StaticToken[] = [{ token: "first-token", ...OWNER }];
    const known = staticTokens(list);
    list.push({ token: "later-token", ...OWNER });
    list.shift();
    expect(await known("first-token", {})).not.toBeNull();
    expect(await known("later-token", {})).toBeNull();
  });

  test("are not checked for an aborted request", async () => {
    const error = await caught(() => authenticate("first-token", { signal: AbortSignal.abort() }));
    expect(error.code).toBe("aborted");
  });
});

describe("finding a hash", () => {
  const hashes = ["a", "b", "c", "d"].map(hashToken);

  test.each([
    ["a", 0],
    ["b", 1],
    ["d", 3],
    ["e", -1],
  ])("of %j returns %d after comparing it with every entry", (token, index) => {
    const compared: Uint8Array[] = [];
    const found = findHash(hashes, hashToken(token), (one, other) => {
      compared.push(one);
      return Buffer.compare(one, other) === 0;
    });
    expect(found).toBe(index);
    expect(compared).toEqual(hashes);
  });

  test("finds nothing in an empty list", () => {
    expect(findHash([], hashToken("a"))).toBe(-1);
  });
});

describe("an invalid list of static tokens", () => {
  test.each<[string, Partial<StaticToken>, string]>([
    ["an empty token", { token: "" }, "/0/token"],
    ["a short token", { token: "secret7" }, "/0/token"],
    ["a token with spaces", { token: "secret with spaces" }, "/0/token"],
    ["a token with a line end", { token: "secret-token\n" }, "/0/token"],
    ["a token that is too long", { token: "secret".repeat(2000) }, "/0/token"],
    ["a short hash", { hash: "secret" }, "/0/hash"],
    ["a hash that is not hex", { hash: "secretzz".repeat(8) }, "/0/hash"],
    ["neither token nor hash", {}, "/0"],
    ["both token and hash", { token: "secret-token", hash: "0".repeat(64) }, "/0"],
    ["no user", { token: "secret-token", user: "" }, "/0/user"],
    ["a user with a line end", { token: "secret-token", user: "u\n" }, "/0/user"],
    ["a long tenant", { token: "secret-token", enterprise: "x".repeat(256) }, "/0/enterprise"],
    [
      "an unknown scope",
      { token: "secret-token", scopes: ["root_readonly", "all"] },
      "/0/scopes/1",
    ],
  ])("is rejected for %s, without quoting it", async (_, entry, pointer) => {
    const error = await caught(() => staticTokens([{ ...OWNER, ...entry }]));
    expect(error.code).toBe("invalid_request");
    expect(error.diagnostics.map((problem) => problem.pointer)).toEqual([pointer]);
    expect(error.message).toMatch(/^The static tokens cannot be used: .*\.$/);
    expect(shown(error)).not.toContain("secret");
  });

  test("is rejected if it contains a token twice, or a token and its hash", async () => {
    const hash = hashToken("secret-token").toString("hex");
    const error = await caught(() =>
      staticTokens([
        { token: "secret-token", ...OWNER },
        { hash, user: "another", enterprise: "acme" },
      ]),
    );
    expect(error.diagnostics[0]?.pointer).toBe("/1");
  });

  test("reports all problems at once", async () => {
    const error = await caught(() =>
      staticTokens([
        { token: "short", user: "", enterprise: "" },
        { hash: "x", ...OWNER },
      ]),
    );
    const pointers = error.diagnostics.map((problem) => problem.pointer);
    expect(pointers).toEqual(["/0/token", "/0/user", "/0/enterprise", "/1/hash"]);
    expect(error.message).toContain("because of 4 problems");
  });
});
