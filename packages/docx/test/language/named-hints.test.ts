/** Hints have the names, the arguments and the other parts of the author's own tag. */
import { describe, expect, test } from "vitest";
import { p, table } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  n: 4,
  no: 42,
  total: 9.999,
  price: "1.234,50",
  name: "Ann Lee",
  code: "ABC",
  tags: "a;b",
  due: "2026-01-31",
  start: "2026-01-01",
  at: "2026-11-20T23:30:00Z",
  zone: "Zurich",
  items: [
    { name: "A", amount: 3, price: 2 },
    { name: "B", amount: 9, price: 1 },
  ],
  sales: [{ month: "January 2026" }, { month: "April 2026" }, { month: "February 2026" }],
  sizes: [{ fit: "S" }, { fit: "M" }, { fit: "L" }],
};

async function hints(text: string, body = p(text)): Promise<string> {
  const { warnings } = await outcome(body, DATA);
  const found = warnings.filter(({ code }) => code !== "unused_value");
  return found.map(({ hint }) => hint ?? "").join(" ");
}

describe("a hint shows the author's own tag:", () => {
  test.each([
    // Sorting.
    ["{{for g in sales.group(month).sort(key)}}x{{endfor}}", 'sort(key.toDate("MMMM yyyy"))'],
    ["{{for s in sales.sort(month)}}x{{endfor}}", 'sort(month.toDate("MMMM yyyy"))'],
    ["{{for s in sizes.sort(fit)}}x{{endfor}}", 'sort($if(fit == "S", 1'],
    // Running totals.
    [
      "{{$running(items.amount)}}",
      "{{items.sum(amount)}}. For the sum up to an item write {{$running(i.amount)}} between {{for i in items}}",
    ],
    ["{{$running(items.price * items.amount)}}", "{{items.sum(price * amount)}}"],
    ["{{$running(i.amount)}}", "{{items.sum(amount)}}"],
    ["{{$running(amount)}}", "{{$running(i.amount)}}"],
    // Arguments of functions.
    [
      "{{price.toNumber()}}",
      'The argument is the sign before the decimals. Write price.toNumber(",")',
    ],
    ["{{price.toNumber(2)}}", 'Write toNumber(",") for text such as 1.234,50'],
    ["{{price.toNumber(.)}}", '{{price.toNumber(".")}}'],
    ["{{price.toNumber(,)}}", '{{price.toNumber(",")}}'],
    ["{{tags.split(;)}}", '{{tags.split(";")}}'],
    ['{{tags.split(-).join(", ")}}', '{{tags.split("-").join(", ")}}'],
    ['{{no.padStart("0", 6)}}', 'Write no.padStart(6, "0").'],
    ['{{code.split("").join(" ")}}', "$range(0, code.length() - 1).map(code.substring(this, 1))"],
    ['{{n.roman("lowercase")}}', "Write n.roman().lowercase()."],
    ['{{n.letter("a")}}', "Write n.letter().lowercase()."],
    ["{{n.rounded(1)}}", "n.round(1)"],
    // Dates.
    ["{{due.daysUntil()}}", "$today.daysUntil(due) is the time from today to 'due'"],
    ["{{due.daysBetween(start)}}", "{{due.daysUntil(start)}}"],
    ["{{start.daysDiff(due)}}", "{{start.daysUntil(due)}}"],
    ['{{start.diff(due, "months")}}', "{{start.monthsUntil(due)}}"],
    ["{{due.daysSince(start)}}", "{{start.daysUntil(due)}}"],
    ['{{at.timeZone("Europe/Berlin").hour()}}', '{{at :: format("H"), timeZone("Europe/Berlin")}}'],
    ['{{due :: format("long").addDays(30)}}', '{{due.addDays(30) :: format("long")}}'],
    ['{{due :: format("long"), addDays(30), bold}}', '{{due.addDays(30) :: format("long"), bold}}'],
    ['{{total :: number(2).padStart(12, "*")}}', '{{total.number(2).padStart(12, "*")}}'],
    // Numbers in words.
    [
      "{{total.words()}}",
      '{{total.round(2).round(0, "down").words()}}, and for its cents {{total.round(2) % 1 * 100 :: number("00")}}',
    ],
    ["{{for i in items}}{{$index.roman()}}{{endfor}}", "write $number.roman()."],
    ["{{for i in items}}{{i.$index.letter()}}{{endfor}}", "write i.$number.letter()."],
    ['{{no.ordinalWords() :: locale("cs")}}', "Write the ordinal in digits: no.ordinal()."],
    ['{{no.ordinalWords() :: locale("fa")}}', "Write the number in words, no.words(),"],
    ['{{no.ordinal() :: locale("fa")}}', "Write the ending after the number, outside the tag."],
    // Modifiers.
    ['{{code :: qrcode, size("3cm")}}', '{{code :: qrcode, width("3cm")}}'],
    ["{{code :: link(click here)}}", '{{code :: link("click here")}}'],
    ["{{code :: default(not set)}}", '{{code :: default("not set")}}'],
    ["{{code :: color(dark red)}}", '{{code :: color("darkred")}}'],
    ["{{paragraph :: numbering(continue)}}", 'Text goes in quotes: "continue".'],
    ['{{name :: numbering("restart")}}', '{{name}}{{paragraph :: numbering("restart")}}'],
    // Time zones.
    ['{{at :: format("HH"), timeZone("London")}}', 'Did you mean "Europe/London"?'],
    ['{{at :: format("HH"), timeZone("Europe/Berln")}}', 'Did you mean "Europe/Berlin"?'],
    ['{{at :: format("HH"), timeZone("Europe/Zürich")}}', 'Did you mean "Europe/Zurich"?'],
    ['{{at :: format("HH"), timeZone("America/New York")}}', 'Did you mean "America/New_York"?'],
    ['{{at :: format("HH"), timeZone("GMT+1")}}', 'Write "+01:00".'],
    ['{{at :: format("HH"), timeZone(zone)}}', 'Did you mean "Europe/Zurich"?'],
  ])("%s", async (text, hint) => {
    expect(await hints(text)).toContain(hint);
  });

  test("a cell that covers others gets a separate tag", async () => {
    const cells = [
      "{{tablerow r in items}}{{r.name :: bold, span(2), when(r.price > 1)}}",
      "{{r.price}}{{endtablerow}}",
    ];
    expect(await hints("", table(cells.map((text) => p(text))))).toBe(
      "Write two tags: {{r.name :: bold, when(r.price > 1)}}{{cell :: span(2), when(r.price > 1)}}.",
    );
  });

  test.each([
    ["{{items.sum(amount)}}", "12"],
    [
      '{{for s in sales.sort(month.toDate("MMMM yyyy"))}}{{s.month}} {{endfor}}',
      "January 2026 February 2026 April 2026 ",
    ],
    ['{{no.padStart(6, "0")}}', "000042"],
    ['{{$range(0, code.length() - 1).map(code.substring(this, 1)).join(" ")}}', "A B C"],
    ["{{n.roman().lowercase()}} {{n.letter().lowercase()}}", "iv d"],
    [
      '{{total.round(2).round(0, "down").words()}} and {{total.round(2) % 1 * 100 :: number("00")}}/100',
      "ten and 00/100",
    ],
    ["{{start.daysUntil(due)}}", "30"],
    ['{{at :: format("H"), timeZone("Europe/Berlin")}}', "0"],
    ['{{no.ordinal() :: locale("cs")}}', "42."],
  ])("the tag of its hint prints the meant value: %s", async (text, result) => {
    expect(await printed(text, DATA)).toBe(result);
  });

  test.each([
    ['{{name :: size("12pt")}}', "Format the tag in Word."],
    ['{{at :: format("HH"), timeZone("Germany")}}', ""],
  ])("nothing is suggested that may be wrong: %s", async (text, hint) => {
    const told = await hints(text);
    expect(told.startsWith(hint)).toBe(true);
    expect(told).not.toMatch(/width|Did you mean/);
  });
});
