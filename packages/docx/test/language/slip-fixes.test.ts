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

describe("the hint for a slip in the arguments of a function", () => {
  test.each([
    ["{{items.sum(price * 1,19)}}", "{{items.sum(price * 1.19)}}"],
    ["{{items.price.SUM()}}", "{{items.sum(price)}}"],
    ["{{start :: addDays(30 days)}}", "{{start :: addDays(30)}}"],
    ["{{start.addMonths(2 weeks)}}", "{{start.addDays(14)}}"],
    ["{{start.addDays(2m)}}", "{{start.addMonths(2)}}"],
    ["{{name :: shrink(8pt)}}", "{{name :: shrink(8)}}"],
    ['{{for y in years.sort("desc")}}{{y}}{{endfor}}', "{{for y in years.sort(this desc)}}"],
    ['{{if name matches "^Ann"}}x{{endif}}', '{{if name.startsWith("Ann")}}'],
    ['{{if not name.match("Lee$")}}x{{endif}}', '{{if not name.endsWith("Lee")}}'],
    ['{{if name =~ "^Ann$"}}x{{endif}}', '{{if name == "Ann"}}'],
    ['{{if name =~ ".*May.*"}}x{{endif}}', '{{if name contains "May"}}'],
    ['{{$if(paid, "yes")}}', '$if(paid, "yes", "")'],
    ["{{name.strip()}}", "name.trim()"],
    ["{{>terms}}", '{{include "terms.docx"}}'],
    ["{{name :: qrcode, width(100)}}", 'width("100px")'],
  ])("%s", async (template, meant) => {
    expect(await hintOf(template)).toContain(meant);
  });

  test("says that workdays know no holidays", async () => {
    const hint = await hintOf("{{start.addWorkdays(5, holidays)}}");
    expect(hint).toContain("Write {{start.addWorkdays(5)}}.");
    expect(hint).toContain("knows no holidays");
  });

  test("says that conditions have no patterns", async () => {
    expect(await hintOf('{{if name matches "[0-9]+"}}x{{endif}}')).toContain("has no patterns");
  });

  test("names the color between a known one and white or black", async () => {
    expect(await hintOf('{{name :: color("lightred")}}')).toContain('color("#FF9999")');
    expect(await hintOf('{{name :: fill("dark teal")}}')).toContain('fill("#004D4D")');
    expect(await hintOf('{{name :: fill("dark red")}}')).toContain('fill("darkred")');
  });

  test("knows the name of a value in quotes", async () => {
    expect(await hintOf('{{total :: currency("order.currency")}}')).toContain(
      "currency(order.currency)",
    );
  });

  test("knows zeros that a code has lost", async () => {
    const { warnings } = await outcome(p('{{e :: barcode("ean13")}}'), { e: "40063813339" });
    expect(warnings[0]?.message).toContain('.padStart(12, "0")');
  });

  test("knows a picture's width on text", async () => {
    expect(await hintOf('{{name :: width("3cm")}}')).toContain('{{column :: width("3cm")}}');
  });
});

describe("the hint for a group", () => {
  const G = "{{for g in items.group(qty ?? 0)}}";
  test.each([
    [`${G}{{$running(g.price)}}{{endfor}}`, "$running(g.items.sum(price))"],
    [`${G}{{$running(items.sum(price))}}{{endfor}}`, "write 'g.items'"],
    [`${G}{{for i in g.list}}{{i.name}}{{endfor}}{{endfor}}`, "write {{for i in g.items}}"],
    [`${G}{{g.rows.name}}{{endfor}}`, "for i in g.items, and write i.name"],
    [
      "{{for g in items.group(name).sort(value desc)}}{{g.key}}{{endfor}}",
      "sort(items.sum(qty) desc)",
    ],
  ])("%s", async (template, meant) => {
    expect(await hintOf(template)).toContain(meant);
  });

  test("outside a loop keeps the sum of the list", async () => {
    expect(await hintOf("{{$running(items.sum(price))}}")).toContain(
      "{{items.sum(price)}}. For the sum up to an item write {{$running(i.price)}}",
    );
  });
});

describe("a warning", () => {
  test("names a misspelled value in the condition of an argument", async () => {
    const template = '{{name :: color($if(payd == 1, "red", "blue"))}}';
    expect((await outcome(p(template), DATA)).warnings[0]).toMatchObject({
      code: "missing_in_condition",
    });
    const other = '{{total :: currency($if(payd == 1, "EUR", "USD"))}}';
    expect(await printed(other, DATA)).toBe("-$1.00");
    expect((await outcome(p(other), DATA)).warnings[0]).toMatchObject({
      code: "missing_in_condition",
    });
  });

  test("is given for a pattern with a percent sign that multiplies a percentage", async () => {
    const template = '{{rate :: number("0.0%")}}';
    const { warnings } = await outcome(p(template), { rate: 19 });
    expect(warnings).toMatchObject([{ code: "doubtful_sign" }]);
    expect(warnings[0]?.hint).toContain('{{rate / 100 :: number("0.0%")}}');
    const quoted = await outcome(p(`{{rate :: number('0"%"')}}`), { rate: 19 });
    expect(quoted.warnings).toEqual([]);
  });

  test("is given for a running total over items that the only block hides", async () => {
    const data = { items: [1, 2, 3].map((n) => ({ n, isShown: n !== 2 })) };
    const hidden = "{{for i in items}}{{if i.isShown}}{{$running(i.n)}} {{endif}}{{endfor}}";
    const { lines, warnings } = await outcome(p(hidden), data);
    expect(lines).toEqual(["1 6 "]);
    expect(warnings).toMatchObject([{ code: "hidden_items" }]);
    const shown = "{{for i in items}}{{i.n}}{{if i.isShown}}{{$running(i.n)}}{{endif}}{{endfor}}";
    expect((await outcome(p(shown), data)).warnings).toEqual([]);
  });

  test("names the sorted list for the item before", async () => {
    const data = { items: [{ name: "b" }, { name: "a" }] };
    const template = "{{for i in items.sort(name)}}{{items[$index - 1].name}}{{endfor}}";
    const { warnings } = await outcome(p(template), data);
    expect(warnings.find(({ code }) => code === "missing_value")?.hint).toContain(
      '$if($first, "", items.sort(name)[$index - 1].name)',
    );
  });
});
