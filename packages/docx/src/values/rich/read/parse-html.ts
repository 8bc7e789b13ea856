import {
  type DefaultTreeAdapterMap,
  defaultTreeAdapter,
  parseFragment,
  type TreeAdapter,
} from "parse5";
import type { RichDocument } from "../model.ts";
import { RichWarnings } from "../warnings.ts";
import { isHtmlElement, RAW } from "./elements.ts";
import { type Mark, marksOf } from "./scan.ts";
import { blocksOf } from "./walk.ts";

/** Maximum number of characters of a source with its pictures, and without them. */
const MAX_SOURCE = 64_000_000;
const MAX_MARKUP = 2_000_000;

/** Maximum number of elements. The parser adds elements: 200,000 characters can become a hundred million elements. */
const MAX_ELEMENTS = 400_000;

/** Receives the amount of work for a source: its characters, and its elements, including those that the parser adds. */
export interface MarkupMeter {
  readonly characters: (count: number) => void;
  readonly element: () => void;
  /** The characters that the Markdown lexer scans for the ends of spans. */
  readonly looked: (count: number) => void;
}

/**
 * Reads HTML, valid or not: every input gives a document, and no text is lost without a warning. Input that is
 * too large becomes plain text. Throws only the errors of the meter.
 */
export function parseHtml(source: string, meter?: MarkupMeter): RichDocument {
  const warnings = new RichWarnings();
  meter?.characters(source.length);
  const root = parse(source, warnings, meter);
  if (root === null) return plainDocument(source, "it was printed as text");
  const { blocks, inline } = blocksOf(root, warnings);
  return { blocks, inline, warnings: warnings.list };
}

/** Returns a document with the unchanged source as plain text, for a value that is too large to parse. */
export function plainDocument(source: string, done: string): RichDocument {
  const warnings = new RichWarnings();
  warnings.add("markup_limit", done);
  const run = { kind: "text", text: source, format: {}, href: null } as const;
  const place = { quote: 0, indent: 0, listDepth: 0 };
  const paragraph = { heading: 0, item: null, align: null, direction: null, runs: [run], ...place };
  return {
    blocks: [{ kind: "paragraph", ...paragraph }],
    inline: true,
    warnings: warnings.list,
  };
}

class TooManyElementsError extends Error {}

/** Returns the tree of the source, or null if the source is too large. */
function parse(source: string, warnings: RichWarnings, meter: MarkupMeter | undefined) {
  const mended = source.length > MAX_SOURCE ? null : mend(source, warnings);
  if (mended === null) return null;
  let elements = 0;
  const treeAdapter: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      elements += 1;
      meter?.element();
      if (elements > MAX_ELEMENTS) throw new TooManyElementsError();
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
  };
  try {
    return parseFragment(mended, { treeAdapter, scriptingEnabled: false });
  } catch (error) {
    if (error instanceof TooManyElementsError) return null;
    throw error;
  }
}

/**
 * Returns the source without markup that would make the parser drop text: each `<` that does not begin a complete tag
 * is escaped. White space with a line break at the start or end belongs to the source, not to the text. Returns null if
 * there is too much markup.
 */
function mend(source: string, warnings: RichWarnings): string | null {
  const marks: Mark[] = [];
  let markup = source.length;
  for (const mark of marksOf(source)) {
    marks.push(mark);
    if (mark.kind === "tag") markup -= mark.data;
  }
  if (markup > MAX_MARKUP) return null;
  if (!marks.some(({ kind }) => kind === "tag")) checkPlain(source, warnings);
  const pieces: string[] = [];
  let from = 0;
  for (const start of strays(marks)) {
    pieces.push(source.slice(from, start), "&lt;");
    from = start + 1;
  }
  if (pieces.length > 0) warnings.add("literal_markup");
  pieces.push(source.slice(from));
  const mended = withoutLineEnds(pieces.join(""));
  if (!mended.includes("\u0000")) return mended;
  warnings.add("forbidden_character");
  return mended.replaceAll("\u0000", "\ufffd");
}

/** Warns about what a source without tags loses, or was probably meant to have. */
function checkPlain(source: string, warnings: RichWarnings): void {
  if (MARKDOWN.test(source)) warnings.add("lost_markdown");
  else if (source.trim().includes("\n")) warnings.add("lost_lines");
  if (/&lt;\/?[a-z][a-z0-9]{0,9}(?:\s[^&<>]{0,99})?\/?&gt;/i.test(source))
    warnings.add("escaped_markup");
}

/** Matches bold text, a heading, or two items of a list in Markdown. */
const MARKDOWN =
  /\*\*[^\s*][^*\n]{0,200}\*\*|(?:^|\n)#{1,6} \S|(?:^|\n)([-*]) \S[^\n]{0,500}\n\1 \S/;

const LEADING = /^[ \t\r\f]*\n[ \t\r\n\f]*/;

/** Removes white space with a line break from the start and end of the text. */
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && " \t\r\n\f".includes(text.charAt(end - 1))) end -= 1;
  const trailing = text.slice(end);
  return (trailing.includes("\n") ? text.slice(0, end) : text).replace(LEADING, "");
}

/**
 * Yields the position of each `<` that does not begin a tag: stray characters; raw text elements without an end, which
 * would include everything after them; and names that HTML does not define and that are not closed, as in `<name>`.
 */
function* strays(marks: readonly Mark[]): Generator<number> {
  const lastEnds = new Map<string, number>();
  for (const mark of marks) {
    if (mark.kind === "tag" && mark.closing) lastEnds.set(mark.name, mark.start);
  }
  for (const mark of marks) {
    if (mark.kind === "stray") yield mark.start;
    if (mark.kind !== "tag" || mark.closing) continue;
    const closed = (lastEnds.get(mark.name) ?? -1) > mark.start;
    if (isText(mark, closed)) yield mark.start;
  }
}

function isText({ name, attributes }: Extract<Mark, { kind: "tag" }>, closed: boolean): boolean {
  if (RAW.has(name)) return !closed;
  if (name === "plaintext") return true;
  // Names of custom elements have a hyphen, and names of other vocabularies have a colon.
  return !(isHtmlElement(name) || closed || attributes || /[-:]/.test(name));
}
