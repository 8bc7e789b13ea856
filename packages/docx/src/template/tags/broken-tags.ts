import { unescapeText } from "@quire/ooxml/internal/xml/escape";
import { type Stray, TAG_LENGTH } from "../../language/delimiters/braces.ts";
import type { Delimiters } from "../../language/delimiters/delimiters.ts";
import { type Dialect, type Directive, directiveOf } from "../../language/directive.ts";
import { guessDirective } from "../../language/guess.ts";
import { KEYWORDS } from "../../language/keywords.ts";
import { readsAsTag } from "../nodes/scan.ts";

/** How a tag with a missing or partial delimiter was written. */
export type Breach =
  /** `{{name}`. */
  | "endCut"
  /** `{{endif` followed by anything. */
  | "endMissing"
  /** `{name}}`. */
  | "startCut"
  /** `endif}}`. */
  | "startMissing";

/** A tag with a missing or partial delimiter. */
export interface BrokenTag {
  readonly breach: Breach;
  /**
   * The position of the partial delimiter, or of the last or first character of the tag if the delimiter is missing.
   */
  readonly at: number;
}

/** Maximum number of words next to a delimiter that are tried as a tag. */
const MAX_WORDS = 12;

/**
 * Finds the tag that a delimiter without a counterpart was meant to open or close: everything up to a single brace or,
 * if there is none, as much as can be read as a block tag. Returns null if there is no such tag.
 */
export function brokenTag(text: string, stray: Stray, delimiters: Delimiters): BrokenTag | null {
  return stray.code === "unclosed_tag"
    ? unclosed(text, stray.at, delimiters)
    : unopened(text, stray.at, delimiters);
}

function unclosed(text: string, at: number, { start, end }: Delimiters): BrokenTag | null {
  const from = at + start.length;
  const ahead = upTo(upTo(text.slice(from, from + TAG_LENGTH), start), end);
  const cut = end.length > 1 ? ahead.indexOf(end[0] ?? "") : -1;
  if (cut !== -1) {
    return isMeant(unescapeText(ahead.slice(0, cut))) ? { breach: "endCut", at: from + cut } : null;
  }
  if (!BEGINS_BLOCK.test(ahead)) return null;
  let length = 0;
  for (const { 0: word, index } of [...ahead.matchAll(/\S+/g)].slice(0, MAX_WORDS)) {
    if (isBlock(directiveOf(unescapeText(ahead.slice(0, index + word.length)))))
      length = index + word.length;
    // The name after a slash may contain spaces, so the text after it could be read as a part of the name.
    if (/^\s*\//.test(ahead) && length > 0) break;
  }
  return length === 0 ? null : { breach: "endMissing", at: from + length - 1 };
}

function unopened(text: string, at: number, { start, end }: Delimiters): BrokenTag | null {
  const all = text.slice(Math.max(at - TAG_LENGTH, 0), at);
  const before = behind(behind(all, start), end);
  const from = at - before.length;
  const cut = start.length > 1 ? before.lastIndexOf(start.at(-1) ?? "") : -1;
  if (cut !== -1) {
    return isMeant(unescapeText(before.slice(cut + 1)))
      ? { breach: "startCut", at: from + cut }
      : null;
  }
  for (const { index } of [...before.matchAll(MAY_BEGIN_BLOCK)].slice(-MAX_WORDS)) {
    if (isBlock(directiveOf(unescapeText(before.slice(index))))) {
      return { breach: "startMissing", at: from + index };
    }
  }
  return null;
}

function upTo(text: string, delimiter: string): string {
  const at = text.indexOf(delimiter);
  return at === -1 ? text : text.slice(0, at);
}

function behind(text: string, delimiter: string): string {
  const at = text.lastIndexOf(delimiter);
  return at === -1 ? text : text.slice(at + delimiter.length);
}

const BLOCK_WORDS = KEYWORDS.filter((keyword) => keyword !== "include").join("|");
const BEGINS_BLOCK = new RegExp(
  `^\\s*(?:[#^/]\\s*[\\p{L}_]|(?:${BLOCK_WORDS})(?![\\p{L}\\p{N}_]))`,
  "u",
);
const MAY_BEGIN_BLOCK = new RegExp(
  `(?<![^\\s])(?:[#^/](?=[\\p{L}_])|(?:${BLOCK_WORDS})(?![\\p{L}\\p{N}_]))`,
  "gu",
);

/**
 * Returns the meaning of a broken tag, for pairing it with the other tags of its block. If a delimiter is missing
 * completely, the text is possibly not a tag.
 */
export function brokenDirective(content: string, breach: Breach, dialect: Dialect): Directive {
  const found = directiveOf(content, dialect);
  const directive = isBlock(found) ? found : guessDirective(content);
  return breach === "endCut" || breach === "startCut" || directive.guess !== undefined
    ? directive
    : { ...directive, guess: { word: "", loose: true } };
}

/** Whether the content, even if it is invalid, shows that a tag was meant. */
function isMeant(content: string): boolean {
  return readsAsTag(content) || (directiveOf(content) === null && isBlock(guessDirective(content)));
}

/** Whether a tag opens, continues or ends a block. */
export function isBlock(directive: Directive | null): directive is Directive {
  return directive !== null && !["value", "note", "include"].includes(directive.kind);
}
