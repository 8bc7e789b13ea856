import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  months: [
    { name: "Jan", key: "01" },
    { name: "Feb", key: "02" },
  ],
  years: [2025, 2026],
  shops: [
    { sales: { "01": 5, "02": 6 }, amounts: { "01": { net: 7 } }, years: { 2025: 1, 2026: 2 } },
  ],
  items: [
    { name: "Pen", price: 10.5, qty: 2 },
    { name: "Cup", price: 2.1, qty: null },
  ],
  name: "Ann May Lee",
  total: -1,
  paid: true,
  start: "2026-01-01",
  end: "2026-02-01",
  phone: null,
};

/** Returns the hint for the first mistake of a template. */
async function hintOf(template: string): Promise<string> {
  const { warnings } = await outcome(p(template), DATA);
  return warnings.find(({ code }) => code !== "unused_value")?.hint ?? "";
}

/** Returns what a template prints with the form of the hint in place of the wrong one. */
async function mended(template: string, wrong: string): Promise<string> {
  const hint = await hintOf(template);
  const meant = [/\{\{(.+?)\}\}\.$/, /write (\S+?)\.$/, /'(.+)'/]
    .map((form) => form.exec(hint)?.[1])
    .find((form) => form !== undefined);
  return meant === undefined ? `no form: ${hint}` : printed(template.replace(wrong, meant), DATA);
}

describe("the hint for a key that another value names", () => {
  test.each([
    ['s.sales["m.key"]', "5 6 "],
    ["s.sales.m.key", "5 6 "],
    ["s.sales[m]", "5 6 "],
  ])("%s has the value in brackets", async (wrong, lines) => {
    const template = `{{for s in shops}}{{for m in months}}{{${wrong}}} {{endfor}}{{endfor}}`;
    expect(await mended(template, wrong)).toBe(lines);
  });

  test("keeps the keys behind it", async () => {
    const template =
      "{{for s in shops}}{{for m in months}}{{s.amounts.m.key.net}}{{endfor}}{{endfor}}";
    expect(await hintOf(template)).toBe("Did you mean 's.amounts[m.key].net'?");
  });

  test("knows numbers, too", async () => {
    const template = "{{for s in shops}}{{for y in years}}{{s.years.y}} {{endfor}}{{endfor}}";
    expect(await mended(template, "s.years.y")).toBe("1 2 ");
  });

  test("names several keys of an object if none of its values is a key", async () => {
    const template = "{{for s in shops}}{{for m in months}}{{s.years[m]}}{{endfor}}{{endfor}}";
    expect(await hintOf(template)).toBe(
      "'m' is an object with the keys name, key: write s.years[m.name] or s.years[m.key].",
    );
  });

  test("is not given for a name that is not an item of a loop", async () => {
    expect(await hintOf('{{for s in shops}}{{s.sales["total.key"]}}{{endfor}}')).not.toContain("[");
  });
});

describe("the tag of the hint prints the meant value:", () => {
  test.each([
    ['total :: color("red"), total < 0', "-1"],
    ["total :: bold, not paid", "-1"],
    ["total :: number(2), bold, total < 0 and paid", "-1.00"],
    ["$networkdays(start, end)", "22"],
    ["items^(price).name", "Cup, Pen"],
    ["items.sum(price * 0.19 :: round(1))", "2.4"],
    ["items.sum(price :: round(0))", "13"],
    ["items.sum(price * qty :: default(0))", "21"],
    ["items.sum(qty :: default(0))", "2"],
    ['phone :: optional ?? "none"', "none"],
    ['$substringBefore(name, " ")', "Ann"],
    ['$substringAfter(name, " ")', "May Lee"],
  ])("%s", async (wrong, line) => {
    expect(await mended(`{{${wrong}}}`, wrong)).toBe(line);
  });
});

test("a power without a key after it is not a sort order", async () => {
  expect(await hintOf("{{total^(paid)}}")).toContain("power");
});

test("a look for the whole row becomes a tag of the row", async () => {
  const hint = await hintOf('{{name :: fill("red"), row}}');
  expect(hint).toBe('Write two tags: {{name}}, and {{row :: fill("red")}} next to it.');
});

test("the short name of Markdown is known", async () => {
  expect(await hintOf("{{name :: md}}")).toBe("Did you mean 'markdown'?");
});

describe("a template that the data choose", () => {
  test.each(["include file", "include file in files", "include i.file"])("%s", async (tag) => {
    expect(await hintOf(`{{${tag}}}`)).toContain('{{include file in ["a.docx", "b.docx"]}}');
  });

  test("is in a condition if it is optional", async () => {
    expect(await hintOf('{{include "terms.docx" :: optional}}')).toBe(
      'To include a template only sometimes, write {{if condition}}, {{include "terms.docx"}} and {{endif}}, each in its own paragraph.',
    );
  });
});
