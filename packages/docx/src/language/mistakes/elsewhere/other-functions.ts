import { type Correction, rewrite, START } from "../rewrites.ts";
import { NAME, PATH, TEXT, VALUE, Written } from "../written.ts";

const POSITION = "(?:find|search|instr|index_?of|charindex|position|strpos)";
/** A date: a value of the data, or today. */
const DATE = String.raw`\$?${PATH}(?:\(\))?`;
/** The fields of patterns for parts of dates. */
const FIELDS: Readonly<Record<string, string>> = {
  ...{ hour: "H", day: "d", month: "M", year: "yyyy" },
};
const COUNT = String.raw`\d+|${PATH}`;

/** `tags.split(;)`: signs are text. */
export const signMeant: Correction = rewrite(
  String.raw`(?<=\.(?:split|join|toNumber)\(\s*)([-,;|/.]+)(?=\s*\))`,
  ([, sign]) => `"${sign}"`,
);

/** Functions of other languages that this language writes with other functions or operators. */
export const OTHER_FUNCTIONS: readonly Correction[] = [
  // The part of a text before a sign.
  rewrite(
    String.raw`(${PATH})\.(?:substring|substr|slice|left)\(\s*0\s*,\s*\1\.indexOf\(\s*(${TEXT})\s*\)\s*\)`,
    ([, value, sign]) => `${value}.split(${sign})[0]`,
  ),
  rewrite(
    String.raw`(${PATH})\.(?:substring|substr|slice|left)\(\s*0\s*,\s*${POSITION}\(\s*(?:(${TEXT})\s*,\s*\1|\1\s*,\s*(${TEXT}))\s*\)(?:\s*-\s*1)?\s*\)`,
    ([, value, first, second]) => `${value}.split(${first || second})[0]`,
    "i",
  ),
  rewrite(
    String.raw`${START}left\(\s*(${PATH})\s*,\s*${POSITION}\(\s*(?:(${TEXT})\s*,\s*\1|\1\s*,\s*(${TEXT}))\s*\)\s*-\s*1\s*\)`,
    ([, value, first, second]) => `${value}.split(${first || second})[0]`,
    "i",
  ),
  rewrite(String.raw`\.charAt\(\s*(\d+)\s*\)`, ([, at]) => `.substring(${at}, 1)`),
  rewrite(
    String.raw`\.to(Upper|Lower)(?:Case)?\(\s*\)`,
    ([, letters = ""]) => `.${letters.toLowerCase()}case()`,
  ),
  rewrite(String.raw`\.substr\(`, () => ".substring("),
  rewrite(String.raw`\.left\(\s*(\d+)\s*\)`, ([, count]) => `.substring(0, ${count})`),
  rewrite(String.raw`\.right\(\s*(\d+)\s*\)`, ([, count]) => `.substring(-${count})`),
  rewrite(String.raw`\.(upper|lower)\(\s*\)`, ([, letters]) => `.${letters}case()`),
  // Without another text.
  rewrite(
    String.raw`\.(?:replace(?:All)?|remove(?:All)?)\(\s*(${TEXT})\s*\)`,
    ([, text]) => `.replace(${text}, "")`,
  ),
  rewrite(
    String.raw`${START}\$?(?:replace(?:All)?|remove(?:All)?)\(\s*(${PATH})\s*,\s*(${TEXT})\s*\)`,
    ([, value, text]) => `${value}.replace(${text}, "")`,
  ),
  // Without parentheses, and with a number of parts.
  rewrite(
    String.raw`(${PATH})\.(startsWith|endsWith)\s+(${TEXT})`,
    ([, value, name, text]) => `${value}.${name}(${text})`,
  ),
  rewrite(String.raw`\.split\(\s*(${TEXT})\s*,\s*1\s*\)`, ([, sign]) => `.split(${sign})[0]`),
  // The mode of `round`.
  rewrite(
    String.raw`(?<=[\p{L}\p{N}_\])])\.(?:round_?(up|down)|(ceil(?:ing)?|floor))\(\s*(\d*)\s*\)`,
    ([, side = "", whole = "", places]) => {
      const mode = whole === "" ? side.toLowerCase() : /^c/i.test(whole) ? "ceiling" : "floor";
      return `.round(${places || 0}, "${mode}")`;
    },
    "i",
  ),
  // A value that needs no conversion.
  rewrite(
    String.raw`${START}(?:Number|String|parseFloat|str|float|moment|dayjs|new\s+Date)\(\s*(${PATH})\s*\)`,
    ([, value]) => value ?? null,
  ),
  rewrite(
    String.raw`${START}(?:parseInt|toInt)\(\s*(${PATH})\s*\)`,
    ([, value]) => `${value}.round(0, "down")`,
  ),
  // An element of a list.
  rewrite(String.raw`\.(?:at|get|nth)\(\s*(\d+)\s*\)`, ([, index]) => `[${index}]`),
  rewrite(String.raw`\.at\(\s*-1\s*\)`, () => ".last()"),
  // Numbers.
  rewrite(
    String.raw`^(?:number_?format\(\s*(${PATH})\s*,|(${PATH})\s*\|\s*number_?format\()\s*(\d+)\s*,\s*(${TEXT})\s*,\s*(${TEXT})\s*\)$`,
    ([, given, piped, decimals, point = "", thousands = ""]) => {
      const signs = `${point.slice(1, -1)} ${thousands.slice(1, -1)}`;
      const language = signs === ", ." ? ', locale("de-DE")' : signs === ". ," ? "" : null;
      return language === null ? null : `${given || piped} :: number(${decimals})${language}`;
    },
    "i",
  ),
  rewrite(
    String.raw`${START}cast\(\s*(${PATH})\s+as\s+(${NAME})\s*\)`,
    ([, value, type = ""]) => {
      if (/^(?:big|small)?int(?:eger)?$|^(?:un)?signed$/i.test(type))
        return `${value}.round(0, "down")`;
      return /^(?:n?varchar|char|text|string)$/i.test(type) ? `${value}` : null;
    },
    "i",
  ),
  rewrite(
    String.raw`${START}(?:Math\.)?(?:(MAX|GREATEST)|MIN|LEAST)\(\s*(${VALUE}(?:\s*,\s*${VALUE})+)\s*\)`,
    ([, greatest, values]) => `[${values}].${greatest === "" ? "min" : "max"}()`,
  ),
  rewrite(
    String.raw`${START}Math\.(?:(max)|min)\(\s*(${VALUE}(?:\s*,\s*${VALUE})+)\s*\)`,
    ([, greatest, values]) => `[${values}].${greatest === "" ? "min" : "max"}()`,
  ),
  rewrite(String.raw`${START}Math\.(?=\p{Ll}+\()`, () => ""),
  // A value in place of a missing one.
  ...[`^(?:=\\s*)?`, START].map((start) =>
    rewrite(
      String.raw`${start}\$?(?:isnull|ifnull|nvl|coalesce|ifna|iferror|default)\(\s*(${VALUE}(?:\s*,\s*${VALUE})+)\s*\)${start === START ? "" : String.raw`(?=\s*(?:::|$))`}`,
      ([, values = ""]) => {
        const chain = new Written(values).split(",").join(" ?? ");
        return start === START ? `(${chain})` : chain;
      },
      "i",
    ),
  ),
  // The keys and values of the data, or of the item.
  rewrite(String.raw`${START}\$?entries\(\s*\)`, () => "this.entries()"),
  // Dates.
  rewrite(
    String.raw`(${PATH}(?:\(\))?)\.(start|end)Of(Year|Quarter|Week)\(\s*\)`,
    ([, date, end, unit]) => borderOf(date, end, unit),
  ),
  rewrite(
    String.raw`${START}\$?(start|end)Of(Year|Quarter|Week)\(\s*(${PATH})\s*\)`,
    ([, end, unit, date]) => borderOf(date, end, unit),
  ),
  rewrite(
    String.raw`^(\$?${PATH}(?:\(\))?)\s*([+-])\s*(\d+)\s*(day|week|month|year)s?(?=\s*(?:::|$))`,
    ([, date, sign, count, unit = ""]) =>
      added(date, unitOf(unit), `${sign === "-" ? "-" : ""}${count}`),
  ),
  rewrite(
    String.raw`\.(?:subtract|sub|minus)(Days|Weeks|Months|Years)\(\s*(${COUNT})\s*\)`,
    ([, unit, count]) => `.add${unit}(-${count})`,
  ),
  rewrite(String.raw`\.(?:add|plus)(Day|Week|Month|Year)s?\(`, ([all, unit]) =>
    all === `.add${unit}s(` ? null : `.add${unit}s(`,
  ),
  rewrite(
    String.raw`^(${PATH})\.toLocaleDateString\(\s*(?:(${TEXT})\s*)?\)$`,
    ([, value, language]) =>
      `${value} :: format("short")${language === "" ? "" : `, locale(${language})`}`,
  ),
  rewrite(String.raw`\.add(?:Business|Working|Work|Week)Days\(`, () => ".addWorkdays("),
  rewrite(
    String.raw`\.(?:add|plus)\(\s*(-?(?:${COUNT}))\s*,\s*(${TEXT})\s*\)`,
    ([, count, text = ""]) => added("", unitOf(text), count),
  ),
  rewrite(
    String.raw`\.(?:subtract|minus)\(\s*(${COUNT})\s*,\s*(${TEXT})\s*\)`,
    ([, count, text = ""]) => added("", unitOf(text), `-${count}`),
  ),
  rewrite(
    String.raw`${START}dateadd\(\s*(${TEXT}|${NAME})\s*,\s*(-?(?:${COUNT}))\s*,\s*(${VALUE})\s*\)`,
    ([, text = "", count, date]) => added(date, unitOf(text), count),
    "i",
  ),
  rewrite(
    String.raw`\.(?:(day|month|year|hour|minute)s(?:Between|Diff|To)|diffIn(Day|Month|Year|Hour|Minute)s|diff(Day|Month|Year|Hour|Minute)s)\(`,
    ([, ...units]) => `.${units.join("").toLowerCase()}sUntil(`,
  ),
  rewrite(
    String.raw`${START}\$?(day|month|year|hour|minute)s\(\s*(${DATE})\s*,\s*(${DATE}|${TEXT})\s*\)`,
    ([, unit, from, to]) => `${from}.${unit}sUntil(${to})`,
  ),
  rewrite(
    String.raw`(?<=[\p{L}\p{N}_\])])\.(day|month|year|hour|minute)s\(\s*(${VALUE})\s*\)`,
    ([, unit, other = ""]) => (/^\d/.test(other) ? null : `.${unit}sUntil(${other})`),
  ),
  rewrite(
    String.raw`(${DATE})\.(day|month|year|hour|minute)sSince\(\s*(${VALUE})\s*\)`,
    ([, date, unit, since]) => `${since}.${unit}sUntil(${date})`,
  ),
  rewrite(
    String.raw`\.(?:diff|dateDiff|until)\(\s*(${VALUE})\s*(?:,\s*(${TEXT})\s*)?\)`,
    ([, other, text = ""]) => {
      const unit = /^.(day|month|year|hour|minute)s?.$/.exec(text || "'day'")?.[1];
      return unit === undefined ? null : `.${unit}sUntil(${other})`;
    },
  ),
  // A part of a time in another time zone, as text.
  rewrite(
    String.raw`^(${PATH})\.timeZone\(\s*(${TEXT}|${PATH})\s*\)\.(hour|day|month|year)\(\s*\)$`,
    ([, date, zone, part = ""]) => `${date} :: format("${FIELDS[part]}"), timeZone(${zone})`,
  ),
  rewrite(
    String.raw`(${PATH}(?:\(\))?)\.(?:weeksUntil|diffWeeks|weeksBetween)\(\s*(${VALUE})\s*\)`,
    ([, start, end]) => `(${start}.daysUntil(${end}) / 7).round(0, "down")`,
  ),
  rewrite(
    String.raw`(${PATH})\.(?:workdays|workDays|businessDays|workingDays)(?:Until|Between)\(\s*(${VALUE})\s*\)`,
    ([, start, end]) => workdays(start, end),
  ),
  rewrite(
    String.raw`${START}\$?networkdays\(\s*(${PATH})\s*,\s*(${VALUE})\s*\)`,
    ([, start, end]) => workdays(start, end),
    "i",
  ),
];

function added(date = "", unit: string | null = "", count = ""): string | null {
  return unit === null ? null : `${date}.add${unit}(${count})`;
}

/** Returns the end of the name of the function that adds a unit, such as `Months` for `"month"`. */
function unitOf(text: string): string | null {
  const [, unit = ""] = /^["']?(day|week|month|year)s?["']?$/i.exec(text) ?? [];
  return unit === "" ? null : `${unit.charAt(0).toUpperCase()}${unit.slice(1).toLowerCase()}s`;
}

/** Returns the first or the last day of the year, the quarter or the week of a date; null for the first of a week. */
function borderOf(date = "", end = "", unit = ""): string | null {
  const isEnd = end === "end";
  if (unit === "Year") return `$concat(${date}.year(), "${isEnd ? "-12-31" : "-01-01"}")`;
  if (unit === "Week") return isEnd ? `${date}.startOfWeek().addDays(6)` : null;
  const months = `(${date}.month() - 1) % 3`;
  return isEnd
    ? `${date}.startOfMonth().addMonths(2 - ${months}).endOfMonth()`
    : `${date}.startOfMonth().addMonths(-(${months}))`;
}

/** Returns the number of days from Monday to Friday, both dates included. */
function workdays(start = "", end = ""): string {
  return `$range(0, ${start}.daysUntil(${end})).count(${start}.addDays(this).weekday() <= 5)`;
}
