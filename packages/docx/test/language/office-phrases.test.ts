import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  ...{ amount: 1234.5, premium: 123, due: "2026-03-05", date: "2026-01-01", total: 7 },
  ...{ email: "ann@x.edu", status: "Active", name: "Ann", code: "X1", overdue: true, paid: true },
  courses: [
    { term: "A", credits: 5 },
    { term: "B", credits: 3 },
  ],
  terms: [{ key: "A" }, { key: "B" }],
  gifts: [{ amount: 10 }, { amount: 2 }],
  items: [
    { name: "Pen", amount: 3, price: 2, date: "2026-01-02" },
    { name: "Cup", amount: 4, price: 7, date: "2026-01-01" },
  ],
  tags: ["a", "b"],
  a: { b: 5 },
  customer: { name: "Bob", city: "Rome" },
};

/** Returns the hint for the first mistake of a template. */
async function hintOf(template: string, data: Record<string, unknown> = DATA): Promise<string> {
  const { warnings } = await outcome(p(template), data);
  return warnings.find(({ code }) => code !== "unused_value")?.hint ?? "";
}

describe("the name of a country or a language in place of a locale", () => {
  test.each([
    ['{{amount :: locale("Germany")}}', 'Write locale("de-DE").'],
    ['{{amount :: locale("france")}}', 'Write locale("fr-FR").'],
    ['{{amount :: locale("Deutschland")}}', 'Write locale("de-DE").'],
    ['{{amount :: locale("Swiss")}}', 'Write locale("de-CH").'],
    ['{{amount :: locale("Spanish")}}', 'The language tag of Spanish is "es".'],
    ['{{due.format("long", "Germany")}}', 'Write {{due :: format("long"), locale("de-DE")}}.'],
    ['{{due :: format("long", "German")}}', 'Write {{due :: format("long"), locale("de")}}.'],
    [
      '{{amount :: currency("EUR", "France")}}',
      'Write {{amount :: currency("EUR"), locale("fr-FR")}}.',
    ],
    ['{{amount.currency("EUR", "de")}}', 'Write {{amount :: currency("EUR"), locale("de")}}.'],
  ])("%s", async (template, hint) => {
    expect(await hintOf(template)).toBe(hint);
  });

  test("is not seen in other words", async () => {
    expect(await hintOf('{{amount :: locale("language")}}')).toContain("locale(language)");
  });
});

describe("a condition after a function of a list", () => {
  test.each([
    ["courses.sum(credits) where term == t.key", "courses.where(term == t.key).sum(credits)"],
    [
      "courses.average(credits) where term == t.key :: number(2)",
      "courses.where(term == t.key).average(credits) :: number(2)",
    ],
    ["courses.count() where term == t.key", "courses.count(term == t.key)"],
    ["courses.max(credits) where (term = t.key)", "courses.where(term == t.key).max(credits)"],
    ["courses.credits.min() where term == t.key", "courses.where(term == t.key).min(credits)"],
    ["sum(courses.credits) where term is t.key", "courses.where(term == t.key).sum(credits)"],
    ["courses.sum(credits) for term == t.key", "courses.where(term == t.key).sum(credits)"],
  ])("%s", async (tag, meant) => {
    expect(await hintOf(`{{for t in terms}}{{${tag}}}{{endfor}}`)).toBe(`Write {{${meant}}}.`);
  });

  test("with 'if' may be meant for the whole tag", async () => {
    expect(await hintOf("{{courses.sum(credits) if paid}}")).toBe(
      "Write {{courses.where(paid).sum(credits)}}. To show the result only sometimes, write {{if paid}}{{courses.sum(credits)}}{{endif}}.",
    );
    expect(await hintOf("{{courses.sum(credits) if paid else 0}}")).toBe(
      "Write {{$if(paid, courses.sum(credits), 0)}}.",
    );
  });
});

describe("a step in place of decimals", () => {
  test.each([
    ['{{premium.round(0, "nearest 5")}}', "(premium / 5).round() * 5"],
    ['{{premium.round("to the nearest 5")}}', "(premium / 5).round() * 5"],
    ["{{premium.round(0, 5)}}", "(premium / 5).round() * 5"],
    ["{{premium.roundToNearest(5)}}", "(premium / 5).round() * 5"],
    ['{{(premium + 4).round(0, "nearest 5")}}', "((premium + 4) / 5).round() * 5"],
  ])("%s", async (template, meant) => {
    expect(await hintOf(template)).toContain(meant);
    expect(await printed(`{{${meant}}}`, DATA)).toMatch(/^12[55]$|^130$/);
  });
});

describe("a text without quotes that cannot be a name", () => {
  test.each([
    ["{{if email contains @x.edu}}x{{endif}}", '{{if email contains "@x.edu"}}'],
    ["{{if email endsWith @x.edu}}x{{endif}}", '{{if email.endsWith("@x.edu")}}'],
    ["{{if email.endsWith(@x.edu)}}x{{endif}}", '{{if email.endsWith("@x.edu")}}'],
    ["{{if not email ends with .edu}}x{{endif}}", '{{if not email.endsWith(".edu")}}'],
    ["{{if email = ann@x.edu and paid}}x{{endif}}", '{{if email == "ann@x.edu" and paid}}'],
    ["{{if code contains 50%}}x{{endif}}", '{{if code contains "50%"}}'],
    ["{{name.replace(@, #)}}", '{{name.replace("@", "#")}}'],
    [
      "{{items.where(email contains @x.edu).count()}}",
      '{{items.where(email contains "@x.edu").count()}}',
    ],
  ])("%s", async (template, meant) => {
    expect(await hintOf(template)).toBe(`Write ${meant}.`);
  });

  test("of two words may be a key", async () => {
    expect(await hintOf("{{if status == in progress}}x{{endif}}")).toBe(
      'Write {{if status == "in progress"}}. For a key with a space write this["in progress"].',
    );
  });

  test("with a hyphen is one text", async () => {
    const { warnings } = await outcome(p("{{if status == in-progress}}x{{endif}}"), {
      status: "a",
    });
    expect(warnings.map(({ hint }) => hint)).toEqual(['Put the text in quotes: "in-progress".']);
  });

  test("as an argument may be the end of a text", async () => {
    expect(await hintOf("{{if email.endsWith(.edu)}}x{{endif}}")).toContain(
      'Text goes in quotes: ".edu".',
    );
  });
});

describe("a name after a compared text", () => {
  const data = { d: { city: "Porto" }, paid: true };

  test.each([
    ['{{if d.city == "Lisbon" or Porto}}x{{endif}}', 'd.city in ["Lisbon", "Porto"]'],
    ['{{if d.city != "Lisbon" and Porto}}x{{endif}}', 'd.city not in ["Lisbon", "Porto"]'],
    ['{{if paid and (d.city == "Lisbon" or Porto)}}x{{endif}}', 'd.city in ["Lisbon", "Porto"]'],
  ])("%s is meant as text", async (template, meant) => {
    expect(await hintOf(template, data)).toContain(`write ${meant}.`);
  });

  test.each([
    ['{{if status == "open" or urgent}}x{{endif}}', { status: "new" }],
    ['{{if status == "Open" or urgent}}x{{endif}}', { status: "new" }],
    ['{{if status == "Gold" or VIP}}x{{endif}}', { status: "new" }],
    ['{{if Status == "Open" or Urgent}}x{{endif}}', { Status: "new" }],
  ])("%s may be a value that is missing", async (template, own) => {
    expect((await outcome(p(template), own)).warnings).toEqual([]);
  });
});

describe("a condition in other words", () => {
  test.each([
    [
      'status startsWith "A" and not name startsWith "B"',
      'status.startsWith("A") and not name.startsWith("B")',
    ],
    ['name not startsWith "B"', 'not name.startsWith("B")'],
    [
      'name does not start with "B" and status ends with "e"',
      'not name.startsWith("B") and status.endsWith("e")',
    ],
    ["when(overdue)", "overdue"],
    ["when(amount > 5 and paid)", "amount > 5 and paid"],
    ["amount is between 5 and 10", "amount >= 5 and amount <= 10"],
    ["amount >= 5 <= 10", "amount >= 5 and amount <= 10"],
  ])("{{if %s}}", async (condition, meant) => {
    expect(await hintOf(`{{if ${condition}}}x{{endif}}`)).toBe(`Write {{if ${meant}}}.`);
  });

  test.each([
    ["{{if 0 < gifts.where(amount > 5)}}x{{endif}}", "gifts.count(amount > 5) > 0"],
    ["{{if 1 <= gifts.where(amount > 5)}}x{{endif}}", "gifts.count(amount > 5) >= 1"],
    ["{{if 0 < gifts}}x{{endif}}", "gifts.count() > 0"],
    ["{{if 5 > gifts.amount}}x{{endif}}", "gifts.count(amount < 5) > 0"],
  ])("%s counts the items", async (template, meant) => {
    expect(await hintOf(template)).toContain(meant);
  });

  test.each(["amount.when(overdue)", "amount when overdue", "amount :: when(overdue)"])(
    "{{%s}} has two meanings",
    async (tag) => {
      expect(await hintOf(`{{${tag}}}`)).toBe(
        'To show the value only sometimes, write {{if overdue}}{{amount}}{{endif}}. For its look write {{amount :: color("red"), when(overdue)}}.',
      );
    },
  );

  test.each([
    ["amount if overdue", "{{if overdue}}{{amount}}{{endif}}"],
    ["amount unless amount > 5", "{{if not (amount > 5)}}{{amount}}{{endif}}"],
  ])("{{%s}} is a block", async (tag, meant) => {
    expect(await hintOf(`{{${tag}}}`)).toBe(`To show the value only sometimes, write ${meant}.`);
  });
});

describe("a block of a table in other words", () => {
  test.each([
    ["{{column m in months}}", "{{tablecolumn m in months}}"],
    ["{{columns m in months}}", "{{tablecolumn m in months}}"],
    ["{{for column m in months}}", "{{tablecolumn m in months}}"],
    ["{{row i in items}}", "{{tablerow i in items}}"],
    ["{{column if paid}}", "{{tablecolumn if paid}}"],
  ])("%s", async (template, meant) => {
    expect(await hintOf(template)).toBe(`Write ${meant}.`);
  });

  test("has an end in two words", async () => {
    const { warnings } = await outcome(p("{{rows i in items}}{{i.name}}{{end row}}"), DATA);
    expect(warnings.map(({ hint }) => hint)).toEqual([
      "Write {{tablerow i in items}}.",
      "Write {{endtablerow}}, in one word.",
    ]);
  });
});

test.each(["#a.b#", "[a.b]", "[[a.b]]", "<a.b>", "<<a.b>>", "@a.b@", "*a.b*", "|a.b|", ":a.b"])(
  "the signs of {{%s}} are left out",
  async (tag) => {
    const { warnings } = await outcome(p(`{{${tag}}}`), DATA);
    expect(warnings.map(({ hint }) => hint)).toEqual(["Write {{a.b}}."]);
  },
);

test("the sign '@' before a name may mean HTML", async () => {
  expect(await hintOf("{{@a.b}}")).toBe(
    "Write {{a.b}}. For a value that is HTML write {{a.b :: html}}.",
  );
});
