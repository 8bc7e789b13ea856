import { BOOLEAN_ATTRIBUTES, RAW } from "./elements.ts";

/** The markup that begins with a `<`. `end` is the position after its `>`. */
export type Mark =
  | {
      readonly kind: "tag";
      readonly start: number;
      readonly end: number;
      /** The name in lowercase. */
      readonly name: string;
      readonly closing: boolean;
      readonly attributes: boolean;
      /** The number of characters in its `data:` values. */
      readonly data: number;
    }
  | { readonly kind: "comment"; readonly start: number; readonly end: number }
  /** Text that contains a `<` and only looks like markup. */
  | { readonly kind: "stray"; readonly start: number };

/**
 * Scans the tags of a source from the left, in linear time. Where the HTML parser would drop text (a tag or a comment
 * that is never closed, a tag within a tag, words that are not attributes, as in `a <b and c> d`), the `<` is reported
 * as stray.
 */
export function* marksOf(source: string): Generator<Mark> {
  let at = source.indexOf("<");
  let commentsEnd = true;
  const endless = new Set<string>();
  while (at !== -1) {
    let mark: Mark;
    if (source.startsWith("<!--", at)) {
      // If a comment has no end, later comments do not have one, either. Searching again would take quadratic time.
      const end: number = commentsEnd ? source.indexOf("-->", at + 2) : -1;
      commentsEnd = end !== -1;
      mark = commentsEnd ? { kind: "comment", start: at, end: end + 3 } : stray(at);
    } else {
      mark = declaration(source, at) ?? tag(source, at) ?? stray(at);
    }
    yield mark;
    at = source.indexOf("<", next(source, mark, endless));
  }
}

function stray(start: number): Mark {
  return { kind: "stray", start };
}

/**
 * Returns the position at which to continue. Skips the content of a raw element with an end tag, as the parser does.
 */
function next(source: string, mark: Mark, endless: Set<string>): number {
  if (mark.kind === "stray") return mark.start + 1;
  if (mark.kind !== "tag" || mark.closing || !RAW.has(mark.name) || endless.has(mark.name)) {
    return mark.end;
  }
  const end = source.indexOf(`</${mark.name}`, mark.end);
  if (end !== -1) return end;
  endless.add(mark.name);
  return mark.end;
}

const DECLARATION = /<(?:!doctype\s|!\[|\?[a-z])[^<>]{0,2000}>/iy;

function declaration(source: string, start: number): Mark | null {
  DECLARATION.lastIndex = start;
  return DECLARATION.test(source) ? { kind: "comment", start, end: DECLARATION.lastIndex } : null;
}

const NAME = /<\/?([a-z][a-z0-9:_-]{0,63})(?=[\s/>])/iy;

function tag(source: string, start: number): Mark | null {
  NAME.lastIndex = start;
  const name = NAME.exec(source)?.[1]?.toLowerCase();
  if (name === undefined) return null;
  const closing = source[start + 1] === "/";
  let at = skipSpace(source, NAME.lastIndex);
  let attributes = false;
  let data = 0;
  while (source[at] !== ">") {
    const attribute = closing ? null : attributeAt(source, at);
    if (attribute === null) return null;
    attributes = true;
    data += attribute.data;
    at = skipSpace(source, attribute.end);
  }
  return { kind: "tag", start, end: at + 1, name, closing, attributes, data };
}

const SPACE = /[\s/]*/y;

/** Skips white space. A slash between attributes counts as a space. */
function skipSpace(source: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(source);
  return SPACE.lastIndex;
}

const ATTRIBUTE = /([^\s/<>="'`]+)(?:\s*(=)\s*(?:(["'])|([^\s<>"'`=][^\s<>"']*)|(?=>)))?/y;

/** Returns the end of an attribute, or null. */
function attributeAt(source: string, start: number): { end: number; data: number } | null {
  ATTRIBUTE.lastIndex = start;
  const match = ATTRIBUTE.exec(source);
  if (match === null) return null;
  const [, name = "", equals, quote] = match;
  const from = ATTRIBUTE.lastIndex;
  if (equals === undefined) {
    const known = BOOLEAN_ATTRIBUTES.has(name.toLowerCase()) || /[-:@_.]/.test(name);
    return known && source[from] !== "=" ? { end: from, data: 0 } : null;
  }
  if (quote === undefined) return { end: from, data: 0 };
  const end = source.indexOf(quote, from);
  if (end === -1) return null;
  return { end: end + 1, data: /^\s*data:/i.test(source.slice(from, from + 40)) ? end - from : 0 };
}
