import type { ExpressionReader } from "./cursor.ts";
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
import { parsingProblem } from "./mistakes/parsing.ts";
import { TagSyntaxError } from "./tokens.ts";
import { noFunction } from "./unexpected.ts";

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
  if (parser.take(")") === null) {
    do {
      const read = argument(parser, name, given.length);
      checkConstant(name, read, given.length);
      given.push(read);
      const direction = directionOf(parser, name, given.length - 1);
      if (direction !== null) descending[given.length - 2] = direction === "desc";
    } while (parser.take(",") !== null);
    parser.close(opened);
  }
  checkCount(name, given, of !== null);
  checkOrder(name, given);
  const problem = parsingProblem(name, given[1]);
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
  checkCount(full, [of], true);
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
    $first: `For the first ${count.text} items write items.limit(${count.text}), and for one of them items[0].`,
    $last: `For the last ${count.text} items write items.reverse().limit(${count.text}).reverse().`,
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

/** `isMethod`: whether the first value is before the name, so that the author does not count it. */
function checkCount(name: FunctionName, given: readonly Expression[], isMethod: boolean): void {
  const { parameters, required, repeats, example }: FunctionSignature = FUNCTIONS[name];
  const most = repeats ? Number.POSITIVE_INFINITY : parameters.length + 1;
  if (given.length > required && given.length <= most) return;
  const before = isMethod ? 1 : 0;
  const [fewest, highest] = [required + 1 - before, most - before];
  const wanted =
    fewest === highest
      ? `${fewest || "no"}`
      : repeats
        ? `at least ${fewest}`
        : `${fewest} to ${highest}`;
  const called = isMethod ? name.slice(1) : name;
  throw new TagSyntaxError(
    `The function '${called}' takes ${wanted} argument${wanted.endsWith("1") ? "" : "s"}.`,
    SEVERAL_KEYS.has(name) && given.length > most
      ? `Join several values to one, as in ${name.slice(1)}($concat(city, " ", year)).`
      : formOf(name, example),
  );
}

/** Functions that take one value of each item, where authors give several. */
const SEVERAL_KEYS: ReadonlySet<FunctionName> = new Set(["$group", "$distinct", "$map"]);

/** Returns a hint with an example of a function. */
function formOf(name: FunctionName, example: string): string {
  const inside = example.slice(1, -1);
  if (FUNCTIONS[name].of === "condition") return `Write ${name}${example}.`;
  return inside === ""
    ? `Write ${name}(path).`
    : `Write ${name}(path, ${inside}) or path.${name.slice(1)}${example}.`;
}

/** Throws for a text or a number as a key, because it is the same for all items. */
function checkConstant(name: FunctionName, argument: Expression, index: number): void {
  const isText = argument.kind === "literal" && /^[\p{L}_]/u.test(String(argument.value));
  const isOfKeys = KEYED.has(name) || (isText && SUMMED.has(name));
  const isKey = index > 0 && isOfKeys && parameterOf(name, index - 1) !== "condition";
  if (!isKey || (argument.kind !== "literal" && argument.kind !== "number")) return;
  const text = argument.kind === "number" ? argument.text : String(argument.value);
  throw new TagSyntaxError(
    `The key of '${name}' is the same for all items.`,
    /^[\p{L}_]/u.test(text)
      ? `Write the key without quotes: ${name.slice(1)}(${text}).`
      : `Name a key of the items: ${name.slice(1)}${FUNCTIONS[name].example}.`,
  );
}

const KEYED: ReadonlySet<FunctionName> = new Set(["$sort", "$group", "$distinct", "$map"]);

const SUMMED: ReadonlySet<FunctionName> = new Set(["$sum", "$average", "$min", "$max"]);

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

/** Throws {@link TagSyntaxError} if fixed arguments show that an author has swapped them. */
function checkOrder(name: FunctionName, [of, ...given]: readonly Expression[]): void {
  if (of === undefined) return;
  const [first, second] = given;
  const method = name.slice(1);
  if (name === "$padStart" || name === "$padEnd") {
    if (first?.kind !== "literal" || second === undefined || second.kind === "literal") return;
    throw new TagSyntaxError(
      `The length of '${method}' comes before the text that fills it.`,
      `Write ${method}${FUNCTIONS[name].example}.`,
    );
  }
  if (name === "$substring" && second?.kind === "number" && Number(second.text) === 0) {
    throw new TagSyntaxError(
      "The second number of 'substring' is the number of characters, so the result is always empty.",
      "Write the position first, from 0: substring(0, 3) is the first three characters.",
    );
  }
  if (name === "$replace") checkReplaced(of, first, second);
  if (name === "$join") checkSeparators(first, second);
  if (isSwapped(name, of, first)) {
    throw new TagSyntaxError(
      `The ${FUNCTIONS[name].of} of '${name}' comes before its other arguments.`,
      `Write ${first?.kind === "path" ? first.source : "value"}.${method}(${writtenOf(of)}).`,
    );
  }
}

/** Throws for a pattern in place of the text to replace, and for a value after the texts. */
function checkReplaced(
  of: Expression,
  sought: Expression | undefined,
  other: Expression | undefined,
): void {
  if (isText(of) && sought !== undefined && isText(sought) && other?.kind === "path") {
    throw new TagSyntaxError(
      "The text of '$replace' comes first.",
      `Write ${other.source}.replace(${writtenOf(of)}, ${writtenOf(sought)}).`,
    );
  }
  if (sought?.kind !== "literal" || !PATTERN.test(String(sought.value))) return;
  throw new TagSyntaxError(
    "'replace' looks for a text as it is, not for a pattern.",
    'Write each text to replace, as in phone.replace(" ", "").replace("-", "").',
  );
}

const PATTERN = /^\/.+\/[gimsuy]*$|\[\^|\\[dDsSwW]|\[\w-\w\]/;

/** Throws for separators in the wrong order, and for a word between the last two without spaces. */
function checkSeparators(first: Expression | undefined, second: Expression | undefined): void {
  if (first?.kind !== "literal" || second?.kind !== "literal") return;
  const [between, last] = [String(first.value), String(second.value)];
  if (/\p{L}/u.test(between) && /^\s*[,;]\s*$/.test(last)) {
    throw new TagSyntaxError(
      "The second separator of 'join' is the one before the last element.",
      `Write join(${JSON.stringify(last)}, ${JSON.stringify(between)}).`,
    );
  }
  // Chinese and Japanese have no spaces.
  if (!/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u.test(last)) return;
  if (between === last) return;
  throw new TagSyntaxError(
    `The separator "${last}" has no spaces, so it would be joined to the elements.`,
    `Write join(${JSON.stringify(between)}, " ${last} ").`,
  );
}

/** Whether a fixed number or text is in the place of the value, and a path in the place of the argument. */
function isSwapped(name: FunctionName, of: Expression, first: Expression | undefined): boolean {
  if (first?.kind !== "path") return false;
  const kind = FUNCTIONS[name].of;
  return of.kind === "number" ? kind === "date" : isText(of) && kind === "list";
}

function isText(expression: Expression): boolean {
  return expression.kind === "literal" && typeof expression.value === "string";
}

function writtenOf(expression: Expression): string {
  if (expression.kind === "number") return expression.text;
  return expression.kind === "literal" ? JSON.stringify(expression.value) : "…";
}
