import { nearest } from "@quire/contracts";
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
  ...named("$substring", "substr", "left", "right", "mid"),
  ...named("$padStart", "padl", "padleft", "zfill", "lpad"),
  ...named("$padEnd", "padr", "padright", "rpad"),
  ...named("$concat", "append", "prepend", "concatenate"),
  ...named("$addDays", "addd", "dateadd", "plusdays"),
  ...named("$addMonths", "addm", "plusmonths"),
  ...named("$yearsUntil", "age", "diffyears", "yearsbetween"),
  ...named("$monthsUntil", "diffm", "monthsbetween"),
  ...named("$daysUntil", "diffd", "datediff", "daysbetween"),
  ...named("$endOfMonth", "endofm", "eomonth", "lastday"),
  ...named("$startOfMonth", "startofm"),
  ...named("$startOfWeek", "startofw"),
  ...named("$startOfDay", "startofd", "dateonly", "todate", "truncdate"),
  ...named("$weekYear", "isoyear", "isoweekyear"),
  ...named("$words", "spell", "spellout", "towords", "inwords", "numtowords", "numbertowords"),
  ...named("$ordinalWords", "toordinalwords", "ordinalword", "spellordinal"),
  ...named("$ordinal", "toordinal", "ordinalize"),
  ...named("$range", "sequence", "seq", "times", "repeat"),
  ...named("$letter", "letters", "toletter", "toletters", "alpha", "columnname"),
  ...named("$roman", "toroman", "romanize"),
  ...named("$round", "roundup", "rounddown", "ceil", "floor"),
  ...named("$startsWith", "beginswith"),
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
