/**
 * How a function uses an argument. `value` is evaluated once. `condition`, `item` and `key` are evaluated for each item
 * of the list: names resolve as in a section of that list. A `key` may be followed by `asc` or `desc`.
 */
export type ParameterKind = "value" | "condition" | "item" | "key";

/** The arguments of a function after the value that it is called on. */
export interface FunctionSignature {
  /** What the function is called on, for messages. */
  readonly of: "list" | "object" | "number" | "text" | "date" | "value" | "condition";
  readonly parameters: readonly ParameterKind[];
  /** The number of required arguments. */
  readonly required: number;
  /** Whether the last parameter may be repeated. */
  readonly repeats: boolean;
  /** An example of the arguments, in parentheses, for messages. */
  readonly example: string;
}

/**
 * The functions of the language. `$sum(items, price)`, `items.sum(price)` and, in a tag, `items :: sum(price)` have the
 * same meaning.
 */
export const FUNCTIONS = {
  // Lists that become other lists.
  $where: on("list", "(paid == false)", ["condition"]),
  $sort: on("list", "(date desc, name)", ["key"], 0, true),
  $group: on("list", "(category)", ["item"]),
  $distinct: on("list", "(city)", ["item"], 0),
  $limit: on("list", "(10)", ["value"]),
  $skip: on("list", "(10)", ["value"]),
  $reverse: on("list"),
  $map: on("list", "(quantity * price)", ["item"]),
  $nonEmpty: on("list"),
  // The keys and values of an object, as a list.
  $entries: on("object"),
  // Lists that become one value.
  $first: on("list", "(paid == false)", ["condition"], 0),
  $last: on("list", "(paid == false)", ["condition"], 0),
  $sum: on("list", "(quantity * price)", ["item"], 0),
  $count: on("list", "(paid == false)", ["condition"], 0),
  $average: on("list", "(price)", ["item"], 0),
  $min: on("list", "(price)", ["item"], 0),
  $max: on("list", "(price)", ["item"], 0),
  $join: on("list", '(", ", " and ")', ["value", "value"], 0),
  // The running total of a value in a loop.
  $running: on("number"),
  // Numbers.
  $round: on("number", "(2)", ["value", "value"], 0),
  $abs: on("number"),
  $power: on("number", "(12)", ["value"]),
  $words: on("number", '("feminine")', ["value"], 0),
  $ordinalWords: on("number", '("feminine")', ["value"], 0),
  $ordinal: on("number", '("feminine")', ["value"], 0),
  $roman: on("number"),
  $letter: on("number"),
  // The numbers from 1 to a number, or from one number to another, as a list.
  $range: on("number", "(3)", ["value"], 0),
  // Texts.
  $length: on("value"),
  $uppercase: on("text"),
  $lowercase: on("text"),
  $titleCase: on("text"),
  $trim: on("text"),
  $startsWith: on("text", '("A")', ["value"]),
  $endsWith: on("text", '("A")', ["value"]),
  $replace: on("text", '("-", " ")', ["value", "value"]),
  $split: on("text", '(",")', ["value"]),
  $lines: on("text"),
  $substring: on("text", "(0, 3)", ["value", "value"], 1),
  $padStart: on("text", '(8, "0")', ["value", "value"], 1),
  $padEnd: on("text", '(8, " ")', ["value", "value"], 1),
  $concat: on("value", '(" ", name)', ["value"], 0, true),
  // Dates.
  $addDays: on("date", "(30)", ["value"]),
  $addWeeks: on("date", "(2)", ["value"]),
  $addMonths: on("date", "(1)", ["value"]),
  $addYears: on("date", "(1)", ["value"]),
  $addWorkdays: on("date", "(10)", ["value"]),
  $daysUntil: on("date", "(due)", ["value"]),
  $monthsUntil: on("date", "(end)", ["value"]),
  $yearsUntil: on("date", "($today)", ["value"]),
  $hoursUntil: on("date", "(end)", ["value"]),
  $minutesUntil: on("date", "(end)", ["value"]),
  $year: on("date"),
  $month: on("date"),
  $day: on("date"),
  $hour: on("date"),
  $minute: on("date"),
  $weekday: on("date"),
  $week: on("date"),
  $quarter: on("date"),
  $weekYear: on("date"),
  $startOfDay: on("date"),
  $startOfWeek: on("date"),
  $startOfMonth: on("date"),
  $endOfMonth: on("date"),
  $fromUnix: on("value", '("ms")', ["value"], 0),
  // Dates and numbers that are text in another form.
  $toDate: on("value", '("MM/dd/yyyy")', ["value"]),
  $toNumber: on("value", '(",")', ["value"]),
  // Text as the modifiers of the same names print it.
  $format: on("value", '("d MMMM yyyy")', ["value"]),
  $number: on("number", '("#,##0.00")', ["value"], 0),
  $currency: on("number", '("EUR")', ["value", "value"], 1),
  $percent: on("number", "(1)", ["value"], 0),
  // Choices.
  $if: on("condition", '(paid, "paid", "open")', ["value", "value"]),
} as const satisfies Readonly<Record<string, FunctionSignature>>;

/** The name of a function, with its dollar sign. */
export type FunctionName = keyof typeof FUNCTIONS;

/** Whether the language has a function with this name, which begins with a dollar sign. */
export function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}

/** Returns what a function does with the argument at an index, from 0, not counting the value it is called on. */
export function parameterOf(name: FunctionName, index: number): ParameterKind {
  const { parameters, repeats }: FunctionSignature = FUNCTIONS[name];
  return parameters[index] ?? (repeats ? parameters.at(-1) : undefined) ?? "value";
}

/** Whether an argument of this kind is evaluated for each item of the list. */
export function isPerItem(kind: ParameterKind): boolean {
  return kind !== "value";
}

/** Whether a function is called on a list. */
export function isOfList(name: FunctionName): boolean {
  return FUNCTIONS[name].of === "list";
}

/** Whether the argument that a function evaluates for each item is a condition. */
export function isConditionOf(name: FunctionName): boolean {
  const { parameters }: FunctionSignature = FUNCTIONS[name];
  return parameters[0] === "condition";
}

/** The functions whose result is a list, or an item of one. */
const GIVE_ITEMS: ReadonlySet<string> = new Set([
  ...(["$where", "$sort", "$group", "$distinct", "$limit", "$skip", "$reverse"] as const),
  ...(["$map", "$nonEmpty", "$first", "$last", "$split", "$lines"] as const),
  ...(["$entries", "$range"] as const),
] satisfies FunctionName[]);

/** Whether the result of a function is a list, or an item of one. */
export function givesItems(name: FunctionName): boolean {
  return GIVE_ITEMS.has(name);
}

/** The functions whose result is a list that is not made of elements of their list. */
const MAKE_LISTS: ReadonlySet<FunctionName> = new Set(["$range", "$split", "$lines"]);

/** Whether a function makes the elements of its list, all of them from one value. */
export function makesList(name: FunctionName): boolean {
  return MAKE_LISTS.has(name);
}

function on(
  of: FunctionSignature["of"],
  example = "()",
  parameters: readonly ParameterKind[] = [],
  required = parameters.length,
  repeats = false,
): FunctionSignature {
  return { of, parameters, required, repeats, example };
}
