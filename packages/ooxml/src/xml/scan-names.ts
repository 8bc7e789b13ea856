import { declaredPrefix } from "./namespaces.ts";

/** A local name, which names with different prefixes may share. */
interface LocalName {
  /** The number of the last tag with an attribute of this name. */
  tag: number;
}

/** A parsed name in the tags of a part. Each character of `text` is one byte of the UTF-8 name. */
export interface ScannedName {
  readonly text: string;
  readonly prefix: string;
  /** Whether an attribute with this name declares a namespace. */
  readonly declares: boolean;
  readonly local: LocalName;
  /** Whether the same object represents each occurrence of the name. */
  readonly isKept: boolean;
  /** The number of the last tag with this attribute. */
  tag: number;
  /** The namespace state in which its prefix was last known to be bound. */
  bound: number;
}

/** Maximum number of names to keep. Parts have about 250 different names. */
const MAX_NAMES = 2_000;

const START =
  "A-Z_a-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}";
const PART = `[${START}][-.0-9\\u00b7\\u0300-\\u036f\\u203f\\u2040${START}]*`;

/** A name with at most one prefix (XML 1.0, fifth edition, and Namespaces in XML 1.0). */
const NAME = new RegExp(`^${PART}(?::${PART})?$`, "u");

/** Longer names are treated as an attack. */
const MAX_NAME = 10_000;

function isName(xml: Buffer, start: number, end: number): boolean {
  return end - start <= MAX_NAME && NAME.test(xml.toString("utf8", start, end));
}

/** Whether bytes form a name without a prefix. */
export function isPlainName(xml: Buffer, start: number, end: number): boolean {
  return isName(xml, start, end) && !xml.subarray(start, end).includes(":");
}

/** The bytes that end a name: white space and `"'/<=>`. */
const ENDS_NAME: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  " \t\r\n\"'/<=>".includes(String.fromCharCode(byte)) ? 1 : 0,
);

/**
 * The names of one part. Each name is checked when it first occurs, and is afterwards recognized by a checksum of its
 * bytes.
 */
export class ScannedNames {
  readonly #known = new Map<number, ScannedName>();
  readonly #locals = new Map<string, LocalName>();
  readonly #xml: Buffer;

  constructor(xml: Buffer) {
    this.#xml = xml;
  }

  /** Reads the name at a position, or null. */
  read(start: number): ScannedName | null {
    const xml = this.#xml;
    let end = start;
    let sum = 0;
    for (let byte = xml[end]; byte !== undefined && ENDS_NAME[byte] === 0; byte = xml[end]) {
      sum = (sum * 31 + byte) | 0;
      end += 1;
    }
    const known = this.#known.get(sum);
    if (known?.text.length === end - start && standsAt(xml, start, known.text)) return known;
    return this.#read(start, end, sum, known === undefined);
  }

  #read(start: number, end: number, sum: number, isNew: boolean): ScannedName | null {
    const xml = this.#xml;
    if (!isName(xml, start, end)) return null;
    const text = xml.toString("latin1", start, end);
    const colon = text.indexOf(":");
    const local = text.slice(colon + 1);
    const isKept = isNew && this.#known.size < MAX_NAMES;
    const name = {
      text,
      prefix: text.slice(0, Math.max(colon, 0)),
      declares: declaredPrefix(text) !== null,
      local: this.#locals.get(local) ?? { tag: 0 },
      isKept,
      tag: 0,
      bound: NEVER,
    };
    if (isKept) {
      this.#known.set(sum, name);
      this.#locals.set(local, name.local);
    }
    return name;
  }
}

/** A value that is not a namespace state. */
const NEVER = -1;

/** Placeholder before the first name. */
export const NO_NAME: ScannedName = {
  text: "",
  prefix: "",
  declares: false,
  local: { tag: 0 },
  isKept: false,
  tag: 0,
  bound: NEVER,
};

/** Decodes a name for a message, because each character of a scanned name is one byte. */
export function shown(name: string): string {
  return Buffer.from(name, "latin1").toString("utf8").slice(0, 100);
}

/** Whether an ASCII text begins at a position. */
export function standsAt(xml: Buffer, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (xml[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
