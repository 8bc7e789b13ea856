import type { Expression, PathExpression } from "./expression.ts";
import { type ModifierCall, parseModifiers } from "./modifiers.ts";
import { ExpressionParser } from "./parse-expression.ts";
import { nearest } from "./suggest.ts";
import { type Lexeme, TagSyntaxError, tokenize } from "./tokens.ts";

/** The keywords that open a block that repeats. */
export type LoopKeyword = "for" | "tablerow" | "tablecolumn";

/** What a tag does. */
export type Directive =
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

const KEYWORDS = [
  "for",
  "tablerow",
  "tablecolumn",
  "if",
  "elseif",
  "else",
  "endif",
  "endfor",
  "endtablerow",
  "endtablecolumn",
  "include",
];

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
    case "@":
      throw new TagSyntaxError(
        "Raw XML cannot be put into a document.",
        "Give the value as HTML and write {{path :: html}}.",
      );
  }
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
  const keyword = first.kind === "name" && !continuesPath(second) ? parseKeyword(lexemes) : null;
  return keyword ?? parseValue(lexemes);
}

/** A tag that begins with a keyword; null when it begins with another name. */
function parseKeyword(lexemes: readonly Lexeme[]): Directive | null {
  const parser = new ExpressionParser(lexemes, 1);
  const word = lexemes[0]?.text;
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
      parser.end();
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
      throw endHint(parser);
    case "include":
      return parser.peek()?.kind === "string" ? parseInclude(parser) : null;
    default:
      return null;
  }
}

/** `{{end for}}` and the like, which mean their end in one word. */
function endHint(parser: ExpressionParser): TagSyntaxError {
  const next = parser.peek()?.text ?? "";
  const meant = ["for", "if", "tablerow", "tablecolumn"].includes(next) ? `end${next}` : "endfor";
  return new TagSyntaxError("'end' ends no block.", `Write {{${meant}}}, in one word.`);
}

function parseInclude(parser: ExpressionParser): Directive {
  const name = parser.next("a name");
  parser.end();
  if (name.kind !== "string" || name.value === "") {
    throw new TagSyntaxError(
      "'include' needs a name in quotes.",
      'Write {{include "terms.docx"}}.',
    );
  }
  return { kind: "include", name: name.value };
}

function parseSection(source: string, inverted: boolean, dialect: Dialect): Directive {
  const sign = inverted ? "^" : "#";
  const name = sectionName(source);
  const bare = dialect.bareNames ? bareName(source) : null;
  if (bare !== null) return { kind: "section", condition: bare, inverted, name };
  const lexemes = tokenize(source);
  const [first, second] = lexemes;
  if (first === undefined) {
    throw new TagSyntaxError(`'${sign}' needs a path.`, `Write {{${sign}items}} … {{/items}}.`);
  }
  const meant = SYNONYMS.get(first.text.toLowerCase()) ?? first.text;
  if (second?.kind === "name" && KEYWORDS.includes(meant.split(" ")[0] ?? "")) {
    throw new TagSyntaxError(
      `'${sign}${first.text}' is no block of this language.`,
      meant === "for"
        ? `Write {{${sign}${second.text}}} … {{/${second.text}}}, or {{for item in ${second.text}}} … {{endfor}}.`
        : `Write {{${meant} …}} … {{endif}} without '${sign}', or {{${sign}path}} … {{/path}}.`,
    );
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
  const nothing: PathExpression = { kind: "path", source: "this", head: null, rest: [] };
  const [, sign, word] =
    /^\s*([#^]?)\s*(for|tablerow|tablecolumn|if|elseif)?\b/i.exec(content) ?? [];
  if (sign !== undefined && sign !== "") {
    const name = sectionName(content.trim().slice(1));
    return { kind: "section", condition: nothing, inverted: sign === "^", name };
  }
  const keyword = word?.toLowerCase();
  switch (keyword) {
    case "for":
    case "tablerow":
    case "tablecolumn":
      return { kind: keyword, alias: "this", collection: nothing, optional: true };
    case "if":
    case "elseif":
      return { kind: keyword, condition: nothing };
  }
  const end = /^\s*end\s*(for|if|tablerow|tablecolumn)\b/i.exec(content)?.[1]?.toLowerCase();
  if (end !== undefined) return { kind: `end${end}` as "endfor" };
  return { kind: "note" };
}

/** Whether a first word is the beginning of a longer path, and so no keyword. */
function continuesPath(second: Lexeme | undefined): boolean {
  return second?.kind === "symbol" && (second.text === "." || second.text === "[");
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

/** Words of other template languages, and what they are here. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["foreach", "for"],
  ["each", "for"],
  ["loop", "for"],
  ["repeat", "for"],
  ["endforeach", "endfor"],
  ["endeach", "endfor"],
  ["endloop", "endfor"],
  ["next", "endfor"],
  ["elif", "elseif"],
  ["elsif", "elseif"],
  ["otherwise", "else"],
  ["unless", "if not"],
]);

/** How a tag that goes on after its value may have been meant. */
function hintFor([first, second]: readonly Lexeme[], unread: Lexeme): string | undefined {
  const word = first?.text.toLowerCase() ?? "";
  const keyword = SYNONYMS.get(word) ?? nearest(word, KEYWORDS);
  if (keyword !== null && !KEYWORDS.includes(first?.text ?? ""))
    return `Did you mean '${keyword}'?`;
  if (/^(?:and|or|&&|\|\||==|!=|[<>]=?|contains|isPresent|isEmpty)$/.test(unread.text)) {
    return "A condition stands in {{if condition}} … {{endif}}.";
  }
  if (first?.kind === "name" && second?.kind === "name") {
    return `Join names with dots, {{${first.text}.${second.text}}}; a key with spaces stands in brackets: {{this["${first.text} ${second.text}"]}}.`;
  }
  return undefined;
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
