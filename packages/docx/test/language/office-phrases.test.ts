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
