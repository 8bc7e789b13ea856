import { hasBackslashKey } from "@quire/contracts";
import { expect, test } from "vitest";
import { decodeData, encodeData } from "../../src/protocol/document-data.ts";

test.each([
  String.raw`{"\\":1}`,
  String.raw`[{"a":1, "\u005C" : 2}]`,
  String.raw`{"a":"x","\u005c":1}`,
])("finds a key that is a single backslash in %s", (json) => {
  expect(hasBackslashKey(json)).toBe(true);
  expect(hasBackslashKey(Buffer.from(json))).toBe(true);
});

test.each([
  String.raw`{"a":"\\"}`,
  String.raw`{"a\\":1,"\\\\":2,"\\b":3,"\"":4}`,
  String.raw`{"say \"\\":1}`,
  String.raw`{"a":"\"\\\": "}`,
  String.raw`{"\u005b":"\u005c"}`,
  "{}",
])("finds no such key in %s", (json) => {
  expect(hasBackslashKey(json)).toBe(false);
});

test.each([{ "\\": 1 }, { list: [{ deep: { "\\": "x" } }] }, { "\\": new Date(0), é: 2 }])(
  "sends objects with such a key without JSON",
  (data) => {
    const encoded = encodeData(data);
    expect(encoded.encoding).toBe("structured");
    expect(decodeData(encoded)).toEqual(data);
  },
);

test("sends objects with a backslash elsewhere as JSON", () => {
  const data = { "a\\": "\\", "\\\\": 1 };
  expect(encodeData(data).encoding).toBe("json");
  expect(decodeData(encodeData(data))).toEqual(data);
});

test("rejects JSON bytes with such a key", () => {
  const bytes = Buffer.from(String.raw`{"a":[{"\\":1}]}`);
  expect(() => decodeData(encodeData(bytes))).toThrow(/single backslash.+Rename it/);
});
