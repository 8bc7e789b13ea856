import { nearest } from "@quire/contracts";
import { type Wording, withTags } from "./delimiters/wording.ts";
import { FUNCTIONS, type FunctionName, type FunctionSignature } from "./grammar/functions.ts";
import { formMeant, nearestFunction, SOME_FUNCTIONS } from "./grammar/functions-elsewhere.ts";
import { isModifier, MODIFIERS, type ModifierName } from "./grammar/modifier-signatures.ts";
import { isSlip } from "./mistakes/suggest.ts";
import { type Lexeme, TagSyntaxError, textOf } from "./tokens.ts";

/** The operators of conditions that are written as words. */
export const WORD_OPERATORS = ["and", "or", "not", "contains", "isPresent", "isEmpty"] as const;

const OPERATOR_OF: ReadonlyMap<string, string> = new Map([
  ...WORD_OPERATORS.map((word) => [word.toLowerCase(), word] as const),
  ["is", "=="],
  ["eq", "=="],
  ["equal", "=="],
  ["equals", "=="],
  ["ne", "!="],
  ["gt", ">"],
  ["greater", ">"],
  ["lt", "<"],
  ["less", "<"],
  ["includes", "contains"],
  ["exists", "isPresent"],
  ["present", "isPresent"],
  ["empty", "isEmpty"],
]);

/** Returns the operator that a word would be if its case were correct; null for other words. */
export function operatorInOtherCase(word: string): string | null {
  const folded = word.toLowerCase();
  return WORD_OPERATORS.find((each) => each !== word && each.toLowerCase() === folded) ?? null;
}

/** Returns the error for the token at an index where nothing may follow, because the content before it is complete. */
export function unexpected(lexemes: readonly Lexeme[], at: number): TagSyntaxError {
  const lexeme = lexemes[at];
  const before = lexemes[at - 1];
  if (lexeme?.kind === "name" && before?.kind === "name") {
    const isKey = lexemes[at - 2]?.text === ".";
    const hint = isKey ? null : prefixHint(before.text, lexeme.text);
    if (hint !== null) return new TagSyntaxError(`'${before.text}' is not expected here.`, hint);
  }
  return new TagSyntaxError(
    `'${lexeme?.text ?? ""}' is not expected here.`,
    hintAt(lexemes, at) ?? keyHint(lexemes, at) ?? undefined,
  );
}

/** A key that is written as several words, or begins with a digit. */
export interface MeantKey {
  /** The key as written. */
  readonly words: string;
  /** Two forms of its path: `path` has the key in brackets and quotes, `joined` has its words separated by dots. */
  readonly path: string;
  readonly joined: string;
}

/** Returns the key that the misplaced token at an index continues, or null. */
export function keyMeant(lexemes: readonly Lexeme[], at: number): MeantKey | null {
  const first = lexemes[at - 1];
  const second = lexemes[at];
  const isKey = first?.kind === "name" || (first?.kind === "number" && second?.spaced === false);
  if (!isKey || second === undefined || !WORD.has(second.kind)) return null;
  const from = lexemes.slice(at);
  const length = from.findIndex(({ kind, text }) => !WORD.has(kind) || OPERATORS.has(text));
  const more = length === -1 ? from : from.slice(0, length);
  if (more.some(({ text }) => /^(?:if|when|where)$/.test(text))) return null;
  const words = [first, ...more].map(({ spaced, text }, n) =>
    n > 0 && spaced ? ` ${text}` : text,
  );
  const parent = parentPath(lexemes, at - 1);
  const key = words.join("");
  return {
    words: key,
    path: `${parent === "" ? "this" : parent}["${key}"]`,
    joined: [...(parent === "" ? [] : [parent]), ...key.split(" ")].join("."),
  };
}

const WORD = new Set<Lexeme["kind"]>(["name", "number"]);
const OPERATORS = new Set<string>(WORD_OPERATORS);

/** Returns the path before a key that follows a dot; may be empty. */
function parentPath(lexemes: readonly Lexeme[], key: number): string {
  let from = key;
  while (lexemes[from - 1]?.text === ".") {
    from -= 2;
    while (lexemes[from]?.text === "]") from -= 3;
  }
  return lexemes
    .slice(Math.max(from, 0), Math.max(key - 1, 0))
    .map(({ text }) => text)
    .join("");
}

/** Returns a hint for writing a key that is not a plain name. */
export function keyHint(lexemes: readonly Lexeme[], at: number): string | null {
  const [before, word] = lexemes.slice(Math.max(at - 1, 0), at + 1);
  if (before?.kind === "number" && word?.kind === "name" && word.spaced) {
    return `Write the number alone: ${before.text}.`;
  }
  const key = keyMeant(lexemes, at);
  // A word of the language after a name continues no key.
  return key === null || key.words === before?.text
    ? null
    : `A key like '${key.words}' belongs in brackets and quotes: ${key.path}.`;
}

/** Returns a hint for the misplaced token at an index; null if nothing is similar. */
export function hintAt(lexemes: readonly Lexeme[], at: number): Wording | null {
  const lexeme = lexemes[at];
  if (lexeme === undefined) return null;
  return lexeme.kind === "name" ? wordHint(lexeme.text, lexemes[at + 1]) : symbolHint(lexemes, at);
}

/** Returns a hint for an operator before its value, or for a misspelled operator. */
function prefixHint(before: string, value: string): string | null {
  const operator = OPERATOR_OF.get(before.toLowerCase());
  if (operator === "isPresent" || operator === "isEmpty") {
    return `'${operator}' comes after its value: ${value} ${operator}.`;
  }
  return operator !== undefined && operator !== before ? `Did you mean '${operator}'?` : null;
}

function wordHint(word: string, next: Lexeme | undefined): Wording | null {
  switch (word) {
    case "not":
      return "'not' comes before the condition that it negates: not path isEmpty.";
    case "then":
      return "Nothing may come between the condition and the end of its tag.";
    case "if":
    case "when":
    case "where":
      return withTags`Put a condition into its own block: {{if condition}} … {{endif}}. To repeat only some items of a list, write {{for item in items.where(condition)}}.`;
    case "sort":
    case "order":
    case "by":
      return withTags`Write {{for item in items.sort(key)}}, or items.sort(key desc) for the reverse order.`;
    case "limit":
      return withTags`Write {{for item in items.limit(10)}}.`;
  }
  // This also finds "is present", written as two words.
  const folded = word.toLowerCase();
  const second = folded === "is" ? OPERATOR_OF.get(`is${next?.text.toLowerCase()}`) : undefined;
  const operator = second ?? OPERATOR_OF.get(folded);
  if (operator !== undefined && operator !== word) return `Did you mean '${operator}'?`;
  if (/^isnot/.test(folded)) return "Write it with 'not' before the value: not path isEmpty.";
  // Short words such as "note" are similar to "not" but mean something else.
  const slip = WORD_OPERATORS.find((each) => isSlip(word, each));
  const near = slip ?? (word.length < 5 ? null : nearest(word, WORD_OPERATORS));
  return near === null || near === word ? null : `Did you mean '${near}'?`;
}

const COMPARISON = /^(?:[=!<>]=|[<>])$/;

/** Whether a condition ends with a comparison, so that one more may not follow it. */
export function followsComparison(before: readonly Lexeme[]): boolean {
  const start = before.findLastIndex(({ kind, text }) => {
    return kind !== "string" && /^(?:[(,]|and|or|if|elseif|not|&&|\|\||::)$/.test(text);
  });
  return before
    .slice(start + 1)
    .some(({ kind, text }) => kind === "symbol" && COMPARISON.test(text));
}

function symbolHint(lexemes: readonly Lexeme[], at: number): string | null {
  const [before, next] = [lexemes[at - 1], lexemes[at + 1]];
  const { kind, text } = lexemes[at] ?? {};
  if (kind !== "symbol" || text === undefined) return null;
  if (COMPARISON.test(text)) {
    return followsComparison(lexemes.slice(0, at))
      ? "Join two comparisons with 'and': amount > 1 and amount < 20."
      : "A comparison belongs in a condition, as in {{if …}}, $if(…) and items.where(…).";
  }
  if (/^[,.]$/.test(text) && before?.kind === "number" && next?.kind === "number") {
    return "Write a number with a point before its decimals and with no other separators, as in 1234.5.";
  }
  switch (text) {
    case ",":
      if (next === undefined) return "Leave out the ',' at the end.";
      return followsComparison(lexemes.slice(0, at)) &&
        (next?.kind === "string" || next?.kind === "number")
        ? 'Write each comparison out: country == "CH" or country == "DE".'
        : null;
    case ")":
      return "No '(' is open here.";
    case "::":
      return "Only tags that print a value take modifiers.";
    default:
      return null;
  }
}

/**
 * Returns the error for a parenthesis after a name that is not a function. `inside`: the tokens after the parenthesis.
 */
export function noFunction(name: string, inside: readonly Lexeme[]): TagSyntaxError {
  return new TagSyntaxError(`There is no function '${name}'.`, functionHint(name, inside));
}

function functionHint(name: string, inside: readonly Lexeme[]): Wording {
  if (/^\$?(?:today|now)$/i.test(name)) {
    const moment = `$${name.replace("$", "").toLowerCase()}`;
    return withTags`Write it without parentheses: {{${moment}}}.`;
  }
  const [argument] = inside;
  const isNumber =
    argument?.kind === "number" && inside[1]?.text === ")" && !VERB.test(lastName(name));
  const last = lastName(name);
  const end = inside.findIndex(({ kind, text }) => kind !== "name" && text !== ".");
  const words = inside.slice(0, end === -1 ? undefined : end).map(({ text }) => text);
  const path = words.length === 0 ? "path" : words.join("");
  const operator = OPERATOR_OF.get(name.toLowerCase());
  if (operator === "isPresent" || operator === "isEmpty") {
    return `'${operator}' comes after its value: ${path} ${operator}.`;
  }
  if (isModifier(name)) return modifierAfter(path, name);
  const dot = name.lastIndexOf(".");
  const of = name.slice(0, Math.max(dot, 0));
  if (dot > 0 && isModifier(last)) return modifierAfter(of, last);
  if (dot > 0 && isComparison(last))
    return `Write '${last}' between two values: ${of} ${last} "A".`;
  const meant = formMeant(last) ?? methodHint(name, inside);
  if (meant !== null) return meant;
  const key = dot === -1 && isKey(inside) && !/^\$|^[A-Z]{2,}$/.test(name) ? path : null;
  if (key !== null) {
    return withTags`If '${key}' is a key of '${name}', write {{${name}.${key}}}. ${SOME_FUNCTIONS}`;
  }
  return isNumber
    ? `An element of a list is ${name}[${argument.text}]. Positions count from 0, so the first one is ${name}[0]. ${SOME_FUNCTIONS}`
    : SOME_FUNCTIONS;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Matches names that are certainly not keys of a list: `charAt`, `addHours`. */
const VERB = /^(?:add|at|char|code|get|has|is|minus|plus|sub|subtract|to)\p{Lu}/u;

/** Whether parentheses contain one name, as in `customer(name)`. */
function isKey([name, end]: readonly Lexeme[]): boolean {
  return name?.kind === "name" && end?.text === ")";
}

function modifierAfter(path: string, name: ModifierName): Wording {
  return withTags`A modifier comes after the value: {{${path} :: ${name}${MODIFIERS[name].example}}}.`;
}

function isComparison(word: string): boolean {
  return word !== "isPresent" && word !== "isEmpty" && WORD_OPERATORS.some((each) => each === word);
}

/** Returns a hint with the function that a name or the last name of a path may mean, or null. */
function methodHint(name: string, inside: readonly Lexeme[]): string | null {
  const dot = name.lastIndexOf(".");
  const near = nearestFunction(name.slice(dot + 1));
  if (near === null) return null;
  if (dot === -1) return `Did you mean '${near}'?`;
  const { example, parameters, required }: FunctionSignature = FUNCTIONS[near as FunctionName];
  const end = inside.findIndex(({ text }) => /^[()]$/.test(text));
  const given = inside[end]?.text === ")" ? textOf(inside.slice(0, end)) : "";
  const form =
    given !== "" && parameters.length > 0 ? `(${given})` : required === 0 ? "()" : example;
  return `Did you mean '${near.slice(1)}', as in ${name.slice(0, dot)}.${near.slice(1)}${form}?`;
}
