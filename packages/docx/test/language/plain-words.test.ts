import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  ...{ amount: 1234.5, due: "2026-03-05", date: "2026-01-01", total: 7, name: "Ann", code: "X1" },
  ...{ status: "open", overdue: true, paid: true, tags: ["a", "b"], currency: "EUR" },
  items: [
    { name: "Pen", amount: 3, price: 2, date: "2026-01-02", paid: true },
    { name: "Cup", amount: 4, price: 7, date: "2026-01-01", paid: false },
  ],
  customer: { name: "Bob", city: "Rome" },
};

/** Returns the hint for the first mistake of a template. */
async function hintOf(template: string): Promise<string> {
  const { warnings } = await outcome(p(template), DATA);
  return warnings.find(({ code }) => code !== "unused_value")?.hint ?? "";
}

/** Returns what the tag of the hint prints. */
async function mended(tag: string): Promise<string> {
  const hint = await hintOf(`{{${tag}}}`);
  const [, meant] = /^Write \{\{(.+?)\}\}\./.exec(hint) ?? [];
  if (meant === undefined) return `no tag: ${hint}`;
  return (await printed(`{{${meant}}}`, DATA)).replaceAll("\u00a0", " ");
}

describe("the tag of the hint prints the value that is meant in plain words:", () => {
  test.each([
    ["sum of amount in items", "7"],
    ["sum amount in items", "7"],
    ["Sum of amount from items", "7"],
    ["average of price in items :: number(2)", "4.50"],
    ['sum of amount in items where name == "Pen"', "3"],
    ["items.sum of price", "9"],
    ["items sum price", "9"],
    ["sum(price) of items", "9"],
    ["sum items.price", "9"],
    ["count of items", "2"],
    ["number of items", "2"],
    ["how many items", "2"],
    ["5% of amount", "61.725"],
    ["19 percent of total", "1.33"],
    ["total plus 5", "12"],
    ["total minus 5 :: number(2)", "2.00"],
    ["amount divided by 12", "102.875"],
    ["amount rounded to 2", "1234.5"],
    ["amount rounded", "1235"],
    ["amount rounded to the nearest 5", "1235"],
    ["round amount to 2", "1234.5"],
    ["amount to 2 decimals", "1,234.50"],
    ["amount, 2 decimals", "1,234.50"],
    ["amount :: number(2 decimals)", "1,234.50"],
    ["date plus 30 days", "2026-01-31"],
    ["date minus 1 month", "2025-12-01"],
    ["30 days after date", "2026-01-31"],
    ["2 weeks before due", "2026-02-19"],
    ["days between date and due", "63"],
    ["days from date to due", "63"],
    ["year of date", "2026"],
    ["name of customer", "Bob"],
    ["the name of the customer", "Bob"],
    ["city from customer", "Rome"],
    ["customer's name", "Bob"],
    ["name of first item", "Pen"],
    ["name of last item of items", "Cup"],
    ['name else "none"', "Ann"],
    ['name, if empty "none"', "Ann"],
    ["name if exists", "Ann"],
  ])("%s", async (tag, line) => {
    expect(await mended(tag)).toBe(line);
  });

  test.each([
    ["amount as EUR", "€1,234.50"],
    ['amount as "EUR"', "€1,234.50"],
    ["amount in euros", "€1,234.50"],
    ["items.sum(amount) in USD", "$7.00"],
    ['total, currency "EUR"', "€7.00"],
    ["total :: currency EUR", "€7.00"],
    ["total currency(EUR)", "€7.00"],
    ["total | currency EUR", "€7.00"],
    ["due as dd.MM.yyyy", "05.03.2026"],
    ["due as DD/MM/YYYY", "05/03/2026"],
    ['due as "dd.MM.yyyy"', "05.03.2026"],
    ["due in format dd.mm.yyyy", "05.03.2026"],
    ["due as long date", "March 5, 2026"],
    ["due : long", "March 5, 2026"],
    ["due (dd.MM.yyyy)", "05.03.2026"],
    ['due; "dd.MM.yyyy"', "05.03.2026"],
    ["total in words", "seven"],
    ["name in capitals", "ANN"],
    ["upper case name", "ANN"],
    ["name in lower case", "ann"],
    ["tags separated by commas", "a, b"],
    ['items.name joined by "; "', "Pen; Cup"],
  ])("%s (its form)", async (tag, line) => {
    expect(await mended(tag)).toBe(line);
  });
});

describe("a modifier in plain words", () => {
  test.each([
    ["barcode of code", "code :: barcode"],
    ["qr code of code", "code :: qrcode"],
    ["logo 3cm wide", 'logo :: width("3cm")'],
    ["logo height 2 cm", 'logo :: height("2cm")'],
    ["name optional", "name :: optional"],
    ["checkbox paid", "paid :: checkbox"],
  ])("%s", async (tag, meant) => {
    expect(await hintOf(`{{${tag}}}`)).toContain(`Write {{${meant}}}.`);
  });

  test("is not seen in the end of a block", async () => {
    expect(await hintOf("{{for i in items}}x{{end of items}}")).toBe(
      "Write {{endfor}} or {{endif}}.",
    );
  });
});

describe("a look in plain words", () => {
  test.each([
    ["amount, bold", "amount :: bold"],
    ["amount in red", 'amount :: color("red")'],
    ["amount in red if overdue", 'amount :: color("red"), when(overdue)'],
    ["amount :: red if overdue", 'amount :: color("red"), when(overdue)'],
    ["amount :: bold if amount > 5", "amount :: bold, when(amount > 5)"],
  ])("%s", async (tag, meant) => {
    expect(await hintOf(`{{${tag}}}`)).toContain(`Write {{${meant}}}.`);
  });
});

describe("a condition in plain words", () => {
  test.each([
    ["date is before today", "date < $today"],
    ["date before today", "date < $today"],
    ["due is today", "due == $today"],
    ["due is in the past", "due < $today"],
    ["due within 30 days", "due >= $today and due <= $today.addDays(30)"],
    ["due is Monday", "due.weekday() == 1"],
    ["amount from 5 to 10", "amount >= 5 and amount <= 10"],
    ["amount exceeds 5", "amount > 5"],
    ["amount is below 5", "amount < 5"],
    ["amount is negative", "amount < 0"],
    ["amount > 1 000", "amount > 1000"],
    ["more than 3 items", "items.count() > 3"],
    ["paid and number of items > 3", "paid and items.count() > 3"],
    ["any items paid", "items.count(paid) > 0"],
    ["every item is paid", "items.count(not paid) == 0"],
    ["customer has name", "customer.name isPresent"],
    ["customer has no name", "not customer.name isPresent"],
    ["no name", "name isEmpty"],
    ["there are no items", "items isEmpty"],
    ["there is name", "not name isEmpty"],
    ["name is not filled in", "name isEmpty"],
    ['status either "open" or "new"', 'status in ["open", "new"]'],
    ['status is neither "open" nor "new"', 'status not in ["open", "new"]'],
    ['name contains any of "a", "b"', 'name contains "a" or name contains "b"'],
    ['status isn\'t "open"', 'status != "open"'],
    ["both paid and overdue", "paid and overdue"],
    ["last item", "$last"],
  ])("{{if %s}}", async (condition, meant) => {
    expect(await hintOf(`{{if ${condition}}}x{{endif}}`)).toContain(`Write {{if ${meant}}}.`);
  });

  test.each(['if paid, "yes", "no"', 'if paid: "yes", "no"'])(
    "{{%s}} chooses one of two texts",
    async (tag) => {
      const { warnings } = await outcome(p(`{{${tag}}}`), DATA);
      expect(warnings.map(({ hint }) => hint)).toEqual(['Write {{$if(paid, "yes", "no")}}.']);
    },
  );
});

describe("a list in plain words", () => {
  test.each([
    ["for i in items grouped by name", "for i in items.group(name)"],
    ["for i in items with amount > 3", "for i in items.where(amount > 3)"],
    ["for i in items, sorted by name", "for i in items.sort(name)"],
    ["for i in items.sort(by name)", "for i in items.sort(name)"],
    ["for i in items except first", "for i in items.skip(1)"],
    ["for i in items from 2 to 4", "for i in items.skip(1).limit(3)"],
    ["for 3 times", "for n in $range(3)"],
  ])("{{%s}}", async (tag, meant) => {
    expect(await hintOf(`{{${tag}}}x{{endfor}}`)).toBe(`Write {{${meant}}}.`);
  });

  test.each([
    ["items sorted by date", "{{for item in items.sort(date)}}"],
    ["items by date desc", "{{for item in items.sort(date desc)}}"],
    ["items where amount > 3", "{{for item in items.where(amount > 3)}}"],
    ["group items by name", "{{for g in items.group(name)}}"],
    [
      "items.sum(amount) by name",
      "{{for g in items.group(name)}}{{g.key}}: {{g.items.sum(amount)}}{{endfor}}",
    ],
    ["first item of items", "{{items.first().name}}"],
    ['total where name == "Pen"', '{{items.first(name == "Pen").total}}'],
    ['items.amount where name == "Pen"', '{{items.where(name == "Pen").amount}}'],
    ['amount from items where name == "Pen"', '{{items.first(name == "Pen").amount}}'],
    ["name; code", "Write each value in its own tag: {{name}}, {{code}}."],
    ["name and code", "{{name}}, {{code}}. A condition belongs in a block: {{if name and code}}"],
  ])("{{%s}} is in the hint as a block or tags", async (tag, meant) => {
    expect(await hintOf(`{{${tag}}}`)).toContain(meant);
  });
});

describe("words that may be a key with spaces", () => {
  test.each([
    ["{{date of birth}}", '{{this["date of birth"]}}'],
    ["{{amount in EUR}}", '{{this["amount in EUR"]}}'],
    ["{{customer's name}}", '{{this["customer\'s name"]}}'],
    ["{{if number of items > 3}}x{{endif}}", 'this["number of items"]'],
  ])("%s", async (template, key) => {
    expect(await hintOf(template)).toContain(key);
  });
});

test("a name in quotes that is compared with a number is a mistake in the template", async () => {
  expect(await hintOf('{{for i in items.where("amount" > 3)}}x{{endfor}}')).toBe(
    "Write the name of a value without quotes: amount > 3.",
  );
});
