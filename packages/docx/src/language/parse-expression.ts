import {
  type Comparison,
  type Expression,
  FUNCTIONS,
  type FunctionName,
  LOOP_VARIABLES,
  type LoopVariable,
  type Operator,
  type PathExpression,
} from "./expression.ts";
import { endsEarly, noKey, noName } from "./incomplete.ts";
import { checkLiterals } from "./literal-conditions.ts";
import { compared, computed, operand } from "./operations.ts";
import { type Lexeme, TagSyntaxError } from "./tokens.ts";
import { noFunction, unclosedParenthesis, unexpected } from "./unexpected.ts";

const COMPARISONS = new Set<string>(["==", "!=", "<", "<=", ">", ">=", "contains"]);
const CONSTANTS = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Words that may follow a value. */
const WORDS = new Set(["and", "or", "contains", "isPresent", "isEmpty"]);

/** Maximum nesting of parentheses and negations. */
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

  /** Returns the next token; null at the end of the tag. */
  peek(): Lexeme | null {
    return this.#lexemes[this.#at] ?? null;
  }

  /** Takes the next token. `expected` describes this token in the error for a tag that ends too early. */
  next(expected: string): Lexeme {
    const lexeme = this.#lexemes[this.#at];
    if (lexeme === undefined) throw endsEarly(this.#lexemes, expected);
    this.#at += 1;
    return lexeme;
  }

  /** Takes the next token if it is one of these names or symbols. */
  take(...texts: readonly string[]): string | null {
    const lexeme = this.peek();
    if (lexeme === null || lexeme.kind === "string" || !texts.includes(lexeme.text)) return null;
    this.#at += 1;
    return lexeme.text;
  }

  /** Throws unless every token was taken. */
  end(): void {
    if (this.peek() !== null) throw unexpected(this.#lexemes, this.#at);
  }

  /** Takes the `)` of the current parenthesis. `opened`: the result of {@link begun} directly after its `(`. */
  close(opened: number): void {
    if (this.take(")") === null) throw unclosedParenthesis(this.#lexemes, opened, this.#at);
  }

  /** Returns the index of the last token taken. */
  begun(): number {
    return this.#at - 1;
  }

  /** Reads the condition of a block. A string or a number in it must be compared with something. */
  condition(): Expression {
    const condition = this.#disjunction();
    checkLiterals(condition);
    return condition;
  }

  #disjunction(): Expression {
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
    return compared(lexeme.text as Comparison, left, this.#tested());
  }

  #tested(): Expression {
    const operand = this.value();
    const test = this.take("isPresent", "isEmpty");
    return test === null ? operand : { kind: test as "isPresent" | "isEmpty", operand };
  }

  /** Reads a value: a sum or difference of products. Operands are paths, numbers, strings and function results. */
  value(): Expression {
    let left = this.#product();
    for (let sign = this.take("+", "-"); sign !== null; sign = this.take("+", "-")) {
      left = computed(sign as Operator, left, this.#product());
    }
    return left;
  }

  #product(): Expression {
    let left = this.#factor();
    for (let sign = this.take("*", "/", "%"); sign !== null; sign = this.take("*", "/", "%")) {
      left = computed(sign as Operator, left, this.#factor());
    }
    return left;
  }

  #factor(): Expression {
    if (this.take("-") !== null) {
      return this.#nested(() => ({ kind: "negate", operand: operand(this.#factor()) }));
    }
    if (this.take("(") !== null) {
      const opened = this.begun();
      return this.#nested(() => {
        const inner = this.#disjunction();
        this.close(opened);
        return inner;
      });
    }
    const lexeme = this.peek();
    if (lexeme?.kind === "number") {
      this.next("a value");
      return { kind: "number", text: lexeme.text };
    }
    if (lexeme?.kind === "string") {
      this.next("a value");
      return { kind: "literal", value: lexeme.value };
    }
    if (lexeme?.kind === "name") {
      const constant = CONSTANTS.get(lexeme.text);
      if (constant !== undefined) {
        this.next("a value");
        return { kind: "literal", value: constant };
      }
      if (lexeme.text.startsWith("$")) return this.#dollar();
    }
    return this.path();
  }

  /** Reads a function or a loop variable; otherwise a key that begins with a dollar sign. */
  #dollar(): Expression {
    const { text } = this.next("a name");
    if (this.take("(") !== null) return this.#nested(() => this.#call(text));
    if (isLoopVariable(text)) return { kind: "variable", name: text };
    if (isFunction(text) && this.peek()?.kind === "name") {
      throw new TagSyntaxError(
        `The argument of the function '${text}' must be in parentheses.`,
        `Write ${text}(path).`,
      );
    }
    this.#at -= 1;
    return this.path();
  }

  #call(name: string): Expression {
    if (!isFunction(name)) throw noFunction(name, this.#lexemes.slice(this.#at));
    const opened = this.begun();
    const given: Expression[] = [];
    if (this.take(")") === null) {
      do given.push(this.value());
      while (this.take(",") !== null);
      this.close(opened);
    }
    const [least, most] = FUNCTIONS[name];
    if (given.length < least || given.length > most) {
      const wanted = least === most ? `${least}` : `${least} to ${most}`;
      throw new TagSyntaxError(
        `The function '${name}' takes ${wanted} argument${most === 1 ? "" : "s"}.`,
        `Write ${name}(path).`,
      );
    }
    checkList(name, given[0]);
    return { kind: "call", name, arguments: given };
  }

  #nested(parse: () => Expression): Expression {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) {
      throw new TagSyntaxError("The expression is nested too deeply.");
    }
    const expression = parse();
    this.#nesting -= 1;
    return expression;
  }

  path(): PathExpression {
    const lexeme = this.next("a name");
    if (lexeme.text === "." && lexeme.kind === "symbol") {
      const key = this.peek();
      if (key?.kind === "symbol" && key.text === "[") return this.#keys("", null, []);
      // After a space, the name may be a word of the language: `. isPresent`.
      const isKey = key?.kind === "name" && !(key.spaced && WORDS.has(key.text));
      if (!isKey) return { kind: "path", source: ".", head: null, rest: [] };
      this.next("a key");
      return this.#keys(`.${key.text}`, null, [key.text]);
    }
    const key = this.peek();
    if (lexeme.text === "[" && lexeme.kind === "symbol" && key?.kind === "string") {
      this.next("a name");
      this.#closeBracket(key);
      return this.#keys(`[${key.text}]`, key.value, []);
    }
    if (lexeme.kind !== "name") throw noName(this.#lexemes, this.#at - 1);
    return this.#keys(lexeme.text, lexeme.text === "this" ? null : lexeme.text, []);
  }

  #closeBracket(key: Lexeme): void {
    if (this.take("]") !== null) return;
    throw new TagSyntaxError("A '[' is not closed.", `Add ']' after ${key.text}.`);
  }

  /** Reads the keys and indexes after the start of a path. */
  #keys(start: string, head: string | null, rest: string[]): PathExpression {
    let source = start;
    for (let symbol = this.take(".", "["); symbol !== null; symbol = this.take(".", "[")) {
      const key = this.next("a key");
      if (!isKey(symbol, key)) throw noKey(source, symbol, key, this.peek());
      if (symbol === "[") this.#closeBracket(key);
      rest.push(key.kind === "string" ? key.value : key.text);
      source += symbol === "." ? `.${key.text}` : `[${key.text}]`;
    }
    if (this.take("(") !== null) throw noFunction(source, this.#lexemes.slice(this.#at));
    return { kind: "path", source, head, rest };
  }
}

/** Whether a lexeme is a key: a name or a number after a dot, a number or a string after an opening bracket. */
function isKey(before: string, { kind }: Lexeme): boolean {
  return kind === "number" || kind === (before === "." ? "name" : "string");
}

function isLoopVariable(name: string): name is LoopVariable {
  return (LOOP_VARIABLES as readonly string[]).includes(name);
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}

/** The functions whose argument is a list. */
const OF_LISTS = new Set<FunctionName>(["$sum", "$count", "$average", "$min", "$max"]);

/** Throws for a computation in place of a list, because the computation would not be done for each item. */
function checkList(name: FunctionName, argument: Expression | undefined): void {
  const isComputed = argument?.kind === "compute" || argument?.kind === "negate";
  if (!isComputed || !OF_LISTS.has(name)) return;
  throw new TagSyntaxError(
    `${name} takes a list, but a computation gives a single number.`,
    `Compute the value of each item in the data, and write ${name}(items.value).`,
  );
}
