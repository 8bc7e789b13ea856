import fc from "fast-check";
import { expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { compileText } from "../../src/compile-text.ts";
import {
  conditionOf,
  type Item,
  type ListData,
  listData,
  numberOf,
  numberText,
  step,
} from "../support/list-cases.ts";

/** The number of random compositions. */
const CASES = manyRuns(2_000, 100_000);

/** The tag that ends a list expression, and its expected text; null for a missing value. */
interface End {
  readonly tag: string;
  of(items: readonly Item[], data: ListData): string | null;
}

const sumOf = (items: readonly Item[], of: (item: Item) => bigint): bigint =>
  items.reduce((sum, item) => sum + of(item), 0n);

const end: fc.Arbitrary<End> = fc.oneof(
  fc.constantFrom<End[]>(
    { tag: '.map(text).join(";")', of: (items) => items.map(({ text }) => text).join(";") },
    { tag: ".count()", of: (items) => String(items.length) },
    {
      tag: '.map((n * n + 1).letter()).join(";")',
      of: (items) => items.map(({ n }) => letterOf(n * n + 1)).join(";"),
    },
    {
      tag: '.count().range().reverse().join(";")',
      of: ({ length }) => Array.from({ length }, (_, at) => length - at).join(";"),
    },
    {
      tag: '.map(text.substring(-2)).join(";")',
      of: (items) => items.map(({ text }) => text.slice(-2)).join(";"),
    },
    {
      tag: '.map(city.substring(n, 2)).join(";")',
      of: (items) => {
        const part = ({ city, n }: Item): string => {
          const start = n < 0 ? Math.max(city.length + n, 0) : n;
          return city.slice(start, start + 2);
        };
        return items.map(part).join(";");
      },
    },
    { tag: ".first().text", of: ([first]) => first?.text ?? null },
    { tag: ".last().text", of: (items) => items.at(-1)?.text ?? null },
    {
      tag: '.group(city).map($concat(key, items.count())).join(";")',
      of: (items) => {
        const groups = Map.groupBy(items, ({ city }) => city);
        return [...groups].map(([city, each]) => `${city}${each.length}`).join(";");
      },
    },
    {
      tag: '.group(paid).sort(key desc).map(items.sum(n)).join(";")',
      of: (items) => {
        const groups = [...Map.groupBy(items, ({ paid }) => paid)];
        const sorted = groups.sort(([a], [b]) => Number(b) - Number(a));
        return sorted.map(([, each]) => each.reduce((sum, { n }) => sum + n, 0)).join(";");
      },
    },
    {
      tag: '.group(city).map(items.group(paid).count()).join(";")',
      of: (items) => {
        const groups = Map.groupBy(items, ({ city }) => city);
        return [...groups.values()]
          .map((each) => new Set(each.map(({ paid }) => paid)).size)
          .join(";");
      },
    },
  ),
  numberOf.map(
    ({ tag, of }): End => ({
      tag: `.sum(${tag})`,
      of: (items) => numberText(sumOf(items, of)),
    }),
  ),
  numberOf.map(
    ({ tag, of }): End => ({
      tag: `.max(${tag})`,
      of: (items) => {
        const numbers = items.map(of);
        return numbers.length === 0
          ? null
          : numberText(numbers.reduce((most, number) => (number > most ? number : most)));
      },
    }),
  ),
  conditionOf.map(
    ({ tag, holds }): End => ({
      tag: `.count(${tag})`,
      of: (items, data) => String(items.filter((item) => holds(item, data)).length),
    }),
  ),
  conditionOf.map(
    ({ tag, holds }): End => ({
      tag: `.first(${tag}).text`,
      of: (items, data) => items.find((item) => holds(item, data))?.text ?? null,
    }),
  ),
);

/** The list that a composition begins with. */
interface Start {
  readonly tag: string;
  of(data: ListData): readonly Item[];
}

const start: fc.Arbitrary<Start> = fc.constantFrom<Start[]>(
  { tag: "items", of: ({ items }) => items },
  { tag: "(none ?? items)", of: ({ items }) => items },
  {
    tag: "$if(limit > 3, items, items.reverse())",
    of: ({ items, limit }) => (limit > 3 ? items : [...items].reverse()),
  },
);

/** Returns the name of a column of a spreadsheet: the last letter, after the name of all the letters before it. */
function letterOf(column: number): string {
  const [before, last] = [Math.ceil(column / 26) - 1, (column - 1) % 26];
  return (before === 0 ? "" : letterOf(before)) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ".charAt(last);
}

test("any composition of functions prints what a plain program computes", () => {
  fc.assert(
    fc.property(
      start,
      listData,
      fc.array(step, { maxLength: 4 }),
      end,
      (first, data, steps, last) => {
        const tag = `${first.tag}${steps.map((each) => each.tag).join("")}${last.tag}`;
        const items = steps.reduce((list, each) => each.of(list, data), first.of(data));
        const expected = last.of(items, data) ?? "none";
        expect(compileText(`{{${tag} ?? "none"}}`).render(data), tag).toBe(expected);
      },
    ),
    { numRuns: CASES },
  );
});
