import { parseFileName } from "@quire/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isItemName, parseId, parseItemName, parsePath } from "../../src/files/item-names.ts";
import { tenantFolder } from "../../src/files/storage-layout.ts";

describe("the folder of a tenant", () => {
  test("has the tenant's name if that is plain", () => {
    for (const name of ["acme", "a", "0-x_y", "x".repeat(64)])
      expect(tenantFolder(name)).toBe(name);
  });

  test("has a unique name for each tenant, even without case, that every file system accepts", () => {
    const tenants = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.constantFrom("", "ACME", "Acme", "acme", "con", "..", "a/b", "a.b", ".quire", "../acme"),
    );
    fc.assert(
      fc.property(tenants, tenants, (one, other) => {
        const [first, second] = [tenantFolder(one), tenantFolder(other)];
        expect(parseFileName(first)).toBe(first);
        expect(first).toMatch(/^[a-z0-9_-]+$/);
        expect(first === second).toBe(one === other);
      }),
    );
    expect(tenantFolder(tenantFolder("ACME"))).not.toBe(tenantFolder("ACME"));
  });

  test("is rejected for a tenant with a lone surrogate", () => {
    expect(() => tenantFolder("a\ud800")).toThrow("lone surrogate");
  });
});

describe("the name of a file or folder", () => {
  test("is stored in its composed form", () => {
    expect(parseItemName("Bücher".normalize("NFD"))).toBe("Bücher".normalize("NFC"));
    expect(isItemName("Bücher".normalize("NFD"))).toBe(false);
  });

  test.each([".quire", ".QUIRE", ".qu\u200cire", "QUIRE~1", "a/b", "..", "", "a\\b", "nul", "a."])(
    "is not %j",
    (name) => {
      expect(() => parseItemName(name)).toThrow(
        expect.objectContaining({ code: "item_name_invalid" }),
      );
      expect(isItemName(name)).toBe(false);
    },
  );
});

describe("a path", () => {
  test("consists of its names", () => {
    expect(parsePath("a/b c/ä.docx")).toEqual(["a", "b c", "ä.docx"]);
    expect(parseId("path:a/b")).toEqual({ by: "path", path: ["a", "b"] });
    expect(parseId("path:")).toEqual({ by: "root" });
  });

  test.each([
    "/",
    "/a",
    "a/",
    "a//b",
    "..",
    "a/../b",
    "./a",
    "a\\b",
    ".quire/x",
    "a/.Quire",
    "a\0",
  ])("is not %j", (path) => {
    expect(() => parsePath(path)).toThrow(expect.objectContaining({ code: "forbidden" }));
    expect(() => parseId(`path:${path}`)).toThrow();
  });
});
