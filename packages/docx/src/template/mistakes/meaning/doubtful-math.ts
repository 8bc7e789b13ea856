import type { Diagnostic } from "@quire/contracts";
import { expressionsOf } from "../../../language/directive.ts";
import {
  allOf,
  type CallExpression,
  type Expression,
  loopsAskedBy,
  pathsOf,
} from "../../../language/grammar/expression.ts";
import type { FunctionName } from "../../../language/grammar/functions.ts";
import { isSpelledAlike, spellExpression } from "../../../language/grammar/spell.ts";
import { tagProblem } from "../../nodes/diagnostics.ts";
import type { TagNode } from "../../nodes/nodes.ts";

type Compute = Extract<Expression, { kind: "compute" }>;
type Compare = Extract<Expression, { kind: "compare" }>;

/** The fault of an expression: the end of the sentence "In the tag …, …", and the hint. */
type Doubt = readonly [message: string, hint: string];

/** Returns warnings about computations and comparisons of a tag whose results are certainly not meant, for any data. */
export function doubtfulMath(tag: TagNode): Diagnostic[] {
  const doubts = expressionsOf(tag.directive).flatMap(allOf).map(doubtAbout);
  return doubts
    .filter((doubt) => doubt !== null)
    .map(([message, hint]) => ({
      ...tagProblem(tag, "doubtful_computation", `In the tag ${tag.text}, ${message}.`, hint),
      severity: "warning",
    }));
}

function doubtAbout(expression: Expression): Doubt | null {
  switch (expression.kind) {
    case "compute":
      return (
        timesOne(expression) ??
        productOfSums(expression) ??
        productOfTotals(expression) ??
        withItself(expression) ??
        ageByYears(expression)
      );
    case "call":
      return partsByPosition(expression) ?? sameNumber(expression) ?? keysJoined(expression);
    case "compare":
      return outOfRange(expression) ?? positionOfCount(expression) ?? numberZero(expression);
    case "list":
      return differenceAsRange(expression.items);
    default:
      return null;
  }
}

/** `net * 1 + vat`. */
function timesOne({ operator, left, right }: Compute): Doubt | null {
  if (operator !== "+" && operator !== "-") return null;
  if (left.kind !== "compute" || left.operator !== "*") return null;
  if (left.right.kind !== "number" || left.right.text !== "1") return null;
  const [factor, other] = [spellExpression(left.left), spellExpression(right)];
  return [
    "'* 1' changes nothing, because the multiplication comes before the addition",
    `Write parentheses: ${factor} * (1 ${operator} ${other}).`,
  ];
}

/** `items.price.sum() * items.qty.sum()`. */
function productOfSums({ operator, left, right }: Compute): Doubt | null {
  if (operator !== "*") return null;
  const [one, other] = [summed(left), summed(right)];
  if (one === null || other === null || one.list !== other.list || one.key === other.key) {
    return null;
  }
  return [
    `two sums of '${one.list}' are multiplied with each other`,
    `For the sum of the products write ${one.list}.sum(${one.key} * ${other.key}).`,
  ];
}

/** `$running(i.qty) * $running(i.price)`. */
function productOfTotals({ operator, left, right }: Compute): Doubt | null {
  if (operator !== "*" || left.kind !== "call" || right.kind !== "call") return null;
  if (left.name !== "$running" || right.name !== "$running") return null;
  const [one, other] = [left.arguments[0], right.arguments[0]];
  if (one?.kind !== "path" || other?.kind !== "path") return null;
  return [
    "two running totals are multiplied with each other",
    `For the running total of the products write $running(${one.source} * ${other.source}).`,
  ];
}

/** Returns the list and the key of a sum such as `items.sum(price)` or `items.price.sum()`. */
function summed(expression: Expression): { readonly list: string; readonly key: string } | null {
  if (expression.kind !== "call" || expression.name !== "$sum") return null;
  const [of, item] = expression.arguments;
  if (of === undefined) return null;
  if (item !== undefined) return { list: spellExpression(of), key: spellExpression(item) };
  const [, list, key] = /^(.+)\.([\p{L}\p{N}_]+)$/u.exec(spellExpression(of)) ?? [];
  return list === undefined || key === undefined ? null : { list, key };
}

/** `g.items.sum(amount) / g.items.sum(amount)` and `total - total`. */
function withItself({ operator, left, right }: Compute): Doubt | null {
  if (!/[-/%]/.test(operator) || pathsOf(left).length === 0) return null;
  if (!isSpelledAlike(left, right)) return null;
  const result = operator === "/" ? "1" : "0";
  return [
    `both sides of '${operator}' are the same value, so the result is always ${result}`,
    `Write the other value on one side of '${operator}', such as the total of the whole list.`,
  ];
}

const BIRTH = /born|birth|^geb|dob$|naiss|nacim|nasc/i;

/** `$today.year() - born.year()`. */
function ageByYears({ operator, left, right }: Compute): Doubt | null {
  if (operator !== "-" || right.kind !== "call" || right.name !== "$year") return null;
  const [birth] = right.arguments;
  if (birth?.kind !== "path" || !BIRTH.test(birth.rest.at(-1) ?? birth.head ?? "")) return null;
  const isYear = left.kind === "call" && left.name === "$year";
  const [until] = isYear ? left.arguments : [];
  const end = until === undefined ? "$today" : spellExpression(until);
  return [
    "the difference of the years is not the age before the birthday",
    `Write ${birth.source}.yearsUntil(${end}).`,
  ];
}

/** `items.group($index / 2)`. */
function partsByPosition({ name, arguments: [of, key] }: CallExpression): Doubt | null {
  if (name !== "$group" || of === undefined || key?.kind !== "compute") return null;
  if (key.operator !== "/" || loopsAskedBy(key.left).length === 0) return null;
  return [
    "each item is a group of one item, because the keys have decimals",
    `Write ${spellExpression(of)}.group((${spellExpression(key)}).round(0, "down")).`,
  ];
}

/** `items.sort(category and price)`: the key is whether both are true. */
function keysJoined({ name, arguments: [, key, more] }: CallExpression): Doubt | null {
  if (name !== "$sort" || key?.kind !== "and" || more !== undefined) return null;
  if (key.left.kind !== "path" || key.right.kind !== "path") return null;
  return [
    "'sort' only asks whether both values are true",
    `To sort by several keys write sort(${key.left.source}, ${key.right.source}).`,
  ];
}

/** `items.price.max(100)` and `items.average(2)`: the argument is computed for each item. */
function sameNumber({ name, arguments: [of, given, ...more] }: CallExpression): Doubt | null {
  if (!/^\$(?:sum|average|min|max)$/.test(name) || of === undefined || more.length > 0) return null;
  if (given?.kind !== "number") return null;
  const method = name.slice(1);
  const [, list, key = ""] = /^(.+)\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(spellExpression(of)) ?? [];
  const own = `${list ?? spellExpression(of)}.${method}(${key})`;
  const hints: Readonly<Record<string, string>> = {
    $max: `For the greater of both write [${own}, ${given.text}].max().`,
    $min: `For the smaller of both write [${own}, ${given.text}].min().`,
    $average: `To round it, write ${own}.round(${given.text}).`,
    $sum: `To add ${given.text} once, write ${own} + ${given.text}. To count the items, write ${list ?? spellExpression(of)}.count().`,
  };
  return [`'${method}' takes the number ${given.text} for each item`, hints[name] ?? ""];
}

/** The results that functions on dates have. */
const RANGES: Readonly<Partial<Record<FunctionName, readonly [number, number, string]>>> = {
  $weekday: [1, 7, "from 1 (Monday) to 7 (Sunday)"],
  $month: [1, 12, "from 1 (January) to 12 (December)"],
  $day: [1, 31, "from 1 to 31"],
  $quarter: [1, 4, "from 1 to 4"],
  $week: [1, 53, "from 1 to 53"],
  $hour: [0, 23, "from 0 to 23"],
  $minute: [0, 59, "from 0 to 59"],
};

/** `due.weekday() == 0`, and `due.weekday() in [0, 6]`. */
function outOfRange({ operator, left, right }: Compare): Doubt | null {
  const isSearch = operator === "contains" && left.kind === "list";
  const call = isSearch ? right : left;
  const numbers = isSearch ? left.items : [right];
  const range = call.kind === "call" ? RANGES[call.name] : undefined;
  if (range === undefined || (!isSearch && !/^[=!]=$/.test(operator))) return null;
  const [least, most, words] = range;
  const wrong = numbers.find((each) => {
    return each.kind === "number" && (Number(each.text) < least || Number(each.text) > most);
  });
  if (wrong === undefined || call.kind !== "call") return null;
  return [
    `${spellExpression(wrong)} is no ${call.name.slice(1)}, so it is never equal`,
    `The numbers of ${call.name.slice(1)}() are ${words}.`,
  ];
}

/** `$index == items.count()`: the last position is one less. */
function positionOfCount({ operator, left, right }: Compare): Doubt | null {
  if (operator !== "==" || left.kind !== "variable" || left.name !== "$index") return null;
  const isCount =
    (right.kind === "call" && (right.name === "$count" || right.name === "$length")) ||
    (right.kind === "variable" && right.name === "$length");
  if (!isCount) return null;
  return [
    "the position counts from 0, so it never reaches the number of items",
    "For the last item write $last.",
  ];
}

/** `$number == 0`. */
function numberZero({ operator, left, right }: Compare): Doubt | null {
  if (left.kind !== "variable" || left.name !== "$number") return null;
  if (!/^[=!]=$/.test(operator) || right.kind !== "number" || Number(right.text) !== 0) return null;
  const first = `${left.of === null ? "" : `${left.of}.`}$first`;
  return [
    "$number is never 0",
    operator === "=="
      ? `$number counts from 1. For the first item write ${first}.`
      : `$number counts from 1. For all items but the first write not ${first}.`,
  ];
}

/** `for i in [1-3]`. */
function differenceAsRange(items: readonly Expression[]): Doubt | null {
  const [only, more] = items;
  if (only?.kind !== "compute" || only.operator !== "-" || more !== undefined) return null;
  if (only.left.kind !== "number" || only.right.kind !== "number") return null;
  const [from, to] = [only.left.text, only.right.text];
  return [
    `[${from} - ${to}] has a single element, the difference`,
    `For the numbers from ${from} to ${to} write $range(${from}, ${to}).`,
  ];
}
