import {
  type Reads,
  readBraces,
  type Span,
  type StrayDelimiter,
  type TagSpan,
} from "../../language/delimiters/braces.ts";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { directiveOf } from "../../language/directive.ts";
import { asksForLoop, pathsOf } from "../../language/grammar/expression.ts";

/**
 * Represents a delimiter of an inner tag in the content of a tag. In {@link ScannedText.plain}, represents each
 * character that is not plain text.
 */
export const INNER = "\0";

/** A tag as written. */
export interface TagPiece {
  /** The text between the delimiters. */
  readonly content: string;
  /** The content with {@link INNER} for each delimiter in it; null if it does not contain another tag. */
  readonly nested: string | null;
  /** The tag with its delimiters. */
  readonly text: string;
}

/** A piece of plain text: literal text, or a tag. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | (TagPiece & { readonly kind: "tag" });

/** The tags of plain text. */
export interface ScannedText {
  readonly source: string;
  /** The source with {@link INNER} for each character of a tag, and of a delimiter that is text. */
  readonly plain: string;
  readonly pieces: readonly Piece[];
  /** The first delimiter without a counterpart, which remains in the text, or null. */
  readonly stray: StrayDelimiter | null;
  /** Tags whose preceding backslashes probably belong to a file path. */
  readonly doubtful: readonly string[];
}

interface ScanOptions {
  /** Returns whether the content between two delimiters is a tag. If not, it is text. */
  readonly isTag?: Reads;
  /** Whether the text is the instruction of a field, where two backslashes mean one. */
  readonly isInstruction?: boolean;
}

/**
 * Finds the tags of plain text, such as an attribute or a file name pattern. A backslash before a delimiter makes it
 * text.
 */
export function scanTags(
  source: string,
  delimiters: Delimiters,
  { isTag = () => true, isInstruction = false }: ScanOptions = {},
): ScannedText {
  const { tags, dropped, literals, strays, doubtful } = readBraces(source, delimiters, {
    reads: readsAsTag,
    isInstruction: () => isInstruction,
  });
  const cut = cutter(source, dropped);
  const pieces: Piece[] = [];
  const covered = [...literals];
  let text = "";
  for (const tag of tags) {
    text += cut(tag.from);
    const piece = tagPiece(tag, cut, delimiters);
    if (isTag(piece.content)) {
      if (text !== "") pieces.push({ kind: "text", text });
      pieces.push(piece);
      covered.push(tag);
      text = "";
    } else text += piece.text;
  }
  text += cut(source.length);
  if (text !== "") pieces.push({ kind: "text", text });
  return {
    source,
    plain: without(source, covered),
    pieces,
    stray: strays[0]?.code ?? null,
    doubtful: doubtful.map(({ from, to }) => source.slice(from, to)),
  };
}

/** Whether the content can be read as a tag other than a constant, such as `1` or `"a"`. */
export function readsAsTag(content: string, bareNames = false): boolean {
  const directive = directiveOf(content, { bareNames });
  if (directive?.kind !== "value") return directive !== null;
  const { expression } = directive;
  return pathsOf(expression).length > 0 || asksForLoop(expression);
}

function without(source: string, covered: readonly Span[]): string {
  let text = "";
  for (const { from, to } of covered.toSorted((a, b) => a.from - b.from)) {
    if (to <= text.length) continue;
    text += source.slice(text.length, from);
    text += INNER.repeat(to - text.length);
  }
  return text + source.slice(text.length);
}

/**
 * Returns a function that returns the text from the position of the previous call to `to`, without the dropped
 * characters.
 */
function cutter(source: string, dropped: readonly number[]): (to: number) => string {
  let at = 0;
  let index = 0;
  return (to) => {
    let text = "";
    for (let drop = dropped[index]; drop !== undefined && drop < to; drop = dropped[index]) {
      text += source.slice(at, drop);
      at = drop + 1;
      index += 1;
    }
    text += source.slice(at, to);
    at = to;
    return text;
  };
}

function tagPiece(
  { from, to, inner }: TagSpan,
  cut: (to: number) => string,
  { start, end }: Delimiters,
): TagPiece & { readonly kind: "tag" } {
  cut(from + start.length);
  let content = "";
  let nested = "";
  for (const span of inner) {
    const before = cut(span.from);
    nested += before + INNER;
    content += before + cut(span.to);
  }
  const rest = cut(to - end.length);
  cut(to);
  const text = `${start}${content}${rest}${end}`;
  return {
    kind: "tag",
    content: content + rest,
    nested: inner.length === 0 ? null : nested + rest,
    text,
  };
}
