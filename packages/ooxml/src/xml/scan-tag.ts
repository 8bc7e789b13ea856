import type { QuireError } from "@quire/contracts";
import { malformed } from "../limits/refusal.ts";
import { characterEnd, PLAIN_VALUE, placeIn, wrongCharacter } from "./scan-characters.ts";
import { NO_NAME, type ScannedName, ScannedNames, shown } from "./scan-names.ts";
import { unescapedText } from "./unescape.ts";

/** An attribute as written. Positions are offsets in the bytes of the part. */
export interface ScannedAttribute {
  readonly name: string;
  /** The unescaped value. */
  readonly value: string;
  readonly start: number;
  /** The position after the closing quote. */
  readonly end: number;
}

/** A start tag or an empty-element tag. Valid only while it is reported. */
export interface ScannedTag {
  readonly name: string;
  /** The position of `<`. */
  readonly start: number;
  /** The position after `>`. */
  readonly end: number;
  /** Whether it has the form `<x/>`. Such a tag has no end tag to report. */
  readonly empty: boolean;
  /** The number of elements around it. */
  readonly depth: number;
  /** Whether it may declare namespaces. */
  readonly declares: boolean;
  readonly attributes: () => readonly ScannedAttribute[];
}

/** More attributes than this are treated as an attack: real elements have about 40, including declarations. */
const MAX_ATTRIBUTES = 1_000;

/** Longer values are treated as an attack: drawings in attributes have about 50,000 bytes. */
const MAX_VALUE = 4_000_000;

/** Number of attributes and escaped characters that take as much work as one more element. */
const WORTH_AN_ELEMENT = 4;

const SPACE = 32;
const QUOTE = 34;
const AMPERSAND = 38;
const APOSTROPHE = 39;
const SLASH = 47;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;

/** Reads the start tags of one part, in UTF-8, one after the other into the same object. */
export class TagScanner implements ScannedTag {
  readonly #part: string;
  readonly #xml: Buffer;
  readonly #known: ScannedNames;
  element = NO_NAME;
  start = 0;
  end = 0;
  empty = false;
  depth = 0;
  declares = false;
  /** The number of attributes. */
  count = 0;
  /** The names of its attributes, followed by names from earlier tags. */
  readonly names: ScannedName[] = [];
  /** For each attribute: its start, the start of its value, and the closing quote. */
  readonly #places: number[] = [];
  /** Whether two attributes have, or may have, the same local name. */
  mayRepeat = false;
  #number = 0;
  #escapes = 0;

  constructor(part: string, xml: Buffer) {
    this.#part = part;
    this.#xml = xml;
    this.#known = new ScannedNames(xml);
  }

  get name(): string {
    return this.element.text;
  }

  /** Reads the tag that begins with a `<` at `start`. Throws `invalid_template` for an invalid tag. */
  read(start: number, depth: number): void {
    const xml = this.#xml;
    this.element = this.#nameAt(start + 1);
    let at = start + 1 + this.element.text.length;
    this.start = start;
    this.depth = depth;
    this.declares = false;
    this.count = 0;
    this.mayRepeat = false;
    this.#number += 1;
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

  /** The number of elements that the tag counts as: a thousand attributes count as more than one. */
  get weight(): number {
    return weightOf(this.count + this.#escapes);
  }

  /** Returns the attributes in order. */
  attributes(): ScannedAttribute[] {
    const list: ScannedAttribute[] = [];
    const places = this.#places;
    for (let index = 0; index < this.count; index += 1) {
      const { text } = this.names[index] ?? NO_NAME;
      const place = index * 3;
      const [start = 0, from = 0, to = 0] = [places[place], places[place + 1], places[place + 2]];
      list.push(new Attribute(text, this.#xml, start, from, to + 1));
    }
    return list;
  }

  #nameAt(start: number): ScannedName {
    const name = this.#known.read(start);
    if (name === null) throw this.#broken(start);
    return name;
  }

  #attributeEnd(from: number): number {
    const xml = this.#xml;
    const name = this.#nameAt(from);
    const named = from + name.text.length;
    const value = valueStart(xml, named);
    const quote = xml[value];
    if (value === named || (quote !== QUOTE && quote !== APOSTROPHE)) throw this.#broken(from);
    const end = this.#valueEnd(value + 1, quote);
    if (end - value > MAX_VALUE) {
      throw malformed(this.#part, `it has an attribute of more than ${MAX_VALUE} bytes`);
    }
    this.#add(name, from);
    const place = this.count * 3;
    this.#places[place] = from;
    this.#places[place + 1] = value + 1;
    this.#places[place + 2] = end;
    this.count += 1;
    if (this.count > MAX_ATTRIBUTES) {
      throw malformed(this.#part, `an element has more than ${MAX_ATTRIBUTES} attributes`);
    }
    return end + 1;
  }

  #add(name: ScannedName, at: number): void {
    if (name.tag === this.#number) {
      throw this.#wrong(at, `has the attribute ${shown(name.text)} twice`);
    }
    if (!name.isKept || name.local.tag === this.#number) this.mayRepeat = true;
    if (name.declares) this.declares = true;
    name.tag = this.#number;
    name.local.tag = this.#number;
    this.names[this.count] = name;
  }

  /** Returns the position of the quote that ends a value. */
  #valueEnd(from: number, quote: number): number {
    const xml = this.#xml;
    let at = from;
    for (let byte = xml[at]; byte !== quote; byte = xml[at]) {
      if (byte === undefined) throw this.#broken(from);
      if (PLAIN_VALUE[byte] === 1) {
        at += 1;
        continue;
      }
      // Counted because a parser splits the value at each of these characters.
      if (byte === AMPERSAND || byte < SPACE) this.#escapes += 1;
      const end = byte === LESS ? -1 : characterEnd(xml, at);
      if (end === -1) throw this.#wrong(at, `has ${wrongCharacter(xml, at)}`);
      at = end;
    }
    return at;
  }

  #broken(at: number): QuireError {
    return this.#wrong(at, "has something that is not a valid tag");
  }

  #wrong(at: number, how: string): QuireError {
    return malformed(this.#part, brokenXml(this.#xml, at, how));
  }
}

/**
 * Returns the end of the error message for XML that is not well-formed. `how` is a predicate, such as `has a second
 * root`.
 */
export function brokenXml(xml: Buffer, at: number, how: string): string {
  return `its XML is broken (it ${how} at ${placeIn(xml, at)})`;
}

/**
 * Returns the number of elements that an element counts as. `attributes` is the number of its attributes plus the
 * number of escaped characters in them.
 */
export function weightOf(attributes: number): number {
  return 1 + Math.floor(attributes / WORTH_AN_ELEMENT);
}

/** An attribute. Its value is rarely needed, so it is read on demand. */
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

/** Returns a name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Returns the position of a value's opening quote after a name that ends at `named`, or `named` if there is no `=`. */
function valueStart(xml: Buffer, named: number): number {
  const equals = spaceEnd(xml, named);
  return xml[equals] === EQUALS ? spaceEnd(xml, equals + 1) : named;
}

/** Returns the first position from `from` on that is not white space. */
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
