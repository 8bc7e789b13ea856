import { spell, type Wording, withTags } from "./delimiters/wording.ts";
import { dateWithoutQuotes } from "./mistakes/unquoted-date.ts";

/** One token of a tag's content. */
export type Lexeme = Token & {
  /** Whether a space precedes it. */
  readonly spaced: boolean;
};

type Token =
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "string"; readonly text: string; readonly value: string }
  | { readonly kind: "symbol"; readonly text: string };

/** Why the content of a tag is invalid. The error is caught where the location of the tag is known. */
export class TagSyntaxError extends Error {
  readonly hint: Wording | undefined;
  /**
   * Returns a hint that knows the loops around the tag: the name of the items of the innermost one, or null outside all
   * loops, and the names of all of them. Absent if the loops do not matter.
   */
  readonly hintInLoop:
    | ((item: string | null, names: readonly (string | null)[]) => Wording | null)
    | undefined;

  constructor(message: string, hint?: Wording, hintInLoop?: TagSyntaxError["hintInLoop"]) {
    super(message);
    this.hint = hint;
    this.hintInLoop = hintInLoop;
  }
}

/**
 * Plain quotes, and the quotes into which Word's autocorrect turns them. In a tag, all of them are read as plain
 * quotes, so a string may end with another quote of the same list.
 */
const DOUBLE_QUOTES = '"“”„‟«»″';
const SINGLE_QUOTES = "'‘’‚‛‹›′";
const SPACES = /[\s\u00a0\u200b\u2060\ufeff]/u;
const NAME = /[\p{L}\p{Nl}_$][\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}$]*/uy;
const NUMBER = /\d+(?:\.\d+)?/y;
const DIGITS = /\d+/y;
const SYMBOLS = ["::", "==", "!=", "<=", ">=", "&&", "||", "??", ..."<>!.,()[]+-*/%"];

/** Signs of other languages and of mathematics, with their equivalents. */
const FOREIGN_SYMBOLS: readonly (readonly [string, string])[] = [
  ["===", "=="],
  ["!==", "!="],
  ["<>", "!="],
  ["=>", ">="],
  ["=<", "<="],
  ["->", "."],
  ["≥", ">="],
  ["≤", "<="],
  ["≠", "!="],
  ["×", "*"],
  ["·", "*"],
  ["÷", "/"],
];

/** Maximum number of tokens in a tag, because the evaluation of an expression recurses for each of its parts. */
const MAX_LEXEMES = 2000;

/** Number of characters of an unclosed string that a message quotes. */
const MAX_QUOTED = 20;

/** Returns tokens as text, with a space where the tag has spaces. */
export function textOf(lexemes: readonly Lexeme[]): string {
  return lexemes.map(({ spaced, text }, n) => (spaced && n > 0 ? ` ${text}` : text)).join("");
}

/** Undoes what Word's autocorrect does to quotes, hyphens and spaces. */
export function plainText(text: string): string {
  return text
    .replace(/[“”„‟«»″]/g, '"')
    .replace(/[‘’‚‛‹›′]/g, "'")
    .replace(/[–−]/g, "-")
    .replace(/\u00a0/g, " ");
}

/** Splits the content of a tag into tokens. Throws {@link TagSyntaxError}. */
export function tokenize(content: string): Lexeme[] {
  const source = content.replace(/[–−]/g, "-");
  const lexemes: Lexeme[] = [];
  let at = 0;
  let spaced = false;
  while (at < source.length) {
    const character = source[at] ?? "";
    if (SPACES.test(character)) {
      spaced = true;
      at += 1;
      continue;
    }
    const token = readToken(source, content, at, lexemes);
    lexemes.push({ ...token, spaced });
    if (lexemes.length > MAX_LEXEMES) throw new TagSyntaxError("The tag is too long.");
    at += token.text.length;
    spaced = false;
  }
  return lexemes;
}

function readToken(source: string, content: string, at: number, before: readonly Lexeme[]): Token {
  const sign = source[at] ?? "";
  if (DOUBLE_QUOTES.includes(sign)) return readString(content, at, DOUBLE_QUOTES);
  if (SINGLE_QUOTES.includes(sign)) return readString(content, at, SINGLE_QUOTES);
  const last = before.at(-1);
  const afterDot = last?.kind === "symbol" && last.text === ".";
  const number = match(afterDot ? DIGITS : NUMBER, source, at);
  if (number !== null) {
    if (!afterDot && !isComputedWith(source, at, last)) checkDate(source, at);
    return { kind: "number", text: number };
  }
  const name = match(NAME, source, at);
  if (name !== null) return { kind: "name", text: name };
  const foreign = FOREIGN_SYMBOLS.find(([each]) => source.startsWith(each, at));
  if (foreign !== undefined) {
    throw new TagSyntaxError(
      `The sign '${foreign[0]}' has no meaning in a tag.`,
      `Did you mean '${foreign[1]}'?`,
    );
  }
  const symbol = SYMBOLS.find((each) => source.startsWith(each, at));
  if (symbol !== undefined) return { kind: "symbol", text: symbol };
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  if (character === "{" || character === "}")
    throw unexpectedBrace(character, content.slice(0, at));
  throw unexpectedCharacter(character, before, source.slice(at + character.length).trim() === "");
}

/** Whether the sign before a number computes with it, or belongs to a key such as `report-2026-01-01`. */
function isComputedWith(source: string, at: number, last: Lexeme | undefined): boolean {
  if (last?.kind !== "symbol") return false;
  return /^[*/%]$/.test(last.text) || /[-+]/.test(source[at - 1] ?? "");
}

/** Throws for a date without quotes: 2026-01-01 would be the number 2024. */
function checkDate(source: string, at: number): void {
  const date = dateWithoutQuotes(source, at);
  if (date === null) return;
  throw new TagSyntaxError(
    `The date ${date.written} has no quotes, so it is read as numbers.`,
    `Write "${date.text}".`,
  );
}

function unexpectedCharacter(
  character: string,
  before: readonly Lexeme[],
  isLast: boolean,
): TagSyntaxError {
  if (character === "=") return singleEquals(before);
  if (/^[\p{Cc}\p{Cf}]$/u.test(character)) {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    return new TagSyntaxError(
      `The tag contains an invisible character, U+${code}.`,
      "Delete the tag and type it again.",
    );
  }
  const block = "#/^@".includes(character) && before.length === 0;
  return new TagSyntaxError(
    `The character '${character}' has no meaning ${block ? "here" : "in a tag"}.`,
    block
      ? withTags`Write blocks as {{for item in items}} … {{endfor}} or as {{#items}} … {{/items}}.`
      : characterHint(character, before, isLast),
  );
}

/**
 * Returns the error for a brace in a tag, which is usually part of a delimiter. `before`: the content of the tag before
 * it.
 */
function unexpectedBrace(brace: string, before: string): TagSyntaxError {
  const content = before.trim();
  const missing =
    brace === "}" && TAG.test(content)
      ? withTags`A brace is missing: write {{${content}}}.`
      : withTags`Each tag ends with '}}': a brace may be missing.`;
  return new TagSyntaxError(`The character '${brace}' has no meaning in a tag.`, (delimiters) =>
    spell(delimiters.end.startsWith("}") ? missing : SPECIAL_KEY, delimiters),
  );
}

/** Matches the content of a tag that is a path or belongs to a block. */
const TAG =
  /^(?:[\p{L}_][\p{L}\p{M}\p{N}_]*(?:\.\s*[\p{L}\p{N}_]+)*|(?:if|elseif|for|tablerow|tablecolumn)\s.+|end[a-z]+)$/su;

const SPECIAL_KEY = withTags`Put a key with special characters in brackets and quotes: {{this["first name"]}}.`;

function singleEquals(before: readonly Lexeme[]): TagSyntaxError {
  const [sign, modifier] = before.slice(-2);
  const isAfterSign = sign?.text === "::" || sign?.text === ",";
  if (modifier?.kind === "name" && isAfterSign && before.some(({ text }) => text === "::")) {
    return new TagSyntaxError(
      "The character '=' has no meaning after a modifier.",
      `Put the argument in parentheses: ${modifier.text}("…").`,
    );
  }
  return new TagSyntaxError("A single '=' is not a comparison.", "Compare with '=='.");
}

function characterHint(character: string, [first]: readonly Lexeme[], isLast: boolean): Wording {
  const keyword = first !== undefined && /^(?:if|elseif|else|for)$/.test(first.text);
  if (isLast && !keyword && /^[:;]$/.test(character))
    return `Leave out the '${character}' at the end.`;
  switch (character) {
    case "|":
      if (first?.text === "for")
        return withTags`Functions come after a dot: {{for item in items.where(paid)}}.`;
      return keyword
        ? "Did you mean 'or'?"
        : withTags`Modifiers come after '::': {{name :: uppercase}}.`;
    case "&":
      return keyword
        ? "Did you mean 'and'?"
        : withTags`To join texts, write {{$concat(first, " ", last)}}, or write the tags next to each other.`;
    case ":":
      return keyword
        ? withTags`Leave it out: {{${first.text}${first.text === "else" ? "" : " …"}}} has no colon.`
        : withTags`Modifiers come after two colons, {{name :: uppercase}}; keys are joined with dots, {{customer.name}}.`;
    case ";":
      return keyword ? "Leave it out." : "Separate arguments and modifiers with ','.";
    case "^":
      return "The language has no power operator. Write a function, as in side.power(2).";
    case "?":
      return withTags`For a value that may be missing, write {{name :: optional}} or {{name ?? "text"}}. For one of two values, write {{$if(condition, a, b)}}.`;
    case "…":
      return "Write the whole path in place of the dots.";
    case "—":
      return withTags`Subtract with '-'. Write a key with a dash in brackets and quotes: {{this["first—name"]}}.`;
    default:
      return SPECIAL_KEY;
  }
}

function match(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
}

/** Reads a string from the original content, so that dashes and the other kind of quotes are kept. */
function readString(content: string, start: number, quotes: string): Token {
  let value = "";
  for (let at = start + 1; at < content.length; at++) {
    const character = content[at] ?? "";
    if (character === "\\" && isEscapable(content[at + 1])) {
      at += 1;
      value += content[at];
    } else if (quotes.includes(character) && !isApostrophe(content, at)) {
      const text = content.slice(start, at + 1);
      return { kind: "string", text, value: withoutFrenchSpaces(text, value) };
    } else {
      value += character;
    }
  }
  const opened = content.slice(start, start + MAX_QUOTED).trimEnd();
  const more = start + MAX_QUOTED < content.length ? "…" : "";
  throw new TagSyntaxError(
    `The quote at the beginning of ${opened}${more} is not closed.`,
    quoteHint(content.slice(0, start)),
  );
}

/** Returns the value of a string without the spaces that Word adds within French quotes. */
function withoutFrenchSpaces(text: string, value: string): string {
  return /^«.*»$/su.test(text)
    ? value.replace(/^[\u00a0\u202f]/, "").replace(/[\u00a0\u202f]$/, "")
    : value;
}

function quoteHint(before: string): Wording {
  const isSecond = /["“”„‟«»″]/.test(before);
  if (isSecond && /[\p{L}\p{N}]$/u.test(before)) {
    return 'A quote is missing before it: each text has one quote before and one after it, as in "text".';
  }
  if (/\d$/.test(before))
    return "Write a number without separators between thousands, as in 1234.5.";
  return /\p{L}$/u.test(before)
    ? withTags`Write a key with an apostrophe in brackets and double quotes: {{this["customer's name"]}}.`
    : "Put the same quote after the text.";
}

/**
 * Whether a backslash before this character is an escape, and not part of the string: the character is a quote or a
 * backslash.
 */
function isEscapable(character: string | undefined): boolean {
  return character !== undefined && `\\${DOUBLE_QUOTES}${SINGLE_QUOTES}`.includes(character);
}

/** Whether a quote is an apostrophe between two letters, as in 'it’s'. It then does not end a string. */
function isApostrophe(content: string, at: number): boolean {
  return (
    SINGLE_QUOTES.includes(content[at] ?? "") &&
    /\p{L}/u.test(content[at - 1] ?? "") &&
    /\p{L}/u.test(content[at + 1] ?? "")
  );
}
