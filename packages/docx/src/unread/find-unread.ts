import type { Buffer } from "node:buffer";
import type { PackageLimits } from "@quire/ooxml/internal/limits/limits";
import { NamespaceScope } from "@quire/ooxml/internal/xml/namespaces";
import { type ScanHandler, scanXml } from "@quire/ooxml/internal/xml/scan";
import { localName, type ScannedTag } from "@quire/ooxml/internal/xml/scan-tag";
import { unescapedText } from "@quire/ooxml/internal/xml/unescape";
import { MOVED_TEXT } from "@quire/ooxml/internal/xml/xml";
import { TAG_LENGTH } from "../language/delimiters/braces.ts";
import type { Delimiters } from "../language/delimiters/delimiters.ts";
import { directiveOf } from "../language/directive.ts";
import { NUMBERS } from "../template/fields/held-numbers.ts";
import { AuthorCount } from "../template/nodes/author-count.ts";
import { OWN_AUTHOR_NAME } from "../template/nodes/own-comments.ts";
import { PARAGRAPHS, TEXT_ELEMENTS } from "../template/nodes/paragraph-texts.ts";
import { readsAsTag } from "../template/nodes/scan.ts";
import { isWritten } from "../template/tags/attribute-tags.ts";
import type { TextPlace } from "./place-words.ts";

/** A tag in a place where tags are not read. */
export interface UnreadTag {
  /** The tag with its delimiters. */
  readonly text: string;
  /** The tag with the text around it, shortened. */
  readonly near: string;
  readonly place: TextPlace;
  /** The number of its paragraph; 0 outside paragraphs. */
  readonly paragraph: number;
  /** Whether its text is deleted or moved away in a tracked change. */
  readonly isDeleted: boolean;
}

/** How to search a part. */
export interface UnreadSearch {
  readonly delimiters: Delimiters;
  /** Whether tags are read in the usual places of the part. If not, they are not read anywhere in it. */
  readonly isRead: boolean;
  readonly limits: PackageLimits;
}

/** Returns the tags of a part, in UTF-8, in places where tags are not read. Text that is not a valid tag is skipped. */
export function findUnread(part: string, xml: Buffer, search: UnreadSearch): UnreadTag[] {
  const finder = new UnreadFinder(xml, search);
  // The number of elements was checked when the package was opened.
  const bounds = { limits: search.limits, elements: Number.POSITIVE_INFINITY };
  scanXml(part, xml, finder, bounds);
  return finder.found;
}

/** Elements whose text is not shown, is data of a program or, like field instructions, is checked elsewhere. */
const SILENT: ReadonlySet<string> = new Set([
  "w:delInstrText",
  "w:instrText",
  "w:fldData",
  "style",
  "script",
]);

/** Maximum number of candidates in one part that are read as tags. */
const MAX_CANDIDATES = 20_000;

/** Number of characters that are quoted on each side of a tag. */
const SIDE_LENGTH = 40;

/** An open element. */
interface OpenElement {
  readonly name: string;
  readonly depth: number;
  /** The number of a paragraph, or 0 for other elements. */
  readonly paragraph: number;
  text: string;
  /** Its text that was deleted or moved away in tracked changes. */
  deleted: string;
}

class UnreadFinder implements ScanHandler {
  readonly found: UnreadTag[] = [];
  readonly #xml: Buffer;
  readonly #delimiters: Delimiters;
  readonly #isRead: boolean;
  readonly #scope = new NamespaceScope();
  readonly #count = new AuthorCount();
  readonly #open: OpenElement[] = [];
  readonly #paragraphs: OpenElement[] = [];
  /** The depth of the current comment of an annotated copy, which is not searched; null outside such a comment. */
  #skipped: number | null = null;
  /** The depth of the current element with chart numbers; null outside such an element. */
  #numbers: number | null = null;
  /** The depth of the current `w:moveFrom`, whose text was moved away; null outside such an element. */
  #moved: number | null = null;
  #root = "";
  #candidates = 0;

  constructor(xml: Buffer, { delimiters, isRead }: UnreadSearch) {
    this.#xml = xml;
    this.#delimiters = delimiters;
    this.#isRead = isRead;
  }

  open(tag: ScannedTag): void {
    if (tag.declares) this.#scope.enter(tag.depth, tag.attributes());
    const name = this.#scope.element(tag.name) || tag.name;
    if (tag.depth === 0) this.#root = name;
    this.#count.open(name);
    const paragraph = name === "w:p" ? this.#count.paragraphs : 0;
    const element: OpenElement = { name, depth: tag.depth, paragraph, text: "", deleted: "" };
    if (name === "w:comment" && this.#isOwn(tag)) this.#skipped ??= tag.depth;
    if (NUMBERS.includes(name)) this.#numbers ??= tag.depth;
    if (name === "w:moveFrom") this.#moved ??= tag.depth;
    this.#attributes(tag, name);
    this.#open.push(element);
    if (PARAGRAPHS.includes(name)) this.#paragraphs.push(element);
    if (tag.empty) this.#leave(tag.depth);
  }

  close(depth: number): void {
    this.#leave(depth);
  }

  text(from: number, to: number, literal: boolean): void {
    const element = this.#open.at(-1);
    if (element === undefined || this.#skipped !== null || SILENT.has(element.name)) return;
    const isText = TEXT_ELEMENTS.includes(element.name);
    const isDeleted = this.#isDeleted(element.name);
    if (isText && !isDeleted && this.#isRead && this.#numbers === null) return;
    // A tag may be spread over the runs of its paragraph.
    const holder = (isText || isDeleted ? this.#paragraphs.at(-1) : undefined) ?? element;
    const text = literal
      ? this.#xml.toString("utf8", from, to)
      : unescapedText(this.#xml, from, to);
    if (isDeleted) holder.deleted += text;
    else holder.text += text;
  }

  #isDeleted(name: string): boolean {
    return name === "w:delText" || name === MOVED_TEXT || (name === "w:t" && this.#moved !== null);
  }

  #leave(depth: number): void {
    const element = this.#open.pop();
    if (element === undefined) return;
    const { name } = element;
    if (element.text !== "") this.#look(element.text, name, null);
    if (element.deleted !== "") this.#look(element.deleted, name, null, true);
    if (this.#paragraphs.at(-1) === element) this.#paragraphs.pop();
    if (this.#skipped === depth) this.#skipped = null;
    if (this.#numbers === depth) this.#numbers = null;
    if (this.#moved === depth) this.#moved = null;
    this.#count.close(name);
    this.#scope.leave(depth);
  }

  #isOwn(tag: ScannedTag): boolean {
    return tag
      .attributes()
      .some(({ name, value }) => localName(name) === "author" && value === OWN_AUTHOR_NAME);
  }

  #attributes(tag: ScannedTag, element: string): void {
    const written = this.#xml.subarray(tag.start, tag.end);
    if (!written.includes(this.#delimiters.start) && !written.includes("&#")) return;
    for (const { name, value } of tag.attributes()) {
      const attribute = this.#scope.attribute(name) || name;
      const isRead = this.#isRead && isWritten(element, attribute);
      if (!isRead && !name.startsWith("xmlns")) this.#look(value, element, attribute);
    }
  }

  #look(text: string, element: string, attribute: string | null, isDeleted = false): void {
    const { start, end } = this.#delimiters;
    const place = { root: this.#root, element, attribute };
    const paragraph = this.#paragraphs.at(-1)?.paragraph ?? 0;
    for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
      this.#candidates += 1;
      if (this.#candidates > MAX_CANDIDATES) return;
      const from = at + start.length;
      const ahead = text.slice(from, from + TAG_LENGTH + end.length);
      const length = ahead.indexOf(end);
      // If there are two starts, the second one begins the tag.
      if (length === -1 || (ahead.indexOf(start) !== -1 && ahead.indexOf(start) < length)) continue;
      if (text[at - 1] === "\\" || !isTag(ahead.slice(0, length), this.#delimiters)) continue;
      const to = from + length + end.length;
      const near = around(text, at, to);
      this.found.push({ text: text.slice(at, to), near, place, paragraph, isDeleted });
    }
  }
}

/**
 * Whether the content is certainly that of a tag. Single-character delimiters may enclose other text, such as ids.
 * Between them, the content must be a path, have a modifier, or be a block tag.
 */
function isTag(content: string, { start }: Delimiters): boolean {
  if (start.length > 1) return readsAsTag(content);
  const directive = directiveOf(content);
  if (directive?.kind !== "value") return directive !== null && directive.kind !== "note";
  return directive.expression.kind === "path" || directive.modifiers.length > 0;
}

function around(text: string, from: number, to: number): string {
  const first = Math.max(from - SIDE_LENGTH, 0);
  const last = Math.min(to + SIDE_LENGTH, text.length);
  return `${first > 0 ? "…" : ""}${text.slice(first, last)}${last < text.length ? "…" : ""}`;
}
