import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { duplicateKey } from "../../../contracts/src/data/duplicate-key.ts";
import { decodeData, encodeData } from "../../src/protocol/document-data.ts";

const found = (json: string): string | null => duplicateKey(json, JSON.parse(json));

describe("A duplicate key", () => {
  test.each([
    ['{"a":1,"a":1}', "/a"],
    ['{"a":{"b":[0,{"c":1,"d":2,"c":3}]}}', "/a/b/1/c"],
    ['[[],{"x/y~z":1,"x/y~z":2}]', "/1/x~1y~0z"],
    [String.raw`{"a":1,"\u0061":2}`, "/a"],
    [String.raw`{"\"":":","b":"\\","b":1}`, "/b"],
    ['{"__proto__":1,"__proto__":{"a":2}}', "/__proto__"],
    ['{"":1,"":2}', "/"],
    ['{"a":{"b":1,"b":2},"a":1}', "/a/b"],
    ['{"a":1 , "b" : [ ] , "a" : 2}', "/a"],
    ['{"1":1,"1":2}', "/1"],
  ])("in %s is at %s", (json, pointer) => {
    expect(found(json)).toBe(pointer);
  });

  test.each([
    "7",
    '"a:a"',
    "{}",
    '{"a":{"a":{"a":[{"a":":"},{"a":"{\\"a\\":1}"}]}},"A":1,"\u00e1":1,"a\u0301":2}',
    '{"constructor":1,"__proto__":2,"toString":3}',
    `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
  ])("is not found in %.60s", (json) => {
    expect(found(json)).toBe(null);
  });

  test("is not found in the output of JSON.stringify", () => {
    fc.assert(fc.property(fc.json(), (json) => void expect(found(json)).toBe(null)));
  });
});

test("JSON bytes with a duplicate key are rejected as document data", () => {
  const bytes = Buffer.from('{"a":[{"b":1,"b":2}]}');
  expect(() => decodeData(encodeData(bytes))).toThrow(
    expect.objectContaining({
      code: "invalid_data",
      message: expect.stringContaining("The data has the key /a/0/b twice,"),
      diagnostics: [expect.objectContaining({ code: "duplicate_key", pointer: "/a/0/b" })],
    }),
  );
});
