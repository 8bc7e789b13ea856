import { Buffer } from "node:buffer";
import type { ParseBudget } from "./parse-budget.ts";
import { PDFHexString, PDFName, PDFString } from "./pdf-lib.ts";

/** The input of the parser. */
interface Characters {
  peek(): number;
  next(): number;
  done(): boolean;
  offset(): number;
  slice(start: number, end: number): Uint8Array;
}

/** Maximum number of characters of integers and other numbers. */
const MAX_INTEGER_LENGTH = 20;
const MAX_NUMBER_LENGTH = 400;

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Created only once, because creating an error for each invalid byte would take minutes. */
const NO_INTEGER = new Error("There is no integer.");

/**
 * Reads an integer of limited length. Where no object begins, the parser tries again at each byte, so pdf-lib's version
 * would read a run of a million digits a million times.
 */
export function readInteger(bytes: Characters, budget: ParseBudget): number {
  let text = "";
  while (isDigit(bytes.peek()) && text.length <= MAX_INTEGER_LENGTH) {
    text += String.fromCharCode(bytes.next());
  }
  if (text !== "" && text.length <= MAX_INTEGER_LENGTH) return Number(text);
  budget.disorder(1);
  throw NO_INTEGER;
}

/** Reads a number. pdf-lib's version logs large numbers to the console. */
export function readNumber(bytes: Characters): number {
  let text = "";
  let pointed = false;
  while (text.length <= MAX_NUMBER_LENGTH) {
    const byte = bytes.peek();
    const isSign = byte === 0x2b || byte === 0x2d;
    const isPoint = byte === 0x2e;
    if (!isDigit(byte) && (pointed || !(isSign || isPoint))) break;
    pointed ||= isPoint;
    text += String.fromCharCode(bytes.next());
  }
  const number = Number(text);
  if (text === "" || text.length > MAX_NUMBER_LENGTH || !Number.isFinite(number)) {
    throw new Error("There is no number.");
  }
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER));
}

const BACKSLASH = 0x5c;
const LEFT = 0x28;
const RIGHT = 0x29;
const GREATER = 0x3e;

/** Reads a string in parentheses. pdf-lib's version concatenates it character by character, which takes gigabytes. */
export function readString(bytes: Characters): PDFString {
  const start = bytes.offset();
  let open = 0;
  while (!bytes.done()) {
    const byte = bytes.next();
    if (byte === BACKSLASH) bytes.next();
    else if (byte === LEFT) open += 1;
    else if (byte === RIGHT) open -= 1;
    if (open === 0) return PDFString.of(latin1(bytes, start + 1, bytes.offset() - 1));
  }
  throw new Error("A text has no end.");
}

/** Reads a string of hexadecimal digits. */
export function readHexString(bytes: Characters): PDFHexString {
  const start = bytes.offset();
  while (!bytes.done()) {
    if (bytes.next() !== GREATER) continue;
    const digits = latin1(bytes, start + 1, bytes.offset() - 1).replace(/[\s\0]+/g, "");
    if (/^[\da-fA-F]*$/.test(digits)) return PDFHexString.of(digits);
    break;
  }
  throw new Error("A text has no end.");
}

/** Maximum length of names. pdf-lib keeps every name in memory until the program ends. */
const MAX_NAME_LENGTH = 1_000;

/** Characters that end a name: white space, delimiters and the end of the file. */
const ENDS = new Set([0, 9, 10, 12, 13, 32, ...Buffer.from("()<>[]{}/%", "latin1")]);

/** Reads a name. pdf-lib's version reads `#e4` as three characters, although it means the same character as `#E4`. */
export function readName(bytes: Characters): PDFName {
  if (bytes.peek() !== 0x2f) throw NO_NAME;
  bytes.next();
  const start = bytes.offset();
  while (!bytes.done() && !ENDS.has(bytes.peek())) bytes.next();
  if (bytes.offset() - start > MAX_NAME_LENGTH) throw new Error("A name is too long.");
  const written = latin1(bytes, start, bytes.offset());
  return PDFName.of(
    written.includes("#")
      ? written.replace(/#[\da-fA-F]{2}/g, (code) => code.toUpperCase())
      : written,
  );
}

const NO_NAME = new Error("There is no name.");

function latin1(bytes: Characters, start: number, end: number): string {
  return Buffer.from(bytes.slice(start, end)).toString("latin1");
}
