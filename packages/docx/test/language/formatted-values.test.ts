import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  amount: 1250.45,
  due: "2026-11-03",
  at: "2026-11-03T09:05:00",
  dates: ["2026-01-05", "2026-02-06"],
  items: [
    { name: "A", price: 2.5 },
    { name: "B", price: 1000 },
  ],
  code: "USD",
  phone: "0441234567",
  text: "x",
  european: "1.234,50",
};

describe("a function that formats a value as text", () => {
  test.each([
    ['{{amount.number("#,##0.00").padStart(12, "*")}}', "****1,250.45"],
    [
      '{{$concat(amount.currency(code), " on ", due.format("d MMMM yyyy"))}}',
      "$1,250.45 on 3 November 2026",
    ],
    ['{{items.map($concat(name, ": ", price.number(2))).join("; ")}}', "A: 2.50; B: 1,000.00"],
    ['{{dates.map(this.format("d MMM")).join(", ")}}', "5 Jan, 6 Feb"],
    ["{{(amount / 10000).percent(1)}}", "12.5%"],
    ['{{amount.currency("EUR", 0) :: locale("de")}}', "1.250\u00a0€"],
    ['{{phone.format("xxx xxx xx xx")}}', "044 123 45 67"],
    ['{{at.format("HH:mm")}} {{due.format("long")}}', "09:05 November 3, 2026"],
    ['{{"Pay {amount}".replace("{amount}", amount.currency("EUR"))}}', "Pay €1,250.45"],
    ["{{$number(amount, 1)}} {{amount.number()}}", "1,250.5 1,250.45"],
    ['{{for g in dates.group(this.format("MMM"))}}{{g.key}} {{endfor}}', "Jan Feb "],
  ])("%s prints %s", async (text, expected) => {
    expect(await printed(text, DATA)).toBe(expected);
  });

  test("prints what the modifier of the same name prints", async () => {
    for (const call of [
      'number("0.0")',
      "number(3)",
      'currency("CHF")',
      "percent",
      'format("long")',
    ]) {
      const value = call.startsWith("format") ? "due" : "amount";
      const method = call.includes("(") ? call : `${call}()`;
      for (const locale of ["en-US", "de", "fr"]) {
        const one = await printed(`{{${value}.${method}}}`, DATA, { locale });
        expect(one).toBe(await printed(`{{${value} :: ${call}}}`, DATA, { locale }));
      }
    }
  });

  test.each([
    ["{{european.number(2)}}", 'european.toNumber(",")'],
    ['{{text.currency("EUR")}}', "Put a number into the data"],
    ['{{amount.format("0.00")}}', 'For a number write number("0.00").'],
    ['{{dates.format("d MMM")}}', 'dates.map(this.format("d MMM"))'],
    ["{{amount.number(2) * 2}}", "Compute with the value itself, amount"],
    ["{{items.sum(price.number(2))}}", "Compute with the value itself, price"],
  ])("%s leads to the fix", async (text, hint) => {
    const { warnings } = await outcome(p(text), DATA);
    const hints = warnings.filter(({ code }) => code !== "unused_value").map((each) => each.hint);
    expect(hints).toContainEqual(expect.stringContaining(hint));
  });
});
