import { isUtf8 } from "node:buffer";
import { malformed, tooLarge } from "../limits/refusal.ts";

/** The encodings that a part without a byte order mark may declare, with their decoders. */
const DECLARED: ReadonlyMap<string, string> = new Map([
  ["utf-8", "utf-8"],
  ["utf8", "utf-8"],
  ["us-ascii", "utf-8"],
  ["ascii", "utf-8"],
  ["iso-8859-1", "latin1"],
  ["windows-1252", "windows-1252"],
]);

/**
 * Converts an XML part to UTF-8 without a byte order mark. UTF-8 without a mark is returned unchanged. The Open
 * Packaging Conventions (ECMA-376 part 2, 8.1.1) allow UTF-8, and UTF-16 with a mark. Three older encodings are
 * accepted when declared. Throws `invalid_template` for any other encoding: harmless text for one parser may be a type
 * declaration for another.
 */
export function utf8Of(part: string, bytes: Uint8Array): Buffer {
  const mark = markOf(bytes);
  if (mark?.startsWith("utf-16")) {
    const text = decoded(part, bytes, mark);
    const declared = declaredIn(text.slice(0, text.indexOf(">") + 1)) ?? mark;
    if (declared === "utf-16" || declared === mark) return encoded(text);
    throw malformed(part, `it is UTF-16 text but declares the encoding ${declared}`);
  }
  const own = mark === null ? bytes : bytes.subarray(3);
  const start = asBuffer(own).toString("latin1", 0, own.indexOf(GREATER) + 1);
  const declared = declaredIn(start) ?? "utf-8";
  const encoding = DECLARED.get(declared);
  if (encoding === undefined || (mark !== null && encoding !== "utf-8")) {
    throw malformed(part, `it declares the encoding ${declared}, but Word uses UTF-8`);
  }
  if (encoding !== "utf-8") return encoded(decoded(part, own, encoding));
  if (!isUtf8(own)) throw malformed(part, "it is not valid UTF-8 or UTF-16 text");
  return asBuffer(own);
}

const GREATER = 0x3e;

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Maximum size in bytes of a part that is not UTF-8, because converting it needs a second copy. */
const MAX_OTHER = 32_000_000;

function decoded(part: string, bytes: Uint8Array, encoding: string): string {
  if (bytes.length > MAX_OTHER) {
    throw tooLarge(`its part ${part}, which is not UTF-8,`, bytes.length, MAX_OTHER);
  }
  try {
    if (encoding === "latin1") return asBuffer(bytes).toString("latin1");
    if (encoding === "windows-1252") return decodeWindows1252(bytes);
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw malformed(part, "it is not valid UTF-8 or UTF-16 text", cause);
  }
}

/** The characters of Windows-1252 from 0x80 to 0x9F; five codes are not used. */
const WINDOWS_1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Decodes Windows-1252. `TextDecoder` in Node 22.13 decodes it as ISO 8859-1. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return asBuffer(bytes)
    .toString("latin1")
    .replace(/[\x80-\x9f]/g, (control) => WINDOWS_1252.charAt(control.charCodeAt(0) - 0x80));
}

/** Encodes text as UTF-8 and removes the encoding from the XML declaration, because it no longer applies. */
function encoded(text: string): Buffer {
  const declaration = /^(<\?xml\s[^>]*?)\sencoding\s*=\s*(?:"[^">]*"|'[^'>]*')/;
  return Buffer.from(text.replace(declaration, "$1"));
}

/** Returns the encoding of a byte order mark, or null. */
function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : null;
}

/** Returns the encoding in an XML declaration, in lowercase, or null when the text does not begin with one. */
function declaredIn(start: string): string | null {
  const [, name] = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]*)["']/.exec(start) ?? [];
  return name?.toLowerCase() ?? null;
}

/**
 * Whether a parser that guesses the format would read these bytes as XML: the first character is a `<`, in any Unicode
 * encoding. HTML and SVG begin that way; pictures and fonts do not.
 */
export function looksLikeXml(bytes: Uint8Array): boolean {
  let zeros = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === LESS) return true;
    zeros = byte === 0 ? zeros + 1 : 0;
    if (BEFORE_XML[byte] !== 1 || zeros > MAX_ZEROS) return false;
  }
  return false;
}

const LESS = 0x3c;

/** Maximum number of consecutive zero bytes before the first `<`. UTF-32 has three for each ASCII character. */
const MAX_ZEROS = 6;

/** White space, the bytes of byte order marks, and the zeros of wider encodings. */
const BEFORE_XML: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  [0, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff].includes(byte) ? 1 : 0,
);
