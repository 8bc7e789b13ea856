import { Buffer } from "node:buffer";
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFStream,
  PDFString,
} from "./pdf-lib.ts";

/** A rectangle in points, with `left` <= `right` and `bottom` <= `top`. */
export interface Rectangle {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

/** Returns the name object for a key. It is cached, because pdf-lib would decode the name each time. */
export function key(name: string): PDFName {
  let known = names.get(name);
  if (known === undefined) {
    known = PDFName.of(name);
    names.set(name, known);
  }
  return known;
}

const names = new Map<string, PDFName>();

/** Returns the dictionary of an entry, or the dictionary of a stream; null for any other value. */
export function dictIn(dict: PDFDict, name: string): PDFDict | null {
  return dictOf(dict.lookup(key(name)));
}

/** Returns a dictionary, or the dictionary of a stream; null for anything else. */
export function dictOf(object: PDFObject | undefined): PDFDict | null {
  if (object instanceof PDFDict) return object;
  return object instanceof PDFStream ? object.dict : null;
}

/** Returns the value of a name entry; empty if it is missing or not a name. */
export function nameIn(dict: PDFDict, name: string): string {
  const value = dict.lookup(key(name));
  return value instanceof PDFName ? nameText(value) : "";
}

export function arrayIn(dict: PDFDict, name: string): PDFArray | null {
  const value = dict.lookup(key(name));
  return value instanceof PDFArray ? value : null;
}

export function numberIn(dict: PDFDict, name: string): number | null {
  const value = dict.lookup(key(name));
  return value instanceof PDFNumber ? value.asNumber() : null;
}

/** Returns the numbers of an array, with 0 for other elements; null if the value is not an array. */
export function numbersOf(value: PDFObject | undefined): number[] | null {
  if (!(value instanceof PDFArray)) return null;
  return value.asArray().map((_, index) => {
    const number = value.lookup(index);
    return number instanceof PDFNumber ? number.asNumber() : 0;
  });
}

/** Returns a rectangle with its corners in order; null for anything else. */
export function rectangleOf(value: PDFObject | undefined): Rectangle | null {
  const numbers = numbersOf(value);
  if (numbers === null || numbers.length < 4) return null;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers;
  return {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    right: Math.max(x1, x2),
    top: Math.max(y1, y2),
  };
}

/** Returns the value of a text entry; null if it is missing or unreadable. */
export function textIn(dict: PDFDict, name: string): string | null {
  return textOf(dict.lookup(key(name)));
}

/** Decodes a text string (ISO 32000-2, 7.9.2.2). Returns null for anything else, and for unreadable strings. */
export function textOf(value: PDFObject | undefined): string | null {
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return null;
  try {
    const bytes = value.asBytes();
    return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
      ? UTF_8.decode(bytes)
      : value.decodeText();
  } catch {
    return null;
  }
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** Returns a name as text: UTF-8, or Latin-1 if it is not valid UTF-8. */
export function nameText(name: PDFName): string {
  const bytes = name.asBytes();
  try {
    return UTF_8.decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}

/** Encodes text as a text string. */
export function textString(text: string): PDFHexString {
  return PDFHexString.of(Buffer.from(`\ufeff${text}`, "utf16le").swap16().toString("hex"));
}

/** Encodes operators as the bytes of a stream. */
export function bytesOf(operators: string): Uint8Array {
  return Buffer.from(operators, "latin1");
}

/** Returns a number in the format of content streams. */
export function spelled(number: number): string {
  const rounded = Math.round(number * 1000) / 1000;
  return Object.is(rounded, -0) ? "0" : String(rounded);
}
