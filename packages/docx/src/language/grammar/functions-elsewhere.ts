import { nearest } from "@quire/contracts";
import { type Wording, withTags } from "../delimiters/wording.ts";
import { FUNCTIONS, type FunctionName } from "./functions.ts";

/** Names of functions in other languages, in lowercase and without underscores, with the equivalent function. */
const OTHER_FUNCTIONS: ReadonlyMap<string, FunctionName> = new Map([
  ...named("$average", "avg", "mean", "aggavg"),
  ...named("$count", "size", "aggcount", "cnt"),
  ...named("$length", "len", "strlen"),
  ...named("$sum", "total", "aggsum", "sumof"),
  ...named("$running", "cumsum", "runningtotal", "cumulative"),
  ...named("$where", "filter", "filterby", "select", "selectattr", "find", "findall"),
  ...named("$sort", "sortby", "orderby", "order", "sorted", "sortasc", "sortdesc"),
  ...named("$group", "groupby", "groups", "partition"),
  ...named("$distinct", "unique", "uniq", "uniqby", "aggcountd"),
  ...named("$limit", "take", "top", "slice", "head"),
  ...named("$skip", "offset", "drop", "tail"),
  ...named("$map", "each", "foreach", "pluck", "collect"),
  ...named("$nonEmpty", "compact", "notempty", "withoutempty"),
  ...named("$entries", "keys", "values", "pairs", "dictsort", "toarray"),
  ...named("$join", "arrayjoin", "implode", "stringjoin"),
  ...named("$uppercase", "upper", "touppercase", "ucase"),
  ...named("$lowercase", "lower", "tolowercase", "lcase"),
  ...named("$titleCase", "title", "proper", "propercase", "initcap", "ucwords", "capitalizewords"),
  ...named("$substring", "substr", "left", "right", "mid"),
  ...named("$padStart", "padl", "padleft", "zfill", "lpad"),
  ...named("$padEnd", "padr", "padright", "rpad"),
  ...named("$concat", "append", "prepend", "concatenate"),
  ...named("$replace", "substitute", "replaceall", "strreplace", "regexreplace"),
  ...named("$addWorkdays", "workday", "addbusinessdays", "addworkingdays", "businessdays"),
  ...named("$year", "getfullyear", "fullyear", "getyear"),
  ...named("$month", "getmonth"),
  ...named("$day", "getdate", "dayofmonth"),
  ...named("$addDays", "addd", "dateadd", "plusdays"),
  ...named("$addMonths", "edate", "addm", "plusmonths"),
  ...named("$yearsUntil", "age", "diffyears", "yearsbetween"),
  ...named("$monthsUntil", "diffm", "monthsbetween"),
  ...named("$daysUntil", "diffd", "datediff", "datedif", "daysbetween"),
  ...named("$endOfMonth", "endofm", "eomonth", "lastday", "lastdayofmonth", "monthend"),
  ...named("$startOfMonth", "startofm", "firstday", "firstdayofmonth", "beginningofmonth"),
  ...named("$startOfWeek", "startofw"),
  ...named("$startOfDay", "startofd", "dateonly", "truncdate"),
  ...named("$weekYear", "isoyear", "isoweekyear"),
  ...named(
    "$words",
    "spell",
    "spellout",
    "towords",
    "inwords",
    "numtowords",
    "numbertowords",
    "spellnumber",
  ),
  ...named("$ordinalWords", "toordinalwords", "ordinalword", "spellordinal"),
  ...named("$ordinal", "toordinal", "ordinalize"),
  ...named("$range", "sequence", "seq", "times"),
  ...named("$letter", "letters", "toletter", "toletters", "alpha", "columnname"),
  ...named("$roman", "toroman", "romanize"),
  ...named("$power", "pow"),
  ...named("$round", "roundup", "rounddown", "ceil", "floor"),
  ...named("$toDate", "parsedate", "strptime", "convdate", "strtodate", "datevalue", "fromformat"),
  ...named("$toNumber", "parsenumber", "numbervalue", "val", "parsecurrency"),
  ...named("$startsWith", "beginswith"),
  ...named("$trim", "strip", "lstrip", "rstrip", "ltrim", "rtrim", "trimend", "trimstart"),
  ...named("$if", "iif", "ifelse", "iff", "show", "ternary"),
]);

function named(name: FunctionName, ...others: readonly string[]): [string, FunctionName][] {
  return others.map((other) => [other, name]);
}

/** Returns our equivalent of a function of another template language, or null. */
export function functionMeant(name: string): FunctionName | null {
  return OTHER_FUNCTIONS.get(name.replace(/^\$|_/g, "").toLowerCase()) ?? null;
}

/** Returns the function most similar to a name, with or without its dollar sign; null if none is similar. */
export function nearestFunction(name: string): string | null {
  const bare = name.replace(/^\$/, "");
  const names = Object.keys(FUNCTIONS);
  const folded = names.find((each) => each.toLowerCase() === `$${bare.toLowerCase()}`);
  return functionMeant(name) ?? folded ?? nearest(`$${bare}`, names);
}

/** What this language has in place of functions of others, by their names in lowercase, without underscores. */
const FORMS: ReadonlyMap<string, Wording> = new Map([
  ...formed("For a value in place of a missing one write a ?? b.", "coalesce", "nvl", "ifnull"),
  ...formed("For a value in place of a missing one write a ?? b.", "iferror", "ifna", "default"),
  ...formed("Test a value with isEmpty after it: note isEmpty.", "isblank", "isempty", "isnull"),
  ...formed(
    'Write $if(status == "a", "A", $if(status == "b", "B", "C")).',
    ...["switch", "decode", "case", "choose", "ifs"],
  ),
  ...formed("Count the items: items.count(paid) > 0.", "some", "any", "includes"),
  ...formed(
    withTags`Test a value with isPresent after it: {{if note isPresent}} … {{endif}}.`,
    "exists",
    "isset",
  ),
  ...formed(
    "Data has no value that is not a number. Test with isPresent whether there is a value: total isPresent.",
    ...["isnan", "isfinite", "isnumber"],
  ),
  ...formed(
    "Quire cannot compute roots. Compute the root before, and add it to the data.",
    "sqrt",
    "root",
    "cbrt",
  ),
  ...formed(
    withTags`For a line of a sign write {{"".padEnd(20, "*")}}. To repeat a block, write {{for n in $range(3)}} … {{endfor}}.`,
    ...["repeat", "rept", "replicate"],
  ),
  ...formed("Count the items that differ: items.count(not paid) == 0.", "every", "all"),
  ...formed('Write the date with a pattern: due :: format("MMMM").', "monthname", "dayname"),
  ...formed(
    'Write a number with :: number("#,##0.00"), and a date with :: format("dd.MM.yyyy").',
    ...["tochar", "text", "formatnumber", "formatdate", "strftime", "datetimeformat"],
  ),
  ...formed(
    'Write a number with :: number(2), locale("de-DE"), and a date with :: format("short"), locale("de-DE").',
    ...["tolocalestring", "tolocaledatestring", "tolocaletimestring"],
  ),
  ...formed(withTags`For the time write {{start :: format("HH:mm")}}.`, "time", "totime", "timeof"),
  ...formed(
    withTags`For a date without its time write {{start :: format("medium")}}, or start.startOfDay() to compute with it.`,
    ...["date", "dateof"],
  ),
  ...formed(
    withTags`For the name of the day write {{start :: format("EEEE")}}, and for its number from 1 (Monday) start.weekday().`,
    ...["dayofweek", "weekdayname", "nameofday"],
  ),
  ...formed('Write total.round(0, "down").', "trunc", "truncate", "fix"),
  ...formed('Write total.round(0, "floor").', "floor", "int"),
  ...formed('Write total.round(0, "ceiling").', "ceil", "ceiling"),
  ...formed(
    "Hours and minutes cannot be added to a date: give the result in the data.",
    ...["addhours", "addminutes", "addseconds", "plushours", "plusminutes", "subtracthours"],
  ),
  ...formed(
    'For the text before a sign write code.split("-")[0], and for the text after it code.split("-")[1].',
    ...["indexof", "instr", "charindex", "strpos"],
  ),
  ...formed(
    'A number needs no conversion. For a whole number write total.round(0, "down"), and for text such as 1.234,50 total.toNumber(",").',
    ...["cast", "convert", "parseint", "parsefloat", "toint"],
  ),
  ...formed(
    'For the first day of the year write $concat(due.year(), "-01-01").',
    ...["startofyear", "beginningofyear", "firstdayofyear"],
  ),
  ...formed(
    'For the last day of the year write $concat(due.year(), "-12-31").',
    ...["endofyear", "lastdayofyear"],
  ),
  ...formed(
    "For the first day of the quarter write due.startOfMonth().addMonths(-((due.month() - 1) % 3)).",
    "startofquarter",
  ),
  ...formed(
    "For the last day of the quarter write due.startOfMonth().addMonths(2 - (due.month() - 1) % 3).endOfMonth().",
    "endofquarter",
  ),
  ...formed("For the last day of the week write due.startOfWeek().addDays(6).", "endofweek"),
  ...formed("Write a % b for the remainder.", "mod", "remainder"),
  ...formed(
    "Look for an item of another list with first: products.first(id == item.product).name.",
    ...["lookup", "vlookup", "xlookup", "hlookup", "indexmatch"],
  ),
  ...formed("Write items.where(paid).sum(price).", "sumif", "sumifs", "sumproduct"),
  ...formed("Write items.count(paid).", "countif", "countifs"),
  ...formed("Write $newline without parentheses.", "newline", "br", "linebreak", "char", "chr"),
]);

function formed(form: Wording, ...names: readonly string[]): [string, Wording][] {
  return names.map((name) => [name, form]);
}

/** Returns a hint for a function of another language that this one writes in another form, or null. */
export function formMeant(name: string): Wording | null {
  return FORMS.get(name.replace(/^\$|_/g, "").toLowerCase()) ?? null;
}

/** Says where all functions are listed, with some of them. */
export const SOME_FUNCTIONS =
  "The page card.md of the documentation lists all functions, such as where, sort, count, sum and join of lists, round of numbers, replace and split of texts, and addDays and daysUntil of dates.";
