import { type Correction, rewrite, START } from "../rewrites.ts";
import { NAME, TEXT, VALUE, type Written } from "../written.ts";

/** A value, or the result of a function of one. */
const DATE = String.raw`\$?${VALUE}(?:\.${NAME}\([^()]*\))*`;
const UNIT = "(day|week|month|year)";

/** Functions of other languages that ask for the order or the place of a date, where this language compares. */
export const DATE_QUESTIONS: readonly Correction[] = [
  rewrite(
    String.raw`(${DATE})\.(?:is_?)?same_?${UNIT}\(\s*(${DATE})\s*\)`,
    ([, one, unit, other]) => inOne(unit, one, other),
    "i",
  ),
  rewrite(
    String.raw`${START}\$?(?:is_?)?same_?${UNIT}\(\s*(${DATE})\s*,\s*(${DATE})\s*\)`,
    ([, unit, one, other]) => inOne(unit, one, other),
    "i",
  ),
  rewrite(
    String.raw`(${DATE})\.isSame\(\s*(${DATE})\s*(?:,\s*(${TEXT})\s*)?\)`,
    ([, one, other, text = ""]) => {
      const unit = /^.(day|week|month|year)s?.$/.exec(text)?.[1];
      return text !== "" && unit === undefined ? null : inOne(unit, one, other);
    },
  ),
  rewrite(
    String.raw`(${DATE})\.is(?:Same|On)Or(Before|After)\(\s*(${DATE})\s*\)`,
    ([, one, order, other]) => `${one} ${order === "Before" ? "<=" : ">="} ${other}`,
  ),
  rewrite(
    String.raw`${START}\$?is(Before|After)\(\s*(${DATE})\s*,\s*(${DATE})\s*\)`,
    ([, order, one, other]) => `${one} ${order === "Before" ? "<" : ">"} ${other}`,
  ),
  betweenMeant,
  rewrite(String.raw`(${DATE})\.isToday\(\s*\)`, ([, date]) => `${date}.startOfDay() == $today`),
  rewrite(
    String.raw`(${DATE})\.is(Weekend|Weekday|Workday|WorkingDay)\(\s*\)`,
    ([, date, days]) => `${date}.weekday() ${days === "Weekend" ? ">" : "<="} 5`,
  ),
];

/** Returns the comparison of two dates that are in the same day, week, month or year; without a unit, of their times. */
function inOne(unit = "", one = "", other = ""): string {
  if (unit === "") return `${one} == ${other}`;
  const name = unit.toLowerCase();
  if (name === "year") return `${one}.year() == ${other}.year()`;
  const start = `startOf${name.charAt(0).toUpperCase()}${name.slice(1)}()`;
  return `${one}.${start} == ${other}.${start}`;
}

/** `d.isBetween(start, end)`: both ends belong to it. */
function betweenMeant(tag: Written): string | null {
  const pattern = String.raw`(${DATE})\.(?:isBetween|between)\(\s*(${DATE})\s*,\s*(${DATE})\s*\)`;
  const [, before] = tag.match(String.raw`^((?:else)?if\s+)${pattern}$`) ?? [];
  return tag.replace(pattern, ([, value, from, to]) => {
    const both = `${value} >= ${from} and ${value} <= ${to}`;
    return before === undefined ? `(${both})` : both;
  });
}
