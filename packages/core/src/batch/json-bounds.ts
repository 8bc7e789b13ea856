/** Limits for the content of a JSON body, in addition to its length. */
export interface JsonLimits {
  /** The nesting depth of objects and lists. */
  readonly maxDepth: number;
  /** The total number of keys of all objects. */
  readonly maxKeys: number;
  /** The total number of keys, strings, numbers and other values. */
  readonly maxValues: number;
  /** The length of a string or key, in bytes of JSON. */
  readonly maxStringBytes: number;
  /** The length of an entry of a list in the outermost object, in bytes of JSON. */
  readonly maxEntryBytes: number;
}

/** A problem in JSON. The message is a sentence for the sender. */
export class JsonError extends Error {
  override readonly name = "JsonError";
  /** A JSON Pointer (RFC 6901) to the problem; empty for the whole text. */
  readonly path: string;
  /** The kind of problem, for programs. */
  readonly code: "not_utf8" | "not_json" | "wrong_value" | "duplicate_key" | "limit_exceeded";

  constructor(path: string, code: JsonError["code"], message: string) {
    super(message);
    this.path = path;
    this.code = code;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `{"list": [{ entry }]}`: an entry is at the third level. */
const ENTRY_DEPTH = 3;

/**
 * Scans JSON byte by byte and rejects it if parsing would be too expensive because of its depth, its number of keys or
 * values, or its long strings. The parser reports invalid JSON.
 */
export class JsonBounds {
  readonly #limits: JsonLimits;
  #depth = 0;
  #keys = 0;
  #values = 0;
  /** The number of bytes read within the current string; -1 outside strings. */
  #string = -1;
  #isEscaped = false;
  #entryStart = 0;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /**
   * Returns the index of the next comma or bracket outside strings; `end` if there is none. The next call starts after
   * it. Throws a {@link JsonError} that names the exceeded limit.
   */
  next(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    while (at < end) {
      if (this.#string >= 0) {
        at = this.#inString(bytes, at, end);
        continue;
      }
      switch (bytes[at]) {
        case QUOTE:
          this.#string = 0;
          break;
        case 0x7b: // {
        case 0x5b: // [
          this.#opens(at);
          return at;
        case 0x7d: // }
        case 0x5d: // ]
          this.#closes(at);
          return at;
        case 0x3a: // :
          this.#key();
          break;
        case 0x2c: // ,
          this.#value();
          return at;
      }
      at += 1;
    }
    return end;
  }

  /** Returns the index after the end of the string, or after the end of the bytes. */
  #inString(bytes: Uint8Array, from: number, end: number): number {
    let at = from;
    for (; at < end; at += 1) {
      const byte = bytes[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) break;
    }
    const length = this.#string + at - from;
    if (length > this.#limits.maxStringBytes) {
      throw exceeded(`A string is longer than ${this.#limits.maxStringBytes} bytes.`);
    }
    this.#string = at < end ? -1 : length;
    return at + 1;
  }

  #opens(at: number): void {
    this.#depth += 1;
    if (this.#depth > this.#limits.maxDepth) {
      throw exceeded(`The body is nested deeper than ${this.#limits.maxDepth} levels.`);
    }
    if (this.#depth === ENTRY_DEPTH) this.#entryStart = at;
    this.#value();
  }

  #closes(at: number): void {
    const isLong = at - this.#entryStart >= this.#limits.maxEntryBytes;
    if (this.#depth === ENTRY_DEPTH && isLong) {
      throw exceeded(`An entry is longer than ${this.#limits.maxEntryBytes} bytes.`);
    }
    this.#depth -= 1;
  }

  #key(): void {
    this.#keys += 1;
    if (this.#keys > this.#limits.maxKeys) {
      throw exceeded(`The body has more than ${this.#limits.maxKeys} keys.`);
    }
  }

  #value(): void {
    this.#values += 1;
    if (this.#values > this.#limits.maxValues) {
      throw exceeded(`The body has more than ${this.#limits.maxValues} values.`);
    }
  }
}

function exceeded(message: string): JsonError {
  return new JsonError("", "limit_exceeded", `${message} Send less at once.`);
}
