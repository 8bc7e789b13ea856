import fc from "fast-check";

/** A day of the calendar. The functions here count day by day, without the `Date` of JavaScript. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The data of a case: two days, and a number of units. */
export interface DateData {
  readonly from: Day;
  readonly to: Day;
  readonly n: number;
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** A day whose weekday is known: 1 January 2024 was a Monday. */
const MONDAY: Day = { year: 2024, month: 1, day: 1 };

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function lengthOf({ year, month }: Omit<Day, "day">): number {
  return month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0);
}

/** The number of days before each year. */
const BEFORE_YEAR = [0, 0];
for (let year = 1; year <= 9999; year++) {
  BEFORE_YEAR.push((BEFORE_YEAR[year] ?? 0) + (isLeap(year) ? 366 : 365));
}

/** Returns the number of a day, counted from the first one of the year 1. */
function dayNumber({ year, month, day }: Day): number {
  let days = (BEFORE_YEAR[year] ?? Number.NaN) + day;
  for (let before = 1; before < month; before++) days += lengthOf({ year, month: before });
  return days;
}

function next({ year, month, day }: Day): Day {
  if (day < lengthOf({ year, month })) return { year, month, day: day + 1 };
  return month < 12 ? { year, month: month + 1, day: 1 } : { year: year + 1, month: 1, day: 1 };
}

function previous({ year, month, day }: Day): Day {
  if (day > 1) return { year, month, day: day - 1 };
  const before = month > 1 ? { year, month: month - 1 } : { year: year - 1, month: 12 };
  return { ...before, day: lengthOf(before) };
}

function weekday(day: Day): number {
  return ((((dayNumber(day) - dayNumber(MONDAY)) % 7) + 7) % 7) + 1;
}

/** Moves day by day until enough days that count have passed. */
function step(day: Day, count: number, counts: (day: Day) => boolean = () => true): Day {
  let at = day;
  for (let left = Math.abs(count); left > 0; left -= counts(at) ? 1 : 0) {
    at = count > 0 ? next(at) : previous(at);
  }
  return at;
}

function addMonths({ year, month, day }: Day, count: number): Day {
  let at = { year, month };
  for (let left = Math.abs(count); left > 0; left--) {
    const other = count > 0 ? at.month + 1 : at.month - 1;
    if (other === 13) at = { year: at.year + 1, month: 1 };
    else if (other === 0) at = { year: at.year - 1, month: 12 };
    else at = { ...at, month: other };
  }
  return { ...at, day: Math.min(day, lengthOf(at)) };
}

/** Returns how often a step fits between two days; negative if the second is earlier. */
function fitting({ from, to }: DateData, move: (count: number) => Day): number {
  const sign = dayNumber(to) >= dayNumber(from) ? 1 : -1;
  let count = 0;
  while (sign * (dayNumber(to) - dayNumber(move(sign * (count + 1)))) >= 0) count += 1;
  return count === 0 ? 0 : sign * count;
}

function week(day: Day): number {
  const thursday = step(day, 4 - weekday(day));
  const first = { year: thursday.year, month: 1, day: 1 };
  return Math.floor((dayNumber(thursday) - dayNumber(first)) / 7) + 1;
}

export function isoText({ year, month, day }: Day): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

const years = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1990, max: 2040 }) },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 9700 }) },
);
const anyDay: fc.Arbitrary<Day> = fc
  .record({
    year: years,
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
  })
  .map((given) => ({ ...given, day: Math.min(given.day, lengthOf(given)) }));

export const dateData: fc.Arbitrary<DateData> = anyDay.chain((from) =>
  fc.record({
    from: fc.constant(from),
    // Mostly a few months apart, in both directions.
    to: fc.oneof(
      fc.integer({ min: -900, max: 900 }).map((days) => step(from, days)),
      fc.integer({ min: -30, max: 30 }).map((months) => addMonths(from, months)),
    ),
    n: fc.integer({ min: -60, max: 60 }),
  }),
);

/** A step from one day to another, as a tag writes it. */
export interface DateStep {
  readonly tag: string;
  of(day: Day, data: DateData): Day;
}

type Move = (day: Day, count: number) => Day;
const MOVES: Readonly<Record<string, Move>> = {
  addDays: (day, count) => step(day, count),
  addWeeks: (day, count) => step(day, 7 * count),
  addWorkdays: (day, count) => step(day, count, (each) => weekday(each) <= 5),
  addMonths,
  addYears: (day, count) => addMonths(day, 12 * count),
};

export const dateStep: fc.Arbitrary<DateStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...Object.entries(MOVES)),
        fc.oneof(fc.constant("n" as const), fc.integer({ min: -40, max: 40 })),
      )
      .map(
        ([[name, move], count]): DateStep => ({
          tag: `.${name}(${count})`,
          of: (day, { n }) => move(day, count === "n" ? n : count),
        }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<DateStep[]>(
      { tag: ".startOfDay()", of: (day) => day },
      { tag: ".startOfWeek()", of: (day) => step(day, 1 - weekday(day)) },
      { tag: ".startOfMonth()", of: ({ year, month }) => ({ year, month, day: 1 }) },
      { tag: ".endOfMonth()", of: (day) => ({ ...day, day: lengthOf(day) }) },
    ),
  },
);

/** The end of a tag, with its result. */
export interface DateEnd {
  readonly tag: string;
  of(day: Day, data: DateData): string;
}

const until = (name: string, count: (data: DateData) => number): DateEnd => ({
  tag: `.${name}(to)`,
  of: (from, data) => String(count({ ...data, from })),
});

export const dateEnd: fc.Arbitrary<DateEnd> = fc.constantFrom<DateEnd[]>(
  { tag: ' :: format("yyyy-MM-dd")', of: isoText },
  { tag: ".year()", of: ({ year }) => String(year) },
  { tag: ".quarter()", of: ({ month }) => String(Math.ceil(month / 3)) },
  { tag: ".month()", of: ({ month }) => String(month) },
  { tag: ".week()", of: (day) => String(week(day)) },
  { tag: ".weekYear()", of: (day) => String(step(day, 4 - weekday(day)).year) },
  { tag: ".weekday()", of: (day) => String(weekday(day)) },
  { tag: ".day()", of: ({ day }) => String(day) },
  until("daysUntil", ({ from, to }) => dayNumber(to) - dayNumber(from)),
  until("monthsUntil", (data) => fitting(data, (count) => addMonths(data.from, count))),
  until("yearsUntil", (data) => fitting(data, (count) => addMonths(data.from, 12 * count))),
);

/** The ways to compare two days. */
export const COMPARISONS: Readonly<Record<string, (a: Day, b: Day) => boolean>> = {
  "<": (a, b) => dayNumber(a) < dayNumber(b),
  "<=": (a, b) => dayNumber(a) <= dayNumber(b),
  "==": (a, b) => dayNumber(a) === dayNumber(b),
  "!=": (a, b) => dayNumber(a) !== dayNumber(b),
  ">": (a, b) => dayNumber(a) > dayNumber(b),
};

/** The order of two days. */
export function compareDays(a: Day, b: Day): number {
  return dayNumber(a) - dayNumber(b);
}
