import { type Directive, directiveOf } from "../../language/directive.ts";
import { statementOf } from "../../language/foreign.ts";
import { cellMeant } from "../../language/mistakes/elsewhere/look-slips.ts";
import { isBlock } from "../tags/broken-tags.ts";

/** A piece of text that an author may have meant as a tag. */
export interface NearTag {
  readonly text: string;
  /** The offset of this text in the searched text. */
  readonly at: number;
  /** The content of the tag that was probably meant; null if there is no equivalent. */
  readonly meant: string | null;
  /** For a tag of Carbone, such as `{d.name}`. */
  readonly engine?: "carbone";
}

/** Represents a character that cannot belong to a near-tag, because it is part of a tag or is meant as text. */
export const OTHER = "\0";

/** Returns the hint for the field of a page number that is typed as text; null for other text. */
export function hintForPageNumber(text: string): string | null {
  return /^\{\s*(?:PAGE|NUMPAGES)\s*\}$/.test(text)
    ? "Insert a page number with Word in place of this text."
    : null;
}

/** Matches text in which a near-tag may begin. For quick checks. */
export const MAY_BE_NEAR = /[{｛]/;

/** Maximum number of characters between the braces of a misspelled tag. */
const CONTENT_LENGTH = 100;

/**
 * Finds text in braces that looks like a tag, such as `{name}` where tags begin with `{{`. Valid tags in the text must
 * have been replaced with {@link OTHER}.
 */
export function nearTags(text: string): NearTag[] {
  const found: NearTag[] = [];
  let from = 0;
  for (const { index } of text.matchAll(/[{｛]/g)) {
    if (index < from) continue;
    const near = braced(text, index);
    if (near === null) continue;
    found.push(near);
    from = near.at + near.text.length;
  }
  return found;
}

/** Matches a path, with signs that other languages write before a name. */
const WORD =
  /^([#^/]?)[%@&$=?]{0,2}(\p{L}[\p{L}\p{M}\p{N}_]*(?:\.[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*)$/u;

/** The pattern for characters between two separated braces, including invisible ones. */
const GAP = "[ \\u00a0\\u00ad\\u200b-\\u200d\\u2060\\ufeff]{0,3}";
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const OPENING = new RegExp(`[{｛](?:${GAP}[{｛])?`, "y");
const CONTENT = /[^{}｛｝\0]+/y;
const CLOSING = new RegExp(`[}｝](?:${GAP}[}｝])?`, "y");

/** Matches text before a brace that belongs to a LaTeX command or is meant as text: `\textbf{x}`, `\{x}`. */
const BACKSLASH = /\\[a-z]{0,30}$/i;

function braced(text: string, from: number): NearTag | null {
  const opening = matchAt(OPENING, text, from);
  const content = matchAt(CONTENT, text, from + opening.length);
  const closing = matchAt(CLOSING, text, from + opening.length + content.length);
  if (closing === "" || content.length > CONTENT_LENGTH) return null;
  if (BACKSLASH.test(text.slice(Math.max(from - 31, 0), from))) return null;
  const isDouble = [opening, closing].map((braces) => braces.length > 1);
  const whole = opening + content + closing;
  if (isDouble[0] && isDouble[1]) {
    const body = content.replace(INVISIBLE, "").trim();
    if (actionOf(body) === null || /^\d/.test(body)) return null;
    return { at: from, text: whole, meant: body };
  }
  // A single full-width brace is a bracket, and two separated ones are not a pair.
  const outer = opening.length > 2 ? opening.length - 1 : 0;
  const inner = closing.length > 2 ? 1 : closing.length;
  const own = whole.slice(outer, opening.length + content.length + inner);
  if (/[｛｝]/.test(own)) return null;
  const isCut = isDouble[0] !== isDouble[1];
  const body = content.replace(INVISIBLE, "").trim();
  const carbone = isCut ? undefined : meantByCarbone(body);
  if (carbone !== undefined) {
    return { at: from + outer, text: own, meant: carbone, engine: "carbone" };
  }
  const meant = meantBy(body, isCut);
  if (meant === undefined) return null;
  const isShell = text[from + outer - 1] === "$";
  return isShell
    ? { at: from - 1, text: `$${own}`, meant }
    : { at: from + outer, text: own, meant };
}

/**
 * Returns the content of the tag that text in single braces was meant to be; null if there is no such tag; undefined if
 * the text does not look like a tag. `isCut`: whether exactly one of the delimiters has two braces.
 */
function meantBy(content: string, isCut: boolean): string | null | undefined {
  const section = sectionOfAdobe(content);
  if (section !== undefined) return section;
  const body = statementOf(content);
  if (body !== null) {
    const cell = cellMeant(body);
    if (cell !== null) return cell;
    const directive = actionOf(body);
    return directive === null || directive.kind === "value" ? null : body;
  }
  const field = fieldMeant(content);
  if (field !== undefined) return field;
  const [, note] = NOTE.exec(content) ?? [];
  if (note !== undefined) return `! ${note}`;
  if (isCut && isBlock(directiveOf(content))) return content;
  const [, sign, path] = WORD.exec(content) ?? [];
  return path === undefined ? spacedName(content) : `${sign}${path}`;
}

/**
 * Returns the content of the tag for a field of Word that is typed as text, such as `MERGEFIELD name`; null for a field
 * without an equivalent; undefined for other text.
 */
export function fieldMeant(content: string): string | null | undefined {
  const [, name] = /^MERGEFIELD\s+"?([^\s"\\]+)"?(?:\s*\\.*)?$/s.exec(content) ?? [];
  if (name !== undefined) return WORD.test(name) ? name : null;
  const [, pattern] = /^(?:DATE|TIME)\s+\\@\s*"([^"]+)"(?:\s*\\.*)?$/s.exec(content) ?? [];
  return pattern === undefined ? undefined : `$today :: format("${pattern}")`;
}

/**
 * Returns the path in a tag of Carbone, `d.name`, where `d` is the data; null for a tag with more, such as
 * `d.items[i].name` or `d.city:upperCase`; undefined for other text.
 */
function meantByCarbone(content: string): string | null | undefined {
  if (!/^[dc](?:\.\p{L}|\[)/u.test(content)) return undefined;
  const path = content.slice(2);
  if (WORD.test(path)) return path;
  return /^[dc](?:\.|\[)[^\s,]*[[\]:(]/.test(content) ? null : undefined;
}

/**
 * Returns the section for `% repeating-section items %` and its end; null for a section without an equivalent;
 * undefined for other text.
 */
function sectionOfAdobe(content: string): string | null | undefined {
  const [, end, list] =
    /^%\s*(?:(end-section)|(?:repeating|conditional)-section\s+(.+?))\s*%$/.exec(content) ?? [];
  if (end !== undefined) return "/";
  if (list === undefined) return undefined;
  const condition = list.replace(/^expr\((.*)\)$/, "$1").replace(/(?<![=!<>])=(?!=)/, "==");
  return directiveOf(`#${condition}`) === null ? null : `#${condition}`;
}

/** Matches a name with spaces or hyphens, as in docxtemplater. */
const SPACED = /^\p{L}[\p{L}\p{M}\p{N}_]*(?:[ -]+[\p{L}\p{M}\p{N}_]+){1,4}$/u;

/** Matches words of a note to a person who fills in the document by hand. */
const BY_HAND =
  /\b(?:please|fill|insert|enter|type|if|see|delete|choose|select|your|here|applicable|note|page)\b/i;

/** Returns the content of the tag for a name with spaces or hyphens; undefined for any other text. */
function spacedName(content: string): string | undefined {
  return isSpacedName(content) && !isByHand(content) ? `["${content}"]` : undefined;
}

/** Whether text in braces may be a name with spaces or hyphens. */
export function isSpacedName(content: string): boolean {
  return SPACED.test(content);
}

/** Whether some words are meant for a person who fills in the document by hand, such as `see page 3`. */
export function isByHand(words: string): boolean {
  return BY_HAND.test(words);
}

/**
 * Matches a Jinja comment. In python-docx-template, letters name the element that is removed with the comment: a
 * paragraph, row, cell or run.
 */
const NOTE = /^#(?:(?:p|tr|tc|r)\s)?\s*(.*?)\s*#$/s;

/** Returns the meaning of a tag with this content; null if it is invalid or has no effect. */
function actionOf(body: string): Directive | null {
  const directive = directiveOf(body);
  return directive?.kind === "note" ? null : directive;
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
