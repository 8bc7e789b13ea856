import { allowedReferenceEnd } from "./unescape.ts";

const SPACE = 32;
const QUOTE = 34;
const AMPERSAND = 38;
const APOSTROPHE = 39;
const LESS = 60;
const CLOSING_BRACKET = 93;
/** The first byte of U+FFFE and U+FFFF, which XML forbids, and of other characters, which it allows. */
const BEFORE_NONCHARACTERS = 0xef;

/** Returns a table with 1 for each byte that needs no check: all except control characters and `others`. */
function plainBytes(...others: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    const isControl = byte < SPACE && !(byte === 9 || byte === 10 || byte === 13);
    return isControl || byte === BEFORE_NONCHARACTERS || others.includes(byte) ? 0 : 1;
  });
}

/** Bytes of text between tags that need no check. */
export const PLAIN_TEXT = plainBytes(AMPERSAND, LESS, CLOSING_BRACKET);

/** Bytes of a value that need no check. White space in a value counts towards the weight of its tag. */
export const PLAIN_VALUE = plainBytes(QUOTE, AMPERSAND, APOSTROPHE, LESS, 9, 10, 13);

/** Bytes of comments, CDATA sections and processing instructions that need no check. */
const PLAIN_SECTION = plainBytes();

/**
 * Returns the end of the byte or reference at a position, or -1 for a character that XML forbids, and for an ampersand
 * that does not begin a reference to an allowed character.
 */
export function characterEnd(xml: Buffer, at: number): number {
  const byte = xml[at] ?? 0;
  if (byte === AMPERSAND) return allowedReferenceEnd(xml, at);
  return isForbidden(xml, at) ? -1 : at + 1;
}

/** Returns the position of the first forbidden character in a range, or -1. */
export function forbiddenIn(xml: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at += 1) {
    if (PLAIN_SECTION[xml[at] ?? 0] === 0 && isForbidden(xml, at)) return at;
  }
  return -1;
}

function isForbidden(xml: Buffer, at: number): boolean {
  const byte = xml[at] ?? 0;
  if (byte === BEFORE_NONCHARACTERS) return xml[at + 1] === 0xbf && (xml[at + 2] ?? 0) >= 0xbe;
  return byte < SPACE && byte !== 9 && byte !== 10 && byte !== 13;
}

/** Returns the problem at a position for which {@link characterEnd} returned -1. */
export function wrongCharacter(xml: Buffer, at: number): string {
  const byte = xml[at] ?? 0;
  if (byte === AMPERSAND) return "an '&' that does not begin an XML character reference";
  if (byte === LESS) return "a '<' within an attribute";
  const code = byte < SPACE ? byte : 0xff00 + (xml[at + 2] ?? 0) + 0x40;
  return `the character U+${code.toString(16).toUpperCase().padStart(4, "0")}, which XML forbids,`;
}

/** Returns the line and column of a position in UTF-8, for messages. */
export function placeIn(xml: Buffer, at: number): string {
  let line = 1;
  let column = 1;
  for (let index = 0; index < at; index += 1) {
    const byte = xml[index] ?? 0;
    if (byte === 10) {
      line += 1;
      column = 1;
    } else if ((byte & 0xc0) !== 0x80) column += 1;
  }
  return `line ${line}, column ${column}`;
}
