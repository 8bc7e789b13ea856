/** One token of a tag's content. */
export type Lexeme =
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "number"; readonly text: string }
  | { readonly kind: "string"; readonly text: string; readonly value: string }
  | { readonly kind: "symbol"; readonly text: string };

/** Why the content of a tag cannot be read; caught where the tag's place is known. */
export class TagSyntaxError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** Word's autocorrect turns quotes into these; inside a tag they mean the plain ones, even unbalanced. */
const DOUBLE_QUOTES = '"“”„‟«»″';
const SINGLE_QUOTES = "'‘’‚‛‹›′";
const SPACES = /[\s\u00a0\u200b\u2060\ufeff]/u;
const NAME = /[\p{L}\p{Nl}_$][\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}$]*/uy;
const NUMBER = /\d+(?:\.\d+)?/y;
const DIGITS = /\d+/y;
const SYMBOLS = ["::", "==", "!=", "<=", ">=", "&&", "||", ..."<>!.,()[]+-*/%"];

/** Longer tags are refused: an expression is evaluated by one call in another for each of its parts. */
const MAX_LEXEMES = 2000;

/** Splits the content of a tag into tokens. Throws {@link TagSyntaxError}. */
export function tokenize(content: string): Lexeme[] {
  const source = content.replace(/[–−]/g, "-");
  const lexemes: Lexeme[] = [];
  let at = 0;
  while (at < source.length) {
    const character = source[at] ?? "";
    if (SPACES.test(character)) {
      at += 1;
      continue;
    }
    const lexeme = readLexeme(source, content, at, lexemes.at(-1));
    lexemes.push(lexeme);
    if (lexemes.length > MAX_LEXEMES) throw new TagSyntaxError("The tag is too long.");
    at += lexeme.text.length;
  }
  return lexemes;
}

function readLexeme(
  source: string,
  content: string,
  at: number,
  before: Lexeme | undefined,
): Lexeme {
  const character = source[at] ?? "";
  if (DOUBLE_QUOTES.includes(character)) return readString(content, at, DOUBLE_QUOTES);
  if (SINGLE_QUOTES.includes(character)) return readString(content, at, SINGLE_QUOTES);
  const afterDot = before?.kind === "symbol" && before.text === ".";
  const number = match(afterDot ? DIGITS : NUMBER, source, at);
  if (number !== null) return { kind: "number", text: number };
  const name = match(NAME, source, at);
  if (name !== null) return { kind: "name", text: name };
  const symbol = SYMBOLS.find((each) => source.startsWith(each, at));
  if (symbol !== undefined) return { kind: "symbol", text: symbol };
  throw unexpected(character);
}

function unexpected(character: string): TagSyntaxError {
  if (character === "=") {
    return new TagSyntaxError("A single '=' is no comparison.", "Compare with '=='.");
  }
  if (character === "|") {
    return new TagSyntaxError(
      "The character '|' has no meaning in a tag.",
      "Modifiers stand behind '::': {{name :: uppercase}}.",
    );
  }
  if ("#/^@".includes(character)) {
    return new TagSyntaxError(
      `The character '${character}' has no meaning here.`,
      "Write blocks as {{for item in items}} … {{endfor}} or as {{#items}} … {{/items}}.",
    );
  }
  return new TagSyntaxError(
    `The character '${character}' has no meaning in a tag.`,
    'Put a key with special characters in brackets and quotes: {{data["first name"]}}.',
  );
}

function match(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
}

/** Read from the content as written, so that a dash or a quote of the other kind stays what it is. */
function readString(content: string, start: number, quotes: string): Lexeme {
  let value = "";
  for (let at = start + 1; at < content.length; at++) {
    const character = content[at] ?? "";
    if (character === "\\" && at + 1 < content.length) {
      at += 1;
      value += content[at];
    } else if (quotes.includes(character) && !isApostrophe(content, at)) {
      return { kind: "string", text: content.slice(start, at + 1), value };
    } else {
      value += character;
    }
  }
  throw new TagSyntaxError("A text in quotes has no closing quote.");
}

/** A single quote between two letters, as in 'it’s', ends nothing. */
function isApostrophe(content: string, at: number): boolean {
  return (
    SINGLE_QUOTES.includes(content[at] ?? "") &&
    /\p{L}/u.test(content[at - 1] ?? "") &&
    /\p{L}/u.test(content[at + 1] ?? "")
  );
}
