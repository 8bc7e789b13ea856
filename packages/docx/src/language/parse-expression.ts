import { Cursor } from "./cursor.ts";
import {
  type Comparison,
  type Expression,
  isLoopVariable,
  type Operator,
  type PathExpression,
} from "./grammar/expression.ts";
import { isFunction } from "./grammar/functions.ts";
import { unclosedBracket, unclosedList } from "./incomplete.ts";
import {
  checkCompared,
  checkDifference,
  checkFallback,
  checkListed,
  checkLiterals,
  checkSettled,
} from "./literal-conditions.ts";
import {
  checkAmong,
  checkSides,
  checkTexts,
  compared,
  computed,
  isIn,
  operand,
} from "./operations.ts";
import { parseCall } from "./parse-call.ts";
import { parseContinuation, parsePath } from "./parse-path.ts";
import { TagSyntaxError } from "./tokens.ts";

const COMPARISONS = new Set<string>(["==", "!=", "<", "<=", ">", ">=", "contains"]);
/** The expressions that are a list of one value in brackets. */
const COMPUTED = new Set<string>(["call", "compute", "fallback"] satisfies Expression["kind"][]);
const CONSTANT = new Set<string>(["literal", "number"] satisfies Expression["kind"][]);
const CONSTANTS = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Reads expressions from a tag's tokens, by recursive descent. Throws {@link TagSyntaxError}. */
export class ExpressionParser extends Cursor {
  /** The name of the items of the loop whose list is read; null elsewhere. */
  alias: string | null = null;
  isInItems = false;
  isNested = false;
  inItems: string | null = null;
  outer: string | null = null;

  /** Reads the condition of a block. A string or a number in it must be compared with something. */
  condition(): Expression {
    const condition = this.disjunction();
    checkLiterals(condition);
    checkSettled(condition);
    return condition;
  }

  /** Reads a condition or a value. */
  disjunction(): Expression {
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
    return this.nested(() => ({ kind: "not", operand: this.#negation() }));
  }

  #comparison(): Expression {
    const left = this.#tested();
    if (this.is("not") && this.is("in", 1)) {
      this.take("not");
      return { kind: "not", operand: this.#among(left) };
    }
    if (this.is("in")) return this.#among(left);
    const lexeme = this.peek();
    if (lexeme === null || lexeme.kind === "string" || !COMPARISONS.has(lexeme.text)) return left;
    this.next("a comparison");
    const right = this.#tested();
    const operator = lexeme.text as Comparison;
    checkTexts(operator, left, right);
    if (!/^[.\d]/.test(this.peek()?.text ?? "")) checkCompared(operator, left, right);
    if (this.isInItems) checkSides(operator, left, right, this.isNested);
    return compared(operator, left, right);
  }

  /** Reads `in` and the values after it: `in ["a", "b"]`, a list of the data, or `in [a, b].map(this.trim())`. */
  #among(value: Expression): Expression {
    this.take("in");
    const start = this.at;
    const open = this.take("[", "(");
    if (open === null) return this.#inValue(value);
    const opened = this.begun();
    return this.nested(() => {
      const items: Expression[] = [];
      do items.push(this.value());
      while (this.take(",") !== null);
      if (open === "(") {
        // Parentheses around one value that is not a constant change nothing.
        if (items.length === 1 && !CONSTANT.has(items[0]?.kind ?? "")) {
          this.at = start;
          return this.#inValue(value);
        }
        this.close(opened);
      } else if (this.take("]") === null) throw unclosedBracket(this.lexemes, this.at);
      else if (this.is(".")) {
        this.at = start;
        return this.#inValue(value);
      }
      checkListed(value, items);
      return isIn(value, { kind: "list", items });
    });
  }

  #inValue(value: Expression): Expression {
    return isIn(value, checkAmong(value, this.value()));
  }

  #tested(): Expression {
    const operand = this.value();
    const test = this.take("isPresent", "isEmpty");
    return test === null ? operand : { kind: test as "isPresent" | "isEmpty", operand };
  }

  /** Reads a value, with the values that replace it if it is missing. */
  value(): Expression {
    const start = this.at;
    let left = this.#sum();
    while (this.take("??") !== null) {
      const from = this.at;
      const right = this.#sum();
      if (right.kind === "compute") checkFallback(this.lexemes, start, from, this.at);
      checkDifference(this.lexemes[from - 2], left, right);
      left = { kind: "fallback", left, right };
    }
    return left;
  }

  /** Reads a sum or difference of products. Operands are paths, numbers, strings and function results. */
  #sum(): Expression {
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
      return this.nested(() => ({ kind: "negate", operand: operand(this.#factor()) }));
    }
    if (this.take("(") !== null) {
      const opened = this.begun();
      const inner = this.nested(() => {
        const condition = this.disjunction();
        this.close(opened);
        return condition;
      });
      return parseContinuation(this, inner, "");
    }
    const lexeme = this.peek();
    if (lexeme?.kind === "number") {
      this.next("a value");
      return this.#called({ kind: "number", text: lexeme.text }, lexeme.text);
    }
    if (lexeme?.kind === "string") {
      this.next("a value");
      return this.#called({ kind: "literal", value: lexeme.value }, lexeme.text);
    }
    if (lexeme?.kind === "name") {
      const constant = CONSTANTS.get(lexeme.text);
      if (constant !== undefined) {
        this.next("a value");
        return { kind: "literal", value: constant };
      }
      if (lexeme.text.startsWith("$")) return this.#dollar();
    }
    if (lexeme?.text === "[" && lexeme.kind === "symbol" && !this.#isQuotedKey()) {
      return parseContinuation(this, this.#values(), "[…]");
    }
    return this.list();
  }

  /** Reads the functions after a text or a number: `"a;b".split(";")`. */
  #called(value: Expression, source: string): Expression {
    const isCall = this.is(".") && this.peek(1)?.kind === "name" && this.is("(", 2);
    return isCall ? parseContinuation(this, value, source) : value;
  }

  /** Whether brackets contain a single text: the key at the start of a path, as in `["first name"]`. */
  #isQuotedKey(): boolean {
    return this.peek(1)?.kind === "string" && (this.peek(2) === null || this.is("]", 2));
  }

  /** Reads several values in brackets: `[street, city]`. */
  #values(): Expression {
    const start = this.at;
    this.take("[");
    return this.nested(() => {
      if (this.take("]") !== null) return { kind: "list", items: [] };
      const items: Expression[] = [];
      // After a last comma, a single value is a list, too.
      do items.push(this.value());
      while (this.take(",") !== null && !this.is("]"));
      const isList = this.lexemes[this.at - 1]?.text === ",";
      if (this.take("]") === null) throw unclosedList(this.lexemes, this.at);
      const [only] = items;
      const isComputed = COMPUTED.has(only?.kind ?? "") || this.#isListPlace(only);
      if (items.length > 1 || isList || isComputed) return { kind: "list", items };
      // A single name or number in brackets is a mistake.
      this.at = start;
      return this.path();
    });
  }

  /** Reads a path, and the functions and lookups after it. */
  list(): Expression {
    const path = this.path();
    const [key] = path.rest;
    const isPosition = key !== undefined && path.source === `${path.head}.${key}`;
    const start: Expression =
      isPosition && isLoopVariable(key) ? { kind: "variable", name: key, of: path.head } : path;
    return parseContinuation(this, start, path.source);
  }

  /** Reads a path as far as its keys are written in the tag. */
  path(): PathExpression {
    return parsePath(this);
  }

  /** Reads a function or a loop variable; otherwise a key that begins with a dollar sign. */
  #dollar(): Expression {
    const { text } = this.next("a name");
    if (this.take("(") !== null) {
      return parseContinuation(
        this,
        this.nested(() => parseCall(this, text, null)),
        text,
      );
    }
    if (text === "$newline") return { kind: "literal", value: "\n" };
    if (text === "$today" || text === "$now") {
      this.#checkMethod(text);
      return parseContinuation(this, { kind: "moment", name: text }, text);
    }
    if (isLoopVariable(text)) {
      const variable = { kind: "variable", name: text, of: null } as const;
      // A loop variable has functions, but no keys.
      return this.is("(", 2) ? parseContinuation(this, variable, text) : variable;
    }
    if (isFunction(text) && this.peek()?.kind === "name") {
      throw new TagSyntaxError(
        `The argument of the function '${text}' must be in parentheses.`,
        `Write ${text}(path).`,
      );
    }
    this.at -= 1;
    return this.list();
  }

  /** Whether brackets that end here are a list for certain: the list of a loop, or one with a function or key after it. */
  #isListPlace(only: Expression | undefined): boolean {
    if (this.is("(", 2) || (only?.kind === "path" && this.is("."))) return true;
    return this.alias !== null && !this.isInItems && this.peek() === null;
  }

  /** Throws for `$today.year`: a date has functions, but no keys. */
  #checkMethod(moment: string): void {
    const key = this.peek(1);
    if (!this.is(".") || key?.kind !== "name" || this.is("(", 2)) return;
    const isMeant = isFunction(`$${key.text}`);
    throw new TagSyntaxError(
      `'${moment}' has no key '${key.text}'.`,
      isMeant
        ? `Did you mean '${moment}.${key.text}()'?`
        : `It is a date itself, with functions such as ${moment}.year() and ${moment}.addDays(30).`,
    );
  }
}
