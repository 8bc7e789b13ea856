import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { outcome, printed } from "../support/language.ts";

const DATA = {
  d: "2026-01-31",
  due: "2026-03-01",
  friday: "2026-11-27",
  t: "2026-11-28T23:30:00Z",
};
const now = "2026-11-28T23:30:00Z";

describe("a function on a date", () => {
  test.each(
    [
      ["{{d.addDays(30)}}", "2026-03-02"],
      ["{{d.addDays(-31)}}", "2025-12-31"],
      ["{{d.addWeeks(1)}}", "2026-02-07"],
      ["{{d.addMonths(1)}}", "2026-02-28"],
      ["{{d.addMonths(-11)}}", "2025-02-28"],
      ["{{d.addYears(1)}}", "2027-01-31"],
      ["{{friday.addWorkdays(1)}}", "2026-11-30"],
      ["{{friday.addWorkdays(5)}}", "2026-12-04"],
      ["{{friday.addWorkdays(-5)}}", "2026-11-20"],
      ['{{$addWorkdays("2026-11-28", 1)}}', "2026-11-30"],
      ['{{$addWorkdays("2026-11-29", -1)}}', "2026-11-27"],
      ["{{d.daysUntil(due)}}", "29"],
      ["{{due.daysUntil(d)}}", "-29"],
      ["{{d.monthsUntil(due)}}", "1"],
      ['{{$yearsUntil("2000-11-29", $today)}}', "25"],
      ['{{$yearsUntil("2000-11-28", $today)}}', "26"],
      ["{{d.year()}} {{d.month()}} {{d.day()}}", "2026 1 31"],
      ["{{d.weekday()}} {{d.week()}} {{d.quarter()}}", "6 5 1"],
      ['{{$week("2027-01-01")}} {{$week("2026-12-31")}}', "53 53"],
      ["{{due.endOfMonth()}} {{due.startOfMonth()}}", "2026-03-31 2026-03-01"],
      ['{{$weekYear("2027-01-01")}} {{$weekYear("2025-12-29")}}', "2026 2026"],
      ['{{$startOfWeek("2027-01-01")}} {{$startOfWeek("2026-12-28")}}', "2026-12-28 2026-12-28"],
      ["{{t.startOfDay()}}", "2026-11-28"],
      ["{{t.addDays(1)}}", "2026-11-29T23:30:00"],
      ["{{$today}}", "2026-11-28"],
      ['{{$now :: format("dd.MM.yyyy HH:mm")}}', "28.11.2026 23:30"],
      ['{{$today.addDays(14) :: format("long")}}', "December 12, 2026"],
      ['{{d :: addMonths(1), format("dd.mm.yyyy")}}', "28.02.2026"],
      ["{{if d.addDays(10) < due}}yes{{endif}}", "yes"],
      ["{{1764340200.fromUnix()}}", ""],
    ].slice(0, -1) as [string, string][],
  )("%s", async (text, expected) => {
    expect(await printed(text, DATA, { now })).toBe(expected);
  });

  test("reads an instant in the time zone of the batch", async () => {
    const options = { now, timeZone: "Asia/Tokyo" };
    expect(await printed("{{$today}} {{t.day()}}", DATA, options)).toBe("2026-11-29 29");
  });

  test.each([
    ['{{s.fromUnix() :: format("yyyy-MM-dd HH:mm")}}', "2026-11-28 23:30"],
    ['{{ms.fromUnix("ms") :: format("yyyy-MM-dd HH:mm")}}', "2026-11-28 23:30"],
  ])("%s", async (text, expected) => {
    expect(await printed(text, { s: 1795908600, ms: 1795908600000 })).toBe(expected);
  });

  test.each([
    ["de-DE", "long", "28. November 2026"],
    ["en-US", "full", "Saturday, November 28, 2026"],
    ["ja-JP", "long", "2026年11月28日"],
    ["fr-FR", "short", "28/11/2026"],
    ["de-DE", "medium time", "28.11.2026, 23:30"],
  ])("in %s, format(%j) is %s", async (locale, style, expected) => {
    expect(await printed(`{{t :: format("${style}")}}`, DATA, { locale })).toBe(expected);
  });

  test.each([
    ["{{$today}}", "the date of the document is not known"],
    [
      "{{x.addDays(1)}}",
      "$addDays needs a date, but got text that does not show which part is the day",
    ],
    ["{{n.addDays(1)}}", "$addDays needs a date, but got a number, which could mean any date"],
    ["{{d.addDays(1.5)}}", "$addDays needs a whole number, but got a number with decimals"],
    ["{{d.addDays(x)}}", "$addDays needs a whole number, but got text"],
    ["{{d.addYears(9999)}}", "the result of $addYears is outside the years 1 to 9999"],
    ["{{d.daysUntil(n)}}", "$daysUntil needs a date"],
  ])("%s is reported", async (text, expected) => {
    const { warnings } = await outcome(p(text), { ...DATA, x: "28/11/2026", n: 5 });
    expect(warnings.map(({ message }) => message).join()).toContain(expected);
  });
});

describe("a date of the data that does not exist", () => {
  test.each([
    ["2026-13-01", "a date that does not exist: its month is not from 1 to 12."],
    ["31.13.2026", "a date that does not exist: its month is not from 1 to 12."],
    ["2026-02-30", "a date that does not exist: its month has fewer days."],
    ["2026-01-45", "a date that does not exist: its day is not from 1 to 31."],
    ["0000-01-01", "a date that does not exist: its year is before year 1."],
    ["2026-01-01T25:00", "a time that does not exist: it is not from 00:00 to 23:59."],
    ["2026-01-01T10:00+99:00", "a time that does not exist: its offset is not from"],
    ["", "empty text, not a date: give null instead, or test it with 'if' before."],
  ])("has a message about the part that is wrong: %s", async (date, message) => {
    const { warnings } = await outcome(p('{{d :: format("dd.MM.yyyy")}}'), { d: date });
    expect(warnings[0]?.message).toContain(`is ${message}`);
  });
});

describe("times", () => {
  test.each([
    ["{{a.hoursUntil(b)}} {{a.minutesUntil(b)}}", "2026-11-20T22:50", "2026-11-21T01:05", "2 135"],
    ["{{a.minutesUntil(b)}}", "2026-11-21T01:05", "2026-11-20T22:50", "-135"],
    ["{{a.minutesUntil(b)}}", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "60"],
    ["{{a.hoursUntil(b)}}", "2026-11-20", "2026-11-21", "24"],
    ["{{a.hour()}}:{{a.minute()}} {{b.hour()}}", "2026-11-20T07:05", "2026-11-20T23:30Z", "7:5 0"],
  ])("%s from %s to %s is %s", async (text, a, b, expected) => {
    expect(await printed(text, { a, b }, { timeZone: "Europe/Vienna" })).toBe(expected);
  });

  test("a date without a time has no hour", async () => {
    const { warnings } = await outcome(p("{{a.hour()}}"), { a: "2026-11-20" });
    expect(warnings[0]?.message).toContain("$hour needs a date with a time");
  });
});
