import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn, printed } from "../support/language.ts";

const shift = (start: string, end: string) => ({ date: "2026-11-30", start, end });
const hours = '$concat(date, "T", start).hoursUntil($concat(date, "T", end))';
const minutes = '$concat(date, "T", start).minutesUntil($concat(date, "T", end))';

describe("a sum of hours", () => {
  test("is reported if the times have minutes", async () => {
    const shifts = [shift("08:00", "12:30"), shift("13:00", "17:00")];
    expect(await hintsIn(p(`{{shifts.sum(${hours})}}`), { shifts })).toEqual([
      `doubtful_computation: 'hoursUntil' gives whole hours. For parts of hours write shifts.sum(date.concat("T", start).minutesUntil(date.concat("T", end))) / 60.`,
    ]);
    expect(await printed(`{{shifts.sum(${minutes}) / 60}}`, { shifts })).toBe("8.5");
  });

  test("is reported if one of several ends is before its start", async () => {
    const shifts = [shift("22:00", "06:00"), shift("13:00", "17:00")];
    const nextDay = hours.replace(
      'date, "T", end',
      'date.addDays($if(end < start, 1, 0)), "T", end',
    );
    expect(await hintsIn(p(`{{shifts.average(${hours})}}`), { shifts })).toEqual([
      expect.stringContaining("add a day to its date: date.addDays($if(end < start, 1, 0))"),
    ]);
    expect(await printed(`{{shifts.sum(${nextDay})}}`, { shifts })).toBe("12");
  });

  test("of whole hours is not reported", async () => {
    const shifts = [shift("08:00", "12:00"), shift("13:00", "17:00")];
    expect(await hintsIn(p(`{{shifts.sum(${hours})}}`), { shifts })).toEqual([]);
  });
});
