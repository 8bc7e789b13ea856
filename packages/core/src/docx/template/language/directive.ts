import type { Expression, PathExpression } from "./expression.ts";
import { fileNameIn, foreignSign, helperError, helperOf } from "./foreign.ts";
import { checkEnd, checkLetters, elseError, hintFor } from "./keyword-hints.ts";
import { endOfTwoWords, KEYWORDS, LONE_KEYWORDS, openerMeant } from "./keywords.ts";
import { type ModifierCall, parseModifiers } from "./modifiers.ts";
import { ExpressionParser } from "./parse-expression.ts";
import { type Lexeme, TagSyntaxError, tokenize } from "./tokens.ts";

/** The keywords that open a block that repeats. */
export type LoopKeyword = "for" | "tablerow" | "tablecolumn";

/** What a tag does. */
export type Directive = Meaning & {
  /** Of a tag that cannot be read and whose keyword is none of ours: that has been told already. */
  readonly guess?: Guess;
};

/** What is known of a tag whose keyword had to be guessed. */
export interface Guess {
  /** The word as it is written: `{{/word}}` may end the block. */
  readonly word: string;
  /** Whether it may as well be no block at all. */
  readonly loose: boolean;
}

type Meaning =
  | {
      readonly kind: "value";
      readonly expression: Expression;
      readonly modifiers: readonly ModifierCall[];
    }
  | {
      readonly kind: LoopKeyword;
      /** The name of the current item within the block. */
      readonly alias: string;
      readonly collection: PathExpression;
      /** With `:: optional`, a missing list is an empty one. */
      readonly optional: boolean;
    }
  | {
      /** `{{#path}}`, and with `inverted` `{{^path}}`. A condition instead of a path only shows or hides. */
      readonly kind: "section";
      readonly condition: Expression;
      readonly inverted: boolean;
      /** What the closing tag may repeat: all that stands behind the `#`, without spaces. */
      readonly name: string;
    }
  /** `{{/name}}`, or `{{/}}` without a name. */
  | { readonly kind: "endsection"; readonly name: string | null }
  | { readonly kind: "if" | "elseif"; readonly condition: Expression }
  | { readonly kind: "else" | "endif" | "endfor" | "endtablerow" | "endtablecolumn" }
  | { readonly kind: "include"; readonly name: string }
  | { readonly kind: "note" };

/** How the content of tags is read. */
export interface Dialect {
  /**
   * Whether a tag that is no expression names a key as it stands, as `{first name}` and `{first-name}`
   * do in docxtemplater. Only for templates in its delimiters.
   */
  readonly bareNames: boolean;
}

/**
 * Reads the content of a tag: what stands between the delimiters. Throws {@link TagSyntaxError}.
 * The one place where the text of a tag becomes meaning.
 */
export function parseDirective(content: string, dialect: Dialect): Directive {
  const trimmed = content.trim();
  switch (trimmed[0]) {
    case "!":
      return { kind: "note" };
    case "#":
    case "^":
      return parseSection(trimmed.slice(1), trimmed[0] === "^", dialect);
    case "/":
      return parseSectionEnd(trimmed.slice(1));
  }
  const foreign = foreignSign(trimmed);
  if (foreign !== null) throw foreign;
  const bare = dialect.bareNames ? bareName(trimmed) : null;
  if (bare !== null) return { kind: "value", expression: bare, modifiers: [] };
  if (/^=.*=$/s.test(trimmed)) {
    throw new TagSyntaxError(
      "Delimiters cannot be changed within a template.",
      "Give them when the template is compiled: the option delimiters.",
    );
  }
  const lexemes = tokenize(content);
  const [first, second] = lexemes;
  if (first === undefined) {
    throw new TagSyntaxError("The tag is empty.", "Write a name between {{ and }}.");
  }
  const keyword =
    first.kind === "name" && !continuesPath(first.text, second)
      ? parseKeyword(lexemes, trimmed)
      : null;
  return keyword ?? parseValue(lexemes);
}

/** A tag that begins with a keyword; null when it begins with another name. */
function parseKeyword(lexemes: readonly Lexeme[], content: string): Directive | null {
  const parser = new ExpressionParser(lexemes, 1);
  const word = lexemes[0]?.text ?? "";
  const behind = content.slice(word.length).trim();
  switch (word) {
    case "for":
    case "tablerow":
    case "tablecolumn":
      return parseLoop(word, parser);
    case "if":
    case "elseif":
      return parseCondition(word, parser);
    case "else":
      if (parser.take("if") !== null) return parseCondition("elseif", parser);
      if (parser.peek() !== null) throw elseError(behind);
      return { kind: "else" };
    case "endif":
    case "endfor":
    case "endtablerow":
    case "endtablecolumn":
      if (parser.peek() !== null) {
        throw new TagSyntaxError(`'${word}' stands alone in its tag.`, `Write {{${word}}}.`);
      }
      return { kind: word };
    case "end":
      checkEnd(lexemes);
      return null;
    case "include":
      return parseInclude(parser, behind);
    default:
      checkLetters(word, parser.peek());
      return null;
  }
}

/** Null when `include` is a key of the data. */
function parseInclude(parser: ExpressionParser, behind: string): Directive | null {
  const name = parser.peek();
  if (name === null || name.kind === "symbol") return null;
  if (name.kind !== "string" || name.value === "") {
    const written = (name.kind === "string" ? null : fileNameIn(behind)) ?? "terms.docx";
    throw new TagSyntaxError(
      "'include' needs a name in quotes.",
      `Write {{include "${written}"}}.`,
    );
  }
  parser.next("a name");
  parser.end();
  return { kind: "include", name: name.value };
}

function parseSection(source: string, inverted: boolean, dialect: Dialect): Directive {
  const sign = inverted ? "^" : "#";
  const name = sectionName(source);
  const bare = dialect.bareNames ? bareName(source) : null;
  if (bare !== null) return { kind: "section", condition: bare, inverted, name };
  const helper = helperOf(source);
  if (helper !== null) throw helperError(sign, helper);
  const lexemes = tokenize(source);
  if (lexemes.length === 0) {
    throw new TagSyntaxError(`'${sign}' needs a path.`, `Write {{${sign}items}} … {{/items}}.`);
  }
  const parser = new ExpressionParser(lexemes);
  const condition = parser.condition();
  parser.end();
  return { kind: "section", condition, inverted, name };
}

function parseSectionEnd(source: string): Directive {
  const name = sectionName(source);
  return { kind: "endsection", name: name === "" ? null : name };
}

/** The name of a section, however Word has spelled its quotes and dashes. */
function sectionName(text: string): string {
  return text
    .replace(/[\s\u00a0\u200b\u2060\ufeff]+/g, "")
    .replace(/[“”„‟«»″'‘’‚‛‹›′]/g, '"')
    .replace(/[–−]/g, "-");
}

/** A key with spaces or hyphens as docxtemplater has them; null for what is an expression of ours. */
function bareName(source: string): PathExpression | null {
  const name = source.trim();
  if (!/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ -]*$/u.test(name) || !/[ -]/.test(name)) return null;
  if (KEYWORDS.includes(name.split(" ")[0] ?? "")) return null;
  return { kind: "path", source: name, head: name, rest: [] };
}

/**
 * What a tag that cannot be read was probably meant to be: enough to pair it with its end, so that
 * one mistake is told once. Nothing with such a tag is ever rendered.
 */
export function guessDirective(content: string): Directive {
  const trimmed = content.trim();
  if (trimmed[0] === "#" || trimmed[0] === "^") return guessSection(trimmed);
  const element = /^-\s*[aw]:\w{1,20}\s+(\S[\s\S]*)$/.exec(trimmed)?.[1];
  if (element !== undefined) {
    const guess = { word: element, loose: false };
    return {
      kind: "section",
      condition: NOTHING,
      inverted: false,
      name: sectionName(element),
      guess,
    };
  }
  const [, word = "", second = ""] = /^([\p{L}_]+)(?:[\s-]+(\p{L}+))?/u.exec(trimmed) ?? [];
  const small = word.toLowerCase();
  const guess = { word, loose: false };
  const lone = LONE_KEYWORDS.find((keyword) => keyword === small);
  if (lone === "else") {
    return second === "" ? { kind: lone, guess } : { kind: "elseif", condition: NOTHING, guess };
  }
  if (lone !== undefined) return { kind: lone as "endfor", ...(lone === word ? {} : { guess }) };
  if (small === "end") {
    const end = endOfTwoWords(second);
    return end === null ? { kind: "note" } : { kind: end as "endfor", guess };
  }
  return guessOpener(word);
}

const NOTHING: PathExpression = { kind: "path", source: "this", head: null, rest: [] };

function guessOpener(word: string): Directive {
  const meant = openerMeant(word);
  if (meant === null) return { kind: "note" };
  const guess = meant.kind === word ? {} : { guess: { word, loose: meant.loose } };
  if (meant.kind === "if" || meant.kind === "elseif") {
    return { kind: meant.kind, condition: NOTHING, ...guess };
  }
  return { kind: meant.kind, alias: "this", collection: NOTHING, optional: true, ...guess };
}

/** A section, or a helper of another language that looks like one. */
function guessSection(content: string): Directive {
  const inverted = content[0] === "^";
  const source = content.slice(1);
  const name = sectionName(source);
  const helper = helperOf(source);
  const guess = { word: helper?.word ?? "", loose: false };
  // Handlebars' other spelling of {{else}}.
  if (inverted && name === "") return { kind: "else", guess };
  switch (helper?.meaning) {
    case "if":
    case "unless":
      return { kind: "if", condition: NOTHING, guess };
    case "for":
      return { kind: "for", alias: "this", collection: NOTHING, optional: true, guess };
    case "with":
      return { kind: "section", condition: NOTHING, inverted, name, guess };
    default:
      return { kind: "section", condition: NOTHING, inverted, name: nameWithoutOptions(source) };
  }
}

/** The name that ends a section in other engines, whose tags may have options behind it: `{{#rows [by: "row"]}}`. */
function nameWithoutOptions(source: string): string {
  const name = /^\s*([\p{L}_][\p{L}\p{N}_.]*)(?=\s+[[({"'\p{L}])/u.exec(source)?.[1];
  return sectionName(name ?? source);
}

/** Whether a first word is the beginning of a longer path, and so no keyword: `if .a` asks for `.a`. */
function continuesPath(word: string, second: Lexeme | undefined): boolean {
  const apart = second?.spaced === true && (word === "if" || word === "elseif");
  return second?.kind === "symbol" && (second.text === "[" || (second.text === "." && !apart));
}

function parseLoop(kind: LoopKeyword, parser: ExpressionParser): Directive {
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
  const expression = parser.value();
  const unread = parser.peek();
  if (unread !== null && unread.text !== "::") {
    throw new TagSyntaxError(`'${unread.text}' is not expected here.`, hintFor(lexemes, unread));
  }
  return { kind: "value", expression, modifiers: parseModifiers(parser) };
}
