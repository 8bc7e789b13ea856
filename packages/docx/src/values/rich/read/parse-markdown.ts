import { isQuireError } from "@quire/contracts";
import {
  Lexer,
  type MarkedOptions,
  Parser,
  type Token,
  Tokenizer,
  type Tokens,
  type TokensList,
} from "marked";
import type { RichDocument } from "../model.ts";
import { RichWarnings } from "../warnings.ts";
import { splitForMerge } from "../write.ts";
import { type MarkupMeter, parseHtml, plainDocument } from "./parse-html.ts";

/** Maximum number of characters of a source. */
const MAX_SOURCE = 500_000;

/** Maximum number of cells of a table. The lexer fills each row up to the number of columns of the first row. */
const MAX_CELLS = 100_000;

/** Returns the maximum number of cells that the tables of a source can have. */
function cellsOf(source: string): number {
  let rows = 0;
  let columns = 0;
  for (const line of source.split("\n")) {
    const bars = line.split("|").length - 1;
    if (bars > 0) rows += 1;
    columns = Math.max(columns, bars);
  }
  return rows * columns;
}

/** Maximum nesting of blocks and spans. The lexer recurses for each level. */
const MAX_DEPTH = 24;

/**
 * Maximum cost of a document's spans. For each special character, the lexer searches the whole paragraph for the end of
 * the span, so the cost is the number of these characters times the length. A long document of ordinary prose has a
 * cost of one million.
 */
const MAX_SPAN_COST = 30_000_000;

/** Maximum number of unindented lines in one list item. The lexer examines all earlier text for each of them. */
const MAX_LAZY_LINES = 1000;

/** Maximum number of characters that may be searched for items with too many lines. */
const MAX_SCANNED = 50_000_000;

/**
 * Maximum number of characters that may be copied when lines are joined to the text of an item, because each line
 * copies all earlier ones.
 */
const MAX_COPIED = 200_000_000;

const LITERAL = "some of its Markdown was printed as written";

/** Maximum length of an address that becomes a link automatically. */
const MAX_URL = 2083;

/** Matches names that are longer than any address. At most 64 characters may precede its `@` (RFC 5321, 4.5.3.1). */
const LONG_NAME = /^[\w.!#$%&'*+/=?`{|}~-]{321}/;

/** Matches the start of such a name, up to the first character that has another meaning in Markdown. */
const NAME_START = /^.[A-Za-z0-9.#$%&'+/=?{|}-]{0,250}/;

/**
 * Reads GitHub Flavored Markdown. HTML in it is read like other HTML. Input that is too large or too deep is
 * kept as plain text. A single paragraph is inline. Throws only the errors of the meter.
 */
export function parseMarkdown(source: string, meter?: MarkupMeter): RichDocument {
  meter?.characters(source.length);
  if (source.length > MAX_SOURCE || cellsOf(source) > MAX_CELLS) {
    return plainDocument(source, "it was printed as text");
  }
  const warnings = new RichWarnings();
  let html: string;
  try {
    html = toHtml(source, warnings, meter);
  } catch (error) {
    if (isQuireError(error)) throw error;
    // The lexer throws if it does not make progress, or if the source is too deep in a way that the limits here do not
    // cover. The cause does not matter to the author: the text is printed.
    return plainDocument(source, "it was printed as text");
  }
  const document = parseHtml(html, meter);
  const { first, middle, last } = splitForMerge(document);
  const single = first !== null && middle.length === 0 && last === null;
  return {
    blocks: document.blocks,
    inline: document.inline || single,
    warnings: [...warnings.list, ...document.warnings],
  };
}

/**
 * Uses separate options, because the options of the library are shared by all code that loads it, and could be changed.
 */
function toHtml(source: string, warnings: RichWarnings, meter: MarkupMeter | undefined): string {
  const options: MarkedOptions = { gfm: true, tokenizer: new BoundedTokenizer(warnings) };
  const tokens = new BoundedLexer(options, warnings, meter).lex(source);
  return Parser.parse(tokens, { gfm: true });
}

class BoundedLexer extends Lexer {
  readonly #warnings: RichWarnings;
  readonly #meter: MarkupMeter | undefined;
  #blockDepth = 0;
  #spanDepth = 0;
  #cost = 0;

  constructor(options: MarkedOptions, warnings: RichWarnings, meter: MarkupMeter | undefined) {
    super(options);
    this.#warnings = warnings;
    this.#meter = meter;
  }

  override blockTokens(source: string, tokens?: Token[], clipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, clipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], clipped = false): Token[] {
    if (this.#blockDepth >= MAX_DEPTH) return this.#literal(source, tokens);
    this.#blockDepth += 1;
    try {
      return super.blockTokens(source, tokens, clipped);
    } finally {
      this.#blockDepth -= 1;
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const cost = signs(source) * source.length;
    this.#cost += cost;
    const tooMuch = this.#cost > MAX_SPAN_COST;
    if (tooMuch || this.#spanDepth >= MAX_DEPTH) return this.#literal(source, tokens);
    this.#meter?.looked(cost);
    this.#spanDepth += 1;
    try {
      return super.inlineTokens(source, tokens);
    } finally {
      this.#spanDepth -= 1;
    }
  }

  #literal(source: string, tokens: Token[]): Token[] {
    this.#warnings.add("markup_limit", LITERAL);
    const text: Tokens.Text = { type: "text", raw: source, text: source, escaped: false };
    tokens.push(text);
    return tokens;
  }
}

/** Counts the characters that make the lexer look ahead. */
function signs(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ("*_~`[]()!<&\\@:.".includes(text.charAt(at))) count += 1;
  }
  return count;
}

class BoundedTokenizer extends Tokenizer {
  readonly #warnings: RichWarnings;
  #scanned = 0;
  #copied = 0;

  constructor(warnings: RichWarnings) {
    super();
    this.#warnings = warnings;
  }

  /** Ignores very long addresses, for which the library takes quadratic time. */
  override url(source: string): Tokens.Link | undefined {
    const end = source.slice(0, MAX_URL + 1).search(/[\s<]/);
    return end === -1 && source.length > MAX_URL ? undefined : super.url(source);
  }

  /** Ignores lists that have an item with very many lines, for which the library takes quadratic time. */
  override list(source: string): Tokens.List | undefined {
    if (!this.#hasLongItem(source)) return super.list(source);
    this.#warnings.add("markup_limit", LITERAL);
    return undefined;
  }

  /**
   * Ignores setext headings (underlined with `=` or `-`) with very many lines. The library takes quadratic time to find
   * out whether a long text is such a heading.
   */
  override lheading(source: string): Tokens.Heading | undefined {
    return isUnderlinedSoon(source) ? super.lheading(source) : undefined;
  }

  /**
   * Reads the start of a very long name as text. The library takes quadratic time for characters that could be the name
   * before the `@` of an address. No real name is that long.
   */
  override inlineText(source: string): Tokens.Text | undefined {
    const raw = LONG_NAME.test(source) ? NAME_START.exec(source)?.[0] : undefined;
    if (raw === undefined) return super.inlineText(source);
    return { type: "text", raw, text: raw, escaped: this.lexer.state.inRawBlock };
  }

  override text(source: string): Tokens.Text | undefined {
    const { lastToken } = this.lexer.state;
    if (lastToken?.type === "text") this.#copied += lastToken.raw.length;
    if (this.#copied <= MAX_COPIED) return super.text(source);
    this.#warnings.add("markup_limit", LITERAL);
    return { type: "text", raw: source, text: source, tokens: this.lexer.inline(source) };
  }

  /** Whether the list at the start of the source, if any, has an item with too many lines. */
  #hasLongItem(source: string): boolean {
    const inText = this.lexer.state.lastToken?.type === "text";
    const begins = inText ? this.rules.other.listInterruptsParagraph : BULLET;
    if (!begins.test(source.slice(0, 20))) return false;
    if (this.#scanned > MAX_SCANNED) return true;
    let lines = 0;
    let from = 0;
    while (from < source.length && lines <= MAX_LAZY_LINES) {
      const end = source.indexOf("\n", from);
      const next = end === -1 ? source.length : end + 1;
      const line = source.slice(from, Math.min(next, from + 20));
      const empty = line.trim() === "";
      // After an empty line, only an item or an indent continues the list.
      if (empty && !/[ \t\n*+\-\d]/.test(source.charAt(next))) break;
      if (ITEM.test(line)) lines = 0;
      else if (!empty && !/^[ \t]/.test(line)) lines += 1;
      from = next;
    }
    this.#scanned += from;
    return lines > MAX_LAZY_LINES;
  }
}

const BULLET = /^ {0,3}(?:[*+-]|\d{1,9}[.)])(?:[ \t\n]|$)/;

/** A line that always begins a new item, whatever precedes it. */
const ITEM = /^(?:[*+-]|\d{1,9}[.)])(?:[ \t\n]|$)/;

/** Maximum number of lines of an underlined heading. */
const MAX_HEADING_LINES = 50;

function isUnderlinedSoon(source: string): boolean {
  let from = source.indexOf("\n") + 1;
  for (let line = 0; from > 0 && line < MAX_HEADING_LINES; line += 1) {
    if (/^ {0,3}(?:=|-)/.test(source.slice(from, from + 4))) return true;
    if (source.charAt(from) === "\n") return false;
    from = source.indexOf("\n", from) + 1;
  }
  return false;
}
