import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compareDecimals,
  type Decimal,
  decimalText,
  divide,
  roundDecimal,
  toDecimal,
} from "../../src/format/decimal.ts";
import {
  euNumber,
  formatCurrency,
  formatNumber,
  formatPercent,
  usNumber,
} from "../../src/format/format-number.ts";
import { checkPattern, formatPattern } from "../../src/format/format-pattern.ts";

import { inLocale, numbers, THIRTY, US, visible } from "../support/formats.ts";

describe("number()", () => {
  test.each([
    [1234.5, null, "en-US", "1,234.5"],
    [1234.5, null, "de-DE", "1.234,5"],
    [1234.5, null, "de-CH", "1’234.5"],
    [1234567.5, null, "fr", "1⌴234⌴567,5"],
    [12345678.9, null, "en-IN", "1,23,45,678.9"],
    [1234.5, null, "es", "1234,5"],
    [-1234.5, null, "sv", "−1⍽234,5"],
    [1234.5, null, "ar-EG", "١٬٢٣٤٫٥"],
    [0.1, null, "en-US", "0.1"],
    [-0, null, "en-US", "0"],
    [1e21, null, "en-US", "1,000,000,000,000,000,000,000"],
    [1.5e-7, null, "en-US", "0.00000015"],
    [
      THIRTY,
      null,
      "en-US",
      "123,456,789,012,345,678,901,234,567,890.123456789012345678901234567891",
    ],
    ["1234.50", null, "en-US", "1,234.5"],
    [10n ** 30n, null, "de-DE", "1.000.000.000.000.000.000.000.000.000.000"],
    [1234.5, 2, "en-US", "1,234.50"],
    [1234.5, "2", "en-US", "1,234.50"],
    [1234.5, 0, "en-US", "1,235"],
    [1234.5, "0", "en-US", "1235"],
    [-0.4, 0, "en-US", "0"],
    ["1.005", 2, "en-US", "1.01"],
    ["-1.005", 2, "en-US", "-1.01"],
    [1.005, 2, "en-US", "1.01"],
    [THIRTY, 2, "en-US", "123,456,789,012,345,678,901,234,567,890.12"],
    [1, 100, "en-US", `1.${"0".repeat(100)}`],
  ])("%s with %s in %s is %s", (value, pattern, locale, text) => {
    const { text: shown } = formatNumber(value, pattern, inLocale(locale));
    expect(visible(shown)?.replaceAll("'", "’")).toBe(text);
  });

  test.each([
    ["#,##0.00", 1234567.891, "1,234,567.89"],
    ["#,##0.00", 0.005, "0.01"],
    ["#,##0.00", -0.004, "0.00"],
    ["#,##0.00", -1234.5, "-1,234.50"],
    ["#,##0.##", 1234, "1,234"],
    ["#,##0.0#", 1234.567, "1,234.57"],
    ["0", 1234.5, "1235"],
    ["000", 7, "007"],
    ["000,000", 1234, "001,234"],
    ["#.00", 0.5, ".50"],
    [".00", -0.5, "-.50"],
    [".00", 12.5, "12.50"],
    [".##", 0, "0"],
    ["#", 0, "0"],
    ["#,###", 1234, "1,234"],
    ["0%", 0.125, "13%"],
    ["0.0 %", 0.125, "12.5 %"],
    ["%0", -0.5, "-%50"],
    ["€ #,##0.00", 5, "€ 5.00"],
    ["€#,##0.00", -5, "-€5.00"],
    ["#,##0.00;(#,##0.00)", -1234.5, "(1,234.50)"],
    ["#,##0.00;(#,##0.00)", 1234.5, "1,234.50"],
    ["#,##0.00;(#,##0.00)", -0.001, "0.00"],
    ["0.0;-0.000", -0.12345, "-0.123"],
    ["0.00;(0)", -0.4, "-0.40"],
    ["0 'no. 1'", 5, "5 no. 1"],
    ['0 "kg"', 5, "5 kg"],
    ["0 kg", 5, "5 kg"],
    ["0 'o''clock'", 5, "5 o'clock"],
    ["0''", 5, "5'"],
    ["0';'", 5, "5;"],
    ["(0)", 5, "(5)"],
    ["0日", 5, "5日"],
  ])("with the pattern %s writes %s as %s", (pattern, value, text) => {
    expect(checkPattern("number", pattern)).toBeNull();
    expect(formatNumber(value, pattern, US)).toEqual({ text });
  });

  test("uses the symbols and group sizes of the locale in patterns, and groups only if the pattern does", () => {
    const shown = (locale: string) =>
      visible(formatNumber("-1234567.5", "#,##0.00 %", inLocale(locale)).text);
    expect(shown("de-DE")).toBe("-123.456.750,00 %");
    expect(shown("en-IN")).toBe("-12,34,56,750.00 %");
    expect(shown("sv")).toBe("−123⍽456⍽750,00 %");
    expect(shown("ar-EG")).toBe("\u061c-١٢٣٬٤٥٦٬٧٥٠٫٠٠ ٪");
    expect(formatNumber(1234, "#,##0", inLocale("es")).text).toBe("1.234");
  });

  test.each([
    ["0.00;-0.00;–", 0, "–"],
    ["0.00;-0.00;'none'", "0.00", "none"],
    ["0;-0;", 0, ""],
    ["0;(0);0.0", 0, "0.0"],
    ["0;(0);zero", -0.2, "0"],
    ["0;(0);zero", -3, "(3)"],
    ["0;(0);zero", 3, "3"],
  ])("the third section of %s is for zero: %s is %s", (pattern, value, text) => {
    expect(formatNumber(value, pattern, US).text).toBe(text);
  });

  test.each([
    ["", "has no place for the number"],
    ["abc", "has no place for the number"],
    ["'0'", "has no place for the number"],
    ["0;", "has no place for the number"],
    [",", "in the wrong place"],
    [".", "in the wrong place"],
    ["#.##0,00", "in the wrong place"],
    ["0.", "in the wrong place"],
    ["0,", "in the wrong place"],
    [",0", "in the wrong place"],
    ["#,,##0", "in the wrong place"],
    ["0.0.0", "in the wrong place"],
    ["0#", "has # between"],
    ["0.#0", "has # between"],
    ["Fr. 0.00", "next to its number"],
    ["0.00 kg 0", "next to its number"],
    ["0.##E0", "next to its number"],
    ["#,##0.05", "next to its number"],
    ["_(* #,##0_)", "next to its number"],
    ["[Red]0", "next to its number"],
    ["0‰", "next to its number"],
    ["0;0;0;0", "more than three sections"],
    ["0;0;%", "has no place for the number"],
    ["%0%", "more than one percent sign"],
    ["'0", "a quote that is not closed"],
    ["0".repeat(22), "leading zeros"],
    [`0.${"0".repeat(101)}`, "decimals"],
    ["0".repeat(201), "is longer than"],
    ["101", "is not a number of decimals"],
    ["999", "is not a number of decimals"],
    ["-1", "has no place for the number"],
  ])("rejects the pattern %s", (pattern, why) => {
    expect(checkPattern("number", pattern)).toContain(why);
    expect(formatNumber(1, pattern, US).problem).toContain(why);
  });

  test.each([
    [
      ["abc", "1,234", " ", true, [1], {}, null, undefined, new Date(0), Number.NaN],
      "cannot be read as a number",
    ],
    [[""], "is empty text, not a number"],
    [
      ["9".repeat(301), "1e350", 1e308, "-1e399"],
      "has more than 300 digits before the decimal point",
    ],
    [["1e-101", 5e-324], "has more than 100 decimals"],
  ])("rejects invalid values: case %#", (values, why) => {
    for (const value of values) {
      const { problem } = formatNumber(value, null, US);
      expect(problem).toContain(why);
      expect(problem).not.toMatch(/abc|1,234|999|e350/);
    }
  });

  test("rounds values with more decimals than Intl supports, if the number of decimals is given", () => {
    expect(formatNumber("1e-390", 2, US)).toEqual({ text: "0.00" });
    expect(formatNumber("9".repeat(300), 2, US).text).toHaveLength(300 + 99 + 3);
    expect(formatNumber(1, 101, US).problem).toContain("from 0 to 100");
    expect(formatNumber(1, 0.5, US).problem).toContain("from 0 to 100");
  });
});

/** Numbers with up to 60 digits before the point and 60 after it. */
describe("formatted numbers", () => {
  test("parse back to the same number", () => {
    fc.assert(
      fc.property(numbers, (spelled) => {
        const exact = decimalText(toDecimal(spelled) as Decimal);
        expect(usNumber(spelled).text?.replaceAll(",", "")).toBe(exact);
        expect(euNumber(spelled).text?.replaceAll(".", "").replace(",", ".")).toBe(exact);
        const percent = formatPercent(spelled, null, US).text?.replaceAll(",", "") ?? "";
        expect(percent.endsWith("%")).toBe(true);
        const share = divide(toDecimal(percent.slice(0, -1)) as Decimal, toDecimal(100) as Decimal);
        if (exact.length < 15) expect(decimalText(share)).toBe(exact);
      }),
    );
  });

  test("parse back to the number rounded half away from zero, and never show -0", () => {
    fc.assert(
      fc.property(numbers, fc.nat({ max: 30 }), (spelled, places) => {
        const rounded = roundDecimal(toDecimal(spelled) as Decimal, places);
        const pattern = places === 0 ? "#,##0" : `#,##0.${"0".repeat(places)}`;
        for (const { text } of [
          formatNumber(spelled, places, US),
          formatNumber(spelled, pattern, US),
        ]) {
          const plain = text?.replaceAll(",", "") ?? "";
          expect(compareDecimals(toDecimal(plain) as Decimal, rounded)).toBe(0);
          expect(plain).not.toMatch(/^-[0.]*$/);
          expect(plain.split(".")[1]?.length ?? 0).toBe(places);
        }
      }),
    );
  });
});

describe("US-Number and EU-Number", () => {
  test.each([
    [300000, "300,000", "300.000"],
    [1234.5, "1,234.5", "1.234,5"],
    ["-1234567.891", "-1,234,567.891", "-1.234.567,891"],
    [0, "0", "0"],
  ])("write %s as %s and %s in any locale", (value, us, eu) => {
    for (const locale of ["en-US", "de-DE", "ar-EG", "en-IN"]) {
      expect(formatPattern(value, "US-Number", inLocale(locale))).toEqual({ text: us });
      expect(formatPattern(value, "EU-Number", inLocale(locale))).toEqual({ text: eu });
      expect(formatPattern(value, "eu-number", inLocale(locale))).toEqual({ text: eu });
    }
  });
});

describe("currency()", () => {
  test.each([
    [1234.565, "EUR", "en-US", "€1,234.57"],
    [-1234.5, "EUR", "de-DE", "-1.234,50⍽€"],
    [1234.5, "JPY", "en-US", "¥1,235"],
    [1234.5, "JPY", "ja", "￥1,235"],
    [1.2345, "KWD", "en-US", "KWD⍽1.235"],
    [-0.004, "USD", "en-US", "$0.00"],
    [-5, "USD", "en-US", "-$5.00"],
    [5, "usd", "en-US", "$5.00"],
    [THIRTY, "EUR", "en-US", "€123,456,789,012,345,678,901,234,567,890.12"],
    ["0.615", "EUR", "en-US", "€0.62"],
    [1.5, "DEM", "de-DE", "1,50⍽DM"],
  ])("writes %s in %s in %s as %s", (value, code, locale, text) => {
    expect(visible(formatCurrency(value, code, null, inLocale(locale)).text)).toBe(text);
  });

  test.each([
    ["COP", "es-CO", "$⍽1.234,56"],
    ["HUF", "hu-HU", "1234,56⍽Ft"],
    ["IDR", "id-ID", "Rp⍽1.234,56"],
    ["PKR", "en-PK", "Rs⍽1,234.56"],
    ["LAK", "en-US", "LAK⍽1,234.56"],
    ["ALL", "en-US", "ALL⍽1,234.56"],
    ["IQD", "en-US", "IQD⍽1,234.560"],
    ["CLF", "en-US", "CLF⍽1,234.5600"],
    ["KRW", "en-US", "₩1,235"],
    ["CLP", "es-CL", "$1.235"],
    ["ITL", "en-US", "ITL⍽1,235"],
    ["cop", "en-US", "COP⍽1,234.56"],
  ])("uses the decimals of ISO 4217, not of Intl: %s", (code, locale, text) => {
    expect(visible(formatCurrency(1234.56, code, null, inLocale(locale)).text)).toBe(text);
  });

  test.each([
    [0.0042, "EUR", 4, "€0.0042"],
    [1234.5, "EUR", 0, "€1,235"],
    [1.005, "JPY", 2, "¥1.01"],
    [-0.00004, "EUR", 4, "€0.0000"],
  ])("writes %s in %s with %i decimals as %s", (value, code, decimals, text) => {
    expect(formatCurrency(value, code, decimals, US)).toEqual({ text });
    expect(formatCurrency(value, code, 101, US).problem).toContain("from 0 to 100");
  });

  test("rejects other codes", () => {
    for (const code of ["", "ERU", "EURO", "€", "E", "EU R", "__proto__"]) {
      expect(checkPattern("currency", code)).toContain("is not an ISO 4217 currency code");
      expect(formatCurrency(1, code, null, US).problem).toContain("currency code");
    }
    expect(checkPattern("currency", "EUR")).toBeNull();
  });
});

describe("percent()", () => {
  test.each([
    [0.125, null, "en-US", "12.5%"],
    [0.125, 1, "en-US", "12.5%"],
    [0.125, 0, "en-US", "13%"],
    [-0.001, 0, "en-US", "0%"],
    [12.5, 2, "de-DE", "1.250,00⍽%"],
    [0.5, 0, "tr", "%50"],
    [0.5, 0, "ar-EG", "٥٠٪\u061c"],
    ["0.00000000000000000000000000012345", null, "en-US", "0.000000000000000000000000012345%"],
  ])("writes %s with %s decimals in %s as %s", (value, digits, locale, text) => {
    expect(visible(formatPercent(value, digits, inLocale(locale)).text)).toBe(text);
  });

  test("accepts up to 100 decimals", () => {
    for (const digits of ["0", "1", "100"]) expect(checkPattern("percent", digits)).toBeNull();
    for (const digits of ["", "-1", "101", "1.5", "0%", "abc", "1e1"]) {
      expect(checkPattern("percent", digits)).toContain("is not a number of decimals");
    }
    expect(formatPercent(1, -1, US).problem).toContain("is not a number of decimals");
  });
});
