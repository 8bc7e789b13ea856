import { describe, expect, test } from "vitest";
import { docx, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  total: 1234.5,
  rate: 0.2,
  limit: 15,
  name: "Ann",
  due: "2026-02-03",
  at: "2026-02-03T09:05:00",
  phone: "5551234",
  no: 7,
  items: [
    { name: "A", price: 1200.5 },
    { name: "B", price: 3 },
  ],
  sales: [
    { date: "2026-04-05", amount: 300 },
    { date: "2025-12-01", amount: 20 },
    { date: "2026-01-10", amount: 1000 },
  ],
};

/** Returns the problems that a template has without data, each as its message and its hint. */
async function problems(text: string): Promise<string> {
  const { error, warnings } = await outcome(p(text), {});
  const template = error === null ? await compileTemplate(docx({ body: p(text) })) : null;
  const found = template === null ? warnings : template.warnings;
  return found.map(({ message, hint }) => `${message} ${hint ?? ""}`).join(" | ");
}

describe("text that a function makes of a number or a date is not taken for a number or a date:", () => {
  test.each([
    // Comparisons.
    ['{{if total.currency("EUR") > 100}}x{{endif}}', "the value itself: total > 100."],
    ["{{if total.number(2) > 100}}x{{endif}}", "total > 100."],
    ["{{if 100 <= total.number(2)}}x{{endif}}", "100 <= total."],
    ["{{if total.number(2) > limit.number(2)}}x{{endif}}", "total > limit."],
    ['{{if total.currency("USD") > "$1,000"}}x{{endif}}', "total > 1000."],
    ["{{if rate.percent(0) > 10}}x{{endif}}", "rate > 0.1."],
    ['{{if rate.percent() == "10%" or rate.percent() > "10%"}}x{{endif}}', "rate > 0.1."],
    ["{{if rate.percent(1) > limit}}x{{endif}}", "rate * 100 > limit."],
    ["{{if (total.number(2) ?? 0) >= 5}}x{{endif}}", "total ?? 0 >= 5."],
    ["{{if total.number(2) == 1234}}x{{endif}}", "total == 1234."],
    ['{{if total.currency("EUR") == 5}}x{{endif}}', "total == 5."],
    ['{{if total.number(2) > "abc"}}x{{endif}}', "the value itself, total, with a number"],
    ["{{items.where(price.number(2) > 100).count()}}", "price > 100."],
    ['{{if due.format("MMMM") > 5}}x{{endif}}', "due.month() > 5."],
    ['{{total :: bold(total.currency("EUR") > 5)}}', "total > 5."],
    // Functions.
    ['{{items.max(price.currency("EUR"))}}', 'items.max(price).currency("EUR").'],
    ["{{items.map(price.number(2)).sum()}}", "items.sum(price).number(2)."],
    ["{{[total.number(2), limit.number(2)].max()}}", "[total, limit].max().number(2)."],
    ["{{total.number(2).round(1)}}", "total.round(1).number(2)."],
    ['{{total.currency("EUR").words()}}', "Use the value itself: total.words()."],
    ['{{due.format("MM/dd/yyyy").addDays(30)}}', 'due.addDays(30).format("MM/dd/yyyy").'],
    ['{{due.format("long").year()}}', "Use the value itself: due.year()."],
    ['{{$today.daysUntil(due.format("MM/dd/yyyy"))}}', "$today.daysUntil(due)."],
    // Modifiers.
    ['{{total.number(2) :: currency("EUR"), optional}}', '{{total :: currency("EUR"), optional}}'],
    ['{{no.roman() :: format("dd.MM.yyyy")}}', '{{no :: format("dd.MM.yyyy")}}'],
    ['{{total.padStart(12, "*") :: number(2)}}', '{{total.number(2).padStart(12, "*")}}'],
    ['{{total.padEnd(9) :: currency("EUR")}}', '{{total.currency("EUR").padEnd(9)}}'],
    ["{{rate.padStart(9) :: percent, bold}}", "{{rate.percent().padStart(9) :: bold}}"],
    ['{{due.substring(0, 7) :: format("MMMM yyyy")}}', '{{due :: format("MMMM yyyy")}}'],
    // Orders.
    ["{{items.sort(price.number(2)).name}}", "Sort by the value itself: sort(price)."],
    ['{{items.sort(name, price.currency("EUR") desc).name}}', "sort(price desc)."],
    ['{{sales.sort(date.format("MM/dd/yyyy")).amount}}', "sort(date)."],
    ['{{sales.sort(date.format("EEEE")).amount}}', "sort(date.weekday())."],
    ['{{sales.sort(date.format("d MMMM")).amount}}', 'sort(date.format("MM-dd")).'],
    ['{{sales.sort(date.format("h:mm a")).amount}}', 'sort(date.format("HH:mm")).'],
    [
      '{{for g in sales.group(date.format("MMMM yyyy")).sort(key)}}{{g.key}}{{endfor}}',
      'sales.sort(date).group(date.format("MMMM yyyy")).',
    ],
    [
      '{{for g in sales.where(amount > 9).group(date.format("MM.yyyy")).limit(5).sort(g.key desc)}}{{g.key}}{{endfor}}',
      'sales.where(amount > 9).sort(date desc).group(date.format("MM.yyyy")).',
    ],
    [
      '{{for g in sales.group(date.format("MMMM")).sort(key)}}{{g.key}}{{endfor}}',
      'sales.sort(date.month()).group(date.format("MMMM")).',
    ],
    ['{{if due.format("MM/dd/yyyy") < "02/01/2026"}}x{{endif}}', 'due < "2026-02-01".'],
    ['{{if due.format("long") >= at.format("long")}}x{{endif}}', "due >= at."],
    ['{{if due.format("d.M.yy") < name}}x{{endif}}', "due < name."],
    // Modifiers in place of functions.
    ["{{if total :: number(2) > 100}}x{{endif}}", "{{if total > 100}}"],
    ["{{if items.sum(price) :: number(2) > 100}}x{{endif}}", "{{if items.sum(price) > 100}}"],
    ["{{if rate :: percent > 10}}x{{endif}}", "{{if rate > 0.1}}"],
    ["{{if (rate :: percent(0)) > 10%}}x{{endif}}", "{{if rate > 0.1}}"],
    ["{{(total :: number(2)) + 1}}", "{{total + 1 :: number(2)}}"],
    ['{{if (name :: uppercase) == "ANN"}}x{{endif}}', '{{if name.uppercase() == "ANN"}}'],
    ['{{if total :: number(2) == "1,234.50"}}x{{endif}}', '{{if total.number(2) == "1,234.50"}}'],
    ["{{if (name :: trim)}}x{{endif}}", "after a dot: name.trim()."],
  ])("%s", async (text, told) => {
    expect(await problems(text)).toContain(told);
  });

  test("the warning about an order comes once, also with data", async () => {
    for (const text of [
      '{{sales.sort(date.format("MMMM yyyy")).amount}}',
      '{{sales.sort(amount.currency("EUR")).amount}}',
    ]) {
      const { warnings } = await outcome(p(text), DATA);
      const codes = warnings.map(({ code }) => code).filter((code) => code !== "unused_value");
      expect(codes, text).toEqual(["doubtful_comparison"]);
    }
  });

  test("an error of the data names the value itself, too", async () => {
    const text = '{{for s in sales.sort(date.format("MM/dd/yyyy"))}}x{{endfor}}';
    const data = { sales: [{ date: "2026-01-02" }, { date: "2026-03-04" }] };
    const { error, warnings } = await outcome(p(text), data);
    expect(error).toBe("invalid_data");
    expect(warnings[0]?.hint).toBe("Sort by the value itself: sort(date).");
  });

  test("a function without parentheses in a condition is not a modifier", async () => {
    const { warnings } = await outcome(p('{{if name.uppercase == "ANN"}}x{{endif}}'), DATA);
    expect(warnings.map(({ hint }) => hint)).toContain("Did you mean 'name.uppercase()'?");
    expect(await printed('{{if name.uppercase() == "ANN"}}x{{endif}}', DATA)).toBe("x");
  });

  test.each([
    ['{{items.max(price).currency("EUR")}}', "€1,200.50"],
    ['{{due.addDays(30).format("MM/dd/yyyy")}}', "03/05/2026"],
    ['{{total.number(2).padStart(12, "*")}}', "****1,234.50"],
    ["{{[total, limit].max().number(2)}}", "1,234.50"],
    ["{{if rate * 100 > limit}}x{{endif}}", "x"],
    ["{{if total ?? 0 >= 5}}x{{endif}}", "x"],
    [
      '{{for g in sales.sort(date).group(date.format("MMMM yyyy"))}}{{g.key}}, {{endfor}}',
      "December 2025, January 2026, April 2026, ",
    ],
    [
      '{{for g in sales.sort(date.month()).group(date.format("MMMM"))}}{{g.key}}, {{endfor}}',
      "January, April, December, ",
    ],
    ['{{for s in sales.sort(date.format("MM-dd"))}}{{s.amount}} {{endfor}}', "1000 300 20 "],
    ["{{total + 1 :: number(2)}}", "1,235.50"],
  ])("the tag of its hint prints the meant value: %s", async (text, result) => {
    expect(await printed(text, DATA)).toBe(result);
  });
});

describe("formatted text is right where text is meant, or where its order is the one of the values:", () => {
  test.each([
    ['{{if total.number(2) == "1,234.50"}}x{{endif}}', "x"],
    ["{{if no.number(2) == 7}}x{{endif}}", "x"],
    ['{{if no.number("000") < 8 and no.number("0") == 7}}x{{endif}}', "x"],
    ["{{if total.number(2) == total.number(2)}}x{{endif}}", "x"],
    ['{{if rate.percent(0) in ["20%", "30%"] and rate.percent(0) contains "2"}}x{{endif}}', "x"],
    ['{{if due.format("MMMM") == "February"}}x{{endif}}', "x"],
    ['{{if due.format("yyyy") > 2025 and due.format("yyyy-MM") < "2026-03"}}x{{endif}}', "x"],
    [
      '{{if at.format("HH:mm") < "12:00" and due.format("dd.MM.yyyy") < "01.03.2026"}}x{{endif}}',
      "x",
    ],
    ['{{due.format("yyyy-MM-dd").addDays(1)}}', "2026-02-04"],
    ['{{due.format("dd.MM.yyyy").addDays(1) :: format("long")}}', "February 4, 2026"],
    ['{{due.format("yyyy-MM").toDate("yyyy-MM").day()}}', "1"],
    ['{{total.number(2).toNumber(".").round(0)}}', "1235"],
    ["{{total.number(2).length()}}", "8"],
    ['{{no.number("0.0").round(0)}}', "7"],
    ['{{sales.sort(date.format("yyyy-MM"), amount).amount}}', "20, 1000, 300"],
    ['{{sales.sort(date.format("yyyy-M")).amount}}', "20, 1000, 300"],
    ['{{sales.sort(date.format("MM-dd")).amount}}', "1000, 300, 20"],
    ['{{sales.sort(date.format("dd.MM.yyyy")).amount}}', "20, 1000, 300"],
    [
      '{{for g in sales.group(date.format("yyyy-MM")).sort(key)}}{{g.key}} {{endfor}}',
      "2025-12 2026-01 2026-04 ",
    ],
    ['{{sales.max(date.format("yyyy-MM-dd"))}}', "2026-04-05"],
    ['{{phone.substring(0, 7) :: format("xxx-xxxx")}}', "555-1234"],
    ['{{at.substring(0, 10) :: format("dd.MM.yyyy")}}', "03.02.2026"],
    ['{{no.padStart(6, "0") :: format("xxx-xxx")}}', "000-007"],
  ])("%s", async (text, result) => {
    const { warnings } = await outcome(p(text), DATA);
    expect(warnings.filter(({ code }) => code !== "unused_value")).toEqual([]);
    expect(await printed(text, DATA)).toBe(result);
  });
});
