import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  policy: { holder: { first: "Ada", last: "Brandt" }, start: "2027-01-01", "valid.until": "2027" },
  bill: {
    show_prices: true,
    lines: [
      { dish: "Soup", qty: 2, price: 7.5 },
      { dish: "Tea", qty: 1, price: 3 },
    ],
  },
  phases: [
    {
      name: "Design",
      done: 0.6,
      tasks: [
        { name: "Survey", hours: 40 },
        { name: "Plan", hours: 2 },
      ],
    },
    { name: "Build", done: 0.4, tasks: [{ name: "Ground", hours: 300 }] },
  ],
  contract: { hours: 8 },
  values: [
    { test: "Glucose", value: 112 },
    { test: "Sodium", value: 140 },
  ],
  board: ["Jo", "Pia", "Sam"],
  tracking: "AB123",
  kwh: 0.3125,
};

async function hintsFor(...texts: readonly string[]): Promise<(string | undefined)[]> {
  const { warnings } = await outcome(texts.map((text) => p(text)).join(""), DATA);
  return warnings.filter(({ code }) => code !== "unused_value").map(({ hint }) => hint);
}

describe("a hint shows the meant form", () => {
  test.each([
    ["{{policy.holder.firstname}}", "Did you mean 'policy.holder.first'?"],
    ["{{policy.valid.until}}", `Did you mean 'policy["valid.until"]'?`],
    ["{{bill.show.prices}}", "Did you mean 'bill.show_prices'?"],
    [
      "{{phases.sum(hours)}}",
      "'hours' is a key of the items of 'tasks': write phases.tasks.sum(hours).",
    ],
    [
      "{{values.last() - values.first()}}",
      "Name one of its keys after a dot, as in values.last().value.",
    ],
    ["{{policy.start + 1 year}}", "Write {{policy.start.addYears(1)}}."],
    ["{{policy.start - 3 months}}", "Write {{policy.start.addMonths(-3)}}."],
    ['{{policy.start.addDays("6 weeks")}}', "Write addWeeks(6)."],
    ['{{policy.start :: format("long date")}}', undefined],
    ["{{kwh :: number(4) EUR}}", "Write text after the tag: {{kwh :: number(4)}} EUR."],
    ['{{kwh :: number(4) "EUR"}}', "Write text after the tag: {{kwh :: number(4)}} EUR."],
    ["{{kwh :: number(2) €}}", "Write text after the tag: {{kwh :: number(2)}} €."],
    [
      '{{board :: delimiter(", "), last(" and ")}}',
      'Write {{board :: delimiter(", "), lastdelimiter(" and ")}}.',
    ],
    ["{{tracking :: barcode(128)}}", 'Write {{tracking :: barcode("code128")}}.'],
    ["{{tracking :: barcode(13)}}", 'Write {{tracking :: barcode("ean13")}}.'],
    [
      "{{column :: hide, when(not bill.show_prices)}}",
      "A modifier does not hide a column. Write {{tablecolumn if bill.show_prices}} in its top cell and {{endtablecolumn}} in its last cell.",
    ],
    [
      "{{$running(l.qty) * $running(l.price)}}",
      "For the running total of the products write $running(l.qty * l.price).",
    ],
    [
      "Done: {{phases[0].done}} %",
      "Write {{phases[0].done :: percent}} without the sign after it.",
    ],
  ])("for %s", async (template, hint) => {
    const text = template.includes("l.qty")
      ? ["{{for l in bill.lines}}", template, "{{endfor}}"]
      : [template];
    expect((await hintsFor(...text))[0]).toBe(hint);
  });

  test("for an element of a list by its text", async () => {
    const [hint] = await hintsFor('{{values["Glucose"].value}}');
    expect(hint).toContain('write values.first(test == "Glucose").value, with one of its keys');
    expect(await printed('{{values.first(test == "Glucose").value}}', DATA)).toBe("112");
  });
});

describe("a hint explains", () => {
  test.each([
    ['{{if board.present includes "Jo"}}x{{endif}}', /contains/],
    ["{{bill.lines.sum(qty) * price}}", /^Write \{\{bill\.lines\.sum\(qty \* price\)\}\}\.$/],
    ["{{$sum(bill.lines.qty, bill.lines.price)}}", /write bill\.lines\.sum\(qty \* price\)/],
    ["{{$max(bill.lines.qty, bill.lines.price)}}", /write bill\.lines\.max\(qty\) and/],
    [
      "{{for l in bill.lines}}{{l.qty / bill.lines.sum(l.qty)}}{{endfor}}",
      /For all items write bill\.lines\.sum\(qty\)\./,
    ],
    ["{{policy.start.time()}}", /format\("HH:mm"\)/],
    ["{{policy.start.dayOfWeek()}}", /format\("EEEE"\)/],
    ['{{kwh.words("EUR")}}', /\.round\(0, "down"\)\.words\(\)/],
  ])("%s", async (template, hint) => {
    expect((await hintsFor(template))[0]).toMatch(hint);
  });
});

test("a format with the word date says which format is meant", async () => {
  const { warnings } = await outcome(p('{{policy.start :: format("long date")}}'), DATA);
  expect(warnings[0]?.message).toContain('is not a format of dates: write format("long")');
});

describe("positions in loops", () => {
  const nested = (tags: string) =>
    hintsFor("{{for a in phases}}{{for t in a.tasks}}", tags, "{{endfor}}{{endfor}}");

  test("of the inner loop twice are reported", async () => {
    expect(await nested("{{$number}}.{{$number}} {{t.name}}")).toEqual([
      "For the number of the outer loop write {{a.$number}}.",
    ]);
  });

  test("of both loops are right", async () => {
    expect(await nested("{{a.$number}}.{{$number}} {{t.name}}")).toEqual([]);
  });

  test("that are always below the number of items are reported", async () => {
    const loop = (condition: string) =>
      hintsFor(`{{for b in board}}{{b}}{{if ${condition}}}, {{endif}}{{endfor}}`);
    expect(await loop("$index < board.count()")).toEqual([
      "Write {{if not $last}} for all items but the last.",
    ]);
    expect(await loop("$number < board.count()")).toEqual([]);
    expect(await loop("$index < phases.count()")).toEqual([]);
  });
});
