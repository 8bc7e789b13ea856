import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonBounds, type JsonLimits } from "../src/batch/json-bounds.ts";

const LIMITS: JsonLimits = {
  maxDepth: 10,
  maxKeys: 100,
  maxValues: 100,
  maxStringBytes: 50,
  maxEntryBytes: 200,
};

function push(text: string, limits: Partial<JsonLimits> = {}, chunkBytes = 1000): void {
  const bounds = new JsonBounds({ ...LIMITS, ...limits });
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const end = Math.min(bytes.length, start + chunkBytes);
    for (let at = start; at < end; at += 1) at = bounds.next(bytes, at, end);
  }
}

describe("The bounds of a JSON body", () => {
  test("accept content within them, and invalid JSON", () => {
    push('{"a":[{"b":"c\\"]}{"}],"d":1}');
    push("no JSON at all ]]]]}}}}");
    push("");
  });

  test("reject content that is nested too deeply before it is parsed, even a million levels", () => {
    push("[".repeat(10));
    expect(() => push("[".repeat(11))).toThrow("nested deeper than 10 levels");
    expect(() => push('{"a":'.repeat(1_000_000))).toThrow("nested deeper than 10 levels");
  });

  test("count no brackets, commas and colons within strings", () => {
    push(`{"a":"${"[{:,".repeat(12)}"}`);
    push(`{"a":"\\\\","b":"\\"${"[".repeat(20)}"}`);
  });

  test("reject too many keys, too many values and strings that are too long", () => {
    const keys = Array.from({ length: 101 }, (_, index) => `"k${index}":1`).join(",");
    expect(() => push(`{${keys}}`, { maxValues: 1000 })).toThrow("more than 100 keys");
    expect(() => push(`[${"1,".repeat(150)}1]`)).toThrow("more than 100 values");
    expect(() => push(`["${"x".repeat(51)}"]`)).toThrow("A string is longer than 50 bytes");
    push(`["${"x".repeat(50)}"]`);
  });

  test("reject an entry that is too long, but not a batch for its length", () => {
    const entry = (length: number) => `{"n":"${"x".repeat(40)}","d":[${"1,".repeat(length)}1]}`;
    push(`{"list":[${entry(10)},${entry(10)},${entry(10)},${entry(10)},${entry(10)}]}`);
    expect(() => push(`{"list":[${entry(10)},${entry(95)}]}`, { maxValues: 1000 })).toThrow(
      "An entry is longer than 200 bytes",
    );
  });

  test("give the same result for any chunks, and accept every JSON within them", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 12 }), fc.integer({ min: 1, max: 7 }), (value, size) => {
        const text = JSON.stringify(value);
        const judge = (bytes: number) => {
          try {
            push(text, { maxDepth: 6, maxStringBytes: 8 }, bytes);
            return "fine";
          } catch (error) {
            return (error as Error).message;
          }
        };
        const whole = judge(1_000_000);
        expect(judge(size)).toBe(whole);
        if (depthOf(value) > 6) expect(whole).not.toBe("fine");
      }),
    );
  });
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
