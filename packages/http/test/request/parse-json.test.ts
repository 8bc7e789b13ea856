import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonBounds } from "../../src/request/json-bounds.ts";
import { parseJson } from "../../src/request/parse-json.ts";

const NO_LIMITS = {
  maxDepth: 1000,
  maxKeys: 1_000_000,
  maxValues: 10_000_000,
  maxStringBytes: 1_000_000,
  maxEntryBytes: 100_000_000,
};

/** What a text is parsed to, in pieces or at once; the problem when it is none. */
async function parsed(text: string | Buffer, atOnceBytes = 0): Promise<unknown> {
  const bytes = Buffer.from(text);
  const bounds = new JsonBounds(NO_LIMITS);
  bounds.push(bytes);
  try {
    return await parseJson(bytes, bounds, atOnceBytes);
  } catch (error) {
    return String(error);
  }
}

/** With the order of keys, and own ones of whatever name. */
async function inFull(outcome: Promise<unknown>): Promise<string> {
  return JSON.stringify(await outcome);
}

const whole = (text: string | Buffer) => parsed(text, Number.POSITIVE_INFINITY);

/** JSON texts with spaces, and some that are damaged. */
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
  test("gives what it gives at once, also when it is none", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await inFull(parsed(text))).toBe(await inFull(whole(text)));
      }),
      { numRuns: 2000 },
    );
  });

  test("keeps lists of numbers, keys such as __proto__, and the last of equal keys", async () => {
    for (const text of [
      '{"a":[[0],[1],{"b":[0]}],"c":{"d":[0]}}',
      '[[[0]],{"x":[[0]]}]',
      '{"a":{"__proto__":{"x":1}},"__proto__":[{"y":1}]}',
      '{"a":[{"x":1}],"a":[{"x":2},{"x":3}]}',
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

  test("keeps the digits of numbers, within the entries and beside them", async () => {
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
      expect(await parsed(text)).toContain("no JSON");
      expect(await whole(text)).toContain("no JSON");
    }
  });

  test("is refused when it is not UTF-8, or no JSON, in an entry or beside them", async () => {
    const broken = Buffer.concat([
      Buffer.from('{"a":[{"b":"'),
      Buffer.from([0xff]),
      Buffer.from('"}]}'),
    ]);
    for (const text of [broken, '{"a":[{"b":tru}]}', '{"a":[{"b":1}],}', '{"a":[{"b":1}']) {
      expect(await inFull(parsed(text))).toBe(await inFull(whole(text)));
    }
    expect(await parsed(broken)).toContain("not UTF-8");
    expect(await parsed('{"a":[{"b":tru}]}')).toContain("no JSON");
  });

  test("lets others have their turn", async () => {
    const entries = Array.from({ length: 10_000 }, (_, number) => ({
      number,
      text: "x".repeat(200),
    }));
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 0);
    try {
      expect(await parsed(JSON.stringify({ entries }), 1000)).toEqual({ entries });
    } finally {
      clearInterval(count);
    }
    expect(turns).toBeGreaterThan(2);
  });

  test("of very many long numbers is parsed all the same", async () => {
    const text = `{"list":[${"12345678901234567,".repeat(200_000)}{}]}`;
    const { list } = (await parsed(text)) as { list: unknown[] };
    expect(list).toHaveLength(200_001);
    expect(list.at(-2)).toBe("12345678901234567");
  });

  test("of very many entries is parsed all the same", async () => {
    const lists = Array.from({ length: 100_001 }, () => [0]);
    expect(await parsed(JSON.stringify({ lists }))).toEqual({ lists });
  });

  test("is refused with a key that is a single backslash, after which Node could read other keys as one", async () => {
    const text = String.raw`[{"a":1,"\\":1},{"a":1,"\u00e9":2}]`;
    expect(await parsed(text)).toContain("backslash");
    expect(await whole(text)).toContain("backslash");
  });
});
