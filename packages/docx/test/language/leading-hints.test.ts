import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  items: [
    { name: "pen", qty: 2, price: 3.5, city: "Bern", d: "2026-01-05", paid: true },
    { name: "ink", qty: 1, price: 12, city: "Ulm", d: "2026-03-06", paid: false },
    { name: "cap", qty: 10, price: 0.8, city: "Bern", d: "2026-03-07", paid: true },
  ],
  names: ["ann", "bob"],
  customers: [{ id: 2, name: "Bob" }],
  id: 2,
  day: "2026-05-20",
  member: false,
  total: 100,
  net: 1,
  vat: 2,
  shipping: 3,
  url: "https://example.org",
};

/** Returns the only diagnostic of a template, as its message and its hint. */
async function told(text: string, data: Readonly<Record<string, unknown>> = DATA): Promise<string> {
  const { warnings } = await outcome(p(text), data);
  const errors = warnings.filter(({ code }) => code !== "unused_value");
  expect(errors).toHaveLength(1);
  return `${errors[0]?.message} ${errors[0]?.hint}`;
}

describe("a hint shows the tag that an author means, and this tag prints the meant value", () => {
  test.each([
    // Forms of other languages.
    ["{{$sum(items.(price * qty))}}", "{{items.sum(price * qty)}}", "27"],
    ["{{items.(price * qty)}}", "{{items.map(price * qty)}}", "7, 12, 8"],
    ["{{total?string['0.00']}}", "{{total :: number('0.00')}}", "100.00"],
    ['{{member?string("yes", "no")}}', '{{$if(member, "yes", "no")}}', "no"],
    ["{{day?string('dd.MM.yyyy')}}", "{{day :: format('dd.MM.yyyy')}}", "20.05.2026"],
    ['{{IF total > 100 "large" "small"}}', '{{$if(total > 100, "large", "small")}}', "small"],
    ['{{if total = 100 "full" "part"}}', '{{$if(total == 100, "full", "part")}}', "full"],
    // Arguments of functions.
    ["{{$sum(items.price * items.qty)}}", "{{items.sum(price * qty)}}", "27"],
    ["{{SUM(items.price * 2)}}", "{{items.sum(price * 2)}}", "32.6"],
    ["{{$sum(net, vat, shipping)}}", "{{[net, vat, shipping].sum()}}", "6"],
    ["{{MAX(net, vat, shipping)}}", "{{[net, vat, shipping].max()}}", "3"],
    ['{{items.count("paid")}}', "{{items.count(paid)}}", "2"],
    // Conditions that are printed.
    ["{{not member :: checkbox}}", "{{(not member) :: checkbox}}", "☒"],
    ["{{not member}}", "{{(not member) :: checkbox}}", "☒"],
    // Modifiers before the end of the tag.
    ["{{net :: number(2) * vat}}", "{{net * vat :: number(2)}}", "2.00"],
    ["{{net :: number(2) + vat :: number(2)}}", "{{net + vat :: number(2)}}", "3.00"],
    ["{{items.sum(price) :: number(1) * 2}}", "{{items.sum(price) * 2 :: number(1)}}", "32.6"],
    ["{{net + vat :: number(2) * 2}}", "{{(net + vat) * 2 :: number(2)}}", "6.00"],
    ["{{items.sum(price.default(0))}}", "{{items.sum(price ?? 0)}}", "16.3"],
    ["{{total * (factor :: default(1))}}", "{{total * (factor ?? 1)}}", "100"],
    ["{{total * factor.default(1)}}", "{{total * (factor ?? 1)}}", "100"],
    ["{{factor :: default(0) + total}}", "{{(factor ?? 0) + total}}", "100"],
    ["{{names.map(capitalize(this))}}", "{{names :: capitalize}}", "Ann, Bob"],
    ["{{items.map(capitalize(this.name))}}", "{{items.name :: capitalize}}", "Pen, Ink, Cap"],
    // Dates.
    ["{{day.startOfYear()}}", '{{$concat(day.year(), "-01-01")}}', "2026-01-01"],
    ["{{day.endOfYear()}}", '{{$concat(day.year(), "-12-31")}}', "2026-12-31"],
    [
      "{{day.startOfQuarter()}}",
      "{{day.startOfMonth().addMonths(-((day.month() - 1) % 3))}}",
      "2026-04-01",
    ],
    [
      "{{$endOfQuarter(day)}}",
      "{{day.startOfMonth().addMonths(2 - (day.month() - 1) % 3).endOfMonth()}}",
      "2026-06-30",
    ],
    ["{{day.endOfWeek()}}", "{{day.startOfWeek().addDays(6)}}", "2026-05-24"],
  ])("%s", async (text, meant, result) => {
    expect(await told(text)).toContain(meant);
    expect(await printed(meant, DATA)).toBe(result);
  });

  test.each([
    [
      "{{for i in items^(>price)}}{{i.name}}{{endfor}}",
      "for i in items.sort(price desc)",
      "inkpencap",
    ],
    [
      "{{for i in items^(city, >qty)}}{{i.name}}{{endfor}}",
      "for i in items.sort(city, qty desc)",
      "cappenink",
    ],
    ['{{for i in items.where("paid")}}x{{endfor}}', "for i in items.where(paid)", "xx"],
    ['{{for i in items.where("qty > 1")}}x{{endfor}}', "for i in items.where(qty > 1)", "xx"],
    ['{{if "total > 9"}}x{{endif}}', "if total > 9", "x"],
    [
      '{{for g in items.group(d :: format("MM"))}}{{g.key}} {{endfor}}',
      "for g in items.group(d.month())",
      "1 3 ",
    ],
    ["{{for e in entries()}}x{{endfor}}", "for e in this.entries()", "x".repeat(11)],
  ])("%s", async (text, meant, result) => {
    expect(await told(text)).toContain(`{{${meant}}}`);
    expect(await printed(`{{${meant}${text.slice(text.indexOf("}}"))}`, DATA)).toBe(result);
  });
});

test.each([
  // A format of the key of a group.
  [
    "{{items.where((d :: format) == 1)}}",
    "Write 'format' as a function there, after a dot: d.format",
  ],
  ["{{$sum(items, price, 2)}}", "Write {{items.sum(price).round(2)}}."],
  ["{{$sum(items, price, qty)}}", "Write {{items.sum(price * qty)}}"],
  // The name of an included template.
  ['{{include "terms-" + lang + ".docx"}}', "The names of the templates are fixed text."],
  ['{{include "terms-" & lang}}', "The names of the templates are fixed text."],
  // Look-ups of spreadsheets.
  [
    "{{VLOOKUP(id; customers; 2)}}",
    "with first: {{for x in [id]}}{{customers.first(id == x).name}}{{endfor}}.",
  ],
  ["{{VLOOKUP(i.cid, customers, 2)}}", "with first: {{customers.first(id == i.cid).name}}."],
  // A code with its size.
  ['{{url :: qrcode("3cm")}}', 'Write {{url :: qrcode, width("3cm")}}.'],
])("the hint for %s leads to the fix", async (text, hint) => {
  expect(await told(text)).toContain(hint);
});
