import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toDecimal } from "../../src/format/decimal.ts";
import { formatDate, isDatePattern } from "../../src/format/format-date.ts";
import { formatCurrency, formatNumber, formatPercent } from "../../src/format/format-number.ts";
import {
  checkLocale,
  checkPattern,
  checkTimeZone,
  formatPattern,
} from "../../src/format/format-pattern.ts";

import { inLocale, inZone, numbers, US } from "../support/formats.ts";

const DATE = "2026-03-05";
const TIME = "2026-03-05T14:07:02.0451";

describe("format() of a date", () => {
  test.each([
    ["dd-mm-yyyy", DATE, "05-03-2026"],
    ["mm-dd-yyyy", DATE, "03-05-2026"],
    ["dd-mmm-yy", DATE, "05-Mar-26"],
    ["DD/MM/YYYY", DATE, "05/03/2026"],
    ["yyyymmdd", DATE, "20260305"],
    ["d.m.yy", DATE, "5.3.26"],
    ["d. M. yyyy", DATE, "5. 3. 2026"],
    ["MMMM d, yyyy", DATE, "March 5, 2026"],
    ["EEEE, d MMMM yyyy", DATE, "Thursday, 5 March 2026"],
    ["dddd, d mmmm yyyy", DATE, "Thursday, 5 March 2026"],
    ["E EE EEE ddd", DATE, "Thu Thu Thu Thu"],
    ["mmmm", DATE, "March"],
    ["d 'of' MMMM", DATE, "5 of March"],
    ["d 'o''f' MMMM ''yy", DATE, "5 o'f March '26"],
    ['"day" d', DATE, "day 5"],
    ["yyyy年M月d日", DATE, "2026年3月5日"],
    ["yyyy-MM-01", DATE, "2026-03-01"],
    ["yyyy", "0987-01-01", "0987"],
    ["yy", "2005-01-01", "05"],
    ["EEEE", "0001-01-01", "Monday"],
    ["EEEE", "9999-12-31", "Friday"],
    ["dd-mm-yyyy HH:mm", TIME, "05-03-2026 14:07"],
    ["HH:mm:ss", TIME, "14:07:02"],
    ["mm:ss", TIME, "07:02"],
    ["H:m:s.S/SS/SSS", TIME, null],
    ["H:m:s.SSS", TIME, "14:7:2.045"],
    ["ss.S", TIME, "02.0"],
    ["yyyyMMddHHmmssSSS", TIME, "20260305140702045"],
    ["HH:mm mm/dd", TIME, "14:07 03/05"],
    ["HH 'h' mm", TIME, "14 h 07"],
    ["hh:mm a", TIME, "02:07 PM"],
    ["h:mm a", "2026-03-05T00:30", "12:30 AM"],
    ["h a", "2026-03-05T12:00", "12 PM"],
    ["dd.mm.yyyy", TIME, "05.03.2026"],
    ["yyyy-MM-dd'T'HH:mm:ss.SSS", TIME, "2026-03-05T14:07:02.045"],
  ])("%s of %s is %s", (pattern, value, text) => {
    expect(isDatePattern(pattern)).toBe(text !== null);
    if (text !== null) expect(formatDate(value, pattern, US)).toEqual({ text });
  });

  test.each([
    ["en-US", "Thu 5 Mar / Thursday 5 March / March / PM"],
    ["de-DE", "Do 5 März / Donnerstag 5 März / März / PM"],
    ["cs", "čt 5 bře / čtvrtek 5 března / březen / odp."],
    ["pl", "czw. 5 mar / czwartek 5 marca / marzec / PM"],
    ["ru", "чт 5 мар. / четверг 5 марта / март / PM"],
    ["el-GR", "Πέμ 5 Μαρ / Πέμπτη 5 Μαρτίου / Μάρτιος / μ.μ."],
    ["ja", "木 5 3月 / 木曜日 5 3月 / 3月 / 午後"],
    ["ar-EG", "الخميس ٥ مارس / الخميس ٥ مارس / مارس / م"],
  ])("uses the names and digits of %s, and the form of the month next to a day", (locale, text) => {
    const shown = ["EEE d MMM", "EEEE d MMMM", "MMMM"].map(
      (pattern) => formatDate(DATE, pattern, inLocale(locale)).text,
    );
    const period = formatDate(TIME, "h a", inLocale(locale)).text?.split(" ")[1];
    expect([...shown, period].join(" / ")).toBe(text);
  });

  test.each([
    ["el-GR", "Φεβρουάριος 2026 3 Φεβρουαρίου"],
    ["el", "Φεβρουάριος 2026 3 Φεβρουαρίου"],
    ["ru-RU", "февраль 2026 3 февраля"],
    ["pl-PL", "luty 2026 3 lutego"],
    ["cs-CZ", "únor 2026 3 února"],
    ["fi-FI", "helmikuu 2026 3 helmikuuta"],
    ["uk-UA", "лютий 2026 3 лютого"],
    ["hr-HR", "veljača 2026 3 veljače"],
    ["lt-LT", "vasaris 2026 3 vasario"],
    ["ca-ES", "febrer 2026 3 de febrer"],
  ])("uses the standalone name of a month without a day in %s", (locale, text) => {
    const shown = ["MMMM yyyy", "d MMMM"].map(
      (pattern) => formatDate("2026-02-03", pattern, inLocale(locale)).text,
    );
    expect(shown.join(" ")).toBe(text);
  });

  test("uses the Gregorian calendar in every locale", () => {
    for (const locale of ["th-TH", "fa-IR", "ar-SA", "ja-JP-u-ca-japanese", "en-u-ca-buddhist"]) {
      const { text } = formatDate(
        DATE,
        "yyyy",
        inLocale(`${locale}${locale.includes("-u-") ? "" : "-u"}-nu-latn`),
      );
      expect(text).toBe("2026");
    }
  });

  test.each([
    ["", "has no part of a date"],
    ["--", "has no part of a date"],
    ["'dd'", "has no part of a date"],
    ["yyyy-MM-ddTHH:mm", "has 'T'"],
    ["d of MMMM", "has 'o'"],
    ["yyy", "has 'yyy'"],
    ["MMMMM", "has 'MMMMM'"],
    ["DDD", "has 'DDD'"],
    ["dd-mm-jjjj", "has 'jjjj'"],
    ["Mmm d", "mixes uppercase and lowercase letters"],
    ["Dd", "mixes uppercase and lowercase letters"],
    ["HH:MM", "has the month (MM) where the minutes"],
    ["dd.mm.yyyy HH.MM", "has the month (MM) where the minutes"],
    ["MM:ss", "has the month (MM) where the minutes"],
    ["hh:mm", "without 'a'"],
    ["HH:mm a", "without hh"],
    ["SSS", "does not follow the seconds"],
    ["HH:mm:ss SS S", "does not follow the seconds"],
    ["dd 'x", "a quote that is not closed"],
    ["d".repeat(201), "is longer than"],
  ])("rejects the pattern %s", (pattern, why) => {
    expect(isDatePattern(pattern)).toBe(false);
    expect(checkPattern("format", pattern)).toContain(why);
    expect(formatDate(DATE, pattern, US).problem).toContain(why);
  });
});

describe("formatDate", () => {
  const pattern = "yyyy-MM-dd HH:mm:ss.SSS";

  test.each([
    ["2026-03-05T14:07", "2026-03-05 14:07:00.000"],
    ["2026-03-05 14:07", "2026-03-05 14:07:00.000"],
    [" 2026-03-05t14:07:02,5 ", "2026-03-05 14:07:02.500"],
    ["2026-03-05T14:07:02.123456789", "2026-03-05 14:07:02.123"],
    ["05.03.2026 14:07", "2026-03-05 14:07:00.000"],
    ["05/03/2026 14:07", null],
    ["2026-03-05T14:07Z", "2026-03-05 09:07:00.000"],
    ["2026-03-05T14:07:02.987654z", "2026-03-05 09:07:02.987"],
    ["2026-03-05T14:07:02+01:00", "2026-03-05 08:07:02.000"],
    ["2026-03-05 14:07:02 +0100", "2026-03-05 08:07:02.000"],
    ["2026-03-05T00:07:02+14", "2026-03-04 05:07:02.000"],
    ["2026-03-05T23:30:00-05:30", "2026-03-06 00:00:00.000"],
    ["2026-03-05T00:00:00-00:00", "2026-03-04 19:00:00.000"],
    [new Date(Date.UTC(2026, 6, 1, 3, 0, 0, 7)), "2026-06-30 23:00:00.007"],
    [new Date(-1), "1969-12-31 18:59:59.999"],
    ["1800-01-01T12:00:00Z", "1800-01-01 07:03:58.000"],
    ["0001-01-01T00:00:00", "0001-01-01 00:00:00.000"],
  ])("reads %s as %s in New York: only instants are converted to the zone", (value, text) => {
    const shown = formatDate(value, pattern, inZone("America/New_York"));
    if (text === null) expect(shown.problem).toContain("does not show which part is the day");
    else expect(shown).toEqual({ text });
  });

  test("does not shift dates without a zone in any time zone", () => {
    for (const zone of [
      "UTC",
      "Pacific/Kiritimati",
      "Pacific/Niue",
      "+14:00",
      "America/Sao_Paulo",
    ]) {
      expect(formatDate("2026-10-18", "dd-mm-yyyy", inZone(zone)).text).toBe("18-10-2026");
      expect(formatDate("2026-10-18T00:30", "dd.mm. HH:mm", inZone(zone)).text).toBe(
        "18.10. 00:30",
      );
    }
  });

  test("handles the change to summer time", () => {
    const berlin = inZone("Europe/Berlin");
    expect(formatDate("2026-03-29T00:59:59Z", "dd HH:mm:ss", berlin).text).toBe("29 01:59:59");
    expect(formatDate("2026-03-29T01:00:00Z", "dd HH:mm:ss", berlin).text).toBe("29 03:00:00");
    expect(formatDate("2026-12-31T23:00:00Z", "yyyy", berlin).text).toBe("2027");
  });

  test.each([
    ["05-03-2026", "dd-mm-yyyy", "05-03-2026"],
    ["05/03/2026", "dd-mm-yyyy", "05-03-2026"],
    ["5.3.2026", "dd-mm-yy", "05-03-26"],
    ["05-03-2026", "mm-dd-yyyy", "05-03-2026"],
    ["12-31-2026", "mm/dd/yyyy", "12/31/2026"],
    ["05-03-2026", "EEEE, dd/MM/yyyy", "Thursday, 05/03/2026"],
    ["05-03-2026", "dd.mm.", "05.03."],
    ["05.03.2026 14:07", "dd.mm.yyyy HH:mm", "05.03.2026 14:07"],
    ["05-03-2026", "dd-mmm-yy", "does not show which part is the day"],
    ["25-03-2026", "dd-mmm-yy", "does not show which part is the day"],
    ["05-03-2026", "MMMM d, yyyy", "does not show which part is the day"],
    ["05-03-2026", "yyyy-mm-dd", "does not show which part is the day"],
    ["05.03.2026", "d MMMM yyyy", "5 March 2026"],
    ["05-03-2026", "mmmm yyyy", "does not show which part is the day"],
    ["31-12-2026", "mm-dd-yyyy", "does not exist"],
    ["05.03.2026", "mm/dd/yyyy", "is a date with dots, which starts with the day"],
    ["12-31-2026", "dd-mm-yyyy", "does not exist"],
    ["05-03/2026", "dd-mm-yyyy", "cannot be read as a date"],
    ["05-03-26", "dd-mm-yyyy", "cannot be read as a date"],
  ])("reads %s in the order of %s: %s", (value, format, shown) => {
    const { text, problem } = formatDate(value, format, US);
    expect(text ?? problem).toContain(shown);
  });

  test.each([
    [["", "  "], "is empty text, not a date"],
    [
      [
        "abc",
        "2026",
        "2026-11",
        "20261120",
        "20 Nov 2026",
        "Nov 20, 2026",
        "2026-1-5",
        "2026/11/20",
      ],
      "cannot be read as a date",
    ],
    [
      [
        "2026-11-20T",
        "2026-11-20T10",
        "2026-11-20T10:15:",
        "2026-11-20T10:15:00 CET",
        "2026-11-20Z",
      ],
      "cannot be read as a date",
    ],
    [
      [
        "+2026-11-20",
        "-2026-11-20",
        "12026-11-20",
        "2026-11-200",
        "10:15",
        "2026-11-20T10:15:00.0123456789",
      ],
      "cannot be read as a date",
    ],
    [
      [null, undefined, true, [], ["2026-11-20"], {}, "2026-11-20".repeat(1000)],
      "cannot be read as a date",
    ],
    [
      ["2026-02-30", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-01-00"],
      "does not exist",
    ],
    [
      ["0000-01-01", "2026-01-01T24:00", "2026-01-01T10:60", "2026-01-01T10:00:60"],
      "does not exist",
    ],
    [["2026-01-01T10:00+24:00", "2026-01-01T10:00+01:60"], "does not exist"],
    [
      [20261120, 1795132800000, 0, -1, 46346, 10n, Number.NaN],
      "is a number, which could mean any date",
    ],
    [[new Date(Number.NaN)], "is an invalid date"],
    [["0001-01-01T00:00+01:00", new Date(-1e14), new Date(8.64e15)], "outside the years 1 to 9999"],
  ])("rejects invalid dates: case %#", (values, why) => {
    for (const value of values) expect(formatDate(value, "dd-mm-yyyy", US).problem).toContain(why);
  });

  test("rejects dates outside the years 1 to 9999, also after conversion to a time zone", () => {
    const values = ["0001-01-01T00:00Z", "9999-12-31T23:59Z"];
    for (const [index, zone] of ["America/New_York", "Asia/Tokyo"].entries()) {
      expect(formatDate(values[index], "yyyy", inZone(zone)).problem).toContain(
        "outside the years",
      );
      expect(formatDate(values[1 - index], "yyyy", inZone(zone)).text).toMatch(/^(?:0001|9999)$/);
    }
  });

  test("rejects a pattern with a time for a date without a time", () => {
    expect(formatDate(DATE, "dd-mm-yyyy HH:mm", US).problem).toContain("without the time");
  });

  test("round-trips all dates and times", () => {
    const times = fc.date({
      min: new Date("0001-01-02T00:00:00Z"),
      max: new Date("9999-12-30T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(times, fc.constantFrom("UTC", "Etc/UTC", "+00:00"), (time, zone) => {
        const iso = "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'";
        expect(formatDate(time, iso, inZone(zone)).text).toBe(time.toISOString());
        expect(formatDate(time.toISOString(), iso, inZone(zone)).text).toBe(time.toISOString());
        const plain = time.toISOString().slice(0, 10);
        expect(formatDate(plain, "yyyy-MM-dd", inZone("Asia/Tokyo")).text).toBe(plain);
        const day = formatDate(plain, "d/M/yyyy", US).text;
        expect(formatDate(day, "dd.MM.yyyy", US).text).toBe(plain.split("-").reverse().join("."));
        const ahead = formatDate(time, "yyyy-MM-dd'T'HH:mm:ss.SSS'+05:45'", inZone("+05:45")).text;
        expect(formatDate(ahead, iso, inZone(zone)).text).toBe(time.toISOString());
      }),
    );
  });

  test("accepts exactly the days of the calendar", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.nat({ max: 13 }),
        fc.nat({ max: 32 }),
        (year, month, day) => {
          const pad = (number: number, length: number) => String(number).padStart(length, "0");
          const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
          const last = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
          const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
          const shown = formatDate(text, "yyyy-MM-dd", US);
          expect(shown.text).toBe(day >= 1 && day <= last ? text : undefined);
        },
      ),
    );
  });
});

describe("format() of a mask", () => {
  test.each([
    ["xxx-xxxx", 5551234, "555-1234"],
    ["xxx-xxxx", "5551234", "555-1234"],
    ["xxx-xxxx", "555-1234", "555-1234"],
    ["(XXX) XXX-XXXX", "0305551234", "(030) 555-1234"],
    ["+49 xxx xxxxxx", "151123456", "+49 151 123456"],
    ["#xxxx", "0012", "#0012"],
    ["xx.xx", "äß日😀", "äß.日😀"],
    ["'Tax-ID' xx/xx", "1234", "Tax-ID 12/34"],
    ["x", 0, "0"],
    ["xxx xxx", 123456n, "123 456"],
    ["xxxx xx", toDecimal("123456"), "1234 56"],
    ["x'x'x", "ab", "axb"],
  ])("%s over %s is %s", (pattern, value, text) => {
    expect(checkPattern("format", pattern)).toBeNull();
    expect(formatPattern(value, pattern, US)).toEqual({ text });
  });

  test.each([
    ["555123", "has fewer characters than the mask of its tag takes (7)"],
    ["", "has fewer"],
    ["55512345", "has more characters"],
    ["555 1234", "has more characters"],
    ["555-12345", "has more characters"],
    [555123, "has fewer"],
    [-555123, "neither text nor a whole number"],
    [555.123, "neither text nor a whole number"],
    [true, "neither text nor a whole number"],
    [["5551234"], "neither text nor a whole number"],
    [{}, "neither text nor a whole number"],
    [new Date(0), "neither text nor a whole number"],
    ["5".repeat(50_000_000), "has more characters"],
    [Number.NaN, "neither text nor a whole number"],
  ])("does not cut or pad: case %#", (value, why) => {
    expect(formatPattern(value, "xxx-xxxx", US).problem).toContain(why);
  });

  test("keeps every character, and keeps values that already have the mask", () => {
    const masks = fc.array(fc.constantFrom("x", "X", "-", " ", "(", "4"), { minLength: 1 });
    fc.assert(
      fc.property(masks, fc.string({ unit: "grapheme" }), (mask, text) => {
        const places = mask.filter((char) => char.toLowerCase() === "x").length;
        fc.pre(places > 0);
        const value = [...text.padEnd(places, "ü")].slice(0, places).join("");
        fc.pre([...value].length === places);
        const masked = formatPattern(value, mask.join(""), US).text ?? "";
        const kept = [...masked].filter((_, index) => mask[index]?.toLowerCase() === "x");
        expect(kept.join("")).toBe(value);
        expect(formatPattern(masked, mask.join(""), US)).toEqual({ text: masked });
      }),
    );
  });
});

describe("format()", () => {
  test.each([
    ["#,##0.00", "is the pattern of a number"],
    ["0.00", "is the pattern of a number"],
    ["###-####", "is the pattern of a number"],
    ["UK-Number", "US-Number, EU-Number and masks such as xxx-xxxx"],
    ["constructor", "masks such as"],
    ["", "masks such as"],
  ])("rejects the format %s", (pattern, why) => {
    expect(checkPattern("format", pattern)).toContain(why);
    expect(formatPattern("1", pattern, US).problem).toContain(why);
  });

  test("also formats dates", () => {
    expect(formatPattern(DATE, "dd-mmm-yy", US)).toEqual({ text: "05-Mar-26" });
    expect(formatPattern("abc", "dd-mmm-yy", US).problem).toContain("cannot be read as a date");
  });

  test("returns a text or a problem for any value and pattern", () => {
    const patterns = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(..."yMmdEHhasSxX#0,.;%'\"- ") }),
    );
    const values = fc.oneof(
      fc.anything(),
      fc.string(),
      fc.constant(DATE),
      fc.constant(TIME),
      numbers,
    );
    fc.assert(
      fc.property(patterns, values, (pattern, value) => {
        for (const kind of ["format", "number", "currency", "percent"] as const) {
          const why = checkPattern(kind, pattern);
          expect(why === null || (why.length > 0 && !why.endsWith("."))).toBe(true);
        }
        const printed = [
          formatPattern(value, pattern, US),
          formatNumber(value, pattern, US),
          formatNumber(value, null, US),
          formatDate(value, pattern, inZone("Asia/Kathmandu")),
          formatCurrency(value, "EUR", null, inLocale("hi")),
          formatPercent(value, null, inLocale("fa")),
        ];
        for (const { text, problem } of printed) {
          expect(typeof (text ?? problem)).toBe("string");
          expect(text ?? "").not.toMatch(/NaN|∞|undefined|\[object/);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("locales and time zones", () => {
  test("are accepted if known and reported if unknown", () => {
    for (const locale of ["en-US", "de", "pt-BR", "zh-Hant-TW", "ar-EG-u-nu-latn", "EN-us"]) {
      expect(checkLocale(locale)).toBeNull();
    }
    for (const locale of ["", "e", "en_US", "de_DE.UTF-8", "C", "x-private", "__proto__"]) {
      expect(checkLocale(locale)).toContain("is not a language tag");
    }
    expect(checkLocale(`en-u-${"aaa-".repeat(100)}aaa`)).toContain("is not a language tag");
    for (const locale of ["xx", "tlh", "und", "zz-ZZ"]) {
      expect(checkLocale(locale)).toContain("is not a language whose formats are known");
    }
    for (const zone of ["UTC", "Europe/Berlin", "america/new_york", "+05:30", "Etc/GMT+5"]) {
      expect(checkTimeZone(zone)).toBeNull();
    }
    for (const zone of ["", "Z", "Europe/Bonn", "+25:00", "local", "../etc", "x".repeat(1000)]) {
      expect(checkTimeZone(zone)).toContain("is not known");
    }
  });

  test("without locale data fall back to English, in any process locale", () => {
    expect(formatNumber(1234.5, null, inLocale("xx")).text).toBe("1,234.5");
    expect(formatDate(DATE, "EEEE d MMMM", inLocale("xx")).text).toBe("Thursday 5 March");
  });

  test("can be many: the cache is bounded, and evicted formats are still correct later", () => {
    for (let turn = 0; turn < 300; turn += 1) {
      const context = inLocale(`de-x-a${turn}`);
      expect(formatNumber(1234.5, 1, context).text).toBe("1.234,5");
      expect(formatDate(DATE, "MMMM", context).text).toBe("März");
    }
    expect(formatNumber(1234.5, 1, US).text).toBe("1,234.5");
  });
});

/** A program that prints values, for a process without code generation from strings and without `__proto__`. */
const PRINTING = `
  const at = (name) => import(new URL("../../dist/format/" + name, process.argv[1]).href);
  const { formatDate } = await at("format-date.js");
  const { formatPattern } = await at("format-pattern.js");
  const { formatNumber, formatCurrency, formatPercent } = await at("format-number.js");
  const lines = [];
  for (const locale of ["en-US", "de-DE", "fr", "ar-EG", "ja", "xx"]) {
    for (const timeZone of ["UTC", "Europe/Berlin", "America/St_Johns"]) {
      const context = { locale, timeZone };
      for (const value of ["2026-03-29", "2026-03-29T02:30", "2026-03-29T00:30:00Z", new Date(0)]) {
        lines.push(formatDate(value, "EEEE, d MMMM yyyy", context));
        lines.push(formatDate(value, "dd-mm-yyyy hh:mm:ss.SSS a", context));
        lines.push(formatPattern(value, "dd-mmm-yy", context));
      }
      for (const value of [1234.5, "-0.005", "12345678901234567890.123456789"]) {
        lines.push(formatNumber(value, null, context), formatNumber(value, "#,##0.00 %", context));
        lines.push(formatCurrency(value, "EUR", null, context), formatPercent(value, 1, context));
        lines.push(formatPattern(value, "EU-Number", context));
      }
    }
  }
  console.log(JSON.stringify(lines.map(({ text, problem }) => text ?? problem)));
`;

describe("the process environment", () => {
  test("does not affect the output by its time zone or language", () => {
    const print = (env: Record<string, string>) => {
      const flags = ["--disallow-code-generation-from-strings", "--disable-proto=throw"];
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [...flags, "--input-type=module", "-e", PRINTING, import.meta.url],
        { env, encoding: "utf8" },
      );
      expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
      return stdout;
    };
    const here = print({ TZ: "UTC", LANG: "C", LC_ALL: "C" });
    const there = print({
      TZ: "Pacific/Kiritimati",
      LANG: "de_DE.UTF-8",
      LC_ALL: "de_DE.UTF-8",
      LANGUAGE: "de",
    });
    expect(there).toBe(here);
    expect(JSON.parse(here)).toContain("Sonntag, 29 März 2026");
  });
});
