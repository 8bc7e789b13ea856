import { columnOf, rewriteCall, type WrittenCall, withoutList } from "../read-calls.ts";
import { type Correction, rewrite, START } from "../rewrites.ts";
import { NAME, PATH, VALUE, Written } from "../written.ts";

type Given = readonly string[];

/** Returns what this language writes for a call; null if it has no equivalent with these arguments. */
type Meant = (given: Given) => string | null;

/** The functions of spreadsheets with other arguments than the functions here, in uppercase. */
const FUNCTIONS: Readonly<Record<string, Meant>> = {
  // Columns, and conditions for them.
  SUMIF: ([column, criterion, summed]) => selected("sum", summed ?? column, [column, criterion]),
  AVERAGEIF: ([column, criterion, of]) => selected("average", of ?? column, [column, criterion]),
  SUMIFS: ([summed, ...criteria]) => selected("sum", summed, criteria),
  AVERAGEIFS: ([of, ...criteria]) => selected("average", of, criteria),
  MAXIFS: ([of, ...criteria]) => selected("max", of, criteria),
  MINIFS: ([of, ...criteria]) => selected("min", of, criteria),
  COUNTIF: (criteria) => counted(criteria),
  COUNTIFS: (criteria) => counted(criteria),
  SUMPRODUCT: products,
  RANK: ([value, column, order]) => rank(value, column, order),
  SUBTOTAL: ([kind, column, more]) => (more === undefined ? subtotal(kind, column) : null),
  LARGE: ([column, place]) => ranked(column, place, " desc"),
  SMALL: ([column, place]) => ranked(column, place, ""),
  MEDIAN: ([column, more]) => (more === undefined ? median(column) : null),
  // Lists.
  FILTER: ([list, condition]) => filtered(list, condition),
  SORT: ([list, key, order]) => sorted(list, key, order),
  SORTBY: ([list, key, order]) => sorted(list, columnOf(key)?.key ?? key, order),
  UNIQUE: ([column, more]) =>
    columnOf(column) === null || more !== undefined ? null : `${column}.distinct()`,
  TEXTJOIN: joined,
  COUNTA: ([column, more]) =>
    more === undefined && isValue(column) ? `${column}.nonEmpty().count()` : null,
  XLOOKUP: ([sought, column, result, other]) => found(sought, column, result, other),
  INDEX: ([result, match]) => matched(result, match),
  // Values.
  IFERROR: ([value, other]) => withoutError(value, other),
  SWITCH: switched,
  MOD: ([a, b]) => (b === undefined ? null : `${term(a)} % ${term(b)}`),
  MROUND: ([value, step]) =>
    step === undefined ? null : `(${term(value)} / ${term(step)}).round() * ${term(step)}`,
  REPT: ([text, count]) => (count === undefined ? null : `"".padEnd(${count}, ${text})`),
  ISBLANK: ([value, more]) => (more === undefined && isValue(value) ? `${value} isEmpty` : null),
  // Dates.
  DATEDIF: ([from, to, unit]) => difference(from, to, unit),
  DAYS: ([to, from, more]) => (more === undefined ? difference(from, to, '"d"') : null),
  EOMONTH: ([date, months]) => {
    if (!isValue(date) || months === undefined) return null;
    return `${date}${months === "0" ? "" : `.addMonths(${months})`}.endOfMonth()`;
  },
  WEEKNUM: ([date]) => (isValue(date) ? `${date}.week()` : null),
  ISOWEEKNUM: ([date]) => (isValue(date) ? `${date}.week()` : null),
};

/** Functions that other languages have as well, with other arguments. */
const ONLY_UPPERCASE = /^(?:FILTER|SORT|SORTBY|UNIQUE|INDEX|SWITCH|DAYS)$/;

function callMeant({ name, isMethod, given }: WrittenCall): string | null {
  if (isMethod) return null;
  const known = ONLY_UPPERCASE.test(name) ? name : name.toUpperCase();
  if (ONLY_UPPERCASE.test(known) && known !== name) return null;
  return FUNCTIONS[known]?.(given) ?? null;
}

/** The functions of spreadsheets as the functions of this language. */
export const OF_SPREADSHEETS: readonly Correction[] = [
  // A tag prints a list of values with its elements joined.
  (tag) => {
    const meant = rewriteCall((call) => (call.name === "UNIQUE" ? callMeant(call) : null))(tag);
    return meant !== null && /^[^\s()]+\.distinct\(\)$/.test(meant) ? `${meant}.join(", ")` : null;
  },
  todayMeant,
  rewrite(String.raw`${START}RANK\.(?:EQ|AVG)\(`, () => "RANK("),
  rewriteCall(callMeant),
  rewrite(String.raw`(${PATH})\.median\(\s*(${NAME})?\s*\)`, ([, list, key]) =>
    median(key === "" ? list : `${list}.${key}`),
  ),
];

/** `TODAY()+30`, `TODAY()-date` and `due-TODAY()`. */
function todayMeant(tag: Written): string | null {
  const today = String.raw`\$?(?:TODAY|NOW|today|now)\(\s*\)|\$today|\$now`;
  return (
    tag.replace(
      String.raw`(?<![\p{L}\p{N}_$.])(?:\$?(TODAY|today)|\$?(?:NOW|now))\(\s*\)\s*([-+])\s*(\d+)`,
      ([, day, sign, days]) =>
        `${day === "" ? "$now" : "$today"}.addDays(${sign === "-" ? "-" : ""}${days})`,
    ) ??
    tag.replace(
      String.raw`^=?\s*(?:${today})\s*-\s*(${VALUE})$`,
      ([, date]) => `${date}.daysUntil($today)`,
    ) ??
    tag.replace(
      String.raw`^=?\s*(${VALUE})\s*-\s*(?:${today})$`,
      ([, date]) => `$today.daysUntil(${date})`,
    ) ??
    tag.replace(
      String.raw`(?<![\p{L}\p{N}_$.])\$?(TODAY|NOW|today|now)\(\s*\)`,
      ([, name = ""]) => `$${name.toLowerCase()}`,
    )
  );
}

function isValue(text: string | undefined): text is string {
  return text !== undefined && new Written(text).match(`^${VALUE}$`) !== null;
}

/** Returns an operand, in parentheses if it is computed. */
function term(text = ""): string {
  return isValue(text) ? text : `(${text})`;
}

/** Returns the condition for a key that a criterion such as `"Bern"` or `">5"` means; null if it has another form. */
function conditionOf(key: string, criterion = ""): string | null {
  if (criterion === "" || criterion.includes("&")) return null;
  const [, text] = /^["'](.*)["']$/.exec(criterion) ?? [];
  if (text === undefined) return `${key} == ${criterion}`;
  const [, sign, compared] = /^(<>|[<>]=?|=)(.*)$/.exec(text) ?? [];
  if (sign !== undefined && compared !== undefined) {
    const value = /^-?\d+(?:\.\d+)?$/.test(compared) ? compared : `"${compared}"`;
    return `${key} ${sign === "<>" ? "!=" : sign === "=" ? "==" : sign} ${value}`;
  }
  if (!/[*?]/.test(text)) return `${key} == "${text}"`;
  const [, before, inner = "", after] = /^(\*?)([^*?]+)(\*?)$/.exec(text) ?? [];
  if (inner === "") return null;
  if (before !== "" && after !== "") return `${key} contains "${inner}"`;
  return `${key}.${before === "" ? "startsWith" : "endsWith"}("${inner}")`;
}

/** Returns the condition for pairs of a column and a criterion, which are all of one list; null if they are not. */
function conditionsOf(list: string, criteria: readonly (string | undefined)[]): string | null {
  const conditions: string[] = [];
  for (let at = 0; at < criteria.length; at += 2) {
    const column = columnOf(criteria[at]);
    const condition = column?.list === list ? conditionOf(column.key, criteria[at + 1]) : null;
    if (condition === null) return null;
    conditions.push(condition);
  }
  return conditions.length === 0 ? null : conditions.join(" and ");
}

function selected(
  name: string,
  of: string | undefined,
  criteria: readonly (string | undefined)[],
): string | null {
  const column = columnOf(of);
  const condition = column === null ? null : conditionsOf(column.list, criteria);
  return condition === null || column === null
    ? null
    : `${column.list}.where(${condition}).${name}(${column.key})`;
}

function counted(criteria: Given): string | null {
  const [first] = criteria;
  const column = columnOf(first);
  if (column !== null) {
    const condition = conditionsOf(column.list, criteria);
    return condition === null ? null : `${column.list}.count(${condition})`;
  }
  const condition = conditionOf("this", criteria[1]);
  return isValue(first) && condition !== null && criteria.length === 2
    ? `${first}.count(${condition})`
    : null;
}

function products(columns: Given): string | null {
  const all = columns.map(columnOf);
  const [first] = all;
  if (!first || columns.length < 2 || all.some((each) => each?.list !== first.list)) return null;
  return `${first.list}.sum(${all.map((each) => each?.key).join(" * ")})`;
}

function ranked(of: string | undefined, place = "", order: string): string | null {
  const column = columnOf(of);
  if (column === null || !/^[1-9]\d*$/.test(place)) return null;
  return `${column.list}.sort(${column.key}${order})[${Number(place) - 1}].${column.key}`;
}

/** The place of a value among the values of a column, from 1. A last argument of 1 begins with the smallest. */
function rank(value = "", of = "", order = "0"): string | null {
  const column = columnOf(of);
  // In the parentheses, a name alone is a key of the items.
  if (column === null || columnOf(value) === null || !/^(?:[01]|true|false)$/i.test(order))
    return null;
  const sign = /^(?:1|true)$/i.test(order) ? "<" : ">";
  return `1 + ${column.list}.count(${column.key} ${sign} ${value})`;
}

/** The functions by the numbers that SUBTOTAL gives them. */
const SUBTOTALS: Readonly<Record<string, string>> = {
  ...{ 1: "average", 2: "count", 3: "count", 4: "max", 5: "min", 9: "sum" },
};

function subtotal(kind = "", of = ""): string | null {
  const [column, name] = [columnOf(of), SUBTOTALS[String(Number(kind) % 100)]];
  if (column === null || name === undefined) return null;
  return name === "count" ? `${of}.nonEmpty().count()` : `${column.list}.${name}(${column.key})`;
}

/** The value in the middle of a sorted list, or the average of the two in the middle. */
function median(of = ""): string | null {
  if (!isValue(of)) return null;
  const { list, key } = columnOf(of) ?? { list: of, key: "" };
  const before = `((${list}.count() - 1) / 2).round(0, "down")`;
  return `${list}.sort(${key}).skip(${before}).limit(2 - ${list}.count() % 2).average(${key})`;
}

function filtered(of: string | undefined, condition: string | undefined): string | null {
  if (!isValue(of) || condition === undefined) return null;
  const column = columnOf(of);
  const isColumn = column !== null && condition.includes(`${column.list}.`);
  const list = isColumn && !condition.includes(`${of}.`) ? column.list : of;
  const where = `${list}.where(${withoutList(condition, list)})`;
  return list === of ? where : `${where}.map(${column?.key})`;
}

function sorted(list: string | undefined, key = "", order = "1"): string | null {
  const isKey = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(key);
  if (!isValue(list) || !isKey || !/^-?1$/.test(order)) return null;
  return `${list}.sort(${withoutList(key, list)}${order === "-1" ? " desc" : ""})`;
}

function joined([separator, ignored, ...values]: Given): string | null {
  const [first, second] = values;
  if (
    separator === undefined ||
    first === undefined ||
    !/^(?:true|false|1|0)$/i.test(ignored ?? "")
  )
    return null;
  const list = second === undefined ? first : `[${values.join(", ")}]`;
  return `${list}${/^(?:true|1)$/i.test(ignored ?? "") ? ".nonEmpty()" : ""}.join(${separator})`;
}

function found(sought = "", of?: string, result?: string, other?: string): string | null {
  const [column, value] = [columnOf(of), columnOf(result)];
  if (column === null || value === null || column.list !== value.list || !isValue(sought))
    return null;
  // In the parentheses, a name alone is a key of the items.
  if (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(sought)) return null;
  const item = `${column.list}.first(${column.key} == ${sought}).${value.key}`;
  return other === undefined ? item : `${item} ?? ${other}`;
}

/** `INDEX(items.price; MATCH("Pen"; items.name; 0))`. */
function matched(result: string | undefined, match = ""): string | null {
  const [, inside] = /^MATCH\((.*)\)$/i.exec(match) ?? [];
  if (inside === undefined) return null;
  const [sought, column] = new Written(inside).split("[,;]");
  return found(sought, column, result);
}

/** A division by zero, and a value that is missing. */
function withoutError(value = "", other?: string): string | null {
  if (other === undefined) return null;
  const [dividend, divisor, more] = new Written(value).split("/");
  if (divisor === undefined) return isValue(value) ? `${value} ?? ${other}` : null;
  return more === undefined && isValue(divisor)
    ? `$if(${divisor} == 0, ${other}, ${dividend} / ${divisor})`
    : null;
}

function switched([value, ...rest]: Given): string | null {
  if (value === undefined || rest.length < 2 || rest.length > 13) return null;
  const parts = [...rest];
  let choice = parts.length % 2 === 1 ? (parts.pop() ?? "") : '""';
  while (parts.length > 0) {
    const [compared, result] = parts.splice(-2);
    choice = `$if(${value} == ${compared}, ${result}, ${choice})`;
  }
  return choice;
}

const UNITS: Readonly<Record<string, string>> = { d: "days", m: "months", y: "years" };

function difference(from?: string, to?: string, unit = ""): string | null {
  const name = UNITS[unit.slice(1, -1).toLowerCase()];
  return isValue(from) && to !== undefined && name !== undefined
    ? `${from}.${name}Until(${to})`
    : null;
}
