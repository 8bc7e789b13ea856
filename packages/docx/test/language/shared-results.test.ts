import { describe, expect, test } from "vitest";
import { docx, linesOf, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { printed } from "../support/language.ts";

const items = [
  { city: "Bern", price: 4 },
  { city: "Uri", price: 8 },
  { city: "Bern", price: 6 },
];
const others = [
  { price: 1, city: "Uri" },
  { price: 3, city: "Bern" },
];

describe("a function within an argument for each item", () => {
  test.each([
    ["{{items.count(price >= items.average(price))}}", "2"],
    ["{{items.count(price > others.max(price) + 1)}}", "2"],
    ["{{items.map(price - others.sum(price))}}", "0, 4, 2"],
    // These depend on the item.
    ["{{items.map(items.count(this.city == city))}}", "3, 3, 3"],
    ["{{for i in items}}{{items.count(city == i.city)}}{{endfor}}", "212"],
    ["{{for i in items}}{{others.sum(price * i.price)}} {{endfor}}", "16 32 24 "],
    ["{{items.map(others.sum(price))}}", "4, 4, 4"],
    ["{{nested.map(parts.sum(n))}}", "3, 7"],
    ["{{nested.map(items.count())}}", "1, 2"],
    ["{{nested.map(items.sum(price))}}", "1, 5"],
    ["{{mixed.map(others.sum(price))}}", "5, 4"],
  ])("%s is %j", async (text, expected) => {
    const nested = [
      { parts: [{ n: 1 }, { n: 2 }], items: [{ price: 1 }] },
      { parts: [{ n: 7 }], items: [{ price: 2 }, { price: 3 }] },
    ];
    // The other elements of the list have no key with this name.
    const mixed = [{ others: [{ price: 5 }] }, { others }];
    expect(await printed(text, { items, others, nested, mixed })).toBe(expected);
  });

  test("is computed once for all items if it does not depend on them", async () => {
    const many = Array.from({ length: 20_000 }, (_each, price) => ({ price }));
    expect(await printed("{{many.count(price > many.average(price))}}", { many })).toBe("10000");
  });
});

test("the name of a loop's item comes before a key of the same name in another list", async () => {
  const all = [1, 1, 2].map((n) => ({ r: 5, n }));
  const data = { rows: [{ n: 1 }, { n: 2 }], all };
  expect(await printed("{{for r in rows}}{{all.count(n == r.n)}} {{endfor}}", data)).toBe("2 1 ");
});

test("data that a program changes between documents are read again", async () => {
  const template = await compileTemplate(docx({ body: p("{{rows.map(all.sum(x ?? 0))}}") }));
  const all: Record<string, number>[] = [{ x: 1 }, { x: 2 }];
  const data = { rows: [{ x: 10 }, { x: 20 }], all };
  expect(linesOf(template.render(data).bytes)).toEqual(["3, 3"]);
  all[1] = {};
  // A name that other items of the list have is missing here, and does not mean the item around.
  expect(linesOf(template.render(data).bytes)).toEqual(["1, 1"]);
});
