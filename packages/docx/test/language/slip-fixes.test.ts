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

  test("is not given for a name that is no item of a loop", async () => {
    expect(await hintOf('{{for s in shops}}{{s.sales["total.key"]}}{{endfor}}')).not.toContain("[");
  });
});
