import { checkOrder } from "./argument-order.ts";
import type { ExpressionReader } from "./cursor.ts";
import { type Wording, withTags } from "./delimiters/wording.ts";
import {
  checkConstant,
  checkCounted,
  checkFixed,
  checkFormatted,
  checkRange,
} from "./fixed-arguments.ts";
import { textInCall } from "./formatted/operands.ts";
import {
  type CallExpression,
  type Expression,
  itemArgumentsOf,
  operandsOf,
  pathsOf,
} from "./grammar/expression.ts";
import {
  FUNCTIONS,
  type FunctionName,
  type FunctionSignature,
  isFunction,
  parameterOf,
} from "./grammar/functions.ts";
import { spellExpression } from "./grammar/spell.ts";
import { parsingProblem } from "./mistakes/parsing.ts";
import { checkUnformatted } from "./operations.ts";
import { type Lexeme, TagSyntaxError } from "./tokens.ts";
import { noFunction } from "./unexpected.ts";

function isOfNumbers(name: FunctionName): boolean {
  return /^\$(?:sum|average)$/.test(name);
}

/** Reads the arguments of `$name(`, after the parenthesis. */
export function parseCall(
  parser: ExpressionReader,
  name: string,
  of: Expression | null,
): CallExpression {
  if (!isFunction(name)) throw noFunction(name, parser.lexemes.slice(parser.at));
  const opened = parser.begun();
  const given: Expression[] = of === null ? [] : [of];
  const descending: boolean[] = [];
  if (of !== null) checkConstant(name, of, 0);
  if (parser.take(")") === null) {
    do {
      const read = argument(parser, name, given.length);
      checkConstant(name, read, given.length);
      if (isOfNumbers(name) && given.length > 0) checkUnformatted(read);
      checkFixed(name, read, given[0]);
      given.push(read);
      const direction = directionOf(parser, name, given.length - 1);
      if (direction !== null) descending[given.length - 2] = direction === "desc";
    } while (parser.take(",") !== null);
    parser.close(opened);
  }
  checkRange(name, given);
  checkFormatted(name, given);
  checkCounted(name, given);
  checkCount(name, given, of !== null, parser.lexemes.slice(parser.at));
  checkOrder(name, given);
  const problem = parsingProblem(name, given[1]) ?? textInCall(name, given);
  if (problem !== null) throw new TagSyntaxError(...problem);
  checkList(name, given[0]);
  return named({ kind: "call", name, arguments: given, descending, alias: parser.alias });
}

/** Gives the items of a call a name if a function within its arguments uses it. */
export function named(call: CallExpression): CallExpression {
  const isUsed = call.alias === null && itemArgumentsOf(call).some(namesOuter);
  return isUsed ? { ...call, alias: OUTER } : call;
}

/** The name of the item of the surrounding function: `lines.sum(prices.first(id == outer.id).price)`. */
export const OUTER = "outer";

/** Whether an expression has a function whose arguments for each item name the item around it. */
function namesOuter(expression: Expression): boolean {
  const isOwn =
    expression.kind === "call" &&
    itemArgumentsOf(expression).some((each) => pathsOf(each).some(({ head }) => head === OUTER));
  return isOwn || operandsOf(expression).some(namesOuter);
}

/** Reads an argument that is evaluated for each item. The loop's name for its item means no items of functions in it. */
export function withinItems<T>(parser: ExpressionReader, read: () => T): T {
  const { alias, isInItems, isNested, inItems, outer } = parser;
  parser.alias = null;
  parser.isNested = isInItems;
  parser.isInItems = true;
  parser.inItems = alias;
  parser.outer = inItems;
  const result = read();
  Object.assign(parser, { alias, isInItems, isNested, inItems, outer });
  return result;
}

/** Reads the arguments of `value.name(`, after the parenthesis. */
export function methodCall(parser: ExpressionReader, name: string, of: Expression): CallExpression {
  return parseCall(parser, `$${name}`, of);
}

/** Returns the call of a function that is written without parentheses: `items :: reverse`. */
export function callWithout(
  parser: ExpressionReader,
  name: string,
  of: Expression,
): CallExpression {
  const full = `$${name}`;
  if (!isFunction(full)) throw noFunction(name, []);
  checkCount(full, [of], true, []);
  checkList(full, of);
  return { kind: "call", name: full, arguments: [of], descending: [], alias: parser.alias };
}

function argument(parser: ExpressionReader, name: FunctionName, index: number): Expression {
  const { of }: FunctionSignature = FUNCTIONS[name];
  if (index === 0) return of === "condition" ? parser.condition() : parser.value();
  const kind = parameterOf(name, index - 1);
  if (kind === "value") return parser.value();
  // A key may be a condition as well: sort(status == "open" desc).
  if (kind === "condition") checkNumber(parser, name);
  return withinItems(parser, () => {
    return kind === "condition" ? parser.condition() : parser.disjunction();
  });
}

/** Throws for `items.first(2)`: the argument is a condition. */
function checkNumber(parser: ExpressionReader, name: FunctionName): void {
  const count = parser.peek();
  if (count?.kind !== "number" || !parser.is(")", 1)) return;
  const parts: Readonly<Partial<Record<FunctionName, string>>> = {
    $first: `For the first ${count.text} items write items.limit(${count.text}), and for one of them items[0]. For the first ${count.text} characters of a text write substring(0, ${count.text}).`,
    $last: `For the last ${count.text} items write items.reverse().limit(${count.text}).reverse(), and for the last ${count.text} characters of a text substring(-${count.text}).`,
  };
  throw new TagSyntaxError(
    `The argument of '${name.slice(1)}' is a condition, not a number.`,
    parts[name] ?? `Write ${name.slice(1)}${FUNCTIONS[name].example}.`,
  );
}

/** Reads `asc` or `desc` after a key to sort by. */
function directionOf(parser: ExpressionReader, name: FunctionName, index: number): string | null {
  if (index === 0 || parameterOf(name, index - 1) !== "key") return null;
  const direction = parser.take("asc", "desc");
  if (direction !== null) return direction;
  const word = parser.peek();
  if (word?.kind !== "name" && word?.kind !== "string") return null;
  throw new TagSyntaxError(
    `'${word.text}' is not expected here.`,
    /^["']?desc/i.test(word.text)
      ? "Write 'desc' after the key, without quotes, as in sort(date desc)."
      : "Write 'asc' or 'desc' after a key, and separate keys with ','.",
  );
}

/**
 * `isMethod`: whether the first value is before the name, so that the author does not count it. `after`: the tokens after
 * the call.
 */
function checkCount(
  name: FunctionName,
  given: readonly Expression[],
  isMethod: boolean,
  after: readonly Lexeme[],
): void {
  const { parameters, required, repeats, example }: FunctionSignature = FUNCTIONS[name];
  const most = repeats ? Number.POSITIVE_INFINITY : parameters.length + 1;
  if (given.length > required && given.length <= most) return;
  const before = isMethod ? 1 : 0;
  const [fewest, highest] = [required + 1 - before, most - before];
  const wanted = numberOf(fewest, highest);
  const called = isMethod ? name.slice(1) : name;
  const plural = /(?:^|\D)1$/.test(wanted) ? "" : "s";
  throw new TagSyntaxError(
    called === "running"
      ? "'running' is not written after a list."
      : `The function '${called}' takes ${wanted} argument${plural}.`,
    countHint(name, given, after) ??
      (SEVERAL_KEYS.has(name) && given.length > most
        ? `Join several values to one, as in ${name.slice(1)}($concat(city, " ", year)).`
        : formOf(name, example, isMethod ? writtenValue(given[0]) : null)),
  );
}

/** Returns a number of arguments as text. `highest` may be infinite. */
function numberOf(fewest: number, highest: number): string {
  if (fewest === highest) return `${fewest || "no"}`;
  if (highest === Number.POSITIVE_INFINITY) return `at least ${fewest}`;
  return fewest === 0 ? `at most ${highest}` : `${fewest} to ${highest}`;
}

/** Returns the hint for a missing argument, or for an argument that the function does not take; null for others. */
function countHint(
  name: FunctionName,
  [of, given, ...more]: readonly Expression[],
  after: readonly Lexeme[],
): Wording | null {
  const value = of === undefined ? "value" : spellExpression(of);
  if (name === "$toNumber" && given === undefined) {
    return `The argument is the sign before the decimals. Write ${value}.toNumber(",") for text such as 1.234,50, and ${value}.toNumber(".") for 1,234.50.`;
  }
  const unit = more[0]?.kind === "literal" ? String(more[0].value).toLowerCase() : "";
  const [, adding] = /^(day|week|month|year|workday)s?$/.exec(unit) ?? [];
  if (name.startsWith("$add") && adding !== undefined && given !== undefined)
    return `Write ${value}.add${adding.charAt(0).toUpperCase()}${adding.slice(1)}s(${spellExpression(given)}).`;
  if (name.endsWith("Until") && given === undefined) {
    const method = name.slice(1);
    return `Name the other date: $today.${method}(${value}) is the time from today to '${value}', and ${value}.${method}($today) the time since it.`;
  }
  if (name === "$running" && given?.kind === "path") {
    const key = given.source.slice(given.source.lastIndexOf(".") + 1);
    return withTags`To begin again for each '${key}', repeat the groups, and in each of them its items: {{for g in items.group(${key})}}{{for p in g.items}}{{$running(${value})}}{{endfor}}{{endfor}}. For the total of a product write $running(${value} * ${given.source}).`;
  }
  if (name === "$if" && given !== undefined && more.length === 0) {
    const isText = after.some(({ text }) => text === "nonEmpty" || text === "join");
    const other = given.kind === "number" && !isText ? "0" : '""';
    return `Write $if(${value}, ${spellExpression(given)}, ${other}), with the value for the other case.`;
  }
  const isLetters = name === "$roman" || name === "$letter";
  if (!isLetters || given?.kind !== "literal" || more.length > 0) return null;
  return /^(?:lower(?:case)?|small|[ai])$/.test(String(given.value))
    ? `Write ${value}.${name.slice(1)}().lowercase().`
    : null;
}

function writtenValue(value: Expression | undefined): string | null {
  return value?.kind === "path" ? value.source : null;
}

/** Functions that take one value of each item, where authors give several. */
const SEVERAL_KEYS: ReadonlySet<FunctionName> = new Set(["$group", "$distinct", "$map"]);

/** Returns a hint with an example of a function. */
function formOf(name: FunctionName, example: string, value: string | null): string {
  const inside = example.slice(1, -1);
  if (FUNCTIONS[name].of === "condition") return `Write ${name}${example}.`;
  if (value !== null) return `Write ${value}.${name.slice(1)}${example}.`;
  return inside === ""
    ? `Write ${name}(path).`
    : `Write ${name}(path, ${inside}) or path.${name.slice(1)}${example}.`;
}

/** Throws for a computation in place of a list, because the computation would not be done for each item. */
function checkList(name: FunctionName, argument: Expression | undefined): void {
  const isComputed = argument?.kind === "compute" || argument?.kind === "negate";
  const { of, parameters }: FunctionSignature = FUNCTIONS[name];
  if (!isComputed || of !== "list") return;
  const computes = parameters[0] === "item";
  throw new TagSyntaxError(
    `${name} takes a list, but a computation gives a single number.`,
    computes
      ? `Name the list first, and then compute with the keys of its items: ${name}(items, quantity * price).`
      : `Name the list: ${name}(items).`,
  );
}
