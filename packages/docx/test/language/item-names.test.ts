import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

async function failure(text: string, data: Record<string, unknown>): Promise<string> {
  const { error, warnings } = await outcome(p(text), data);
  return `${error} ${warnings.map(({ code, pointer }) => `${code} ${pointer}`).join()}`;
}

const MIXED = {
  price: 100,
  paid: true,
  items: [
    { c: "a", q: 1, price: 2, paid: false },
    { c: "a", q: 1 },
    { c: "b", q: 1, price: 1, paid: false },
  ],
  orders: [{ lines: [{ price: 1 }, { x: 1 }] }],
  parts: [{ price: 2, of: [{ q: 1 }] }, { of: [{ q: 1 }] }],
  b: [{ price: 1 }, { x: 1 }],
};

describe("a name that other items have never means a value outside the list", () => {
  test.each([
    ["{{items.sum(q * price)}}", "/items/1/price"],
    ["{{for g in items.group(c)}}{{g.items.sum(q * price)}}{{endfor}}", "/items/1/price"],
    ["{{for g in items.group(c)}}{{g.items.count(paid == true)}}{{endfor}}", "/items/1/paid"],
    ["{{orders.first().lines.sum(price)}}", ""],
    ["{{(a ?? b).sum(price)}}", ""],
    ["{{parts.sum(of.sum(q * price))}}", ""],
    ["{{items.where(q == 1).map(price).join()}}", "/items/1/price"],
  ])("%s", async (text, pointer) => {
    expect(await failure(text, MIXED)).toContain(`invalid_data invalid_value ${pointer}`);
  });

  test.each([
    ["{{items.sum((price ?? 0) * q)}}", "3"],
    ["{{items.sort(price).map(c).join()}}", "b, a, a"],
    ["{{items.sum(q * limit)}}", "6"],
  ])("%s has a value", async (text, expected) => {
    expect(await printed(text, { ...MIXED, limit: 2 })).toBe(expected);
  });
});

test.each([
  [
    "{{items.count(prices[cur] > 3)}}",
    [
      { cur: "A", prices: { B: 4 } },
      { cur: "B", prices: { B: 5 } },
    ],
  ],
  ["{{items.where(parts.first().q > 3).count()}}", [{ parts: [{}] }, { parts: [{ q: 5 }] }]],
  ["{{items.where($if(vip, d, 0) < 10).count()}}", [{ vip: true }, { vip: true, d: 5 }]],
  ['{{items.where(tags.first() == "a").count()}}', [{ tags: ["a"] }, { tags: [] }]],
  ["{{items.where(parts.min(q) < 10).count()}}", [{ parts: [] }, { parts: [{ q: 1 }] }]],
  ['{{items.where(m["q"] != 1).count()}}', [{ m: { q: 2 } }, { m: {} }]],
])("a condition on a missing value is an error: %s", async (text, items) => {
  expect(await failure(text, { items })).toContain("invalid_data invalid_value");
});

test.each([
  ["{{for i in items.map($running(i.amount))}}{{i}} {{endfor}}", "1 3 6 "],
  ["{{for i in items.where($running(i.amount) < 4)}}{{i.amount}} {{endfor}}", "1 2 "],
])("%s", async (text, expected) => {
  const items = [{ amount: 1 }, { amount: 2 }, { amount: 3 }];
  expect(await printed(text, { items })).toBe(expected);
});

test.each([
  [
    "{{items.sort(d).map(d).join()}}",
    { items: [{ d: "15.8.2026" }, { d: "" }, { d: "1.12.2025" }, { d: "20.7.2026" }] },
    "1.12.2025, 20.7.2026, 15.8.2026, ",
  ],
  ["{{items.max(d)}}", { items: [{ d: "2026-01-02" }, { d: "2026-03-01" }] }, "2026-03-01"],
  ["{{dates.min()}}", { dates: ["2026-01-02", "2025-03-01"] }, "2025-03-01"],
  ["{{n.fromUnix()}}", { n: 1.001 }, "1970-01-01T00:00:01.001Z"],
  ['{{a.padStart(3, "0")}}', { a: "😀" }, "00😀"],
  ["{{a.substring(1, 1)}}", { a: "😀b" }, "b"],
  ["{{d.addDays(1)}}", { d: "31.12.2026" }, "2027-01-01"],
])("%s with %j", async (text, data, expected) => {
  expect(await printed(text, data)).toBe(expected);
});

test.each([
  ["{{items.sort(nope)}}{{endfor}}", { items: [{ a: 1 }] }],
  ["{{for city in items.where(city == 'B')}}x{{endfor}}", { items: [{ city: "B" }] }],
  ["{{for g in items.group(a)}}{{g.count()}}{{endfor}}", { items: [{ a: 1 }] }],
  ["{{items.sort(d).count()}}", { items: [{ d: new Date(Number.NaN) }, { d: new Date() }] }],
])("%s is an error", async (text, data) => {
  const { error } = await outcome(p(text.replace(/\)\}\}\{\{endfor/, ").count()}}{{!")), data);
  expect(error).toMatch(/invalid_(?:data|template)/);
});

test.each([
  ['{{items.sort("x")}}', "Write {{items.sort(x)}}."],
  ["{{x :: when(x > 1)}}", "write {{if x > 1}}{{x}}{{endif}}"],
  ['{{x :: color("red"), when(a), color("green"), when(b)}}', "color($if("],
  ['{{$if(x == 1, "yes")}}', 'Write $if(x == 1, "yes", ""), with the value for the other case.'],
])("%s is a mistake in the template", async (text, hint) => {
  const { warnings } = await outcome(p(text), {});
  expect(warnings[0]?.hint).toContain(hint);
});

test("$if reports a comparison with a missing value, like if", async () => {
  const { warnings } = await outcome(p('{{$if(y > 3, "a", "b")}}'), { x: 1 });
  expect(warnings.map(({ code }) => code)).toContain("missing_in_condition");
});

test("a look reports a comparison with a missing value, like if", async () => {
  const { warnings } = await outcome(p('{{x :: color("red"), when(y > 3)}}'), { x: 1 });
  expect(warnings.map(({ code }) => code)).toContain("missing_in_condition");
});

test("$join of several values instead of a list is an error", async () => {
  const { warnings } = await outcome(p('{{$join(street, city, ", ")}}'), {
    street: "S",
    city: "C",
  });
  expect(warnings[0]?.hint).toContain('[street, city].join(", ")');
});
