import type { RasterType } from "./raster.ts";
import { isWebp } from "./webp.ts";

/** The formats that a document may contain: the formats of values, and others that only templates may contain. */
export type PictureType = RasterType | "svg" | "tiff" | "emf" | "wmf";

/** Number of bytes to search for the root of an SVG after its prolog. */
export const HEAD_LENGTH = 16_384;

const SPACE = /[ \t\r\n]/;

/** Returns the type of a picture by its first bytes, regardless of its name and media type. */
export function sniff(bytes: Uint8Array): PictureType | null {
  if (hasBytes(bytes, 0, "\x89PNG\r\n\x1a\n")) return "png";
  if (hasBytes(bytes, 0, "\xff\xd8\xff")) return "jpeg";
  if (hasBytes(bytes, 0, "GIF87a") || hasBytes(bytes, 0, "GIF89a")) return "gif";
  if (hasBytes(bytes, 0, "BM")) return "bmp";
  if (hasBytes(bytes, 0, "II*\0") || hasBytes(bytes, 0, "MM\0*")) return "tiff";
  if (hasBytes(bytes, 0, "\x01\0\0\0") && hasBytes(bytes, 40, " EMF")) return "emf";
  if (WMF_STARTS.some((start) => hasBytes(bytes, 0, start))) return "wmf";
  return beginsLikeSvg(decodeText(bytes.subarray(0, HEAD_LENGTH))) ? "svg" : null;
}

/**
 * The header that some programs put before a WMF, and the two forms of the WMF header itself: in memory and on disk.
 */
const WMF_STARTS = ["\xd7\xcd\xc6\x9a", "\x01\0\x09\0", "\x02\0\x09\0"];

const NAMES: Readonly<Record<PictureType, string>> = {
  png: "a PNG image",
  jpeg: "a JPEG image",
  gif: "a GIF image",
  svg: "an SVG",
  bmp: "a BMP image",
  tiff: "a TIFF image",
  emf: "an EMF picture",
  wmf: "a WMF picture",
};

/** Returns the name of a format for a message, or null when it is unknown. */
export function nameOf(bytes: Uint8Array): string | null {
  const type = sniff(bytes);
  if (type !== null) return NAMES[type];
  if (EPS_STARTS.some((start) => hasBytes(bytes, 0, start))) return "an EPS picture";
  if (isWebp(bytes)) return "a WebP image";
  if (hasBytes(bytes, 4, "ftyp")) return "a HEIC, AVIF or MP4 file";
  if (hasBytes(bytes, 0, "%PDF-")) return "a PDF";
  if (isGzip(bytes)) return "a gzip file";
  return null;
}

/** The starts of PostScript files, without and with a preview. */
const EPS_STARTS = ["%!", "\x04%!", "\xc5\xd0\xd3\xc6"];

/** Whether bytes begin as a gzip file. */
export function isGzip(bytes: Uint8Array): boolean {
  return hasBytes(bytes, 0, "\x1f\x8b");
}

/**
 * Returns the text of an SVG's bytes: UTF-8, or UTF-16 with a byte order mark. Invalid bytes become U+FFFD, or throw if
 * `fatal` is true.
 */
export function decodeText(bytes: Uint8Array, fatal = false): string {
  const isLittle = hasBytes(bytes, 0, "\xff\xfe");
  const isBig = hasBytes(bytes, 0, "\xfe\xff");
  const encoding = isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding, { fatal }).decode(bytes);
}

function hasBytes(bytes: Uint8Array, at: number, text: string): boolean {
  if (bytes.length < at + text.length) return false;
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Whether the first element is `svg`, after declarations, comments and a document type. */
function beginsLikeSvg(text: string): boolean {
  let at = skipSpace(text, 0);
  while (text.startsWith("<?", at) || text.startsWith("<!", at) || text.startsWith("]", at)) {
    const close = closeOf(text, at);
    const end = text.indexOf(close, at + 1);
    if (end === -1) return false;
    at = skipSpace(text, end + close.length);
  }
  return /^<(?:[\w.-]{1,40}:)?svg[\s>/]/.test(text.slice(at, at + 50));
}

function closeOf(text: string, at: number): string {
  if (text.startsWith("<?", at)) return "?>";
  return text.startsWith("<!--", at) ? "-->" : ">";
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (SPACE.test(text.charAt(at))) at += 1;
  return at;
}
