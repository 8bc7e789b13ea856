import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { manyRuns } from "../../contracts/test/support/runs.ts";
import { JsonError } from "../src/batch/json-bounds.ts";
import { parseJson } from "../src/batch/parse-json.ts";

const NO_LIMITS = {
  maxDepth: 1000,
  maxKeys: 1_000_000,
  maxValues: 10_000_000,
  maxStringBytes: 1_000_000,
  maxEntryBytes: 100_000_000,
};

/** Returns the result of parsing a string in pieces of this size, or the problem as a string. */
async function parsed(text: string | Buffer, pieceBytes = 1, limits = NO_LIMITS): Promise<unknown> {
  try {
    return await parseJson(Buffer.from(text), limits, { pieceBytes });
  } catch (error) {
    return error instanceof JsonError ? `${error} (at ${error.path})` : String(error);
  }
}

/** Returns the outcome as JSON, so that comparisons include the order of keys, and keys such as `__proto__`. */
async function inFull(outcome: Promise<unknown>): Promise<string> {
  return JSON.stringify(await outcome);
}

/** Returns the outcome as JSON, or `refused` for any rejection: of several mistakes, any may be found first. */
async function outcome(text: string, pieceBytes?: number): Promise<string> {
  const all = await inFull(parsed(text, pieceBytes ?? Number.POSITIVE_INFINITY));
  return all.startsWith('"JsonError: ') ? "refused" : all;
}

const whole = (text: string | Buffer) => parsed(text, Number.POSITIVE_INFINITY);

/** JSON with spaces, sometimes damaged. */
const texts = fc
  .tuple(
    fc.oneof(fc.jsonValue({ maxDepth: 6 }), fc.array(fc.dictionary(fc.string(), fc.jsonValue()))),
    fc.constantFrom(0, 2),
    fc.option(fc.tuple(fc.nat(), fc.constantFrom("", "]", "[", "{", "}", ",", '"', "[0]", "7"))),
  )
  .map(([value, indent, damage]) => {
    const text = JSON.stringify({ list: value, other: [value, 1] }, null, indent);
    if (damage === null) return text;
    const at = damage[0] % text.length;
    return text.slice(0, at) + damage[1] + text.slice(at + 1);
  });

describe("A long JSON text that is parsed in pieces", () => {
  test("gives the same result as in one piece, even if it is invalid", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), async (text, pieceBytes) => {
        expect(await outcome(text, pieceBytes)).toBe(await outcome(text));
      }),
      // Without this option, the shrinking of a failure would exceed the time limit of the test and hide the failure.
      { numRuns: manyRuns(200, 4_000), endOnFailure: true },
    );
  });

  test("keeps lists of numbers, and keys such as __proto__", async () => {
    for (const text of [
      '{"a":[[0],[1],{"b":[0]}],"c":{"d":[0]}}',
      '[[[0]],{"x":[[0]]}]',
      '{"a":{"__proto__":{"x":1}},"__proto__":[{"y":1}]}',
      '\ufeff{"a":[{"x":1}]}',
      '{"a":[{}]}{"b":[{}]}',
      '{"a":[x{}]}',
      "7",
      "",
    ]) {
      expect(await inFull(parsed(text)), text).toBe(await inFull(whole(text)));
    }
    expect(JSON.stringify(await parsed('{"a":{"__proto__":{"x":1}}}'))).toBe(
      '{"a":{"__proto__":{"x":1}}}',
    );
  });

  test("keeps the digits of numbers, inside and outside of entries", async () => {
    const long = "12345678901234567890.125";
    const text = `{"a":${long},"b":[{"c":[${long},1]},${long},{"d":1},{"e":${long}}],"f":${long} }`;
    expect(await parsed(text)).toEqual({
      a: long,
      b: [{ c: [long, 1] }, long, { d: 1 }, { e: long }],
      f: long,
    });
  });

  test("has no numbers as keys, however long", async () => {
    for (const text of [
      '{"a":[[1]],12345678901234567890 \n:1}',
      '{"a":[{12345678901234567890:1}]}',
    ]) {
      expect(await parsed(text)).toContain("not valid JSON");
      expect(await whole(text)).toContain("not valid JSON");
    }
  });

  test("is rejected if it is not UTF-8 or not JSON, inside and outside of entries", async () => {
    const broken = Buffer.concat([
      Buffer.from('{"a":[{"b":"'),
      Buffer.from([0xff]),
      Buffer.from('"}]}'),
    ]);
    for (const text of [broken, '{"a":[{"b":tru}]}', '{"a":[{"b":1}],}', '{"a":[{"b":1}']) {
      expect(await inFull(parsed(text))).toBe(await inFull(whole(text)));
    }
    expect(await parsed(broken)).toContain("not valid UTF-8");
    expect(await parsed('{"a":[{"b":tru}]}')).toContain("not valid JSON");
  });

  test.each([
    ['{"a":1,"b":[1,2],"a":3}', "/a"],
    ['{"a":[{"x":1}],"b":{},"a":[{"x":2},{"x":3}]}', "/a"],
    ['{"list":[0,[],{"b":[[1],{"c/d":{},"e":5,"c/d":[]}]}]}', "/list/2/b/1/c~1d"],
    ['[{"__proto__":1,"x":0,"__proto__":2}]', "/0/__proto__"],
    [String.raw`{"a":{"b":1, "\u0062":{"c":2}}}`.replace("\\\\", "\\"), "/a/b"],
    ['{"a":[1,2,3,{"k":[4,5],"k":6}]}', "/a/3/k"],
  ])("is rejected with a duplicate key: in %s it is %s", async (text, pointer) => {
    for (const pieceBytes of [1, 2, 3, 5, 8, 13, 21, Number.POSITIVE_INFINITY]) {
      const refused = await parsed(text, pieceBytes);
      expect(refused, String(pieceBytes)).toContain(`(at ${pointer})`);
    }
  });

  test("may have the same key in many objects", async () => {
    const text = '{"a":[{"a":{"a":1}},{"a":":"}],"b":{"a":[{"a":1}]}}';
    for (const pieceBytes of [1, 4, 16])
      expect(await parsed(text, pieceBytes)).toEqual(JSON.parse(text));
  });

  test.each([
    [
      "long numbers in a list outside of the entries",
      `{"x":[${"12345678901234567,".repeat(100_000)}1]}`,
    ],
    [
      "keys of one object",
      `{${Array.from({ length: 50_000 }, (_, key) => `"${key} ${key}":${key}`)}}`,
    ],
    ["nested lists", `${`[${"1,".repeat(10_000)}`.repeat(60)}1${"]".repeat(60)}`],
    [
      "entries",
      JSON.stringify({
        entries: Array.from({ length: 10_000 }, () => ({ text: "x".repeat(200) })),
      }),
    ],
  ])("lets the event loop run between %s", async (_, text) => {
    // With this clock, each turn is over at its first check.
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 20));
    onTestFinished(() => void vi.restoreAllMocks());
    let rounds = 0;
    const count = () => {
      rounds += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    expect(await parsed(text, 64 * 1024)).not.toContain("JsonError");
    clearImmediate(counting);
    expect(rounds).toBeGreaterThanOrEqual(Math.floor(text.length / (64 * 1024)));
  });

  test("with very many long numbers is parsed", async () => {
    const text = `{"list":[${"12345678901234567,".repeat(200_000)}{}]}`;
    const { list } = (await parsed(text)) as { list: unknown[] };
    expect(list).toHaveLength(200_001);
    expect(list.at(-2)).toBe("12345678901234567");
  });

  test("with very many entries is parsed", async () => {
    const lists = Array.from({ length: 100_001 }, () => [0]);
    expect(await parsed(JSON.stringify({ lists }))).toEqual({ lists });
  });

  test("keeps keys with escape sequences, which Node's parser may confuse with keys of earlier texts", async () => {
    await whole(String.raw`{"k":1,"gr\\u0":1}`);
    const text = String.raw`{"k":1,"gr\u00f6\u00dfe":2}`;
    expect(await parsed(text)).toEqual({ k: 1, größe: 2 });
    expect(await whole(text)).toEqual({ k: 1, größe: 2 });
  });

  test("passes each entry of a batch request on, in order, and keeps the results", async () => {
    const entries = [{ a: [1, { b: 2 }] }, [], "text", {}, 12, null, { c: { d: [[]] } }, true];
    const text = JSON.stringify({
      document_generation_data: entries,
      other: [{ document_generation_data: [{}] }, {}],
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (pieceBytes) => {
        const seen: unknown[] = [];
        const readEntry = (entry: unknown, index: number): string => {
          seen.push([index, structuredClone(entry)]);
          return `entry ${index}`;
        };
        const body = await parseJson(Buffer.from(text), NO_LIMITS, { pieceBytes, readEntry });
        expect(seen).toEqual(entries.map((entry, index) => [index, entry]));
        expect(body).toEqual({
          document_generation_data: entries.map((_, index) => `entry ${index}`),
          other: [{ document_generation_data: [{}] }, {}],
        });
      }),
    );
  });

  test("ends with the error of the reader of entries", async () => {
    const text = `{"document_generation_data":[${"{},".repeat(100)}{}]}`;
    const readEntry = (_: unknown, index: number): unknown => {
      if (index === 10) throw new Error("too many");
      return null;
    };
    const parsing = parseJson(Buffer.from(text), NO_LIMITS, { pieceBytes: 1, readEntry });
    await expect(parsing).rejects.toThrow("too many");
  });
});
