import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { decodeData, encodeData } from "../../src/protocol/document-data.ts";
import { parseExactly } from "../../src/protocol/exact-json.ts";

/** Parses JSON after another text with almost the same keys. */
const parsedAfter = (other: string, json: string): string => {
  parseExactly(other);
  return JSON.stringify(parseExactly(json));
};

describe("JSON of users is parsed exactly, after a text with another key", () => {
  test.each([
    [String.raw`{"a":[],"\\":0}`, String.raw`{"a":1,"\"":2}`, '{"a":1,"\\"":2}'],
    [String.raw`{"b":1,"ab\\":2}`, String.raw`{"b":1,"ab\n":2}`, '{"b":1,"ab\\n":2}'],
    [String.raw`{"c":1,"gr\\u0":2}`, String.raw`{"c":1,"gr\u00f6\u00dfe":2}`, '{"c":1,"größe":2}'],
    [
      String.raw`[{"d":1,"x\\u":2}]`,
      String.raw`[{"d":1,"x\u0041y" : 12345678901234567890}]`,
      '[{"d":1,"xAy":"12345678901234567890"}]',
    ],
  ])("%s and %s", (other, json, expected) => {
    expect(parsedAfter(other, json)).toBe(expected);
  });

  test("whose object a program has made", () => {
    const made = [{ e: 1, "x\\": 2 }];
    expect(JSON.stringify(parseExactly(String.raw`{"e":1,"x\n":2}`))).toBe('{"e":1,"x\\n":2}');
    expect(decodeData(encodeData({ e: 1, "x\n": made }))).toEqual({ e: 1, "x\n": made });
  });

  test("whatever the keys, their spelling and their order", () => {
    const character = fc.constantFrom("a", "\\", '"', "\n", "é", "u", "0", "\u0000", "/", ":", " ");
    const key = fc.string({ unit: character, maxLength: 5 });
    const spelled = (text: string, isLong: boolean): string =>
      isLong
        ? `"${Array.from(text, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`
        : JSON.stringify(text);
    const keys = fc.uniqueArray(key, { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, fc.boolean()), { maxLength: 6 }), (objects) => {
        for (const [keys, isLong] of objects) {
          const json = `{${keys.map((key, index) => `${spelled(key, isLong)}: [${index}]`).join()}}`;
          const value = parseExactly(json) as object;
          const expected = Object.entries(Object.fromEntries(keys.map((key, at) => [key, [at]])));
          expect(Object.entries(value)).toEqual(expected);
        }
      }),
      { numRuns: manyRuns(2_000, 100_000) },
    );
  });
});

describe("JSON with an escape sequence in a key", () => {
  test("has the values that it has without", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
        const json = JSON.stringify([value, 7], null, indent);
        expect(parseExactly(`[{"\\n":0},${json}]`)).toEqual([{ "\n": 0 }, parseExactly(json)]);
      }),
      { numRuns: manyRuns(500, 20_000) },
    );
  });

  test.each([
    [String.raw`{"\u00e9":"\\u00e9"}`, { é: String.raw`\u00e9` }],
    [String.raw`{"\u00e9":"\u00e9\u0022\u005c\n"}`, { é: 'é"\\\n' }],
    [String.raw`{"\ud83d\ude00":"\ud83d"}`, { "😀": "\ud83d" }],
    [String.raw`{"\u00e9\n":"\u00e9"}`, { "é\n": "é" }],
  ])("has the characters that its escape sequences mean: %s", (json, expected) => {
    expect(parseExactly(json)).toEqual(expected);
  });

  test("may have the key __proto__, and the last of equal keys counts", () => {
    const json = String.raw`{"__proto__":{"x":1},"\u005f_proto__":{"y":1},"a\n":[1],"a\n":[2]}`;
    expect(JSON.stringify(parseExactly(json))).toBe('{"__proto__":{"y":1},"a\\n":[2]}');
  });

  test.each(['{"a\\n":1,}', '{"a\\n":01}', '{"a\\n"}', '{"a\\x":1}', '{"a\\n":1} 2', '{"a\\n":[1'])(
    "is rejected if it is not valid: %s",
    (json) => {
      expect(() => parseExactly(json)).toThrow();
    },
  );
});

test("numbers keep their digits in documents whose data is passed as JSON", () => {
  const bytes = Buffer.from('{"account":12345678901234567890,"total":0.30000000000000004}');
  const expected = { account: "12345678901234567890", total: 0.30000000000000004 };
  expect(decodeData(encodeData(bytes))).toEqual(expected);
});
