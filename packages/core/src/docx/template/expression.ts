/** A place in the data as a tag names it, for example `invoice.items[0].name`. */
export interface PathExpression {
  readonly kind: "path";
  /** As written, without spaces: what messages quote. */
  readonly source: string;
  /** The first name: a loop's name or a key of the data; null for `this` and `.`. */
  readonly head: string | null;
  /** Keys and indexes after the first name, as written: `007` is not the key `7`. */
  readonly rest: readonly string[];
}

/** A value that stands in the template itself. */
export interface LiteralExpression {
  readonly kind: "literal";
  readonly value: string | number | boolean | null;
}

/** How two values are compared. */
export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains";

/**
 * What a tag computes. The grammar is total: an expression is a finite tree that our own evaluator
 * walks; there are no calls, no assignments, no code.
 */
export type Expression =
  | PathExpression
  | LiteralExpression
  | { readonly kind: "not"; readonly operand: Expression }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "compare";
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "isPresent" | "isEmpty"; readonly operand: Expression };

/** One token of a tag's content. */
export type Lexeme =
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "number"; readonly text: string; readonly value: number }
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
const NUMBER = /-?\d+(?:\.\d+)?/y;
const DIGITS = /\d+/y;
const SYMBOLS = ["::", "==", "!=", "<=", ">=", "&&", "||", ..."<>!.,()[]"];

/** Longer tags are refused: a condition is evaluated by one call in another for each of its parts. */
const MAX_LEXEMES = 2000;

/** Splits the content of a tag into tokens. Throws {@link TagSyntaxError}. */
export function tokenize(content: string): Lexeme[] {
  const source = content.replaceAll("–", "-");
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
  if (number !== null) return { kind: "number", text: number, value: Number(number) };
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
  if ("#/^".includes(character)) {
    return new TagSyntaxError(
      `A tag cannot begin with '${character}'.`,
      "Write blocks as {{for item in items}} … {{endfor}} or {{if condition}} … {{endif}}.",
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

const COMPARISONS = new Set<string>(["==", "!=", "<", "<=", ">", ">=", "contains"]);
const CONSTANTS = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Deeper nesting of parentheses and negations than this is refused. */
const MAX_NESTING = 64;

/** Reads expressions from a tag's tokens, by recursive descent. Throws {@link TagSyntaxError}. */
export class ExpressionParser {
  readonly #lexemes: readonly Lexeme[];
  #at: number;
  #nesting = 0;

  constructor(lexemes: readonly Lexeme[], start = 0) {
    this.#lexemes = lexemes;
    this.#at = start;
  }

  /** The next token, or null at the end. */
  peek(): Lexeme | null {
    return this.#lexemes[this.#at] ?? null;
  }

  /** Takes the next token. */
  next(expected: string): Lexeme {
    const lexeme = this.#lexemes[this.#at];
    if (lexeme === undefined) throw new TagSyntaxError(`The tag ends where ${expected} should be.`);
    this.#at += 1;
    return lexeme;
  }

  /** Takes the next token when it is this name or symbol. */
  take(...texts: readonly string[]): string | null {
    const lexeme = this.peek();
    if (lexeme === null || lexeme.kind === "string" || !texts.includes(lexeme.text)) return null;
    this.#at += 1;
    return lexeme.text;
  }

  /** Throws unless every token was taken. */
  end(): void {
    const lexeme = this.peek();
    if (lexeme !== null) throw new TagSyntaxError(`'${lexeme.text}' is not expected here.`);
  }

  condition(): Expression {
    let left = this.#conjunction();
    while (this.take("or", "||") !== null) {
      left = { kind: "or", left, right: this.#conjunction() };
    }
    return left;
  }

  #conjunction(): Expression {
    let left = this.#negation();
    while (this.take("and", "&&") !== null) {
      left = { kind: "and", left, right: this.#negation() };
    }
    return left;
  }

  #negation(): Expression {
    if (this.take("not", "!") === null) return this.#comparison();
    return this.#nested(() => ({ kind: "not", operand: this.#negation() }));
  }

  #comparison(): Expression {
    const left = this.#tested();
    const lexeme = this.peek();
    if (lexeme === null || lexeme.kind === "string" || !COMPARISONS.has(lexeme.text)) return left;
    this.next("a comparison");
    return {
      kind: "compare",
      operator: lexeme.text as Comparison,
      left,
      right: this.#tested(),
    };
  }

  #tested(): Expression {
    const operand = this.operand();
    const test = this.take("isPresent", "isEmpty");
    return test === null ? operand : { kind: test as "isPresent" | "isEmpty", operand };
  }

  /** A value: a path, a literal, or a condition in parentheses. */
  operand(): Expression {
    const lexeme = this.peek();
    if (lexeme?.kind === "number" || lexeme?.kind === "string") {
      this.next("a value");
      return { kind: "literal", value: lexeme.value };
    }
    if (this.take("(") !== null) {
      return this.#nested(() => {
        const inner = this.condition();
        if (this.take(")") === null) throw new TagSyntaxError("A '(' is not closed.");
        return inner;
      });
    }
    const constant = lexeme?.kind === "name" ? CONSTANTS.get(lexeme.text) : undefined;
    if (constant !== undefined) {
      this.next("a value");
      return { kind: "literal", value: constant };
    }
    return this.path();
  }

  #nested(parse: () => Expression): Expression {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) throw new TagSyntaxError("The condition is nested too deep.");
    const expression = parse();
    this.#nesting -= 1;
    return expression;
  }

  path(): PathExpression {
    const lexeme = this.next("a name");
    if (lexeme.text === "." && lexeme.kind === "symbol") {
      return { kind: "path", source: ".", head: null, rest: [] };
    }
    if (lexeme.kind !== "name") {
      throw new TagSyntaxError(`'${lexeme.text}' stands where a name should be.`);
    }
    const rest: string[] = [];
    let source = lexeme.text;
    for (let symbol = this.take(".", "["); symbol !== null; symbol = this.take(".", "[")) {
      const key = this.next("a key");
      if (symbol === "." && key.kind !== "name" && key.kind !== "number") {
        throw new TagSyntaxError(`'${key.text}' stands where a key should be.`);
      }
      if (symbol === "[" && (key.kind === "name" || key.kind === "symbol")) {
        throw new TagSyntaxError("Between brackets stands an index or a key in quotes.");
      }
      if (symbol === "[" && this.take("]") === null) {
        throw new TagSyntaxError("A '[' is not closed.");
      }
      rest.push(key.kind === "string" ? key.value : key.text);
      source += symbol === "." ? `.${key.text}` : `[${key.text}]`;
    }
    return { kind: "path", source, head: lexeme.text === "this" ? null : lexeme.text, rest };
  }
}
