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

/** Throws for a negative number of items: `items.limit(-2)`. */
export function checkPart(
  name: FunctionName,
  argument: Expression,
  of: Expression | undefined,
): void {
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

/** Throws {@link TagSyntaxError} if fixed arguments show that an author has swapped them. */
export function checkOrder(name: FunctionName, [of, ...given]: readonly Expression[]): void {
  if (of === undefined) return;
  const [first, second] = given;
  const method = name.slice(1);
  if (name === "$padStart" || name === "$padEnd") {
    const [, sign] = /^(.)\1+$/u.exec(first?.kind === "literal" ? String(first.value) : "") ?? [];
    if (sign !== undefined && first?.kind === "literal" && second === undefined) {
      throw new TagSyntaxError(
        `The first argument of '${method}' is the number of characters.`,
        `Write ${spellExpression(of)}.${method}(${[...String(first.value)].length}, ${JSON.stringify(sign)}).`,
      );
    }
    if (of.kind === "number" && first?.kind === "path") {
      const fill = second === undefined ? '"0"' : spellExpression(second);
      throw comesFirst(name, `${first.source}.${method}(${of.text}, ${fill})`);
    }
    if (first?.kind !== "literal" || second === undefined || second.kind === "literal") return;
    const swapped = [second, first].map(spellExpression).join(", ");
    throw new TagSyntaxError(
      `The length of '${method}' comes before the text that fills it.`,
      `Write ${spellExpression(of)}.${method}(${swapped}).`,
    );
  }
  if (name === "$substring" && of.kind === "number" && first?.kind === "number") {
    if (second?.kind === "path")
      throw comesFirst(name, `${second.source}.substring(${of.text}, ${first.text})`);
  }
  if (name === "$substring" && second?.kind === "number" && Number(second.text) === 0) {
    throw new TagSyntaxError(
      "The second number of 'substring' is the number of characters, so the result is always empty.",
      "Write the position first, from 0: substring(0, 3) is the first three characters.",
    );
  }
  if (name === "$round" && first?.kind === "literal") {
    const mode = JSON.stringify(String(first.value));
    const places = second?.kind === "number" ? second.text : "0";
    throw new TagSyntaxError(
      "The number of decimal places comes before the way of rounding.",
      /^"\d+"$/.test(mode)
        ? `Write the number without quotes: ${spellExpression(of)}.round(${first.value}).`
        : `Write ${spellExpression(of)}.round(${places}, ${mode}).`,
    );
  }
  if (name === "$split" && first?.kind === "number") {
    const text = spellExpression(of);
    throw new TagSyntaxError(
      "'split' takes the text between the parts, in quotes.",
      `For the first ${first.text} characters write ${text}.substring(0, ${first.text}). For groups of characters write a mask, with an x for each of them: format("${"xxxx xxxx"}").`,
    );
  }
  if (name === "$substring" && second?.kind === "negate" && second.operand.kind === "number") {
    const text = spellExpression(of);
    const from = first === undefined ? "0" : spellExpression(first);
    const cut = from === "0" ? second.operand.text : `${second.operand.text} - ${from}`;
    throw new TagSyntaxError(
      "The second number of 'substring' is the number of characters.",
      `To leave out the last ${second.operand.text} characters write ${text}.substring(${from}, ${text}.length() - ${cut}).`,
    );
  }
  if (name === "$split" && first?.kind === "literal" && first.value === "") {
    const text = spellExpression(of);
    throw new TagSyntaxError(
      "'split' cannot look for an empty text.",
      // Within the parentheses of 'map', 'this' is a number.
      /^(?:this\b|\.)/.test(text)
        ? undefined
        : `For a list of the characters write $range(0, ${text}.length() - 1).map(${text}.substring(this, 1)).`,
    );
  }
  if (name === "$replace") checkReplaced(of, first, second);
  if (name === "$join") checkSeparators(first, second);
  if (isSwapped(name, of, first)) {
    throw comesFirst(
      name,
      `${first?.kind === "path" ? first.source : "value"}.${method}(${writtenOf(of)})`,
    );
  }
}

function comesFirst(name: FunctionName, meant: string): TagSyntaxError {
  return new TagSyntaxError(
    `The ${FUNCTIONS[name].of} of '${name}' comes before its other arguments.`,
    `Write ${meant}.`,
  );
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
  if (of.kind === "number") return kind === "date" || name === "$substring";
  return isText(of) && kind === "list";
}

function isText(expression: Expression): boolean {
  return expression.kind === "literal" && typeof expression.value === "string";
}

function writtenOf(expression: Expression): string {
  if (expression.kind === "number") return expression.text;
  return expression.kind === "literal" ? JSON.stringify(expression.value) : "…";
}
