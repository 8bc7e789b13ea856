import { bareName, orKey, sectionName } from "./bare-names.ts";
import { checkFormats } from "./check-formats.ts";
import { withTags } from "./delimiters/wording.ts";
import { commandError } from "./docx-templates.ts";
import { foreignSign, sectionError } from "./foreign.ts";
import type { Expression } from "./grammar/expression.ts";
import { isFunction } from "./grammar/functions.ts";
import {
  checkEnd,
  checkLetters,
  checkTwoWords,
  elseError,
  hintFor,
  valueNamed,
} from "./keyword-hints.ts";
import { closedWrongly, KEYWORDS, openerMeant } from "./keywords.ts";
import { hintMeant, withCommas } from "./meant.ts";
import { callOfItem } from "./mistakes/calls.ts";
import { isIncludeByData } from "./mistakes/includes.ts";
import { Written } from "./mistakes/written.ts";
import { type ModifierCall, parseModifiers, withDefault } from "./modifiers.ts";
import { ExpressionParser } from "./parse-expression.ts";
import { BY_DATA, type Include, parseInclude } from "./parse-include.ts";
import { type Loop, parseLoop } from "./parse-loop.ts";
import { type Lexeme, TagSyntaxError, tokenize } from "./tokens.ts";

/** The meaning of a tag. */
export type Directive = Meaning & {
  /**
   * Set for an invalid tag whose meaning was guessed. Such a tag may belong to another block, or to none. The error has
   * already been reported.
   */
  readonly guess?: Guess;
};

/** What is known about an invalid tag whose meaning was guessed. */
export interface Guess {
  /** The word as written: `{{/word}}` may end the block. */
  readonly word: string;
  /** Whether the tag is possibly not a block at all. */
  readonly loose: boolean;
}

type Meaning =
  | {
      readonly kind: "value";
      readonly expression: Expression;
      readonly modifiers: readonly ModifierCall[];
    }
  | Loop
  | {
      /**
       * `{{#path}}`, or `{{^path}}` if `inverted`. A section with a condition instead of a path only shows or hides its
       * content.
       */
      readonly kind: "section";
      readonly condition: Expression;
      readonly inverted: boolean;
      /** The name that the closing tag may repeat: everything after the `#` or `^`, without spaces. */
      readonly name: string;
      /** The name with its spaces, for messages; empty for an invalid tag. */
      readonly written: string;
      /** For an invalid tag: the names that its closing tag may repeat; empty if any name is possible. */
      readonly names?: readonly string[];
    }
  /** `{{/name}}`, or `{{/}}` without a name. */
  | { readonly kind: "endsection"; readonly name: string | null }
  | { readonly kind: "if" | "elseif"; readonly condition: Expression }
  | { readonly kind: "else" | "endif" | "endfor" | "endtablerow" | "endtablecolumn" }
  | Include
  | { readonly kind: "note" };

/** How to read the content of tags. */
export interface Dialect {
  /**
   * Whether a tag that is not an expression names a key directly, as `{first name}` and `{first-name}` do in
   * docxtemplater. Only for templates with docxtemplater's delimiters.
   */
  readonly bareNames: boolean;
}

/** Number of invalid tags for which the tag is searched that an author may mean. */
const MAX_MEANT = 300;

/**
 * Reads the content of a tag: the text between the delimiters. Throws {@link TagSyntaxError} if it is invalid. This is
 * the only function that interprets the text of a tag. `invalid`: the number of invalid tags before it. Of many, only the
 * first are compared with what an author may mean, which takes longer.
 */
export function parseDirective(content: string, dialect: Dialect, invalid = 0): Directive {
  const trimmed = content.trim();
  try {
    return readDirective(content, trimmed, dialect);
  } catch (error) {
    if (!(error instanceof TagSyntaxError)) throw error;
    const isValid = (text: string): boolean => directiveOf(text, dialect) !== null;
    const hint = invalid >= MAX_MEANT ? null : hintMeant(trimmed, isValid);
    const better =
      hint === null
        ? (problemBehind(trimmed, dialect) ?? error)
        : new TagSyntaxError(error.message, hint, callOfItem(new Written(trimmed)));
    throw dialect.bareNames ? orKey(better, trimmed) : better;
  }
}

/** Returns the problem of a tag that has `;` between arguments, apart from these signs; null for other tags. */
function problemBehind(content: string, dialect: Dialect): TagSyntaxError | null {
  const { text } = withCommas(new Written(content));
  if (text === content) return null;
  try {
    readDirective(text, text, dialect);
    return null;
  } catch (error) {
    if (error instanceof TagSyntaxError) return error;
    throw error;
  }
}

function readDirective(content: string, trimmed: string, dialect: Dialect): Directive {
  const closed = closedWrongly(trimmed);
  if (closed !== null) throw wrongSlash(closed);
  switch (trimmed[0]) {
    case "!":
      return { kind: "note" };
    case "#":
    case "^":
      return parseSection(trimmed.slice(1), trimmed[0] === "^", dialect);
    case "/":
      if (/^\/(?:\*|\/\s)/.test(trimmed)) throw new TagSyntaxError("A comment begins with '!'.");
      return parseSectionEnd(trimmed.slice(1));
  }
  const foreign = foreignSign(trimmed) ?? commandError(trimmed);
  if (foreign !== null) throw foreign;
  const bare = dialect.bareNames ? bareName(trimmed) : null;
  if (bare !== null) return { kind: "value", expression: bare, modifiers: [] };
  if (/^=.*=$/s.test(trimmed)) {
    throw new TagSyntaxError(
      "Delimiters cannot be changed within a template.",
      "Set the option 'delimiters' when you compile the template.",
    );
  }
  if (isIncludeByData(trimmed)) throw new TagSyntaxError("'include' needs a fixed name.", BY_DATA);
  const lexemes = tokenize(content);
  const [first, second] = lexemes;
  if (first === undefined) {
    throw new TagSyntaxError(
      "The tag is empty.",
      withTags`Write a name between {{ and }}; to print the characters themselves, write \\{{.`,
    );
  }
  const keyword =
    first.kind === "name" && !continuesPath(first.text, second)
      ? parseKeyword(lexemes, trimmed)
      : null;
  return keyword ?? parseValue(lexemes);
}

/** Returns the expressions of a tag: its value, condition or list, and the arguments of its modifiers. */
export function expressionsOf(directive: Directive): readonly Expression[] {
  if ("expression" in directive) {
    const given = directive.modifiers.flatMap((call) => call.arguments);
    return [directive.expression, ...given.flatMap(({ expression }) => expression ?? [])];
  }
  if ("condition" in directive) return [directive.condition];
  return "collection" in directive ? [directive.shape ?? directive.collection] : [];
}

/** Returns the meaning of a tag with this content; null if it is invalid. */
export function directiveOf(
  content: string,
  dialect: Dialect = { bareNames: false },
): Directive | null {
  try {
    return readDirective(content, content.trim(), dialect);
  } catch (error) {
    if (error instanceof TagSyntaxError) return null;
    throw error;
  }
}

/** Reads a tag that begins with a keyword. Returns null for other tags. */
function parseKeyword(lexemes: readonly Lexeme[], content: string): Directive | null {
  const parser = new ExpressionParser(lexemes, 1);
  const word = lexemes[0]?.text ?? "";
  const behind = content.slice(word.length).trim();
  switch (word) {
    case "for":
    case "tablerow":
    case "tablecolumn":
      return parseLoop(word, parser, behind);
    case "if":
    case "elseif":
      return parseCondition(word, parser, behind);
    case "else":
      if (parser.take("if") !== null) return parseCondition("elseif", parser, behind);
      if (parser.peek() !== null) throw elseError(behind);
      return { kind: "else" };
    case "endif":
    case "endfor":
    case "endtablerow":
    case "endtablecolumn":
      if (parser.peek() !== null) {
        throw new TagSyntaxError(
          `'${word}' must be alone in its tag.`,
          withTags`Write {{${word}}}.${valueNamed(word, behind)}`,
        );
      }
      return { kind: word };
    case "include":
      return parseInclude(parser, behind);
    default:
      if (word.toLowerCase() === "end") checkEnd(lexemes);
      checkLetters(word, parser.peek());
      checkTwoWords(lexemes);
      return null;
  }
}

function parseSection(source: string, inverted: boolean, dialect: Dialect): Directive {
  const sign = inverted ? "^" : "#";
  const name = sectionName(source);
  const bare = dialect.bareNames ? bareName(source) : null;
  const written = source.replace(/\s+/g, " ").trim();
  if (bare !== null) return { kind: "section", condition: bare, inverted, name, written };
  const error = sectionError(sign, source);
  if (error !== null) throw error;
  const lexemes = tokenize(source);
  if (lexemes.length === 0) {
    throw new TagSyntaxError(
      `'${sign}' needs a path.`,
      withTags`Write {{${sign}items}} … {{/items}}.`,
    );
  }
  const parser = new ExpressionParser(lexemes);
  const condition = parser.condition();
  if (parser.take("::") !== null) {
    const isCall = isFunction(`$${parser.peek()?.text ?? ""}`);
    throw new TagSyntaxError(
      "'::' is not expected here.",
      isCall
        ? withTags`Write a function after a dot: {{${sign}${written.replace(/ ?:: ?/, ".")}}}.`
        : parser.is("optional")
          ? withTags`Leave the modifier out. To test whether there is a value, write {{if ${inverted ? "not " : ""}${written.replace(/ ?::.*/, "")}}} … {{endif}}.`
          : "Leave the modifier out: a section shows nothing for a missing value, and only tags that print a value take modifiers.",
    );
  }
  parser.end();
  return { kind: "section", condition, inverted, name, written };
}

/** Returns the error for `{{\items}}` and similar. */
function wrongSlash(name: string): TagSyntaxError {
  const opener = openerMeant(name);
  const end = opener?.loose === false ? `end${opener.kind}` : name;
  return new TagSyntaxError(
    "A block is closed with a '/' before its name.",
    withTags`Write {{${KEYWORDS.includes(end) ? "" : "/"}${end}}}.`,
  );
}

function parseSectionEnd(source: string): Directive {
  const name = sectionName(source);
  return { kind: "endsection", name: name === "" ? null : name };
}

/**
 * Whether the first word of a tag begins a longer path, as in `for.name`, and is therefore not a keyword. `if` and
 * `elseif` with a space after them are keywords: `if .a` checks `.a`, and `if ["a b"]` checks `a b`.
 */
function continuesPath(word: string, second: Lexeme | undefined): boolean {
  const apart = second?.spaced === true && (word === "if" || word === "elseif");
  return second?.kind === "symbol" && /^[.[]$/.test(second.text) && !apart;
}

function parseCondition(
  kind: "if" | "elseif",
  parser: ExpressionParser,
  behind: string,
): Directive {
  const next = parser.peek();
  if (next === null || next.text === "::") {
    throw new TagSyntaxError(
      `'${kind}' needs a condition.`,
      withTags`Write {{${kind} path}}.${valueNamed(kind, behind)}`,
    );
  }
  const condition = parser.condition();
  parser.end();
  return { kind, condition };
}

function parseValue(lexemes: readonly Lexeme[]): Directive {
  const parser = new ExpressionParser(lexemes);
  const expression = parser.value();
  const unread = parser.peek();
  if (unread !== null && unread.text !== "::") {
    throw new TagSyntaxError(`'${unread.text}' is not expected here.`, hintFor(lexemes, unread));
  }
  const value = withDefault(parseModifiers(parser, expression));
  checkFormats(value.expression, value.modifiers);
  return { kind: "value", ...value };
}
