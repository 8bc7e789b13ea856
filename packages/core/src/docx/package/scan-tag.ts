import type { QuireError } from "../../errors.ts";
import { malformed } from "./refusal.ts";
import { unescapedText } from "./unescape.ts";

/** An attribute as it is written; positions are those in the bytes of the part. */
export interface ScannedAttribute {
  readonly name: string;
  /** Unescaped. */
  readonly value: string;
  readonly start: number;
  /** After the closing quote. */
  readonly end: number;
}

/** A start tag or an empty-element tag. Valid only while it is reported. */
export interface ScannedTag {
  readonly name: string;
  /** The position of `<`. */
  readonly start: number;
  /** The position after `>`. */
  readonly end: number;
  /** Whether it is written as `<x/>`: no closing of it is reported. */
  readonly empty: boolean;
  /** How many elements it stands in. */
  readonly depth: number;
  /** Whether it may declare namespaces. */
  readonly declares: boolean;
  readonly attributes: () => readonly ScannedAttribute[];
}

/** More attributes than this are an attack: real elements have some 40, declarations included. */
const MAX_ATTRIBUTES = 1_000;

/** Longer values are an attack: drawings kept in attributes have some 50,000 bytes. */
const MAX_VALUE = 4_000_000;

/** Attributes, and escaped characters in them, that take as much work as another element. */
const WORTH_AN_ELEMENT = 4;

/** Names that are kept: parts have some 250 different ones. */
const MAX_NAMES = 2_000;

const SPACE = 32;
const QUOTE = 34;
const AMPERSAND = 38;
const APOSTROPHE = 39;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;

/** Reads start tags of one part, in UTF-8, one after the other into the same object. */
export class TagScanner implements ScannedTag {
  readonly #part: string;
  readonly #xml: Buffer;
  name = "";
  start = 0;
  end = 0;
  empty = false;
  depth = 0;
  declares = false;
  /** Names that were read, by a sum over their bytes: parts have few, and most elements have one of them. */
  readonly #names = new Map<number, string>();
  #attributesFrom = 0;
  #count = 0;
  #escapes = 0;

  constructor(part: string, xml: Buffer) {
    this.#part = part;
    this.#xml = xml;
  }

  /** Reads the tag that begins at `start` with a `<`. Throws `invalid_template` when it is none. */
  read(start: number, depth: number): void {
    const xml = this.#xml;
    let at = nameEnd(xml, start + 1);
    if (at === start + 1) throw this.#broken(start);
    this.name = this.#name(start + 1, at);
    this.start = start;
    this.depth = depth;
    this.declares = false;
    this.#attributesFrom = at;
    this.#count = 0;
    this.#escapes = 0;
    for (;;) {
      const next = spaceEnd(xml, at);
      const byte = xml[next];
      if (byte === GREATER || byte === SLASH) {
        this.empty = byte === SLASH;
        at = this.empty ? next + 1 : next;
        break;
      }
      if (next === at) throw this.#broken(start);
      at = this.#attributeEnd(next);
    }
    if (xml[at] !== GREATER) throw this.#broken(start);
    this.end = at + 1;
  }

  /** How many elements the tag counts for: with a thousand attributes it is more than one. */
  get weight(): number {
    return weightOf(this.#count + this.#escapes);
  }

  /** The attributes, in the order in which they are written. */
  attributes(): ScannedAttribute[] {
    const xml = this.#xml;
    const list: ScannedAttribute[] = [];
    let at = this.#attributesFrom;
    for (let index = 0; index < this.#count; index += 1) {
      const start = spaceEnd(xml, at);
      const named = nameEnd(xml, start);
      const value = valueStart(xml, named);
      at = value + 1;
      // Values are short: to call a function for each takes longer.
      while (xml[at] !== xml[value]) at += 1;
      at += 1;
      list.push(new Attribute(this.#name(start, named), xml, start, value + 1, at));
    }
    return list;
  }

  #name(start: number, end: number): string {
    const xml = this.#xml;
    let sum = end - start;
    for (let at = start; at < end; at += 1) sum = (sum * 31 + (xml[at] ?? 0)) | 0;
    const known = this.#names.get(sum);
    if (known?.length === end - start && standsAt(xml, start, known)) return known;
    const name = xml.toString("latin1", start, end);
    if (this.#names.size < MAX_NAMES) this.#names.set(sum, name);
    return name;
  }

  #attributeEnd(from: number): number {
    const xml = this.#xml;
    const named = nameEnd(xml, from);
    const value = valueStart(xml, named);
    const quote = xml[value];
    if (named === from || value === named) throw this.#broken(from);
    if (quote !== QUOTE && quote !== APOSTROPHE) throw this.#broken(from);
    let end = value + 1;
    for (let byte = xml[end]; byte !== quote; byte = xml[end]) {
      if (byte === undefined) throw this.#broken(from);
      // Of each of these a parser makes another piece of the value.
      if (byte === AMPERSAND || byte < SPACE) this.#escapes += 1;
      end += 1;
    }
    if (end - value > MAX_VALUE) {
      throw malformed(this.#part, `it has an attribute of more than ${MAX_VALUE} bytes`);
    }
    if (standsAt(xml, from, "xmlns")) this.declares = true;
    this.#count += 1;
    if (this.#count > MAX_ATTRIBUTES) {
      throw malformed(this.#part, `an element has more than ${MAX_ATTRIBUTES} attributes`);
    }
    return end + 1;
  }

  #broken(at: number): QuireError {
    return malformed(this.#part, `its XML is broken (it has no proper tag at byte ${at})`);
  }
}

/** How many elements one with so many attributes and escaped characters in them counts for. */
export function weightOf(attributes: number): number {
  return 1 + Math.floor(attributes / WORTH_AN_ELEMENT);
}

/** Its value is read only when it is asked for: mostly nobody does. */
class Attribute implements ScannedAttribute {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly #xml: Buffer;
  readonly #from: number;

  constructor(name: string, xml: Buffer, start: number, from: number, end: number) {
    this.name = name;
    this.start = start;
    this.end = end;
    this.#xml = xml;
    this.#from = from;
  }

  get value(): string {
    return unescapedText(this.#xml, this.#from, this.end - 1);
  }
}

/** A name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Whether an ASCII text stands at a position. */
export function standsAt(xml: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (xml[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Where the quote of a value stands, behind a name that ends at `named`; `named` when there is no `=`. */
function valueStart(xml: Buffer, named: number): number {
  const equals = spaceEnd(xml, named);
  return xml[equals] === EQUALS ? spaceEnd(xml, equals + 1) : named;
}

/** The bytes that end a name: white space and `"'/<=>`. */
const ENDS_NAME: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  " \t\r\n\"'/<=>".includes(String.fromCharCode(byte)) ? 1 : 0,
);

function nameEnd(xml: Buffer, from: number): number {
  let at = from;
  while (at < xml.length && ENDS_NAME[xml[at] ?? 0] === 0) at += 1;
  return at;
}

/** The first position from `from` on that holds no white space. */
export function spaceEnd(xml: Buffer, from: number): number {
  let at = from;
  for (
    let byte = xml[at];
    byte === 32 || byte === 10 || byte === 9 || byte === 13;
    byte = xml[at]
  ) {
    at += 1;
  }
  return at;
}

/** The text behind XML text as anyone may write it. References to unknown entities stay as they are. */
export function unescapeXml(xml: string): string {
  if (!xml.includes("&")) return xml;
  const bytes = Buffer.from(xml);
  return unescapedText(bytes, 0, bytes.length);
}
