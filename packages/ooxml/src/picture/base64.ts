import { Buffer } from "node:buffer";
import type { Outcome } from "./outcome.ts";
import { MAX_IMAGE_BYTES } from "./raster.ts";

/** White space that may precede an image. {@link MAGIC} and the patterns of data URIs begin with the same pattern. */
const BLANKS = /^[ \t\r\n]{0,100}/;

const DATA_URI =
  /^[ \t\r\n]{0,100}data:image\/[a-z0-9.+-]{1,40}(?:;[a-z0-9.+=-]{1,80}){0,4};base64,/i;

/** Data URIs of images that are not in base64. They are meant as images, but are not supported. */
const OTHER_DATA_URI = /^[ \t\r\n]{0,100}data:image\/[a-z0-9.+-]{1,40}[;,]/i;

const OUTSIDE_ALPHABET = /[^A-Za-z0-9+/= \t\r\n]/;

/** The start of the base64 of a PNG, a GIF, a JPEG or a WebP, or possibly of an SVG's prolog. */
const MAGIC =
  /^[ \t\r\n]{0,100}(?:iVBORw0KGgo|R0lGODdh|R0lGODlh|\/9j\/|UklGR[A-Za-z0-9+/]{6}XRUJQ|PHN2Zy|PD94bWw|PCEtL|PCFET0NUWVBF|77u\/P)/;

/** Minimum length of the base64 of an image. A shorter string is text. */
const MIN_LENGTH = 32;

/** Returns the start of the base64 in the data URI of an image, or 0 for any other string. */
export function startOfPayload(text: string): number {
  if (!/^[ \t\r\n]{0,100}data:/i.test(text)) return 0;
  return DATA_URI.exec(text)?.[0].length ?? 0;
}

/** Whether a string is a data URI of an image, in base64 or not. */
export function isDataUri(text: string): boolean {
  return OTHER_DATA_URI.test(text);
}

/**
 * Whether a string that is not a data URI may be the base64 of an image, judging by its beginning and its characters.
 * Line breaks and blanks are allowed around lines, but not between words.
 */
export function mayBeBareImage(text: string): boolean {
  if (text.length < MIN_LENGTH || !MAGIC.test(text)) return false;
  return !/\S[ \t]+\S/.test(text) && isBase64(text, 0);
}

/** Decodes the first bytes of base64 for inspection. Ignores errors in the text. */
export function decodeHead(text: string, start: number, length: number): Uint8Array {
  const from = start + (BLANKS.exec(text.slice(start, start + 100))?.[0].length ?? 0);
  return Buffer.from(text.slice(from, from + Math.ceil((length * 4) / 3)), "base64");
}

/** Decodes the base64 from `start` to the end of a string. Ignores blanks and line breaks. */
export function decodeBase64(text: string, start: number): Outcome<{ readonly bytes: Uint8Array }> {
  // One in 38 characters may be a line break. No program writes more.
  if (text.length - start > MAX_IMAGE_BYTES * 1.4 + 4) return tooLarge();
  if (!isBase64(text, start)) return { problem: "is an image with invalid base64" };
  const bytes = Buffer.from(start === 0 ? text : text.slice(start), "base64");
  return bytes.length > MAX_IMAGE_BYTES ? tooLarge() : { bytes };
}

/** Returns the problem for an image of more than {@link MAX_IMAGE_BYTES}. */
export function tooLarge(): { readonly problem: string } {
  return { problem: `is an image of more than ${MAX_IMAGE_BYTES / 1_000_000} MB` };
}

/** Whether a string is base64 from `start` on: valid characters, and padding only at the end. */
function isBase64(text: string, start: number): boolean {
  const payload = start === 0 ? text : text.slice(start);
  if (OUTSIDE_ALPHABET.test(payload)) return false;
  const padding = payload.indexOf("=");
  const letters = padding === -1 ? payload : payload.slice(0, padding);
  if (padding !== -1) {
    const rest = payload.slice(padding);
    if (/[A-Za-z0-9+/]/.test(rest) || occurrences(rest, "=") > 2) return false;
  }
  let count = letters.length;
  for (const blank of [" ", "\t", "\r", "\n"]) count -= occurrences(letters, blank);
  return count % 4 !== 1;
}

function occurrences(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1))
    count += 1;
  return count;
}
