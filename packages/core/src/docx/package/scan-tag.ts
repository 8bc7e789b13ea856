import type { QuireError } from "../../errors.ts";
import { malformed } from "./refusal.ts";

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

const QUOTE = 34;
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

  /** The attributes, in the order in which they are written. */
  attributes(): ScannedAttribute[] {
    const xml = this.#xml;
    const list: ScannedAttribute[] = [];
    let at = this.#attributesFrom;
    for (let index = 0; index < this.#count; index += 1) {
      const start = spaceEnd(xml, at);
      const named = nameEnd(xml, start);
      const value = valueStart(xml, named);
      at = xml.indexOf(xml[value] ?? QUOTE, value + 1) + 1;
      list.push({
        name: this.#name(start, named),
        value: unescapeXml(xml.toString("utf8", value + 1, at - 1)),
        start,
        end: at,
      });
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
    this.#names.set(sum, name);
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
    while (end < xml.length && xml[end] !== quote) end += 1;
    if (end === xml.length) throw this.#broken(from);
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

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** The text behind XML text as anyone may write it. References to unknown entities stay as they are. */
export function unescapeXml(xml: string): string {
  if (!xml.includes("&")) return xml;
  return xml.replace(
    /&(?:#0*(\d{1,7})|#x0*([\da-fA-F]{1,6})|([a-z]{2,4}));/g,
    (all: string, ten?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES.get(name) ?? all;
      const code = hex === undefined ? Number(ten) : Number.parseInt(hex, 16);
      return code > 0x10ffff ? all : String.fromCodePoint(code);
    },
  );
}
