import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

const DATA = {
  total: 1234.5,
  minutes: 95,
  vat: 0.19,
  price: 100,
  discount: 10,
  fraction: 0.1,
  year: 2026,
  count: 2026,
  zip: "01234",
  phone: "N/A",
  born: "1990-12-24",
  date: "2026-01-05",
  excel: 46027,
  seconds: 1767225600,
  text: "hello",
  breaks: "a\nb",
  empty: "",
  object: { a: 1, b: 2 },
  ean: 123456789012,
  code: 400638133393,
  sales: [
    { city: "Bern", amount: 10, at: "2025-12-01", shown: true },
    { city: "Ulm", amount: 5, at: "2026-01-01", shown: false },
    { city: "Bern", amount: 20, at: "2026-02-01", shown: true },
  ],
  items: [
    { name: "Pen", price: 2, qty: 3 },
    { name: "Ink", price: 7.5, qty: 1 },
    { name: "Cap", price: 4, qty: 2 },
  ],
  months: [{ m: "January" }, { m: "February" }, { m: "March" }],
  days: [{ d: "Mon" }, { d: "Fri" }],
  sizes: [{ s: "S" }, { s: "M" }, { s: "L" }],
  letters: [{ s: "A" }, { s: "M" }, { s: "S" }],
  dates: [{ d: "Mar 5, 2026" }, { d: "Dec 1, 2025" }, { d: "Jan 9, 2026" }, { d: "Apr 1, 2026" }],
};

async function problems(text: string): Promise<string[]> {
  const { warnings } = await outcome(p(text), DATA, { now: "2026-11-29T12:00:00Z" });
  return warnings
    .filter(({ code }) => code !== "unused_value")
    .map(({ code, hint }) => `${code}: ${hint}`);
}

describe("a result that is probably not meant is reported", () => {
  test.each([
    [
      "{{sales.sum(amount * 1 + vat)}}",
      "doubtful_computation: Write parentheses: amount * (1 + vat).",
    ],
    [
      "{{items.price.sum() * items.qty.sum()}}",
      "doubtful_computation: For the sum of the products write items.sum(price * qty).",
    ],
    [
      "{{sales.sum(amount) / $sum(sales, amount)}}",
      "doubtful_computation: Write the other value on one side of '/', such as the total of the whole list.",
    ],
    ["{{$today.year() - born.year()}}", "doubtful_computation: Write born.yearsUntil($today)."],
    [
      "{{for g in sales.group($index / 2)}}x{{endfor}}",
      'doubtful_computation: Write sales.group(($index / 2).round(0, "down")).',
    ],
    [
      "{{if date.weekday() == 0}}x{{endif}}",
      "doubtful_computation: The numbers of weekday() are from 1 (Monday) to 7 (Sunday).",
    ],
    [
      "{{if date.month() in [0, 1]}}x{{endif}}",
      "doubtful_computation: The numbers of month() are from 1 (January) to 12 (December).",
    ],
    [
      "{{for i in items}}{{if $index == items.count()}}x{{endif}}{{endfor}}",
      "doubtful_computation: For the last item write $last.",
    ],
    [
      "{{for i in [1-3]}}x{{endfor}}",
      "doubtful_computation: For the numbers from 1 to 3 write $range(1, 3).",
    ],
    [
      "{{price * (1 - discount)}}",
      "doubtful_computation: If 19 means 19%, write (1 - discount / 100).",
    ],
    [
      "{{if total > 100 or total < 1000}}x{{endif}}",
      "doubtful_order: For values between them write 'and'.",
    ],
    [
      "{{if total > 1000 and total < 100}}x{{endif}}",
      "doubtful_order: For values outside them write 'or'.",
    ],
    [
      '{{$if(total >= 0, "A", $if(total >= 4, "B", "C"))}}',
      "doubtful_order: Ask for 'total >= 4' first.",
    ],
    [
      "{{sales.city.count()}}",
      "doubtful_count: For the number of different values write sales.city.distinct().count(), and for the number of items sales.count().",
    ],
    ["{{text.count()}}", "sum_of_one_value: For the number of its characters write text.length()."],
    [
      "{{object.count()}}",
      "sum_of_one_value: For the number of its keys write object.entries().count().",
    ],
    ['{{breaks.split("\\n").count()}}', "escape_in_text: Write breaks.lines()."],
    [
      '{{breaks.replace("\\n", " ")}}',
      'escape_in_text: Write $newline without quotes: breaks.replace($newline, " ").',
    ],
    [
      '{{text.replace("[aeiou]", "")}}',
      'escape_in_text: Write the text itself, as in text.replace("-", "").',
    ],
    [
      '{{[text, empty, zip].join(", ")}}',
      'empty_text: To leave them out, write [text, empty, zip].nonEmpty().join(", ").',
    ],
    [
      "{{excel.fromUnix()}}",
      'doubtful_date: For a date as a number of Excel write "1899-12-30".addDays(excel).',
    ],
    [
      '{{seconds.fromUnix("ms")}}',
      "doubtful_date: For seconds since 1970 write seconds.fromUnix().",
    ],
    [
      "{{total.words()}}",
      'doubtful_sign: For an amount write {{total.round(2).round(0, "down").words()}}, and for its cents {{total.round(2) % 1 * 100 :: number("00")}}.',
    ],
    [
      "{{items.average(price * qty)}}",
      "many_decimals: To print two of them, write {{items.average(price * qty) :: number(2)}}.",
    ],
    ["VAT {{vat}}%", "doubtful_sign: Write {{vat :: percent}} without the sign after it."],
    ["{{total.round(2)}} EUR", "doubtful_sign: To print 2 decimals, write {{total :: number(2)}}."],
    ["{{year :: number(0)}}", "doubtful_sign: Write {{year}}."],
    ["{{date.year() :: number}}", "doubtful_sign: Write {{date.year()}}."],
    ["{{zip :: number(0)}}", "doubtful_sign: For a code such as a zip code write {{zip}}."],
    [
      "{{minutes / 60 :: number(1)}}:{{minutes % 60}}",
      'doubtful_sign: Write {{(minutes / 60).round(0, "down")}}:{{(minutes % 60).padStart(2, "0")}}.',
    ],
    ['€{{total :: currency("EUR")}}', "doubtful_sign: Leave out the currency before the tag."],
    ['{{vat * 100 :: number("0%")}}', "doubtful_sign: Leave out '* 100'."],
    [
      '{{for i in items}}{{i.name :: delimiter(", ")}} ({{i.qty}}){{endfor}}',
      "doubtful_sign: For a delimiter between the items, write {{if not $last}}, {{endif}} at the end of the loop.",
    ],
    [
      '{{ean :: barcode("ean13")}}',
      'doubtful_sign: A number has no leading zeros: give the code as text, such as "0123456789012".',
    ],
    [
      '{{phone ?? "none"}}',
      'empty_text: Leave the key out of the data, or write {{$if(phone == "N/A", "none", phone)}}.',
    ],
    [
      "{{months.sort(m).map(m)}}",
      "doubtful_comparison: Sort by a date or by the number of the month.",
    ],
    [
      "{{days.sort(d).map(d)}}",
      "doubtful_comparison: Sort by a date, or by the number of the weekday: date.weekday().",
    ],
    [
      "{{sizes.sort(s).map(s)}}",
      'doubtful_comparison: Sort with a number for each, as in sort($if(s == "S", 1, $if(s == "M", 2, 3))).',
    ],
    [
      "{{dates.sort(d).map(d)}}",
      'doubtful_comparison: Sort by the date in the text: sort(d.toDate("MMMM d, yyyy")).',
    ],
    [
      "{{sales.sort(at.month()).map(at)}}",
      "doubtful_group: For the order of time write sales.sort(at).",
    ],
    [
      "{{for i in sales}}{{if i.shown}}{{$number}} {{endif}}{{endfor}}",
      "hidden_items: Repeat only the other items: {{for i in sales.where(i.shown)}}, without {{if i.shown}}.",
    ],
    [
      "{{for i in sales.limit(2)}}{{if i.shown}}{{i.city}}{{if not $last}}, {{endif}}{{endif}}{{endfor}}",
      "hidden_items: Repeat only the other items: {{for i in sales.limit(2).where(i.shown)}}, without {{if i.shown}}.",
    ],
  ])("%s", async (text, expected) => {
    expect(await problems(text)).toEqual([expected]);
  });

  test("in a column that repeats, $index in parentheses is not the one of the column", async () => {
    const data = { months: ["Jan", "Feb"], rows: [{ w: [1, 2] }, { w: [3, 4] }] };
    const body = table(
      [p("{{tablecolumn m in months}}{{m}}{{endtablecolumn}}")],
      [p("{{rows.sum(w[$index])}}")],
    );
    const { warnings } = await outcome(body, data);
    expect(warnings.map(({ hint }) => hint)).toEqual([
      "For the position of the column write m.$index.",
    ]);
  });
});

describe("a mistake that the data shows leads to the tag to write", () => {
  const data = {
    offers: [{ price: 30 }, { price: "n/a" }, { price: 4 }],
    euros: [{ price: 30 }, { price: "1.200,50" }],
    rows: [{ sold: { Jan: 1 } }, { sold: {} }],
    sales: [{ due: "2026-11-01", city: "Bern" }],
    discounts: [{ d: 1.5 }, {}],
    list: ["a"],
    none: [],
    month: "Jan",
    shade: "light green",
    comma: "1,200",
    day: "2026-05-03",
  };

  test.each([
    ["{{offers.sort(price).map(price)}}", 'where(price != "n/a") before sort'],
    ["{{euros.sort(price).map(price)}}", 'sort(price.toNumber(","))'],
    ["{{rows.sum(sold[month])}}", "sum(sold[month] ?? 0)"],
    [
      '{{for i in discounts}}{{i.d ?? "none" :: number(2)}}{{endfor}}',
      '{{i.d :: number(2), default("none")}}',
    ],
    ["{{if list.length}}x{{endif}}", "Write list.count()."],
    ["{{if none.length > 0}}x{{endif}}", "Write none.count() > 0."],
    ["{{if none.length == 0}}x{{endif}}", "write none.count()."],
    ['{{$if(list.length, "some", "none")}}', "Write list.count()."],
    ["{{none.length}}", "{{none.count()}}"],
    ["{{day :: color(shade)}}", 'color(shade.replace(" ", ""))'],
    ["{{comma :: number(2)}}", 'comma.toNumber(".") if it is between thousands'],
    ['{{sales.count(due == "11/01/2026")}}', "Write both in the same way"],
    ['{{day :: fill(sales.first(city == "Ulm").city)}}', 'fill(color ?? "")'],
    [
      "{{for city, list in sales.group(city)}}x{{endfor}}",
      "{{list.key}}, and its list is list.items",
    ],
  ])("%s", async (text, hint) => {
    const { warnings } = await outcome(p(text), data, { now: "2026-11-29T12:00:00Z" });
    const hints = warnings.filter(({ code }) => code !== "unused_value").map((each) => each.hint);
    expect(hints).toEqual([expect.stringContaining(hint)]);
  });
});

describe("a list in a column that repeats", () => {
  const data = {
    months: ["Jan", "Feb"],
    rows: [
      { n: "a", w: [1, 2] },
      { n: "b", w: [3, 4] },
    ],
  };
  const months = p("{{tablecolumn m in months}}{{m}}{{endtablecolumn}}");
  const rows = (cell: string): string =>
    table([p("n"), months], [p("{{tablerow r in rows}}{{r.n}}"), p(`${cell}{{endtablerow}}`)]);

  test("is reported if a cell prints all of it", async () => {
    const { warnings } = await outcome(rows("{{r.w}}"), data);
    expect(warnings.map(({ hint }) => hint)).toEqual([
      "For the element of the column write {{r.w[m.$index]}}.",
    ]);
  });

  test("is reported if a cell prints the sum of it", async () => {
    const { warnings } = await outcome(rows("{{r.w.sum()}}"), data);
    expect(warnings.map(({ hint }) => hint)).toEqual([
      "For the values of the column use 'm', as in rows.sum(values[m.$index]).",
    ]);
  });

  test.each(["{{r.w[$index]}}", "{{r.w[m.$index]}}", "{{r.n}}", "{{m.substring(0, 1)}}"])(
    "%s is not reported",
    async (cell) => {
      const { warnings } = await outcome(rows(cell), data);
      expect(warnings.filter(({ code }) => code !== "unused_value")).toEqual([]);
    },
  );
});

describe("a similar tag that is right is not reported", () => {
  test.each([
    "{{sales.sum(amount * (1 + vat))}}",
    "{{items.qty.sum() * total}}",
    "{{sales.sum(amount) / items.sum(qty) :: number(1)}}",
    "{{$today.year() - date.year()}}",
    'for {{for g in sales.group(($index / 2).round(0, "down"))}}x{{endfor}}',
    "{{if date.weekday() == 7}}x{{endif}}",
    "{{for i in items}}{{if $number == items.count()}}x{{endif}}{{endfor}}",
    "{{price * (1 - fraction)}} {{price * (1 + count)}}",
    "{{if total < 100 or total > 1000}}x{{endif}}{{if total > 100 and total < 1000}}x{{endif}}",
    '{{$if(total >= 4, "A", $if(total >= 0, "B", "C"))}}',
    "{{items.name.count()}} {{sales.count()}}",
    '{{text.split("l").count()}} {{text.replace("x", "y")}} {{breaks.replace("a", "b")}}',
    '{{[text, empty].nonEmpty().join(", ")}} {{[text, empty].join("")}}',
    "{{seconds.fromUnix()}} {{0.fromUnix()}}",
    "{{total.round(0).words()}}",
    "{{vat}} {{discount}}% {{vat :: percent}}",
    "{{total.round(2)}} {{price.round(2) :: number(2)}} EUR",
    '{{year}} {{count :: number(0)}} {{year :: number("0")}}',
    'EUR {{total :: number(2)}} {{total :: currency("EUR")}}',
    '{{for i in items}}{{i.qty}} {{i.name :: delimiter(", ")}}{{endfor}}',
    '{{code :: barcode("ean13")}}',
    '{{text ?? "none"}} {{phone}}',
    "{{letters.sort(s).map(s)}} {{sales.sort(at).map(at)}} {{sales.sort(at.month(), at.day()).map(at)}}",
    "{{for i in sales}}{{i.city}}{{if i.shown}}{{$number}}{{endif}}{{endfor}}",
    "{{for i in sales}}{{if i.shown}}{{$number}}{{else}}-{{endif}}{{endfor}}",
    "{{for i in sales.limit(1)}}{{if i.shown}}{{$number}}{{endif}}{{endfor}}",
    "{{for i in sales}}{{if not $first}}{{$number}}{{endif}}{{endfor}}",
    "{{for i in items}}{{if i.price isPresent}}{{$number}}{{endif}}{{endfor}}",
  ])("%s", async (text) => {
    expect(await problems(text)).toEqual([]);
  });
});

describe("a percentage as a value of the data is reported", () => {
  const data = {
    rate: 19,
    vip: true,
    items: [{ rate: 15 }, { rate: 19 }],
    small: [{ rate: 0.15 }, { rate: 0.19 }],
    old: 1,
    new: 9,
  };
  const told = async (text: string): Promise<string[]> => {
    const { warnings } = await outcome(p(text), data);
    return warnings.filter(({ code }) => code === "doubtful_sign").map(({ hint }) => hint ?? "");
  };

  test.each([
    ["{{items.average(rate) :: percent}}", "{{items.average(rate) / 100 :: percent}}"],
    ["{{$if(vip, rate, 0) :: percent}}", "{{$if(vip, rate, 0) / 100 :: percent}}"],
    ["{{items.first().rate :: percent(1)}}", "{{items.first().rate / 100 :: percent}}"],
    ["{{rate ?? 0 :: percent}}", "{{(rate ?? 0) / 100 :: percent}}"],
    ["{{items[0].rate :: percent}}", "{{items[0].rate / 100 :: percent}}"],
  ])("%s", async (text, meant) => {
    expect(await told(text)).toEqual([expect.stringContaining(`write `)]);
    expect((await told(text))[0]).toContain(meant);
    expect(await told(meant)).toEqual([]);
  });

  test.each([
    "{{(new - old) / old :: percent}}",
    "{{items.count() * 10 :: percent}}",
    "{{small.average(rate) :: percent}}",
    "{{$if(vip, 0.19, rate) :: percent}}",
  ])("%s is not", async (text) => {
    expect(await told(text)).toEqual([]);
  });
});

describe("in groups,", () => {
  const data = {
    sales: [
      { city: "Bern", amount: 3 },
      { city: "Ulm", amount: 4 },
    ],
  };

  test.each([
    ["{{#sales.group(city)}}{{city}}{{/}}", "write key for the value"],
    ["{{for g in sales.group(city)}}{{city}}{{endfor}}", "write g.key for the value"],
    [
      "{{for g in sales.group(city)}}{{g.key}}: {{sales.sum(amount)}}{{endfor}}",
      "write {{g.items.sum(amount)}}.",
    ],
  ])("%s leads to the keys of the group", async (text, hint) => {
    const { warnings } = await outcome(p(text), data);
    const hints = warnings.filter(({ code }) => code !== "unused_value").map((each) => each.hint);
    expect(hints).toEqual([expect.stringContaining(hint)]);
  });

  test.each([
    "{{for g in sales.group(city)}}{{g.items.sum(amount)}} of {{sales.sum(amount)}}{{endfor}}",
    "{{for g in sales.group(city)}}{{sales.where(city == g.key).sum(amount)}}{{endfor}}",
    "{{for g in sales.group(city)}}{{g.key}}{{if $last}} of {{sales.count()}}{{endif}}{{endfor}}",
  ])("%s is right", async (text) => {
    const { warnings } = await outcome(p(text), data);
    expect(warnings.filter(({ code }) => code !== "unused_value")).toEqual([]);
  });
});
