import type { Expression } from "./grammar/expression.ts";
import { endsEarly, unclosedParenthesis } from "./incomplete.ts";
import { type Lexeme, TagSyntaxError } from "./tokens.ts";
import { unexpected } from "./unexpected.ts";

/** Maximum nesting of parentheses, brackets and negations. */
const MAX_NESTING = 64;

/** The tokens of a tag, and the place of the next one. */
export class Cursor {
  readonly lexemes: readonly Lexeme[];
  /** The index of the next token. */
  at: number;
  #nesting = 0;

  constructor(lexemes: readonly Lexeme[], start = 0) {
    this.lexemes = lexemes;
    this.at = start;
  }

  /** Returns the next token, or one after it; null at the end of the tag. */
  peek(ahead = 0): Lexeme | null {
    return this.lexemes[this.at + ahead] ?? null;
  }

  /** Takes the next token. `expected` describes this token in the error for a tag that ends too early. */
  next(expected: string): Lexeme {
    const lexeme = this.lexemes[this.at];
    if (lexeme === undefined) throw endsEarly(this.lexemes, expected);
    this.at += 1;
    return lexeme;
  }

  /** Whether a token that is not in quotes has this text. */
  is(text: string, ahead = 0): boolean {
    const lexeme = this.peek(ahead);
    return lexeme !== null && lexeme.kind !== "string" && lexeme.text === text;
  }

  /** Takes the next token if it is one of these names or symbols. */
  take(...texts: readonly string[]): string | null {
    const lexeme = this.peek();
    if (lexeme === null || lexeme.kind === "string" || !texts.includes(lexeme.text)) return null;
    this.at += 1;
    return lexeme.text;
  }

  /** Throws unless every token was taken. */
  end(): void {
    if (this.peek() !== null) throw unexpected(this.lexemes, this.at);
  }

  /** Takes the `)` of the current parenthesis. `opened`: the result of {@link begun} directly after its `(`. */
  close(opened: number): void {
    if (this.take(")") === null) throw unclosedParenthesis(this.lexemes, opened, this.at);
  }

  /** Returns the index of the last token taken. */
  begun(): number {
    return this.at - 1;
  }

  /** Calls `parse` one level deeper. Throws {@link TagSyntaxError} if that is too deep. */
  nested<T>(parse: () => T): T {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) {
      throw new TagSyntaxError("The expression is nested too deeply.");
    }
    const result = parse();
    this.#nesting -= 1;
    return result;
  }
}

/** What reads the expressions within paths and calls. */
export interface ExpressionReader extends Cursor {
  /** The name of the items of the loop whose list is read; null elsewhere. */
  alias: string | null;
  /** Whether an argument is read that a function evaluates for each item. */
  isInItems: boolean;
  /** Whether the function is in such an argument of another function. */
  isNested: boolean;
  /** The name that the loop gives to the items for which such an argument is evaluated, and to those around it. */
  inItems: string | null;
  outer: string | null;
  /** Reads a value. */
  value(): Expression;
  /** Reads the condition of a block. A string or a number in it must be compared with something. */
  condition(): Expression;
  /** Reads a condition or a value. */
  disjunction(): Expression;
}
