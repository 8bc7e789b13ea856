import type { ExpressionReader } from "./cursor.ts";
import type { CallExpression, Expression, PathExpression } from "./grammar/expression.ts";
import { FUNCTIONS, type FunctionSignature, givesItems, isFunction } from "./grammar/functions.ts";
import { functionMeant } from "./grammar/functions-elsewhere.ts";
import { isModifier, MODIFIERS } from "./grammar/modifier-signatures.ts";
import { noKey, noName, unclosedBracket } from "./incomplete.ts";
import { written } from "./literal-conditions.ts";
import { methodCall, named, OUTER, withinItems } from "./parse-call.ts";
import { type Lexeme, TagSyntaxError } from "./tokens.ts";
import { noFunction } from "./unexpected.ts";

/** Words that may follow a value. */
const WORDS = new Set([
  "and",
  "or",
  "contains",
  "in",
  "not",
  "isPresent",
  "isEmpty",
  "asc",
  "desc",
]);

/** Reads a path: a first name, and keys and indexes as they are written. */
export function parsePath(parser: ExpressionReader): PathExpression {
  const lexeme = parser.next("a name");
  if (lexeme.text === "." && lexeme.kind === "symbol") {
    const key = parser.peek();
    if (key?.kind === "symbol" && key.text === "[") return keysAfter(parser, "", null, []);
    // After a space, the name may be a word of the language: `. isPresent`.
    const isKey = key?.kind === "name" && !(key.spaced && WORDS.has(key.text));
    if (!isKey) return { kind: "path", source: ".", head: null, rest: [] };
    parser.next("a key");
    return keysAfter(parser, `.${key.text}`, null, [key.text]);
  }
  const key = parser.peek();
  if (lexeme.text === "[" && lexeme.kind === "symbol" && key?.kind === "string") {
    parser.next("a name");
    closeBracket(parser, key);
    return keysAfter(parser, `[${key.text}]`, key.value, []);
  }
  if (lexeme.kind !== "name") throw noName(parser.lexemes, parser.at - 1);
  const named = lexeme.text === OUTER ? (parser.outer ?? OUTER) : lexeme.text;
  return keysAfter(parser, lexeme.text, lexeme.text === "this" ? null : named, []);
}

/** Reads the keys and indexes after the start of a path. */
function keysAfter(
  parser: ExpressionReader,
  start: string,
  head: string | null,
  rest: string[],
): PathExpression {
  let source = start;
  for (let key = fixedKey(parser, source); key !== null; key = fixedKey(parser, source)) {
    rest.push(key.value);
    source += key.written;
  }
  if (parser.is("(")) {
    parser.take("(");
    throw noFunction(source, parser.lexemes.slice(parser.at));
  }
  return { kind: "path", source, head, rest };
}

interface FixedKey {
  readonly value: string;
  readonly written: string;
}

/** Reads `.name`, `[0]` or `["name"]`; null for anything else, such as a function or a lookup by value. */
function fixedKey(parser: ExpressionReader, path: string): FixedKey | null {
  if (isMethod(parser)) return null;
  const inBrackets = parser.is("[");
  if (inBrackets && !isFixed(parser.peek(1), parser.peek(2))) return null;
  const symbol = parser.take(".", "[");
  if (symbol === null) return null;
  const key = parser.next("a key");
  if (!isKey(symbol, key)) throw noKey(path, symbol, key);
  if (symbol === "[") closeBracket(parser, key);
  const value = key.kind === "string" ? key.value : key.text;
  return { value, written: symbol === "." ? `.${key.text}` : `[${key.text}]` };
}

/** Whether a function follows that is written like a key: `.sum(`. */
function isMethod(parser: ExpressionReader): boolean {
  const name = parser.peek(1);
  return (
    parser.is(".") && name?.kind === "name" && isFunction(`$${name.text}`) && parser.is("(", 2)
  );
}

/** Whether brackets contain a key or an index, as written, rather than an expression. */
function isFixed(key: Lexeme | null, next: Lexeme | null): boolean {
  if (key === null || (key.kind !== "number" && key.kind !== "string")) {
    return key === null || key.text === "]";
  }
  // A missing bracket is reported where it should be.
  return next === null || next.text === "]" || next.kind !== "symbol";
}

/** Whether a lexeme is a key: a name or a number after a dot, a number or a string after an opening bracket. */
function isKey(before: string, { kind }: Lexeme): boolean {
  return kind === "number" || kind === (before === "." ? "name" : "string");
}

function closeBracket(parser: ExpressionReader, key: Lexeme): void {
  if (parser.take("]") !== null) return;
  throw new TagSyntaxError("A '[' is not closed.", `Add ']' after ${key.text}.`);
}

/** Reads what follows a value: functions, keys, and lookups in brackets. `source`: the value as written, for messages. */
export function parseContinuation(
  parser: ExpressionReader,
  start: Expression,
  source: string,
): Expression {
  let value = start;
  let written = source;
  for (;;) {
    if (isMethod(parser)) {
      parser.take(".");
      const { text } = parser.next("a function");
      parser.take("(");
      const of = value;
      value = parser.nested(() => methodCall(parser, text, of));
      written += `.${text}(…)`;
      continue;
    }
    const key = fixedKey(parser, written);
    if (key !== null) {
      if (value.kind === "call") checkKey(value, key);
      value =
        value.kind === "member"
          ? { ...value, keys: [...value.keys, key.value] }
          : { kind: "member", of: value, keys: [key.value] };
      written += key.written;
      if (parser.is("(")) {
        parser.take("(");
        throw noFunction(key.value, parser.lexemes.slice(parser.at));
      }
    } else if (parser.is("[")) {
      value = lookup(parser, value, written);
      written += "[…]";
    } else return value;
  }
}

/** Throws for a function or a modifier after the result of a function that is written like a key: `trim().uppercase`. */
function checkKey(call: CallExpression, { value: name, written }: FixedKey): void {
  const of = call.name;
  checkSingle(call, written);
  const isPlain = ["text", "number", "date"].includes(FUNCTIONS[of].of) && !givesItems(of);
  if (!isPlain || written !== `.${name}`) return;
  const full = `$${name}`;
  if (isFunction(full)) {
    const { example, required }: FunctionSignature = FUNCTIONS[full];
    throw new TagSyntaxError(
      `The function '${name}' needs parentheses.`,
      `Write .${name}${required === 0 ? "()" : example}.`,
    );
  }
  if (!isModifier(name)) return;
  throw new TagSyntaxError(
    `'${name}' is a modifier and not a key.`,
    `A modifier comes after the value: :: ${name}${MODIFIERS[name].required === 0 ? "" : MODIFIERS[name].example}.`,
  );
}

/** Throws for a key after a function that gives a single number: `items.count(paid).price`. */
function checkSingle(
  { name: of, arguments: [list, condition] }: CallExpression,
  key: string,
): void {
  if (!/^\$(?:sum|average|count)$/.test(of) || !key.startsWith(".")) return;
  const name = key.slice(1);
  if (isFunction(`$${name}`) || isModifier(name) || functionMeant(name) !== null) return;
  const [items, test] = [list, condition].map((each) =>
    each === undefined ? null : written(each),
  );
  throw new TagSyntaxError(
    `The result of '${of.slice(1)}' is a number and has no key '${name}'.`,
    of === "$count"
      ? `For the sum of the values write ${items ?? "items"}.${condition === undefined ? "" : `where(${test ?? "paid"}).`}sum(${name}).`
      : `Write the key into the parentheses: ${of.slice(1)}(${name}).`,
  );
}

/** Reads brackets with an expression: a condition selects elements, and any other value names an element or a key. */
function lookup(parser: ExpressionReader, of: Expression, source: string): Expression {
  parser.take("[");
  const key = withinItems(parser, () => parser.nested(() => parser.disjunction()));
  if (parser.take("]") === null) throw unclosedBracket(parser.lexemes, parser.at);
  switch (key.kind) {
    case "compare":
    case "and":
    case "or":
    case "not":
    case "isPresent":
    case "isEmpty":
      return named({
        kind: "call",
        name: "$where",
        arguments: [of, key],
        descending: [],
        alias: parser.alias,
      });
    case "literal":
      throw new TagSyntaxError(
        "Brackets contain an index, a key or a condition.",
        `Write the condition out, as in ${source}[paid == true].`,
      );
    case "negate":
      throw new TagSyntaxError(
        "An index is not negative.",
        `For the last element write ${source}.last().`,
      );
    default:
      return { kind: "element", of, key };
  }
}
