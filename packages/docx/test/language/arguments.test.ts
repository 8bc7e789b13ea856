import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

test.each([
  ["{{total :: currency(invoice.currency)}}", { total: 5, invoice: { currency: "EUR" } }, "€5.00"],
  ["{{price :: currency(cur, digits)}}", { price: 0.0042, cur: "USD", digits: 4 }, "$0.0042"],
  ['{{total :: locale("de-DE"), currency("EUR")}}', { total: 1234.5 }, "1.234,50\u00a0€"],
  ["{{total :: locale(lang), number(2)}}", { total: 1234.5, lang: "fr-FR" }, "1\u202f234,50"],
  ["{{a :: default(b.c)}}", { b: { c: "other" } }, "other"],
  ["{{a :: default(b), uppercase}}", { b: "other" }, "OTHER"],
  ["{{text :: truncate(n)}}", { text: "abcdef", n: 3 }, "ab…"],
  ["{{d :: format(pattern)}}", { d: "2026-11-28", pattern: "dd.mm.yyyy" }, "28.11.2026"],
  [
    "{{for l in lines}}{{l.amount :: currency(l.cur)}} {{endfor}}",
    {
      lines: [
        { amount: 1, cur: "EUR" },
        { amount: 2, cur: "JPY" },
      ],
    },
    "€1.00 ¥2 ",
  ],
])("%s takes its argument from the data", async (text, data, expected) => {
  expect(await printed(text, data)).toBe(expected);
});

test.each([
  ["{{a :: currency(cur)}}", { a: 1 }, "The tag 'cur' was not provided in the input data."],
  [
    "{{a :: currency(cur)}}",
    { a: 1, cur: "EURO" },
    "the argument of 'currency' is not an ISO 4217 currency code",
  ],
  ["{{a :: currency(cur)}}", { a: 1, cur: ["EUR"] }, "the argument of 'currency' is a list"],
  [
    '{{a :: currency("EUR", n)}}',
    { a: 1, n: "two" },
    "the argument of 'currency' is text, not a whole number",
  ],
  ["{{a :: default(b)}}", {}, "The tag 'a' was not provided in the input data."],
  ["{{a ?? b}}", {}, "The tag 'a' was not provided in the input data."],
])("%s with %j is reported", async (text, data, expected) => {
  const { warnings } = await outcome(p(text), data);
  expect(warnings.map(({ message, pointer }) => `${message} ${pointer}`).join()).toContain(
    expected,
  );
});

test("a default from the data is formatted as the value would be", async () => {
  const text = '{{due :: default(b), format("dd.mm.yyyy")}}';
  expect(await printed(text, { b: "2026-11-30" })).toBe("30.11.2026");
  expect(await printed('{{a :: default("none"), uppercase}}', {})).toBe("NONE");
  expect(await printed("{{a :: default(b), currency(c)}}", { b: 2, c: "EUR" })).toBe("€2.00");
});

describe("a missing argument of a tag with 'optional' or 'default'", () => {
  const data = { total: 20, rows: [{ amount: 10, currency: "CHF" }, { amount: 20 }] };

  test.each([
    '{{total :: currency(cur), default("n/a")}}',
    "{{total :: number(digits), optional}}",
    "{{total :: link(title), optional}}",
  ])("is reported, because the value of %s is there", async (tag) => {
    const { lines, warnings } = await outcome(p(tag), data);
    expect(lines).toEqual([tag]);
    const missing = warnings.filter(({ code }) => code === "missing_value");
    expect(missing.map(({ severity }) => severity)).toEqual(["error"]);
  });

  test("does not matter if the value is missing, too", async () => {
    const tags = p('{{nope :: currency(cur), default("n/a")}}{{nope :: number(digits), optional}}');
    const { lines, warnings } = await outcome(tags, data);
    expect(lines).toEqual(["n/a"]);
    expect(warnings.filter(({ code }) => code === "missing_value")).toEqual([]);
  });

  test("leads to a value in its place", async () => {
    const row = (given: string): string =>
      `{{for i in rows}}{{i.amount :: currency(${given})}} {{endfor}}`;
    const { warnings } = await outcome(p(row("i.currency")), data);
    expect(warnings.map(({ hint }) => hint)).toContain(
      'If it may be missing, write what counts in its place: i.currency ?? "EUR".',
    );
    const { lines } = await outcome(p(row('i.currency ?? "EUR"')), data);
    expect(lines[0]).toMatch(/^CHF\s10\.00 €20\.00/);
  });
});
