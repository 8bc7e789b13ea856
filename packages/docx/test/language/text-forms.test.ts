import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

describe("toDate", () => {
  test.each([
    ["12/31/2026", "MM/dd/yyyy", "2026-12-31"],
    ["1/5/2026", "MM/dd/yyyy", "2026-01-05"],
    ["31/12/26", "dd/MM/yy", "2026-12-31"],
    ["20261120", "yyyyMMdd", "2026-11-20"],
    [20261120, "yyyyMMdd", "2026-11-20"],
    ["3 march 2026", "d MMMM yyyy", "2026-03-03"],
    ["Mar. 3, 2026", "MMM d, yyyy", "2026-03-03"],
    ["Sept 3, 2026", "MMM d, yyyy", "invalid_data: invalid_value"],
    ["03/2026", "MM/yyyy", "2026-03-01"],
    [" 2026 ", "yyyy", "2026-01-01"],
    ["12/31/2026 3:05 PM", "MM/dd/yyyy h:mm a", "2026-12-31T15:05:00"],
    ["12/31/2026 12:05 am", "MM/dd/yyyy h:mm a", "2026-12-31T00:05:00"],
    ["20261120T101500", "yyyyMMdd'T'HHmmss", "2026-11-20T10:15:00"],
    ["Tue, 3 Feb 2026 10:00:00 +0100", "EEE, d MMM yyyy HH:mm:ss Z", "2026-02-03T09:00:00"],
    ["31/02/2026", "dd/MM/yyyy", "invalid_data: invalid_value"],
    ["13/01/2026", "MM/dd/yyyy", "invalid_data: invalid_value"],
    ["12/31/2026 tomorrow", "MM/dd/yyyy", "invalid_data: invalid_value"],
    ["", "MM/dd/yyyy", "invalid_data: invalid_value"],
    ["x".repeat(100_000), "MM/dd/yyyy", "invalid_data: invalid_value"],
  ])("reads %.30j with %j as %s", async (d, pattern, expected) => {
    expect(await printed(`{{d.toDate("${pattern}")}}`, { d })).toBe(expected);
  });

  test.each([
    ["3. März 2026", "d. MMMM yyyy", "de"],
    ["3 srpna 2026", "d MMMM yyyy", "cs"],
    ["2026年3月5日", "yyyy年M月d日", "ja"],
    ["3 août 2026", "d MMMM yyyy", "fr"],
  ])("reads the month names of the document's language: %s", async (d, pattern, locale) => {
    expect(await printed(`{{d.toDate("${pattern}").year()}}`, { d }, { locale })).toBe("2026");
  });

  test("reads the language of its tag", async () => {
    const tag = '{{d.toDate("d MMMM yyyy") :: locale("en"), format("MM")}}';
    expect(await printed(tag, { d: "3 May 2026" }, { locale: "de" })).toBe("05");
  });

  test("sorts, filters and compares", async () => {
    const rows = [{ d: "12/31/2025" }, { d: "01/02/2026" }, { d: "02/01/2024" }];
    const tag =
      '{{rows.where(d.toDate("MM/dd/yyyy") > "2024-12-31").sort(d.toDate("MM/dd/yyyy") desc).map(d)}}';
    expect(await printed(tag, { rows })).toBe("01/02/2026, 12/31/2025");
  });

  test("reads every date that the same pattern prints", async () => {
    const patterns = [
      ...["dd.MM.yyyy", "M/d/yyyy", "d MMMM yyyy", "MMM d, yyyy", "yyyyMMdd", "EEEE, d MMMM yyyy"],
      ...["yyyy-MM-dd HH:mm:ss", "h:mm a 'on' d/M/yyyy"],
    ];
    const dates = fc.date({
      min: new Date("1000-01-01"),
      max: new Date("9999-12-31"),
      noInvalidDate: true,
    });
    const locales = fc.constantFrom("en-US", "de", "fr", "es", "it", "nl", "pl", "pt", "ja");
    const check = fc.asyncProperty(
      fc.constantFrom(...patterns),
      dates,
      locales,
      async (pattern, date, locale) => {
        const d = `${date.toISOString().slice(0, 16)}:00`;
        const text = await printed(`{{d :: format("${pattern}")}}`, { d }, { locale });
        const same = await printed(
          `{{d.toDate("${pattern}") :: format("${pattern}")}}`,
          { d: text },
          { locale },
        );
        expect(same).toBe(text);
      },
    );
    await fc.assert(check, { numRuns: manyRuns(40, 200) });
  });
});

describe("toNumber", () => {
  test.each([
    ["1.234,50 €", ",", "1234.5"],
    ["€ 1.234,50", ",", "1234.5"],
    ["EUR 1 234,50", ",", "1234.5"],
    ["1'234.50", ".", "1234.5"],
    ["$1,234.50", ".", "1234.5"],
    ["12,5-", ",", "-12.5"],
    ["(12,50)", ",", "-12.5"],
    ["−5", ",", "-5"],
    ["-€5", ",", "-5"],
    [12.5, ",", "12.5"],
    ["1.23", ",", "invalid_data: invalid_value"],
    ["12 34", ",", "invalid_data: invalid_value"],
    ["1,234.50", ",", "invalid_data: invalid_value"],
    ["12 kg", ",", "invalid_data: invalid_value"],
    ["(5", ",", "invalid_data: invalid_value"],
    ["--5", ",", "invalid_data: invalid_value"],
    ["", ",", "invalid_data: invalid_value"],
    ["9".repeat(100_000), ",", "invalid_data: invalid_value"],
  ])("reads %.30j with %j as %s", async (n, sign, expected) => {
    expect(await printed(`{{n.toNumber("${sign}")}}`, { n })).toBe(expected);
  });

  test("reads every number that a tag prints in the language of the document", async () => {
    const numbers = fc.integer({ min: -1e12, max: 1e12 }).map((cents) => cents / 100);
    const check = fc.asyncProperty(
      numbers,
      fc.constantFrom("de", "en-US", "fr", "de-CH"),
      async (n, locale) => {
        const sign = /^(?:de|fr)$/.test(locale) ? "," : ".";
        const text = await printed('{{n :: currency("EUR")}}', { n }, { locale });
        expect(await printed(`{{n.toNumber("${sign}")}}`, { n: text })).toBe(
          await printed("{{n + 0}}", { n }),
        );
      },
    );
    await fc.assert(check, { numRuns: manyRuns(40, 200) });
  });
});

describe("text in another form leads to toDate or toNumber", () => {
  const DATA = {
    us: "12/31/2026",
    unclear: "05/06/2026",
    long: "3 March 2026",
    price: "1.234,50",
    amount: "$1,234.50",
    comma: "1,234",
    rows: [{ d: "12/31/2026", p: "1.234,50" }],
  };

  test.each([
    ['{{us :: format("long")}}', '{{us.toDate("MM/dd/yyyy") :: format("long")}}'],
    ['{{long :: format("dd.MM.yyyy")}}', '{{long.toDate("d MMMM yyyy") :: format("dd.MM.yyyy")}}'],
    ["{{us.addDays(1)}}", 'us.toDate("MM/dd/yyyy")'],
    ["{{unclear.year()}}", 'or unclear.toDate("dd/MM/yyyy") if the day does'],
    ["{{$today.daysUntil(long)}}", 'long.toDate("d MMMM yyyy")'],
    ["{{if long < $today}}a{{endif}}", 'long.toDate("d MMMM yyyy")'],
    ['{{us.toDate("dd.MM.yyyy")}}', 'toDate("MM/dd/yyyy")'],
    ['{{$today.toDate("dd.MM.yyyy")}}', "needs no toDate"],
    ["{{us.toDate(MM/dd/yyyy)}}", 'Put it in quotes: toDate("MM/dd/yyyy").'],
    ['{{us.toDate("dd/MM")}}', "Write the form that the text has"],
    ['{{price :: currency("EUR")}}', '{{price.toNumber(",") :: currency("EUR")}}'],
    ["{{amount * 2}}", 'amount.toNumber(".")'],
    ["{{comma * 2}}", 'comma.toNumber(".") if it is between thousands'],
    ["{{rows.sum(p)}}", 'p.toNumber(",")'],
    ["{{rows.max(p)}}", 'toNumber(",")'],
    ["{{for r in rows}}{{$running(r.p)}}{{endfor}}", 'r.p.toNumber(",")'],
    ['{{price.toNumber(".")}}', 'toNumber(",")'],
    ['{{price.toNumber("de")}}', 'toNumber(",") for text such as 1.234,50'],
    ["{{rows.d.year()}}", "rows.map(d.year())"],
  ])("%s", async (tag, hint) => {
    const { warnings } = await outcome(p(tag), DATA, { now: "2026-11-29T00:00:00Z" });
    const problem = warnings.find(({ code }) => code !== "unused_value");
    expect(problem?.hint).toContain(hint);
  });
});
