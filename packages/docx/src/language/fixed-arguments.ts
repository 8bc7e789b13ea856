import { withTags } from "./delimiters/wording.ts";
import { type Expression, operandsOf } from "./grammar/expression.ts";
import { FUNCTIONS, type FunctionName, parameterOf } from "./grammar/functions.ts";
import { spellExpression } from "./grammar/spell.ts";
import { written } from "./literal-conditions.ts";
import { TagSyntaxError } from "./tokens.ts";

/** Throws for a key that is the same for all items: a text, a number, or a computation with numbers. */
export function checkConstant(name: FunctionName, argument: Expression, index: number): void {
  if (index === 0) checkQuotedList(name, argument);
  const isText = argument.kind === "literal" && /^[\p{L}_]/u.test(String(argument.value));
  const isOfKeys = KEYED.has(name) || (isText && SUMMED.has(name));
  const isKey = index > 0 && isOfKeys && parameterOf(name, index - 1) !== "condition";
  if (!isKey || !isConstant(argument)) return;
  const text = argument.kind === "literal" ? String(argument.value) : "";
  const key =
    name === "$sort" && argument.kind === "negate" ? "(price desc)" : FUNCTIONS[name].example;
  throw new TagSyntaxError(
    `The key of '${name}' is the same for all items.`,
    isText
      ? `Write the key without quotes: ${name.slice(1)}(${text}).`
      : `Name a key of the items: ${name.slice(1)}${key}.`,
  );
}

/** Throws for `$sum("items.price")`: the name of a list has no quotes. */
function checkQuotedList(name: FunctionName, argument: Expression): void {
  if (argument.kind !== "literal" || !SUMMED.has(name)) return;
  const [, list, key = ""] =
    /^([\p{L}_][\p{L}\p{N}_.]*?)(?:\.([\p{L}_][\p{L}\p{N}_]*))?$/u.exec(String(argument.value)) ??
    [];
  if (list === undefined) return;
  throw new TagSyntaxError(
    `The list of '${name}' is text.`,
    withTags`Write its name without quotes: {{${list}.${name.slice(1)}(${key})}}.`,
  );
}

function isConstant(argument: Expression): boolean {
  if (argument.kind === "literal" || argument.kind === "number") return true;
  const isComputed = argument.kind === "negate" || argument.kind === "compute";
  return isComputed && operandsOf(argument).every(isConstant);
}

const KEYED: ReadonlySet<FunctionName> = new Set(["$sort", "$group", "$distinct", "$map"]);

const SUMMED: ReadonlySet<FunctionName> = new Set(["$sum", "$average", "$min", "$max"]);

/** Throws for `'{:,.2f}'.format(total)`: the value comes first, and its pattern in the parentheses. */
export function checkFormatted(name: FunctionName, given: readonly Expression[]): void {
  const [of, value] = given;
  if (name !== "$format" || of?.kind !== "literal" || !String(of.value).includes("{")) return;
  const [, comma = "", places = "0"] = /:(,)?\.?(\d*)f?\}/.exec(String(of.value)) ?? [];
  const decimals = Number(places) > 0 ? `.${"0".repeat(Number(places))}` : "";
  const pattern = `${comma === "" ? "0" : "#,##0"}${decimals}`;
  const source = (value === undefined ? null : written(value)) ?? "total";
  throw new TagSyntaxError(
    "'format' formats the value before it, and its pattern is in the parentheses.",
    withTags`Write {{${source} :: number("${pattern}")}}.`,
  );
}

/** Throws for `number(0.00)`, which would print no decimals. `places`: the number in the parentheses. */
export function checkDecimals(name: "number" | "percent", places: string): void {
  if (!places.includes(".")) return;
  throw new TagSyntaxError(
    `The argument of '${name}' is a number of decimals, or a pattern in quotes.`,
    name === "number"
      ? `Write number("${places}") or number(2).`
      : "Write percent(1) for one decimal.",
  );
}

/** Throws for a fixed argument that a function does not take. `of`: the value that it is called on. */
export function checkFixed(
  name: FunctionName,
  argument: Expression,
  of: Expression | undefined,
): void {
  checkPart(name, argument, of);
  if (of === undefined || argument.kind !== "number") return;
  if (name === "$number") checkDecimals("number", argument.text);
  if (name === "$percent") checkDecimals("percent", argument.text);
}

/** Throws for a negative number of items: `items.limit(-2)`. */
function checkPart(name: FunctionName, argument: Expression, of: Expression | undefined): void {
  if ((name !== "$limit" && name !== "$skip") || argument.kind !== "negate") return;
  const { operand } = argument;
  if (operand.kind !== "number") return;
  const list = (of === undefined ? null : written(of)) ?? "items";
  const end = `${list}.reverse().${name.slice(1)}(${operand.text}).reverse()`;
  throw new TagSyntaxError(
    `The number of items of '${name.slice(1)}' is not negative.`,
    name === "$limit"
      ? `For the last ${operand.text} items write ${end}.`
      : `To leave out the last ${operand.text} items, write ${end}.`,
  );
}

/** Throws for letters and for a step, which `$range` does not take. */
export function checkRange(name: FunctionName, given: readonly Expression[]): void {
  if (name !== "$range") return;
  const [first, last, step] = given;
  const [from, to] = [first, last].map(letterOf);
  if (from !== undefined && from !== null) {
    const end = to ?? from;
    throw new TagSyntaxError(
      "'$range' gives numbers, not letters.",
      withTags`Write {{for n in $range(${`${from}`}, ${`${end}`})}}{{n.letter()}}{{endfor}}.`,
    );
  }
  if (first?.kind !== "number" || last?.kind !== "number" || step?.kind !== "number") return;
  const [least, most, by] = [Number(first.text), Number(last.text), Number(step.text)];
  if (!(by >= 1) || most < least || given.length > 3) return;
  const count = Math.floor((most - least) / by);
  throw new TagSyntaxError(
    "The function '$range' takes at most 2 arguments: it has no step.",
    `Compute with its numbers, as in $range(0, ${count}).map(this * ${step.text} + ${first.text}).`,
  );
}

/** Returns the place of a letter in the alphabet, from 1; null for other arguments. */
function letterOf(argument: Expression | undefined): number | null {
  if (argument?.kind !== "literal" || typeof argument.value !== "string") return null;
  return /^[A-Za-z]$/.test(argument.value) ? argument.value.toLowerCase().charCodeAt(0) - 96 : null;
}

/** Throws for `members.count(members.distinct(team))`: the list in the parentheses would count as true for all items. */
export function checkCounted(name: FunctionName, [of, condition]: readonly Expression[]): void {
  if (name !== "$count" || of === undefined) return;
  if (condition?.kind !== "call" || condition.name !== "$distinct") return;
  const [list] = condition.arguments;
  if (list === undefined || spellExpression(list) !== spellExpression(of)) return;
  throw new TagSyntaxError(
    "The argument of 'count' is a condition, not a list.",
    withTags`Write {{${spellExpression(condition)}.count()}}.`,
  );
}
