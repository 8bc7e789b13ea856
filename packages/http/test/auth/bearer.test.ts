import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bearerToken, isBearerToken } from "../../src/auth/bearer.ts";

function tokenOf(value: string): string | null {
  return bearerToken(new Headers({ authorization: value }));
}

describe("the bearer token of a request", () => {
  test.each([
    ["Bearer abc", "abc"],
    ["bearer abc", "abc"],
    ["BEARER abc", "abc"],
    ["bEaReR abc", "abc"],
    ["Bearer   abc", "abc"],
    ["Bearer abc=", "abc="],
    ["Bearer abc====", "abc===="],
    ["Bearer aZ09-._~+/", "aZ09-._~+/"],
    ["Bearer a.b.c", "a.b.c"],
    ["Bearer Bearer", "Bearer"],
    [`Bearer ${"x".repeat(8185)}`, "x".repeat(8185)],
  ])("is read from %j", (value, token) => {
    expect(tokenOf(value)).toBe(token);
  });

  test("is read regardless of the case of the header's name", () => {
    expect(bearerToken(new Headers({ AUTHORIZATION: "Bearer abc" }))).toBe("abc");
  });

  test("is null without the header", () => {
    expect(bearerToken(new Headers())).toBeNull();
    expect(bearerToken(new Headers({ "proxy-authorization": "Bearer abc" }))).toBeNull();
    expect(bearerToken(new Headers({ cookie: "authorization=Bearer abc" }))).toBeNull();
  });

  const malformed = [
    "",
    " ",
    "Bearer",
    "Bearer ",
    "Bearer    ",
    "Bearerabc",
    "Bearer: abc",
    "Bearer:abc",
    "Bearer=abc",
    "Bearer\tabc",
    "Bearer \tabc",
    "Bearer\t abc",
    "Bearer a\tb",
    "Bearer a b",
    "Bearer abc def",
    "Bearer abc,",
    "Bearer ,abc",
    "Bearer abc, Bearer def",
    "Bearer abc, Basic dTpw",
    "Basic dTpw, Bearer abc",
    "Bearer abc;",
    "Bearer abc; realm=x",
    'Bearer "abc"',
    'Bearer "abc',
    "Bearer 'abc'",
    "Bearer `abc`",
    'Bearer token="abc"',
    "Bearer token=abc",
    "Bearer realm=x",
    "Bearer =",
    "Bearer ====",
    "Bearer =abc",
    "Bearer a=b",
    "Bearer abc==d",
    "Bearer abc%20",
    "Bearer abc%0a",
    "Bearer abc:def",
    "Bearer abc@def",
    "Bearer (abc)",
    "Bearer <abc>",
    "Bearer [abc]",
    "Bearer {abc}",
    "Bearer abc\\",
    "Bearer abc?",
    "Bearer abc#",
    "Bearer abc!",
    "Bearer $abc",
    "Bearer abc*",
    "Bearer a|b",
    "Bearer a^b",
    "Bearer é",
    "Bearer abc\u00ff",
    "Bearer\u00a0abc",
    "Bearer \u00a0abc",
    "Bearer abc\u0001",
    "Bearer \u0001abc",
    "Bearer a\u007fb",
    "Bearer a\u000bb",
    "Bearer a\u000cb",
    "Bearer a\u001bb",
    "\u0001Bearer abc",
    "Bear abc",
    "Bearers abc",
    "Basic dTpw",
    "Digest username=u",
    "DPoP abc",
    "Token abc",
    "Negotiate abc",
    "abc",
    "Bear er abc",
    "Bearer-abc",
    "X Bearer abc",
    `Bearer ${"x".repeat(8186)}`,
    `Bearer ${" ".repeat(9000)}abc`,
    `Bearer ${"x".repeat(1_000_000)}`,
  ];

  test.each(malformed.map((value) => [value.slice(0, 40), value]))("is null for %j", (_, value) => {
    expect(tokenOf(value)).toBeNull();
  });

  test("is null for several headers, even if they are equal", () => {
    for (const second of ["Bearer abc", "Bearer def", "Basic dTpw", ""]) {
      const headers = new Headers({ authorization: "Bearer abc" });
      headers.append("authorization", second);
      expect(bearerToken(headers)).toBeNull();
    }
  });

  test("is a part of the header that matches the grammar, for any input", () => {
    const value = fc.oneof(
      fc.string({
        unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
      }),
      fc.string().map((text) => `Bearer ${text}`),
      fc.stringMatching(/^[Bb]earer? {0,3}[A-Za-z0-9\-._~+/ ,="\t]{0,20}$/),
    );
    fc.assert(
      fc.property(value, (text) => {
        const headers = headersOf(text);
        if (headers === null) return;
        const token = bearerToken(headers);
        if (token === null) return;
        expect(headers.get("authorization")).toBe(text.trim());
        expect(text).toContain(token);
        expect(token).toMatch(/^[A-Za-z0-9\-._~+/]+=*$/);
        expect(text.trim().slice(0, -token.length)).toMatch(/^bearer +$/i);
        expect(isBearerToken(token)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("is returned unchanged if it fits the grammar", () => {
    const token = fc.stringMatching(/^[A-Za-z0-9\-._~+/]{1,200}={0,3}$/);
    fc.assert(
      fc.property(token, fc.integer({ min: 1, max: 5 }), (text, spaces) => {
        expect(tokenOf(`Bearer${" ".repeat(spaces)}${text}`)).toBe(text);
      }),
    );
  });
});

/** Returns headers with this `Authorization`; null for a value that no header can contain. */
function headersOf(value: string): Headers | null {
  try {
    return new Headers({ authorization: value });
  } catch {
    return null;
  }
}
