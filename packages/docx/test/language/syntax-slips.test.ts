import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  ...{ first: "Ann", last: "Lee", name: "Dr. Ann Lee", remark: "urgent!", status: "open" },
  ...{ total: -1.5, discount: null, iban: "DE 12", n: 4, text: "a long text", logo: null },
  ...{ date: "2026-01-01", due: "2026-02-01", url: "https://example.com", paid: true },
  address: "a\nb",
  customer: { name: "Ann", phone: null, vip: true, net: 3 },
  invoices: [
    { city: "Bern", total: 1500 },
    { city: "Rome", total: 20 },
  ],
  items: [
    { name: "Pen", price: 10, quantity: 2, rate: 0.2, paid: false, color: "red" },
    { name: "Cup", price: 2, quantity: 3, rate: 0.1, paid: true, color: "blue" },
  ],
};

/** Returns the hint for the first mistake of a template. */
async function hintOf(template: string): Promise<string> {
  const { warnings } = await outcome(p(template), DATA);
  return warnings.find(({ code }) => code !== "unused_value")?.hint ?? "";
}

describe("the tag of the hint prints the meant value:", () => {
  test.each([
    ['first & " " & last', "Ann Lee"],
    ["total.roundUp(0)", "-2"],
    ["total.roundDown()", "-1"],
    ["total.floor()", "-2"],
    ["total.ceil()", "-1"],
    ["$roundup(total, 0)", "-2"],
    ["items.sum(price).roundUp(0)", "12"],
    ['iban.replace(" ")', "DE12"],
    ['$replace(iban, " ")', "DE12"],
    ['name.remove("Dr. ")', "Ann Lee"],
    ['name | remove: "Dr. "', "Ann Lee"],
    ['discount :: currency("EUR") ?? 0', "€0.00"],
    ['discount :: currency("EUR") ?? "none"', "none"],
    ['date :: format("yyyy-MM-dd") + 30', "2026-01-31"],
    ['date :: format("yyyy-MM-dd") - 1', "2025-12-31"],
    ['total :: currency("EUR") * 2', "-€3.00"],
    ["invoices.count(total >= 1,000)", "1"],
    ["invoices.count(total >= 1,500.00)", "1"],
    ["items.where(price > 2,5).count()", "1"],
    ["items.where(rate == 20%).sum(price)", "10"],
    ["items.where(rate == 20% and price > 1).sum(price)", "10"],
    ["items.sum(price x quantity)", "26"],
    ["total x 2", "-3"],
    ['invoices.sum($if(city == "Bern", total))', "1500"],
    ['invoices.average($if(city == "Bern", total))', "1500"],
    ["n + $if(paid, 2)", "6"],
    ["$days(date, due)", "31"],
    ["DAYS(due, date)", "31"],
    ["date.days(due)", "31"],
    ["n \\* ROMAN", "IV"],
    ["n \\* roman", "iv"],
    ["n \\* Ordinal", "4th"],
    ["n \\* CardText", "four"],
    ["n \\* OrdText", "fourth"],
    ["text :: truncate(5, …)", "a lo…"],
    ['status :: checkbox("open")', "☒"],
    ['customer.vip :: checkbox("yes!", "no!")', "yes!"],
    ['customer.vip :: checkbox("X")', "X"],
    ["r customer.name", "Ann"],
    ["total €", "-€1.50"],
    ["€ total", "-€1.50"],
    ["total EUR", "-€1.50"],
    ["CHF total", "-CHF 1.50"],
    ["$ total", "-$1.50"],
    ["total:mul(2):formatN(2)", "-3.00"],
    ["total:mul(2):add(5):formatN(1)", "2.0"],
    ["total:add(5):formatC(EUR)", "€3.50"],
    ["customer.name | slice: 0, 1", "A"],
    ["customer.name | slice: 0, 1 | downcase", "a"],
    ["customer.name | slice:1:3", "nn"],
  ])("%s", async (wrong, line) => {
    const [, meant] = /\{\{(.+?)\}\}\./.exec(await hintOf(`{{${wrong}}}`)) ?? [];
    expect(meant).toBeDefined();
    expect((await printed(`{{${meant}}}`, DATA)).replace("\u00a0", " ")).toBe(line);
  });
});

describe("the hint has the tag for", () => {
  test.each([
    ['{{if name like "Dr*"}}x{{endif}}', '{{if name.startsWith("Dr")}}'],
    ['{{if name like "*Lee"}}x{{endif}}', '{{if name.endsWith("Lee")}}'],
    ['{{if name like "*Ann*"}}x{{endif}}', '{{if name contains "Ann"}}'],
    ['{{if status not "paid"}}x{{endif}}', '{{if status != "paid"}}'],
    ['{{if status not == "paid"}}x{{endif}}', '{{if status != "paid"}}'],
    ['{{items.count(name not "Pen")}}', '{{items.count(name != "Pen")}}'],
    [
      "{{for i in invoices.where(total > 1,000)}}{{i.total}}{{endfor}}",
      "Write {{for i in invoices.where(total > 1000)}}. A number has no separators",
    ],
    ['{{DATE \\@ "dd.MM.yyyy"}}', '{{$today :: format("dd.MM.yyyy")}}'],
    ['{{"now" | date: "%d.%m.%Y"}}', '{{$today :: format("dd.MM.yyyy")}}'],
    ["{{c.now:formatD(DD.MM.YYYY)}}", '{{$today :: format("dd.MM.yyyy")}}'],
    [
      "{{d.items[paid=false,i].name}}",
      "{{for i in items.where(paid == false)}}{{i.name}}{{endfor}}",
    ],
    ["{{repeating-section(items)}}", "Write {{#items}}. End it with {{/items}}."],
    ["{{TableStart:items}}", "Write {{#items}}. End it with {{/items}}."],
    ["{{TableEnd:items}}", "Write {{/items}}."],
    ["{{items | slice: 0, 1}}", "Write {{items.limit(1)}}."],
    ["{{for n in (1..3)}}x{{endfor}}", "{{for n in $range(1, 3)}}"],
    ['{{cycle "odd", "even"}}', '{{$if($index % 2 == 0, "odd", "even")}}'],
    ['{{loop.cycle("odd", "even")}}', '{{$if($index % 2 == 0, "odd", "even")}}'],
    ['{{when "open"}}', '{{elseif status == "open"}}'],
    ['{{when "open", "new"}}', '{{elseif status in ["open", "new"]}}'],
    ["{{end when}}", "Leave out this tag."],
    ["{{end otherwise}}", "Leave out this tag."],
    ["{{url :: qrcode(3)}}", '{{url :: qrcode, width("3cm")}}'],
    ['{{url :: qrcode("3cm")}}', '{{url :: qrcode, width("3cm")}}'],
    ["{{url :: qrcode, size(3)}}", '{{url :: qrcode, width("3cm")}}'],
    ['{{include "a.docx", "b.docx"}}', '{{include file in ["a.docx", "b.docx"]}}'],
    ["{{customer.vip :: checked}}", "'checkbox'"],
    ["{{qr:url}}", "Write {{url :: qrcode}}."],
    ["{{for i in items}}{{cellbg i.color}}{{endfor}}", "Write {{cell :: fill(i.color)}}."],
    ["{{colspan 2}}", "Write {{cell :: span(2)}}."],
  ])("%s", async (template, hint) => {
    expect(await hintOf(template)).toContain(hint);
  });
});

describe("text without quotes after '??'", () => {
  test("goes in quotes", async () => {
    expect(await hintOf("{{date ?? to be agreed}}")).toBe(
      'Text goes in quotes: {{date ?? "to be agreed"}}.',
    );
    expect(await hintOf("{{customer.phone ?? not given}}")).toBe(
      'Text goes in quotes: {{customer.phone ?? "not given"}}.',
    );
  });

  test("may be a key with a space", async () => {
    expect(await hintOf("{{customer.phone ?? home phone}}")).toContain('this["home phone"]');
  });
});

describe("a text after 'in'", () => {
  test("is a part of a text or the value of a list", async () => {
    expect(await hintOf('{{if remark in "urgent"}}x{{endif}}')).toBe(
      'For a part of the text write remark contains "urgent". For one of several values write remark in ["urgent"].',
    );
  });

  test("with commas is a list", async () => {
    expect(await hintOf('{{if status in "open, new"}}x{{endif}}')).toBe(
      'Write in ["open", "new"].',
    );
  });
});

describe("a value after an element", () => {
  test("of a cell is printed without it", async () => {
    const template = "{{for i in items}}{{cell :: i.price, bold, when(i.price > 100)}}{{endfor}}";
    expect(await hintOf(template)).toBe(
      "Write {{i.price :: bold, when(i.price > 100)}}. The word 'cell' prints no value.",
    );
  });

  test("of a cell may be a condition", async () => {
    const template = '{{for i in items}}{{cell :: i.paid, fill("red")}}{{endfor}}';
    expect(await hintOf(template)).toContain('{{cell :: fill("red"), when(i.paid)}}');
  });

  test("without a dot may be another word for a modifier", async () => {
    expect(await hintOf("{{cell :: strikethrough, bold}}")).toContain("{{cell :: strike, bold}}");
  });

  test("of a row is a condition", async () => {
    const template = '{{for i in items}}{{row :: i.paid, fill("red")}}{{endfor}}';
    expect(await hintOf(template)).toBe('Write {{row :: fill("red"), when(i.paid)}}.');
  });
});

test("one of two colors needs a condition", async () => {
  expect(await hintOf('{{total :: color("red", "green")}}')).toBe(
    'Write {{total :: color($if(total < 0, "red", "green"))}}. Write your own condition in place of total < 0.',
  );
  expect(await hintOf('{{row :: fill("#EEEEEE", "#FFFFFF")}}')).toContain("$index % 2 == 0");
});

describe("a word before or after a name", () => {
  test.each([
    ["{{image logo}}", 'Write {{logo}}. For a key with a space write {{this["image logo"]}}.'],
    ["{{img logo}}", 'Write {{logo}}. For a key with a space write {{this["img logo"]}}.'],
    [
      "{{qrcode url}}",
      'Write {{url :: qrcode}}. For a key with a space write {{this["qrcode url"]}}.',
    ],
    [
      "{{customer.net EUR}}",
      'Write {{customer.net :: currency("EUR")}}. For a key with a space write {{customer["net EUR"]}}.',
    ],
  ])("%s may also be a key", async (template, hint) => {
    expect(await hintOf(template)).toBe(hint);
  });

  test("does not take a kind of barcode for a name", async () => {
    expect(await hintOf("{{barcode:ean13}}")).not.toContain("ean13");
  });
});

test("a unit in parentheses may be a part of the key", async () => {
  expect(await hintOf("{{net (EUR)}}")).toContain('{{this["net (EUR)"]}}');
  expect(await hintOf("{{customer.net (EUR)}}")).toContain('{{customer["net (EUR)"]}}');
});

test("the hint for '\\n' keeps the text that replaces it", async () => {
  expect(await hintOf('{{address.replace("\\n", ", ")}}')).toBe(
    'Write $newline without quotes: address.replace($newline, ", ").',
  );
});

describe("a comparison with a word for no value", () => {
  test.each([
    ["{{if status == blank}}x{{endif}}", "Write status isEmpty."],
    ["{{if status == empty}}x{{endif}}", "Write status isEmpty."],
    ["{{if paid and status != blank}}x{{endif}}", "Write not status isEmpty."],
  ])("%s", async (template, hint) => {
    expect(await hintOf(template)).toContain(hint);
  });

  test("is right if the data has the word as a key", async () => {
    const { warnings } = await outcome(p("{{if status == blank}}x{{endif}}"), {
      status: "a",
      blank: "a",
    });
    expect(warnings).toEqual([]);
  });
});
