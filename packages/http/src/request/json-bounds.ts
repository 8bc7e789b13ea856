import { invalid } from "../wire/problem.ts";

/** How much a JSON body may hold, whatever its length. */
export interface JsonLimits {
  /** Objects and lists within each other. */
  readonly maxDepth: number;
  /** Keys of all objects together. */
  readonly maxKeys: number;
  /** Keys, strings, numbers and the rest, all together. */
  readonly maxValues: number;
  /** Of one string or key, in bytes of the JSON text. */
  readonly maxStringBytes: number;
  /** Of one entry of a list in the outermost object, in bytes of the JSON text. */
  readonly maxEntryBytes: number;
}

/** Where something stands in a text: its first byte, and the byte after it. */
export type JsonPlace = readonly [start: number, end: number];

/** Shorter numbers keep all of their digits. */
const LONG_NUMBER = 16;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `{"list": [{ entry }]}`: an entry is the third of the things within each other. */
const ENTRY_DEPTH = 3;
/** Of more it is not noted where they stand. */
const MAX_ENTRIES = 100_000;

/**
 * Watches a JSON text as it comes, byte by byte, and refuses what would cost too much to parse: depth, keys,
 * values, long strings. What is no JSON at all is left to the parser.
 */
export class JsonBounds {
  readonly #limits: JsonLimits;
  #depth = 0;
  #keys = 0;
  #values = 0;
  /** Within a string: how many bytes it has had; -1 outside. */
  #string = -1;
  #escaped = false;
  #offset = 0;
  #entryStart = 0;
  /** Where the number began that is being read; -1 outside of numbers. */
  #number = -1;
  readonly #longNumbers: JsonPlace[] = [];
  readonly #entries: JsonPlace[] = [];

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Throws a 400 that says which limit is exceeded. */
  push(chunk: Uint8Array): void {
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index] as number;
      if (this.#string >= 0) this.#inString(byte);
      else if (isOfNumber(byte)) {
        if (this.#number < 0) this.#number = this.#offset + index;
      } else {
        if (this.#number >= 0) this.#endNumber(this.#offset + index);
        this.#outside(byte, this.#offset + index);
      }
    }
    this.#offset += chunk.length;
  }

  /** The numbers so far that may have more digits than JavaScript keeps. */
  get longNumbers(): readonly JsonPlace[] {
    return this.#longNumbers;
  }

  /** The objects and lists so far that stand in something in the outermost object; null when there are very many. */
  get entries(): readonly JsonPlace[] | null {
    return this.#entries.length > MAX_ENTRIES ? null : this.#entries;
  }

  #endNumber(end: number): void {
    if (end - this.#number >= LONG_NUMBER) this.#longNumbers.push([this.#number, end]);
    this.#number = -1;
  }

  #inString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#string = -1;
      return;
    }
    this.#string += 1;
    if (this.#string > this.#limits.maxStringBytes) {
      throw exceeded(`A string is longer than ${this.#limits.maxStringBytes} bytes.`);
    }
  }

  #outside(byte: number, offset: number): void {
    switch (byte) {
      case QUOTE:
        this.#string = 0;
        return;
      case 0x7b: // {
      case 0x5b: // [
        this.#opens(offset);
        return;
      case 0x7d: // }
      case 0x5d: // ]
        this.#closes(offset);
        return;
      case 0x3a: // :
        this.#keys += 1;
        if (this.#keys > this.#limits.maxKeys) {
          throw exceeded(`The body has more than ${this.#limits.maxKeys} keys.`);
        }
        return;
      case 0x2c: // ,
        this.#value();
    }
  }

  #opens(offset: number): void {
    this.#depth += 1;
    if (this.#depth > this.#limits.maxDepth) {
      throw exceeded(`The body is nested deeper than ${this.#limits.maxDepth} levels.`);
    }
    if (this.#depth === ENTRY_DEPTH) this.#entryStart = offset;
    this.#value();
  }

  #closes(offset: number): void {
    const tooLong = offset - this.#entryStart >= this.#limits.maxEntryBytes;
    if (this.#depth === ENTRY_DEPTH && tooLong) {
      throw exceeded(`An entry is longer than ${this.#limits.maxEntryBytes} bytes.`);
    }
    if (this.#depth === ENTRY_DEPTH && this.#entries.length <= MAX_ENTRIES) {
      this.#entries.push([this.#entryStart, offset + 1]);
    }
    this.#depth -= 1;
  }

  #value(): void {
    this.#values += 1;
    if (this.#values > this.#limits.maxValues) {
      throw exceeded(`The body has more than ${this.#limits.maxValues} values.`);
    }
  }
}

/** Digits, signs, dots, `e` and `E`; in `true`, `false` and `null` they do no harm. */
function isOfNumber(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x2b ||
    byte === 0x65 ||
    byte === 0x45
  );
}

function exceeded(message: string): Error {
  return invalid([{ path: "", code: "limit_exceeded", message: `${message} Send less at once.` }]);
}
