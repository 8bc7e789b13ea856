import { cutText, type Diagnostic } from "@quire/contracts";
import type { Delimiters } from "../language/delimiters/delimiters.ts";
import { parseDirective } from "../language/directive.ts";
import { TagSyntaxError } from "../language/tokens.ts";
import { scanTags } from "../template/nodes/scan.ts";
import type { Paragraph, Span, TextPiece } from "./paragraphs.ts";

/** The positions of a paragraph's tags. */
export interface ParagraphTags {
  /**
   * Returns the children that contain the tag of a problem, extended so that nothing indivisible is split. Null if the
   * paragraph's text does not contain the tag. If several tags are equal, call this once for each, in document order.
   */
  find(problem: Diagnostic): Span | null;
  /** Returns the span of a child of the paragraph, extended so that nothing indivisible is split. */
  around(child: number): Span;
}

/** A tag in text. */
interface FoundTag {
  readonly start: number;
  readonly end: number;
}

/** The codes of problems that concern plain text and not a tag. */
const IN_PLAIN_TEXT: ReadonlySet<string> = new Set(["looks_like_tag", "escaped_tag"]);

/** Finds the tags of a paragraph in linear time. Each tag is then looked up in constant time. */
export function readTags(paragraph: Paragraph, delimiters: Delimiters): ParagraphTags {
  const { pieces, children, fields } = paragraph;
  const text = pieces.map((piece) => piece.text).join("");
  const { tags, escapes } = findTags(text, delimiters);
  const spans = spansOf(tags, pieces);
  const whole = undivided(children.length, [...fields, ...spans]);
  const around = (child: number): Span => whole[child] ?? { first: child, last: child };

  const places = new Map<string, Span[]>();
  const add = (key: string, { first }: Span): void => {
    const known = places.get(key);
    if (known === undefined) places.set(key, [around(first)]);
    else known.push(around(first));
  };
  const quotes = quotesOf(text, tags, [...marksIn(pieces), ...escapes]);
  for (const [index, span] of spans.entries()) {
    const { start, end } = tags[index] ?? { start: 0, end: 0 };
    // Diagnostics shorten their tags in the same way.
    const written = cutText(spaced(text.slice(start, end)));
    add(written, span);
    add(keyOf(written, cutText(quotes[index] ?? "")), span);
  }

  const asked = new Map<string, number>();
  return {
    around,
    find({ code, message, template }) {
      const written = spaced(template?.tag ?? "");
      const quoted = keyOf(written, template?.near ?? "");
      const found =
        places.get(quoted) ??
        places.get(written) ??
        (IN_PLAIN_TEXT.has(code) ? spansOf(occurrences(text, written), pieces) : []);
      if (found.length === 0) return null;
      const kind = keyOf(quoted, code, message);
      const index = asked.get(kind) ?? 0;
      asked.set(kind, index + 1);
      const span = found[index] ?? found.at(-1);
      return span === undefined ? null : covered(around(span.first), around(span.last));
    },
  };
}

function covered({ first }: Span, { last }: Span): Span {
  return { first, last };
}

/** Returns the occurrences of a string that is not a tag. */
function occurrences(text: string, wanted: string): FoundTag[] {
  const plain = spaced(text);
  const found: FoundTag[] = [];
  for (let start = plain.indexOf(wanted); start !== -1; ) {
    const end = start + wanted.length;
    found.push({ start, end });
    start = plain.indexOf(wanted, end);
  }
  return found;
}

/** Returns the names of the templates that text includes. */
export function includedNames(text: string, delimiters: Delimiters): string[] {
  if (!text.includes("include")) return [];
  return scanTags(text, delimiters).pieces.flatMap((piece) => {
    if (piece.kind !== "tag" || !piece.content.includes("include")) return [];
    try {
      const directive = parseDirective(piece.content, { bareNames: false });
      return directive.kind === "include" ? directive.names : [];
    } catch (error) {
      if (error instanceof TagSyntaxError) return [];
      throw error;
    }
  });
}

function keyOf(...parts: readonly string[]): string {
  return parts.join("\0");
}

/** Replaces all white space with plain spaces, because the compiler does so in some places. */
function spaced(text: string): string {
  return text.replace(/\s/g, " ");
}

/** Returns the tags of a string in order, and the positions of the backslashes that turn other tags into text. */
function findTags(
  text: string,
  { start, end }: Delimiters,
): { readonly tags: readonly FoundTag[]; readonly escapes: readonly number[] } {
  const tags: FoundTag[] = [];
  const escapes: number[] = [];
  let close = 0;
  let open = text.indexOf(start);
  while (open !== -1) {
    const isEscaped = text.charAt(open - 1) === "\\";
    if (isEscaped) escapes.push(open - 1);
    // If there are three braces, the last two begin the tag.
    while (text.startsWith(start, open + 1)) open += 1;
    let after = open + start.length;
    const next = text.indexOf(start, after);
    if (close < after) close = text.indexOf(end, after);
    if (close === -1) return { tags, escapes };
    // If there are two starts before one end, the second one begins the tag.
    if (next === -1 || next > close - start.length) {
      after = close + end.length;
      if (!isEscaped) tags.push({ start: open, end: after });
    }
    open = next === -1 || next >= after ? next : text.indexOf(start, after);
  }
  return { tags, escapes };
}

/** Returns, for each tag, the range of children that contain it. */
function spansOf(tags: readonly FoundTag[], pieces: readonly TextPiece[]): Span[] {
  const spans: Span[] = [];
  let index = 0;
  let pieceEnd = pieces[0]?.text.length ?? 0;
  const childAt = (position: number): number => {
    while (pieceEnd <= position) {
      index += 1;
      pieceEnd += pieces[index]?.text.length ?? Number.POSITIVE_INFINITY;
    }
    return pieces[index]?.child ?? 0;
  };
  for (const { start, end } of tags) {
    const first = childAt(start);
    spans.push({ first, last: childAt(end - 1) });
  }
  return spans;
}

/** Returns, for each child of a paragraph, the span that it belongs to. Spans do not overlap. */
function undivided(children: number, spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { first, last } of spans.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before === undefined || first > before.last) merged.push({ first, last });
    else merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, last) };
  }
  const whole = Array.from({ length: children }, (_, child) => ({ first: child, last: child }));
  for (const span of merged) whole.fill(span, span.first, span.last + 1);
  return whole;
}

/** Returns the positions of the characters that stand for elements. */
function marksIn(pieces: readonly TextPiece[]): number[] {
  const marks: number[] = [];
  let position = 0;
  for (const { text, isMark } of pieces) {
    if (isMark) marks.push(position);
    position += text.length;
  }
  return marks;
}

/** Number of characters that a diagnostic quotes on each side of a tag. */
const SIDE_LENGTH = 40;

/**
 * Returns each tag with the text around it, as a diagnostic quotes it. `uncounted`: the positions of characters that
 * diagnostics omit.
 */
function quotesOf(
  text: string,
  tags: readonly FoundTag[],
  uncounted: readonly number[],
): readonly string[] {
  let tag = 0;
  let from = 0;
  let counted = "";
  const starts: number[] = [];
  const upTo = (position: number): void => {
    for (let next = tags[tag]; next !== undefined && next.start <= position; next = tags[tag]) {
      starts.push(counted.length + next.start - from);
      tag += 1;
    }
  };
  for (const position of uncounted.toSorted((a, b) => a - b)) {
    upTo(position);
    if (position < (tags[tag - 1]?.end ?? 0)) continue;
    counted += text.slice(from, position);
    from = position + 1;
  }
  upTo(text.length);
  counted += text.slice(from);
  return tags.map(({ start, end }, index) => {
    const at = starts[index] ?? 0;
    const left = Math.max(at - SIDE_LENGTH, 0);
    const right = Math.min(at + end - start + SIDE_LENGTH, counted.length);
    return `${left > 0 ? "…" : ""}${counted.slice(left, right)}${right < counted.length ? "…" : ""}`;
  });
}
