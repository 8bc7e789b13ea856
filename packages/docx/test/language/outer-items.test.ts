/** In the parentheses of a function, names are keys of its items: hints name the item of the function or loop around it. */
import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  limit: 5,
  sku: "b",
  lines: [
    { sku: "b", quantity: 2 },
    { sku: "a", quantity: 1 },
  ],
  products: [
    { sku: "a", price: 9, limit: 1 },
    { sku: "b", price: 5, limit: 2 },
  ],
  tiers: [
    { min: 1, price: 10 },
    { min: 2, price: 8 },
  ],
  cities: ["Bern", "Ulm"],
  sales: [
    { city: "Bern", amount: 3 },
    { city: "Ulm", amount: 7 },
  ],
};

/** Returns the codes of the problems without those about unused data, and their hints. */
async function problems(text: string): Promise<{ codes: string[]; hints: string }> {
  const { warnings } = await outcome(p(text), DATA);
  const found = warnings.filter(({ code }) => code !== "unused_value");
  const codes = [...new Set(found.map(({ code }) => code))];
  return { codes, hints: found.map(({ hint }) => hint ?? "").join(" ") };
}

describe("'this' is the item of the innermost function", () => {
  test.each([
    [
      "{{lines.sum(quantity * products.first(sku == this.sku).price)}}",
      "function around it write sku == outer.sku.",
    ],
    ["{{for l in lines}}{{products.where(sku == .sku).price}}{{endfor}}", "write sku == l.sku."],
    ["{{for l in lines}}{{products.count(this.sku != sku)}}{{endfor}}", "write sku != l.sku."],
    [
      "{{#lines}}{{products.first(sku == this.sku).price}}{{/}}",
      "put the tag into {{for x in [sku]}} … {{endfor}}, and write sku == x.",
    ],
    ["{{products.count(sku == this.sku)}}", "and write sku == x."],
    [
      "{{for s in sales.where(sales.count(this.amount > amount) == 0)}}{{s.city}} {{endfor}}",
      "write amount < outer.amount.",
    ],
  ])("%s", async (text, hint) => {
    const { codes, hints } = await problems(text);
    expect(codes).toEqual(["doubtful_computation"]);
    expect(hints).toContain(hint);
  });
});

describe("the list of the outer items is not their item", () => {
  test.each([
    ["{{lines.sum(quantity * products.first(sku == lines.sku).price)}}", "outer.sku"],
    ["{{lines.sum(quantity * products.where(lines.sku == sku).sum(price))}}", "outer.sku"],
    ["{{for l in lines}}{{products.count(sku == lines.sku)}}{{endfor}}", "l.sku"],
    ["{{lines.sum(tiers.where(min <= lines.quantity).last().price)}}", "outer.quantity"],
    ["{{for l in lines}}{{tiers.count(lines.quantity < min)}}{{endfor}}", "l.quantity"],
  ])("%s", async (text, meant) => {
    const { hints } = await problems(text);
    expect(hints).toContain(`around it write ${meant} in place of lines.`);
  });

  test.each([
    ["{{cities.map(sales.where(city == this).sum(amount))}}", "outer"],
    ["{{for c in cities}}{{sales.where(city == this).sum(amount)}}{{endfor}}", "c"],
  ])("nor is 'this' a value of a list of texts: %s", async (text, meant) => {
    const { hints } = await problems(text);
    expect(hints).toContain(`around it write ${meant} in place of this.`);
  });
});

test.each([
  ["{{for s in sales.where(amount > outer.limit)}}{{s.city}}{{endfor}}", "Write limit."],
  ["{{sales.count(amount > outer.limit)}}", "Write limit."],
  ["{{products.count(limit > outer.limit)}}", "write x in place of outer.limit."],
])("without a function around it, 'outer' is not the data: %s", async (text, hint) => {
  expect((await problems(text)).hints).toContain(hint);
});

test.each([
  ["{{lines.sum(quantity * products.first(sku == outer.sku).price)}}", "19"],
  ["{{for l in lines}}{{products.where(sku == l.sku).price}} {{endfor}}", "5 9 "],
  ["{{lines.sum(tiers.where(min <= outer.quantity).last().price)}}", "18"],
  ["{{cities.map(sales.where(city == outer).sum(amount))}}", "3, 7"],
  ["{{for s in sales.where(amount > limit)}}{{s.city}}{{endfor}}", "Ulm"],
  ["{{for s in sales.where(sales.count(amount > outer.amount) == 0)}}{{s.city}}{{endfor}}", "Ulm"],
  // A loop gives these names.
  ["{{for sku in lines.sku}}{{products.first(this.sku == sku).price}} {{endfor}}", "5 9 "],
  ["{{for city in cities}}{{sales.where(this.city == city).sum(amount)}} {{endfor}}", "3 7 "],
  ["{{sales.count(amount != this.city.length())}}", "2"],
])("the right tag gives no warning: %s", async (text, result) => {
  expect((await problems(text)).codes).toEqual([]);
  expect(await printed(text, DATA)).toBe(result);
});
