import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn } from "../support/language.ts";

const DATA = {
  items: [
    { name: "Pen", city: "Ulm", country: "DE", price: 1.5, status: "open", date: "2026-11-05" },
    { name: "Desk", city: "Bern", country: "CH", price: 250, status: "paid", date: "2026-10-05" },
  ],
  customer: { name: "Ann Lee", mobile: "079", language: "de", first: "Ann" },
  invoice: { date: "2026-11-05", terms: 30, status: "open" },
  total: 12.2,
  code: "DE89370400",
  no: "",
  names: ["b", "a"],
  text: "Dear [NAME]",
  placeholder: "picture",
  months: [{ key: "jan" }],
  rows: [{ name: "a", jan: 5 }],
  german: "05.11.26",
  american: "05/11/2026",
};

const hintsFor = (text: string): Promise<string[]> => hintsIn(p(text), DATA);

describe("a path in quotes", () => {
  const name = (path: string) =>
    `quoted_name: For a value of the data write its name without quotes: ${path}.`;

  test.each([
    ['{{customer.phone :: default("customer.mobile")}}', "customer.mobile"],
    ['{{customer.phone ?? "customer.mobile"}}', "customer.mobile"],
    ['{{$if(customer.phone, "x", "customer.mobile")}}', "customer.mobile"],
    ['{{text.replace("[NAME]", "customer.name")}}', "customer.name"],
    ['{{if customer.name.startsWith("customer.first")}}a{{endif}}', "customer.first"],
    ['{{for i in items.where(status == "invoice.status")}}{{i.name}}{{endfor}}', "invoice.status"],
    ['{{photo :: default("placeholder"), width("3cm")}}', "placeholder"],
  ])("is reported if the data has it: %s", async (tag, path) => {
    expect(await hintsFor(tag)).toContain(name(path));
  });

  test.each([
    '{{customer.phone ?? "customer.fax"}}',
    '{{customer.phone :: default("names")}}',
    '{{customer.phone ?? "Ask Ann."}}',
  ])("is text if the data does not have it: %s", async (tag) => {
    expect(await hintsFor(tag)).toEqual([]);
  });

  test.each([
    ['{{total :: fill("i.color")}}', "fill(i.color)"],
    ['{{total :: locale("customer.language")}}', "locale(customer.language)"],
    ['{{invoice.date.addDays("invoice.terms")}}', "invoice.terms"],
    ['{{customer.name :: style("note.style")}}', "style(note.style)"],
  ])("as an argument leads to the path: %s", async (tag, meant) => {
    const [hint] = await hintsFor(tag);
    expect(hint).toContain(`For a value of the data write its name without quotes: ${meant}.`);
  });
});

test("the name of a file as the default of a picture is reported", async () => {
  expect(await hintsFor('{{photo :: default("logo.png"), width("3cm")}}')).toEqual([
    "external_image: For another picture write the name of a picture in the data, without quotes: default(logo).",
  ]);
});

describe("a call with other arguments than it takes leads to the right one:", () => {
  test.each([
    ['{{for i in items.where("status == open")}}', '{{for i in items.where(status == "open")}}'],
    ['{{total.round("up")}}', 'total.round(0, "up")'],
    ["{{code.last(4)}}", "substring(-4)"],
    ["{{code.first(2)}}", "substring(0, 2)"],
    ['{{code.split(4).join(" ")}}', 'format("xxxx xxxx")'],
    ["{{code.substring(0, -1)}}", "code.substring(0, code.length() - 1)"],
    ["{{code.substring(2, -1)}}", "code.substring(2, code.length() - 1 - 2)"],
    ['{{invoice.date.addDays(30, "workdays")}}', "invoice.date.addWorkdays(30)"],
    ['{{invoice.date.addDays(2, "weeks")}}', "invoice.date.addWeeks(2)"],
    ['{{for g in items.group(date, "month")}}', "items.group(date.startOfMonth())"],
    ['{{items.countif(status, "paid")}}', 'items.count(status == "paid")'],
    ['{{$sumif(items, status, "paid", price)}}', 'items.where(status == "paid").sum(price)'],
    ["{{$sumif(items, price > 2, price)}}", "items.where(price > 2).sum(price)"],
    ["{{$running($if(paid, total))}}", "{{$running($if(paid, total, 0))}}"],
    ["{{total :: merge(country, city)}}", 'merge($concat(country, "/", city))'],
    ['{{photo :: width("3cm", "4cm")}}', 'width("3cm"), height("4cm")'],
    ["{{rows.[months]}}", "Leave out the '.' before the bracket: rows[…]"],
  ])("%s", async (tag, meant) => {
    const end = tag.startsWith("{{for") ? "x{{endfor}}" : "";
    const [hint, ...more] = await hintsFor(tag + end);
    expect(hint).toContain(meant);
    expect(more).toEqual([]);
  });
});

describe("values of another kind lead to the fix:", () => {
  test.each([
    [
      "{{for i in items.where(delivered == false)}}x{{endfor}}",
      "If a missing value counts as false, write items.where(not delivered).",
    ],
    ["{{for g in items.group(country).group(city)}}x{{endfor}}", "for h in g.items.group(city)"],
    ["{{items.max().name}}", "For the item itself write items.sort(price).last()."],
    ["{{names.sort(desc).join()}}", "sort(this desc)"],
  ])("%s", async (tag, meant) => {
    const [hint] = await hintsFor(tag);
    expect(hint).toContain(meant);
  });

  test("a key of another list is not one of the items to leave out", async () => {
    const [hint] = await hintsFor("{{for m in months}}{{rows.sum(m.key)}}{{endfor}}");
    expect(hint).not.toContain("where");
  });

  test("an empty code is not a column", async () => {
    const [hint] = await hintsFor('{{no :: qrcode, width("3cm")}}');
    expect(hint).not.toContain("column");
  });
});

test.each([
  [
    "german",
    'toDate("dd.MM.yy") if the day comes first, or german.toDate("MM.dd.yy") if the month',
  ],
  [
    "american",
    'toDate("MM/dd/yyyy") if the month comes first, or american.toDate("dd/MM/yyyy") if',
  ],
])("the forms of a date are named by their first part: %s", async (key, forms) => {
  expect((await hintsFor(`{{${key}.addDays(3)}}`))[0]).toContain(forms);
});

test("a key that no item of a loop has, but a similar one, is reported in a condition", async () => {
  const block = "{{for i in items}}{{if i.statuss}}x{{endif}}{{endfor}}";
  expect(await hintsFor(block)).toEqual(["missing_in_condition: Did you mean 'i.status'?"]);
  expect(await hintsFor(block.replace("statuss", "remark"))).toEqual([]);
});
