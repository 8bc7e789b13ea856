import { describe, expect, test } from "vitest";
import {
  DEFAULT_SCOPES,
  hasScope,
  isEnterpriseId,
  isScope,
  SCOPES,
  type ScopeNeed,
  toPrincipal,
} from "../../src/auth/principal.ts";

function withScopes(...scopes: string[]) {
  return { user: "u", enterprise: "acme", scopes };
}

describe("scopes", () => {
  test.each<[ScopeNeed, string[], boolean]>([
    ["read", ["root_readonly"], true],
    ["read", ["root_readwrite"], true],
    ["read", ["manage_webhook"], false],
    ["write", ["root_readwrite"], true],
    ["write", ["root_readonly"], false],
    ["write", ["root_readonly", "manage_webhook"], false],
    ["webhooks", ["manage_webhook"], true],
    ["webhooks", ["root_readwrite"], false],
    ["read", [], false],
    ["write", [], false],
    ["webhooks", [], false],
  ])("to %s with %j is allowed: %s", (need, scopes, allowed) => {
    expect(hasScope(withScopes(...scopes), need)).toBe(allowed);
  });

  test("that are unknown or misspelled grant nothing", () => {
    const principal = withScopes(
      "ROOT_READWRITE",
      "root_readwrite ",
      "root_*",
      "admin",
      "*",
      "read",
    );
    for (const need of ["read", "write", "webhooks"] as const) {
      expect(hasScope(principal, need)).toBe(false);
    }
  });

  test("of management grant nothing", () => {
    const others = SCOPES.filter((scope) => !DEFAULT_SCOPES.includes(scope));
    expect(others).toHaveLength(6);
    for (const need of ["read", "write", "webhooks"] as const) {
      expect(hasScope(withScopes(...others), need)).toBe(false);
    }
  });

  test("grant nothing for unknown permissions", () => {
    const all = withScopes(...SCOPES, "toString", "constructor", "delete");
    for (const need of ["delete", "toString", "constructor", "__proto__", ""]) {
      expect(hasScope(all, need as ScopeNeed)).toBe(false);
    }
  });

  test("are known by their exact names", () => {
    expect(SCOPES.every(isScope)).toBe(true);
    for (const name of ["", "root_readonly ", "Root_readonly", null, 1]) {
      expect(isScope(name)).toBe(false);
    }
  });
});

describe("an id of a user or a tenant", () => {
  test.each(["1", "acme", "Acme GmbH & Co", "äöü 日本", "a/b", "../x", "😀", "x".repeat(255)])(
    "may be %j",
    (id) => {
      expect(isEnterpriseId(id)).toBe(true);
    },
  );

  test.each([
    "",
    " ",
    "\u00a0",
    "a\nb",
    "a\u0000",
    "a\tb",
    "a\u007f",
    "a\u0085b",
    "a\u2028b",
    "a\ud800",
    "x".repeat(256),
    1,
    null,
    undefined,
    true,
    ["acme"],
    { toString: () => "acme" },
  ])("is never %j", (id) => {
    expect(isEnterpriseId(id)).toBe(false);
  });
});

describe("a principal", () => {
  test("keeps its ids unchanged and removes duplicate scopes", () => {
    expect(toPrincipal(" U", "Ａcme", ["b", "a", "b"])).toEqual({
      user: " U",
      enterprise: "Ａcme",
      scopes: ["b", "a"],
    });
  });

  test("cannot be changed, since requests share it", () => {
    const principal = toPrincipal("u", "acme", ["root_readonly"]);
    expect(Object.isFrozen(principal)).toBe(true);
    expect(Object.isFrozen(principal?.scopes)).toBe(true);
  });

  test.each([
    [undefined, "acme", []],
    ["u", undefined, []],
    ["u", 7, []],
    ["u", "acme", undefined],
    ["u", "acme", "root_readonly"],
    ["u", "acme", [1]],
    ["u", "acme", [""]],
    ["u", "acme", ["a\nb"]],
    ["u", "acme", { length: 0 }],
  ])("is null for %j, %j and %j", (user, enterprise, scopes) => {
    expect(toPrincipal(user, enterprise, scopes)).toBeNull();
  });
});
