import {
  type Expression,
  ExpressionParser,
  type Lexeme,
  type PathExpression,
  TagSyntaxError,
  tokenize,
} from "./expression.ts";
import { nearest } from "./suggest.ts";

/** A modifier as written after `::`, with literal arguments; a number is the text that spells it. */
export interface ModifierCall {
  readonly name: ModifierName;
  readonly arguments: readonly string[];
}

/** What a tag does. */
export type Directive =
  | {
      readonly kind: "value";
      readonly expression: Expression;
      readonly modifiers: readonly ModifierCall[];
    }
  | {
      readonly kind: "for" | "tablerow";
      /** The name of the current item within the block. */
      readonly alias: string;
      readonly collection: PathExpression;
      /** With `:: optional`, a missing list is an empty one. */
      readonly optional: boolean;
    }
  | { readonly kind: "if" | "elseif"; readonly condition: Expression }
  | { readonly kind: "else" | "endif" | "endfor" | "endtablerow" }
  | { readonly kind: "note" };

/** What a modifier takes: the kinds of its arguments, all required. */
const MODIFIERS = {
  optional: [],
  default: ["text"],
  uppercase: [],
  lowercase: [],
  capitalize: [],
  trim: [],
  delimiter: ["string"],
  lastdelimiter: ["string"],
} as const satisfies Record<string, readonly ("string" | "text")[]>;

/** The name of a modifier that the language has. */
export type ModifierName = keyof typeof MODIFIERS;

const KEYWORDS = ["for", "tablerow", "if", "elseif", "else", "endif", "endfor", "endtablerow"];

/**
 * Reads the content of a tag: what stands between the delimiters. Throws {@link TagSyntaxError}.
 * The one place where the text of a tag becomes meaning.
 */
export function parseDirective(content: string): Directive {
  if (content.trimStart().startsWith("!")) return { kind: "note" };
  const lexemes = tokenize(content);
  const [first, second] = lexemes;
  if (first === undefined) {
    throw new TagSyntaxError("The tag is empty.", "Write a name between {{ and }}.");
  }
  if (first.kind === "name" && !continuesPath(second)) {
    const parser = new ExpressionParser(lexemes, 1);
    switch (first.text) {
      case "for":
      case "tablerow":
        return parseLoop(first.text, parser);
      case "if":
      case "elseif":
        return parseCondition(first.text, parser);
      case "else":
        if (parser.take("if") !== null) return parseCondition("elseif", parser);
        parser.end();
        return { kind: "else" };
      case "endif":
      case "endfor":
      case "endtablerow":
        parser.end();
        return { kind: first.text };
    }
  }
  return parseValue(lexemes);
}

/**
 * What a tag that cannot be read was probably meant to be: enough to pair it with its end, so that
 * one mistake is told once. Nothing with such a tag is ever rendered.
 */
export function guessDirective(content: string): Directive {
  const [, word] = /^\s*(for|tablerow|if|elseif)\b/.exec(content) ?? [];
  const nothing: PathExpression = { kind: "path", source: "this", head: null, rest: [] };
  switch (word) {
    case "for":
    case "tablerow":
      return { kind: word, alias: "this", collection: nothing, optional: true };
    case "if":
    case "elseif":
      return { kind: word, condition: nothing };
    default:
      return { kind: "note" };
  }
}

/** Whether a first word is the beginning of a longer path, and so no keyword. */
function continuesPath(second: Lexeme | undefined): boolean {
  return second?.kind === "symbol" && (second.text === "." || second.text === "[");
}

function parseLoop(kind: "for" | "tablerow", parser: ExpressionParser): Directive {
  const form = `{{${kind} item in items}}`;
  const alias = parser.peek();
  if (alias?.kind !== "name") {
    throw new TagSyntaxError(`'${kind}' needs a name for the item.`, `Write ${form}.`);
  }
  parser.next("a name");
  if (parser.take("in") === null) {
    throw new TagSyntaxError(`'${kind} ${alias.text}' needs 'in' and a list.`, `Write ${form}.`);
  }
  const collection = parser.path();
  const modifiers = parseModifiers(parser);
  const other = modifiers.find(({ name }) => name !== "optional");
  if (other !== undefined) {
    throw new TagSyntaxError(`The modifier '${other.name}' has no meaning for a list to repeat.`);
  }
  return { kind, alias: alias.text, collection, optional: modifiers.length > 0 };
}

function parseCondition(kind: "if" | "elseif", parser: ExpressionParser): Directive {
  if (parser.peek() === null) {
    throw new TagSyntaxError(`'${kind}' needs a condition.`, `Write {{${kind} path}}.`);
  }
  const condition = parser.condition();
  parser.end();
  return { kind, condition };
}

function parseValue(lexemes: readonly Lexeme[]): Directive {
  const parser = new ExpressionParser(lexemes);
  const expression = parser.operand();
  const unread = parser.peek();
  if (unread !== null && unread.text !== "::") {
    const first = lexemes[0]?.text ?? "";
    const keyword = nearest(first, KEYWORDS);
    throw new TagSyntaxError(
      `'${unread.text}' is not expected here.`,
      keyword === null || KEYWORDS.includes(first) ? undefined : `Did you mean '${keyword}'?`,
    );
  }
  return { kind: "value", expression, modifiers: parseModifiers(parser) };
}

function parseModifiers(parser: ExpressionParser): ModifierCall[] {
  const calls: ModifierCall[] = [];
  for (let more = parser.take("::"); more !== null; more = parser.take("::", ",")) {
    calls.push(parseModifier(parser));
  }
  parser.end();
  return calls;
}

function parseModifier(parser: ExpressionParser): ModifierCall {
  const name = parser.next("a modifier").text;
  if (!isModifier(name)) {
    const near = nearest(name, Object.keys(MODIFIERS));
    throw new TagSyntaxError(
      `There is no modifier '${name}'.`,
      near === null
        ? `The modifiers are ${Object.keys(MODIFIERS).join(", ")}.`
        : `Did you mean '${near}'?`,
    );
  }
  const given = parser.take("(") === null ? [] : parseArguments(parser);
  const wanted: readonly string[] = MODIFIERS[name];
  if (given.length !== wanted.length) {
    throw new TagSyntaxError(
      wanted.length === 0
        ? `The modifier '${name}' takes no argument.`
        : `The modifier '${name}' takes ${wanted.length} argument, for example ${name}("text").`,
    );
  }
  given.forEach((argument, index) => {
    if (wanted[index] === "string" && argument.kind !== "string") {
      throw new TagSyntaxError(`The argument of '${name}' must be a text in quotes.`);
    }
  });
  return { name, arguments: given.map(({ value }) => value) };
}

function isModifier(name: string): name is ModifierName {
  return Object.hasOwn(MODIFIERS, name);
}

/** An argument, and whether it is written in quotes. */
interface Argument {
  readonly kind: "string" | "number";
  readonly value: string;
}

function parseArguments(parser: ExpressionParser): Argument[] {
  const values: Argument[] = [];
  if (parser.take(")") !== null) return values;
  do {
    const lexeme = parser.next("an argument");
    if (lexeme.kind !== "string" && lexeme.kind !== "number") {
      throw new TagSyntaxError(
        `'${lexeme.text}' cannot be an argument.`,
        "Arguments are numbers or texts in quotes.",
      );
    }
    const { kind } = lexeme;
    values.push({ kind, value: kind === "string" ? lexeme.value : lexeme.text });
  } while (parser.take(",") !== null);
  if (parser.take(")") === null) throw new TagSyntaxError("A '(' is not closed.");
  return values;
}
