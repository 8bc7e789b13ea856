import { expect, test } from "vitest";
import { hasBackslashKey } from "../src/index.ts";

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
