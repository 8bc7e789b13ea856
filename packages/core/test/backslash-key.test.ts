import { expect, test } from "vitest";
import { hasBackslashKey } from "../src/index.ts";
import { decodeData, encodeData } from "../src/renderer/document-data.ts";

test.each([
  String.raw`{"\\":1}`,
  String.raw`[{"a":1, "\u005C" : 2}]`,
  String.raw`{"a":"x","\u005c":1}`,
])("the text %s has a key that is a single backslash", (json) => {
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
])("the text %s has no such key", (json) => {
  expect(hasBackslashKey(json)).toBe(false);
});

test.each([{ "\\": 1 }, { list: [{ deep: { "\\": "x" } }] }, { "\\": new Date(0), é: 2 }])(
  "objects of a program may have such a key: they are sent without JSON",
  (data) => {
    const encoded = encodeData(data);
    expect(encoded.encoding).toBe("structured");
    expect(decodeData(encoded)).toEqual(data);
  },
);

test("objects with a backslash elsewhere are sent as JSON", () => {
  const data = { "a\\": "\\", "\\\\": 1 };
  expect(encodeData(data).encoding).toBe("json");
  expect(decodeData(encodeData(data))).toEqual(data);
});

test("the bytes of JSON with such a key are refused", () => {
  const bytes = Buffer.from(String.raw`{"a":[{"\\":1}]}`);
  expect(() => decodeData(encodeData(bytes))).toThrow(/single backslash.+Rename it/);
});
