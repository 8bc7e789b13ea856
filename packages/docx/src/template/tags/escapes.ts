import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import { type Braces, readBraces, type Span } from "../../language/delimiters/braces.ts";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { type Directive, directiveOf } from "../../language/directive.ts";
import { isInText, locator, paragraphsOf, type Segment } from "../nodes/paragraph-texts.ts";
import { INNER, readsAsTag, type TagPiece } from "../nodes/scan.ts";
import { type Breach, type BrokenTag, brokenTag, isBlock } from "./broken-tags.ts";

/** A part with complete tags, in which the delimiters that the lexer must not see are hidden. */
export interface HiddenDelimiters {
  readonly xml: string;
  /** The first code point that replaces characters of the delimiters; null if none is hidden. */
  readonly first: number | null;
  /** Tags whose preceding backslashes probably belong to a file path. */
  readonly doubtful: readonly DoubtfulTag[];
  /** Block tags that a backslash turns into text. */
  readonly escaped: readonly EscapedTag[];
}

/** A block tag that is text because of a backslash before it. */
export interface EscapedTag {
  /** The tag as written, with the backslash. */
  readonly text: string;
  /** Its meaning without the backslash. */
  readonly directive: Directive;
  /** The offset of the tag in the part. */
  readonly position: number;
}

/** A tag whose preceding backslashes may belong to a file path. */
export interface DoubtfulTag {
  /** The tag as written, with the backslashes. */
  readonly text: string;
  /** The text around the tag in its paragraph, shortened. */
  readonly near: string;
  /** The offset of the tag in the part. */
  readonly position: number;
}

/**
 * Number of code points that are used as replacements: for the characters of delimiters that are text, for the
 * delimiters within a tag, for a backslash that is not printed, and for each way to break a tag.
 */
const CODES = 40;

const BREACHES: readonly Breach[] = ["endCut", "endMissing", "startCut", "startMissing"];

/** Maximum number of delimiters without a counterpart that are examined as broken tags, for each part. */
const MAX_BROKEN = 1_000;

/**
 * Returns the first of {@link CODES} consecutive private code points that do not occur in a part. An author may have
 * used any private code points.
 */
function unusedCodes(xml: string): number {
  for (let first = 0xe000; first < 0xf900 - CODES; first += CODES) {
    const range = Array.from({ length: CODES }, (_, index) => String.fromCharCode(first + index));
    if (!range.some((character) => xml.includes(character))) return first;
  }
  throw new Error("The part uses all private characters of Unicode.");
}

/** Number of characters that a message quotes on each side. */
const SIDE_LENGTH = 40;

/**
 * Hides delimiters that are text or within a tag from the lexer, with the backslashes before them. Completes the
 * delimiters of broken tags, with a mark that {@link breachOf} recognizes. {@link revealDelimiters} and {@link
 * asWritten} reverse these changes. The part is canonical XML.
 */
export function hideDelimiters(xml: string, { start, end }: Delimiters): HiddenDelimiters {
  const delimiters = { start, end };
  const characters = start + end;
  const hider = new Hider(xml, delimiters);
  const doubtful: DoubtfulTag[] = [];
  const escaped: EscapedTag[] = [];
  for (const segments of paragraphsOf(xml, [...new Set(characters)])) {
    const text = segments.map((each) => each.text).join("");
    const instructionAt = locator(segments);
    const found = readBraces(text, delimiters, {
      reads: (content) => readsAsTag(unescapeText(content)),
      isInstruction: (offset) => instructionAt(offset).segment.element === "w:instrText",
    });
    hider.paragraph(segments, found);
    const doubtfulAt = locator(segments);
    for (const { from, to } of found.doubtful) {
      const near = textAround(text, from, to);
      const tag = unescapeText(text.slice(from, to));
      doubtful.push({ text: tag, near, position: doubtfulAt(from).position });
    }
    const escapedAt = locator(segments);
    for (const { from, to } of found.escaped) {
      const tag = unescapeText(text.slice(from, to));
      const directive = directiveOf(tag.slice(1 + start.length, -end.length));
      if (!isBlock(directive)) continue;
      escaped.push({ text: tag, directive, position: escapedAt(from).position });
    }
  }
  return { ...hider.finish(), doubtful, escaped };
}

/** Collects the changes to a part. */
class Hider {
  readonly #xml: string;
  readonly #delimiters: Delimiters;
  readonly #changes: [position: number, text: string][] = [];
  #first: number | null = null;
  #strays = 0;

  constructor(xml: string, delimiters: Delimiters) {
    this.#xml = xml;
    this.#delimiters = delimiters;
  }

  paragraph(segments: readonly Segment[], { dropped, literals, tags, strays }: Braces): void {
    const { start, end } = this.#delimiters;
    const characters = start + end;
    const text = segments.map((each) => each.text).join("");
    const changes = new Map(dropped.map((at) => [at, this.#code(2 * characters.length)]));
    const hide = ({ from, to }: Span, first: number): void => {
      for (let at = from; at < to; at++) {
        changes.set(at, this.#code(first + characters.indexOf(text[at] ?? "")));
      }
    };
    for (const span of literals) hide(span, 0);
    for (const { inner } of tags) for (const span of inner) hide(span, characters.length);
    for (const stray of strays) {
      if (this.#strays === MAX_BROKEN) break;
      this.#strays += 1;
      const broken = brokenTag(text, stray, this.#delimiters);
      if (broken === null || changes.has(broken.at) || !isInText(segments, stray.at, broken.at)) {
        continue;
      }
      changes.set(broken.at, this.#whole(broken, text[broken.at] ?? ""));
    }
    const changed = locator(segments);
    for (const [at, change] of [...changes].sort(([a], [b]) => a - b)) {
      this.#changes.push([changed(at).position, change]);
    }
  }

  finish(): Pick<HiddenDelimiters, "xml" | "first"> {
    let out = "";
    let at = 0;
    for (const [position, change] of this.#changes) {
      out += this.#xml.slice(at, position) + change;
      at = position + 1;
    }
    return { xml: out + this.#xml.slice(at), first: this.#first };
  }

  /** Returns the replacement for a character of a broken tag that makes the tag complete. */
  #whole({ breach }: BrokenTag, character: string): string {
    const { start, end } = this.#delimiters;
    const mark = this.#code(2 * (start.length + end.length) + 1 + BREACHES.indexOf(breach));
    switch (breach) {
      case "endCut":
        return mark + end;
      case "endMissing":
        return character + mark + end;
      case "startCut":
        return start + mark;
      case "startMissing":
        return start + mark + character;
    }
  }

  #code(index: number): string {
    this.#first ??= unusedCodes(this.#xml);
    return String.fromCharCode(this.#first + index);
  }
}

function textAround(text: string, from: number, to: number): string {
  const first = Math.max(from - SIDE_LENGTH, 0);
  const last = Math.min(to + SIDE_LENGTH, text.length);
  const near = unescapeText(text.slice(first, last));
  return `${first > 0 ? "…" : ""}${near}${last < text.length ? "…" : ""}`;
}

const HIDDEN = /[\ue000-\uf8ff]/;

/** Returns the text with hidden delimiters restored, and without backslashes that are not printed. */
function revealDelimiters(text: string, first: number | null, { start, end }: Delimiters): string {
  return reveal(text, first, start + end, "");
}

/** Returns the text as its author wrote it, with all backslashes, and broken tags without the added characters. */
export function asWritten(text: string, first: number | null, { start, end }: Delimiters): string {
  if (first === null || !HIDDEN.test(text)) return text;
  const characters = start + end;
  const [endCut = "", endMissing = "", startCut = "", startMissing = ""] = BREACHES.map(
    (_, index) => String.fromCharCode(first + 2 * characters.length + 1 + index),
  );
  const broken = text
    .replaceAll(endCut + end, end[0] ?? "")
    .replaceAll(endMissing + end, "")
    .replaceAll(start + startCut, start.at(-1) ?? "")
    .replaceAll(start + startMissing, "");
  return reveal(broken, first, characters, "\\");
}

/** Returns the positions of hidden backslashes in text. */
export function hiddenBackslashes(
  text: string,
  first: number | null,
  { start, end }: Delimiters,
): number[] {
  if (first === null || !HIDDEN.test(text)) return [];
  const code = String.fromCharCode(first + 2 * (start.length + end.length));
  return [...text.matchAll(HIDDEN_ALL)].flatMap(({ 0: hidden, index }) =>
    hidden === code ? [index] : [],
  );
}

/** Returns how the tag with this content was broken; null if it was complete. */
function breachOf(
  content: string,
  first: number | null,
  { start, end }: Delimiters,
): Breach | null {
  if (first === null || !HIDDEN.test(content)) return null;
  const marks = first + 2 * (start.length + end.length) + 1;
  return BREACHES.find((_, index) => content.includes(String.fromCharCode(marks + index))) ?? null;
}

/** Returns the tag for content that the lexer found, with hidden delimiters restored. */
export function tagPiece(
  hidden: string,
  first: number | null,
  delimiters: Delimiters,
): TagPiece & { readonly breach: Breach | null } {
  const { start, end } = delimiters;
  const content = revealDelimiters(hidden, first, delimiters);
  const breach = breachOf(hidden, first, delimiters);
  const text =
    breach === null
      ? `${start}${content}${end}`
      : asWritten(`${start}${hidden}${end}`, first, delimiters);
  return { content, nested: nestedContent(hidden, first, delimiters), text, breach };
}

const HIDDEN_ALL = /[\ue000-\uf8ff]/g;

/**
 * Returns the text with hidden delimiters restored, with `backslash` for hidden backslashes, and without marks of
 * broken tags.
 */
function reveal(text: string, first: number | null, characters: string, backslash: string): string {
  if (first === null || !HIDDEN.test(text)) return text;
  const { length } = characters;
  return text.replace(HIDDEN_ALL, (hidden) => {
    const code = hidden.charCodeAt(0) - first;
    if (code === 2 * length) return backslash;
    if (code > 2 * length && code <= 2 * length + BREACHES.length) return "";
    return characters[code < length ? code : code - length] ?? hidden;
  });
}

/**
 * Returns the content of a tag with {@link INNER} for each delimiter in it; null if it does not contain another tag.
 */
function nestedContent(
  content: string,
  first: number | null,
  delimiters: Delimiters,
): string | null {
  if (first === null) return null;
  const { start, end } = delimiters;
  const code = first + start.length + end.length;
  const hidden = (delimiter: string): string =>
    delimiter
      .split("")
      .map((each) => String.fromCharCode(code + (start + end).indexOf(each)))
      .join("");
  const marked = content.replaceAll(hidden(start), INNER).replaceAll(hidden(end), INNER);
  return marked === content ? null : revealDelimiters(marked, first, delimiters);
}
