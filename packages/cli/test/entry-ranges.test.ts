import fc from "fast-check";
import { expect, test } from "vitest";
import { EntryRanges } from "../src/entries/entry-ranges.ts";

test.each([
  ["5", "5"],
  ["5,9-20", "5,9-20"],
  ["9-20, 5", "5,9-20"],
  ["1-3,2-5,6", "1-6"],
  ["100-", "100-"],
  ["7,5-", "5-"],
])("the list %s means %s", (text, expected) => {
  expect(String(EntryRanges.parse(text))).toBe(expected);
});

test.each([
  ["", /A number is missing/],
  ["5,", /A number is missing/],
  ["0", /The first entry has the number 1/],
  ["9-5", /The range 9-5 ends before it begins/],
  ["-5", /"-5" is neither a number nor a range/],
  ["five", /"five" is neither a number nor a range/],
  ["5–9", /"5–9" is neither/],
])("the list %j is rejected", (text, message) => {
  expect(() => EntryRanges.parse(text)).toThrow(message);
});

test("a set of numbers finds each number by its position, and reads its own text", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 200 })), fc.nat(60), (found, count) => {
      const numbers = found.sort((a, b) => a - b);
      const set = EntryRanges.of(numbers);
      expect(set.size).toBe(numbers.length);
      expect(set.last).toBe(numbers.at(-1) ?? 0);
      expect(numbers.map((_, index) => set.numberAt(index + 1))).toEqual(numbers);
      for (let each = 1; each <= 201; each++) expect(set.has(each)).toBe(numbers.includes(each));
      expect(String(set.upTo(100))).toBe(
        String(EntryRanges.of(numbers.filter((each) => each <= 100))),
      );
      if (count > 0) {
        expect(String(set.first(count))).toBe(String(EntryRanges.of(numbers.slice(0, count))));
      }
      if (numbers.length > 0) expect(String(EntryRanges.parse(String(set)))).toBe(String(set));
    }),
  );
});
