import type { QuireError } from "@quire/contracts";
import { DEFAULT_LIMITS, type PackageLimits } from "../limits/limits.ts";
import { malformed, tooMany } from "../limits/refusal.ts";
import { NamespaceCheck } from "./check-namespaces.ts";
import {
  characterEnd,
  forbiddenIn,
  PLAIN_TEXT,
  placeIn,
  wrongCharacter,
} from "./scan-characters.ts";
import { isPlainName, shown, standsAt } from "./scan-names.ts";
import {
  brokenXml,
  type ScannedAttribute,
  type ScannedTag,
  spaceEnd,
  TagScanner,
} from "./scan-tag.ts";

/** What {@link scanXml} reports. */
export interface ScanHandler {
  readonly open?: (tag: ScannedTag) => void;
  /** An end tag; empty-element tags have none. `start` is the position of `<`; `end` is the position after `>`. */
  readonly close?: (depth: number, start: number, end: number) => void;
  /** Text as written. `literal` says whether it is in a CDATA section. */
  readonly text?: (from: number, to: number, literal: boolean) => void;
  /** A processing instruction. The XML declaration is not one. */
  readonly instruction?: (start: number, end: number) => void;
  /** A document type declaration without inner declarations. If this function is missing, no doctype is allowed. */
  readonly doctype?: (start: number, end: number) => void;
}

/**
 * The limits of a scan. `elements` is the number of elements that may still follow in all parts of a package. Each
 * element reduces this number by its weight.
 */
export interface ScanBounds {
  readonly limits: PackageLimits;
  elements: number;
}

/** Returns the bounds of a package of which nothing has been scanned. */
export function fullBounds(limits: PackageLimits): ScanBounds {
  return { limits, elements: limits.elements };
}

/**
 * Scans an XML part, in UTF-8, tag by tag. It is several times as fast as a full parser, so every part of every file
 * can be checked before another parser reads it. Throws `invalid_template` if the part is not well-formed XML with
 * valid namespaces, which Word does not open either, or if it has hostile content: a document type declaration or deep
 * nesting. Throws `limit_exceeded` if there are too many elements.
 */
export function scanXml(
  part: string,
  xml: Buffer,
  handler: ScanHandler,
  bounds: ScanBounds = fullBounds(DEFAULT_LIMITS),
): void {
  new Scan(part, xml, handler, bounds).run();
}

class Scan {
  readonly #part: string;
  readonly #xml: Buffer;
  readonly #handler: ScanHandler;
  readonly #bounds: ScanBounds;
  readonly #tag: TagScanner;
  readonly #namespaces = new NamespaceCheck();
  /** The names of the open elements. */
  readonly #open: string[] = [];
  #tables = 0;
  #seenRoot = false;

  constructor(part: string, xml: Buffer, handler: ScanHandler, bounds: ScanBounds) {
    this.#part = part;
    this.#xml = xml;
    this.#handler = handler;
    this.#bounds = bounds;
    this.#tag = new TagScanner(part, xml);
  }

  run(): void {
    const xml = this.#xml;
    let at = this.#prologEnd();
    for (let start = this.#textEnd(at); start < xml.length; start = this.#textEnd(at)) {
      if (start > at) this.#text(at, start);
      const kind = xml[start + 1];
      if (kind === SLASH) at = this.#endTag(start);
      else if (kind === BANG || kind === QUESTION) at = this.#declaration(start);
      else at = this.#startTag(start);
    }
    const open = this.#open.at(-1);
    if (open !== undefined) {
      throw this.#broken(xml.length, `ends within the element ${shown(open)}`);
    }
    if (!this.#seenRoot) throw malformed(this.#part, "it contains no XML");
    this.#text(at, xml.length);
  }

  /** Returns the position of the next `<`, or the end. */
  #textEnd(from: number): number {
    const xml = this.#xml;
    let at = from;
    for (;;) {
      while (at < xml.length && PLAIN_TEXT[xml[at] ?? 0] === 1) at += 1;
      if (at === xml.length || xml[at] === LESS) return at;
      if (standsAt(xml, at, "]]>")) throw this.#broken(at, "has a ']]>' without a CDATA section");
      const end = characterEnd(xml, at);
      if (end === -1) throw this.#broken(at, `has ${wrongCharacter(xml, at)}`);
      at = end;
    }
  }

  #text(from: number, to: number): void {
    if (this.#open.length > 0) {
      this.#handler.text?.(from, to, false);
      return;
    }
    const at = spaceEnd(this.#xml, from);
    if (at < to) throw this.#broken(at, "has text outside its root element");
  }

  #startTag(start: number): number {
    const tag = this.#tag;
    const depth = this.#open.length;
    const { limits } = this.#bounds;
    if (depth === 0 && this.#seenRoot) throw this.#broken(start, "has a second root element");
    this.#seenRoot = true;
    tag.read(start, depth);
    this.#bounds.elements -= tag.weight;
    if (this.#bounds.elements < 0) throw tooMany("elements", limits.elements);
    if (depth >= limits.depth) throw this.#tooDeep("elements", limits.depth);
    const wrong = this.#namespaces.enter(tag);
    if (wrong !== null) throw this.#broken(start, wrong);
    const table = isTable(tag.name);
    if (table && this.#tables >= limits.tableNesting) {
      throw this.#tooDeep("tables", limits.tableNesting);
    }
    const { end, empty } = tag;
    if (!empty) {
      this.#open.push(tag.name);
      if (table) this.#tables += 1;
    }
    this.#handler.open?.(tag);
    return end;
  }

  #endTag(start: number): number {
    const xml = this.#xml;
    const name = this.#open.pop();
    const matches = name !== undefined && standsAt(xml, start + 2, name);
    const end = matches ? spaceEnd(xml, start + 2 + name.length) : start;
    if (!matches || xml[end] !== GREATER) {
      throw this.#broken(start, "has an end tag without a start tag");
    }
    if (isTable(name)) this.#tables -= 1;
    this.#namespaces.leave(this.#open.length);
    this.#handler.close?.(this.#open.length, start, end + 1);
    return end + 1;
  }

  /** Reads a comment, CDATA section, processing instruction or document type declaration. */
  #declaration(start: number): number {
    const xml = this.#xml;
    if (xml[start + 1] === QUESTION) return this.#instruction(start);
    if (standsAt(xml, start, "<!--")) {
      // A comment must not contain `--` or end with `-`.
      const end = this.#after("--", start + 4);
      if (xml[end] !== GREATER) throw this.#broken(end - 2, "has a '--' within a comment");
      return end + 1;
    }
    if (standsAt(xml, start, "<![CDATA[")) {
      if (this.#open.length === 0) throw this.#broken(start, "has text outside its root element");
      const end = this.#after("]]>", start + 9);
      this.#handler.text?.(start + 9, end - 3, true);
      return end;
    }
    // This includes malformed declarations: a more lenient parser might accept them.
    const why = `it has a document type declaration (at ${placeIn(xml, start)}), which no Word document does`;
    if (this.#handler.doctype === undefined || this.#seenRoot) throw malformed(this.#part, why);
    const end = this.#after(">", start);
    if (/[[&%]/.test(xml.toString("latin1", start, end))) throw malformed(this.#part, why);
    this.#handler.doctype(start, end);
    return end;
  }

  #instruction(start: number): number {
    const xml = this.#xml;
    const end = this.#after("?>", start + 2);
    let named = start + 2;
    while (named < end - 2 && spaceEnd(xml, named) === named) named += 1;
    const isXml = /^xml$/i.test(xml.toString("latin1", start + 2, Math.min(named, start + 6)));
    if (isXml) throw this.#broken(start, "has an XML declaration that is not at its start");
    if (!isPlainName(xml, start + 2, named)) {
      throw this.#broken(start, "has a processing instruction without a valid name");
    }
    this.#handler.instruction?.(start, end);
    return end;
  }

  /** Returns the position after the XML declaration, if there is one. */
  #prologEnd(): number {
    const xml = this.#xml;
    if (!standsAt(xml, 0, "<?xml") || spaceEnd(xml, 5) === 5) return 0;
    const end = this.#after("?>", 0);
    const declaration = xml.toString("latin1", 0, Math.min(end, MAX_DECLARATION));
    if (!/^<\?xml\s+version\s*=\s*["']1\.0["']/.test(declaration)) {
      throw malformed(this.#part, "it is not XML 1.0");
    }
    if (!DECLARATION.test(declaration)) throw this.#broken(0, "has an invalid XML declaration");
    return end;
  }

  /** Returns the position after a terminator. The text before it must not contain forbidden characters. */
  #after(terminator: string, from: number): number {
    const xml = this.#xml;
    const found = xml.indexOf(terminator, from, "latin1");
    if (found === -1) throw this.#broken(from, "ends within the markup that begins");
    const forbidden = forbiddenIn(xml, from, found);
    if (forbidden !== -1) {
      throw this.#broken(forbidden, `has ${wrongCharacter(xml, forbidden)}`);
    }
    return found + terminator.length;
  }

  #broken(at: number, how: string): QuireError {
    return malformed(this.#part, brokenXml(this.#xml, at, how));
  }

  #tooDeep(what: string, limit: number): QuireError {
    return malformed(this.#part, `its ${what} are nested deeper than ${limit} levels`);
  }
}

/** A longer XML declaration is treated as an attack. */
const MAX_DECLARATION = 1_000;

/** A complete XML declaration. Its attributes have a fixed order. */
const DECLARATION =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.0"|'1\.0')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"[A-Za-z][\w.-]*"|'[A-Za-z][\w.-]*'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>$/;

const BANG = 33;
const SLASH = 47;
const LESS = 60;
const GREATER = 62;
const QUESTION = 63;

/** Whether an element is a table, with any prefix: a hostile file may use a different prefix for Word's tables. */
function isTable(name: string): boolean {
  return name.endsWith("tbl") && (name.length === 3 || name.charAt(name.length - 4) === ":");
}

/** The position of an element. */
export interface Place {
  /** The position of its `<`. */
  readonly start: number;
  /** The position after the `>` of its end tag. */
  readonly end: number;
}

/** More relationships or content types than this are treated as an attack: Word allows 65,535 hyperlinks. */
export const MAX_LISTED = 70_000;

/**
 * Calls `read` for each element of a part that is a plain list, in order. Returns the results that are not null, each
 * with the position of its element.
 */
export function scanElements<T extends object>(
  part: string,
  xml: Buffer,
  read: (name: string, attributes: readonly ScannedAttribute[]) => T | null,
  bounds?: ScanBounds,
): (T & Place)[] {
  const elements: (T & { -readonly [K in keyof Place]: Place[K] })[] = [];
  const open: (number | null)[] = [];
  const handler: ScanHandler = {
    open(tag) {
      const { name, start, end } = tag;
      const attributes = tag.attributes();
      const element = read(name, attributes);
      if (!tag.empty) open.push(element === null ? null : elements.length);
      if (element === null) return;
      if (elements.length >= MAX_LISTED) throw tooMany(`elements in ${part}`, MAX_LISTED);
      elements.push({ ...element, start, end });
    },
    close(_depth, _start, end) {
      const element = elements[open.pop() ?? -1];
      if (element !== undefined) element.end = end;
    },
  };
  scanXml(part, xml, handler, bounds);
  return elements;
}
