/** A PDF value, limited to the types that LibreOffice writes. */
export type PdfValue =
  | number
  | boolean
  | null
  | PdfName
  | PdfText
  | PdfRef
  | PdfOperator
  | readonly PdfValue[]
  | PdfDict;

/** A dictionary, keyed by names without slashes. */
export type PdfDict = ReadonlyMap<string, PdfValue>;

/** A name: `/Name`. */
export class PdfName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A string, one character per byte. */
export class PdfText {
  readonly bytes: string;
  /** As written in the file, with brackets. */
  readonly written: string;
  constructor(bytes: string, written: string) {
    this.bytes = bytes;
    this.written = written;
  }
}

/** A reference: `12 0 R`. */
export class PdfRef {
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
}

/** A word that is not a value: an operator of a content stream, `stream`, `endobj`. */
export class PdfOperator {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A reference and its range in the text. */
export interface PlacedRef {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** A PDF with an unexpected structure. Such documents are converted one by one. */
export class UnsupportedPdf extends Error {}

const SPACE = /[\0\t\n\f\r ]*/y;
const NUMBER = /[+-]?(?:\d+\.?\d*|\.\d+)/y;
const NAME = /\/([^\0\t\n\f\r ()<>[\]{}/%]*)/y;
const REFERENCE = /(\d+) 0 R(?![^\0\t\n\f\r ()<>[\]{}/%])/y;
const HEX = /<([0-9A-Fa-f\t\n\f\r ]*)>/y;
const WORD = /[A-Za-z'"*][A-Za-z0-9'"*]*/y;

const DEEPEST = 50;

/** Reads values from text with one character per byte, starting at `at`. */
export class PdfReader {
  readonly #text: string;
  /** The index after the last value. */
  at: number;
  /** All references in the values that were read. */
  readonly refs: PlacedRef[] = [];

  constructor(text: string, at = 0) {
    this.#text = text;
    this.at = at;
  }

  /** Whether only white space remains. */
  ended(): boolean {
    this.#skip();
    return this.at >= this.#text.length;
  }

  /** Reads the next value or operator. Throws {@link UnsupportedPdf}. */
  read(depth = 0): PdfValue {
    if (depth > DEEPEST) throw new UnsupportedPdf("values that are nested too deeply");
    this.#skip();
    switch (this.#text.charCodeAt(this.at)) {
      case 0x2f:
        return new PdfName((this.#match(NAME) ?? [])[1] ?? "");
      case 0x5b:
        return this.#array(depth);
      case 0x28:
        return this.#literal();
      case 0x3c:
        return this.#text.startsWith("<<", this.at) ? this.#dict(depth) : this.#hex();
      default:
        return this.#word();
    }
  }

  #skip(): void {
    SPACE.lastIndex = this.at;
    SPACE.exec(this.#text);
    this.at = SPACE.lastIndex;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  #array(depth: number): PdfValue[] {
    const values: PdfValue[] = [];
    this.at += 1;
    for (;;) {
      this.#skip();
      if (this.#text.charCodeAt(this.at) === 0x5d) break;
      values.push(this.read(depth + 1));
    }
    this.at += 1;
    return values;
  }

  #dict(depth: number): PdfDict {
    const values = new Map<string, PdfValue>();
    this.at += 2;
    for (;;) {
      this.#skip();
      if (this.#text.startsWith(">>", this.at)) break;
      const key = this.read(depth + 1);
      if (!(key instanceof PdfName)) throw new UnsupportedPdf("a dictionary without names");
      values.set(key.name, this.read(depth + 1));
    }
    this.at += 2;
    return values;
  }

  #hex(): PdfText {
    const [written, spaced = ""] = this.#match(HEX) ?? unusual("a broken string");
    const digits = /\s/.test(spaced) ? spaced.replace(/\s/g, "") : spaced;
    let bytes = "";
    for (let at = 0; at < digits.length; at += 2) {
      // A missing last digit counts as 0.
      const low = at + 1 < digits.length ? digitAt(digits, at + 1) : 0;
      bytes += String.fromCharCode(digitAt(digits, at) * 16 + low);
    }
    return new PdfText(bytes, written);
  }

  #literal(): PdfText {
    const start = this.at;
    let bytes = "";
    let depth = 0;
    for (let at = start; at < this.#text.length; at++) {
      const character = this.#text[at] as string;
      if (character === "\\") {
        const [escaped, length] = unescaped(this.#text, at + 1);
        bytes += escaped;
        at += length;
        continue;
      }
      if (character === ")") depth -= 1;
      if (depth > 0) bytes += character;
      if (character === "(") depth += 1;
      if (depth > 0) continue;
      this.at = at + 1;
      return new PdfText(bytes, this.#text.slice(start, this.at));
    }
    return unusual("a broken string");
  }

  #word(): PdfValue {
    const start = this.at;
    const reference = this.#match(REFERENCE);
    if (reference !== null) {
      const ref = new PdfRef(Number(reference[1]));
      this.refs.push({ id: ref.id, start, end: this.at });
      return ref;
    }
    const number = this.#match(NUMBER);
    if (number !== null) return Number(number[0]);
    const [word] = this.#match(WORD) ?? unusual("an unexpected token");
    if (word === "null") return null;
    return word === "true" || word === "false" ? word === "true" : new PdfOperator(word);
  }
}

/** Returns the value of a hexadecimal digit. */
function digitAt(digits: string, at: number): number {
  const code = digits.charCodeAt(at);
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** Reads an escape sequence after a backslash. Returns its meaning and its length. */
function unescaped(text: string, at: number): [string, number] {
  const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3))?.[0];
  if (octal !== undefined)
    return [String.fromCharCode(Number.parseInt(octal, 8) & 255), octal.length];
  if (text.startsWith("\r\n", at)) return ["", 2];
  const character = text[at] ?? "";
  if (character === "\n" || character === "\r") return ["", 1];
  return [ESCAPES[character] ?? character, 1];
}

/** Throws {@link UnsupportedPdf}, because the PDF does not have the structure that LibreOffice writes. */
export function unusual(what: string): never {
  throw new UnsupportedPdf(what);
}
