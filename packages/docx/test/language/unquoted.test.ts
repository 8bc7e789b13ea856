import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

describe("a date without quotes is an error that shows the date in quotes", () => {
  test.each([
    ["{{2026-01-01}}", '"2026-01-01"'],
    ["{{if due > 2026-01-01}}x{{endif}}", '"2026-01-01"'],
    ["{{if due > 2026–1–1}}x{{endif}}", '"2026-01-01"'],
    ["{{due.daysUntil(2026-12-31T10:00)}}", '"2026-12-31T10:00"'],
    ["{{due.daysUntil(31.12.2026)}}", '"2026-12-31"'],
    ["{{if due > 2026/1/31}}x{{endif}}", '"2026-01-31"'],
    ["{{if due > 12/31/2026}}x{{endif}}", '"2026-12-31"'],
    ["{{if due > 31/12/2026}}x{{endif}}", '"2026-12-31"'],
  ])("%s", async (text, date) => {
    const { error, warnings } = await outcome(p(text), { due: "2026-05-01" });
    expect(error).toBe("invalid_template");
    expect(warnings[0]?.message).toMatch(
      /^The date \S+ has no quotes, so it is read as numbers\.$/,
    );
    expect(warnings[0]?.hint).toBe(`Write ${date}.`);
  });

  test.each([
    ["{{2026 - 1 - 1}}", "2024"],
    ["{{2026-13-01}}", "2012"],
    ["{{n*2026/1/1}}", "4052"],
    ["{{a.2026}}-{{a.2026-01-01}}", "5-3"],
    ["{{3026-01-01}}", "3024"],
  ])("%s remains a computation", async (text, line) => {
    expect(await printed(text, { n: 2, a: { 2026: 5 } })).toBe(line);
  });

  test("in a key with hyphens is not mistaken for a date", async () => {
    const { warnings } = await outcome(p("{{report-2026-01-01}}"), { "report-2026-01-01": "x" });
    expect(warnings[0]?.hint).toContain('this["report-2026-01-01"]');
  });
});

describe("a computation after ?? that begins with a number", () => {
  test.each([
    ["{{total ?? 0 + 1}}", "(total ?? 0) + 1", "total ?? (0 + 1)"],
    ["{{a ?? b ?? 1 * c}}", "(a ?? b ?? 1) * c", "a ?? b ?? (1 * c)"],
    ["{{if total ?? -1 - a > 2}}x{{endif}}", "(total ?? -1) - a", "total ?? (-1 - a)"],
  ])("is an error that shows the parentheses: %s", async (text, all, part) => {
    const { error, warnings } = await outcome(p(text), {});
    expect(error).toBe("invalid_template");
    expect(warnings[0]?.hint).toBe(`Write ${all}. If the computation is meant, write ${part}.`);
  });

  test.each([
    ["{{(total ?? 0) + 1}}", "1"],
    ["{{total ?? (0 + 1)}}", "1"],
    ["{{total ?? a + 1}}", "3"],
    ["{{total ?? -1}}", "-1"],
    ["{{(a + 1) ?? 0}}", "3"],
  ])("is accepted in other forms: %s", async (text, line) => {
    expect(await printed(text, { a: 2 })).toBe(line);
  });
});

describe("an argument without quotes that reads as a computation is an error with the quotes", () => {
  test.each([
    ['{{at :: format("HH:mm"), timeZone(Europe/Berlin)}}', 'timeZone("Europe/Berlin")'],
    ["{{n :: number(2), locale(de-CH)}}", 'locale("de-CH")'],
    ["{{at :: format(MM/dd/yyyy)}}", 'format("MM/dd/yyyy")'],
    ["{{at.format(dd-MM-yyyy)}}", 'format("dd-MM-yyyy")'],
    ["{{n :: barcode(gs1-128)}}", 'barcode("gs1-128")'],
    ["{{n :: style(Heading-1)}}", 'style("Heading-1")'],
  ])("%s", async (text, hint) => {
    const { error, warnings } = await outcome(p(text), { at: "2026-05-01T10:00:00Z", n: 1 });
    expect(error).toBe("invalid_template");
    expect(warnings[0]?.hint).toContain(hint);
  });

  test.each([
    ["{{none :: default(n - a)}}", "3"],
    ["{{text :: truncate(n - a)}}", "ab…"],
    ["{{n / a :: number(n - 3)}}", "2.50"],
  ])("a computation is allowed where a number is: %s", async (text, line) => {
    expect(await printed(text, { n: 5, a: 2, text: "abcdef" })).toBe(line);
  });
});

test.each([
  ["{{name.optional}}", "Did you mean 'name :: optional'?"],
  ["{{customer.name.optional}}", "Did you mean 'customer.name :: optional'?"],
  ["{{name.uppercase}}", "Did you mean 'name :: uppercase'?"],
  ["{{name.number}}", "Add it to the data, or write :: optional"],
])("a modifier after a dot leads to '::', also if the value is missing: %s", async (text, hint) => {
  const { warnings } = await outcome(p(text), { customer: {} });
  expect(warnings[0]?.hint).toContain(hint);
});
