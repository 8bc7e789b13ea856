import { isBmp } from "./bmp.ts";
import { hasJpegFrame } from "./jpeg.ts";
import { isEmf, isWmf } from "./metafile.ts";
import { hasPngHeader } from "./png.ts";
import { type PictureType, sniff } from "./sniff.ts";
import { isTiff } from "./tiff.ts";

/** Pictures that are nested deeper than this are treated as an attack. */
export const MAX_DEPTH = 8;

/**
 * Whether bytes that begin like a picture of this kind have a valid header and valid records, including those of
 * pictures within it. Pixels are not decoded: readers show the first part of a truncated picture.
 */
export function isSound(
  type: Exclude<PictureType, "svg">,
  bytes: Uint8Array,
  depth: number,
): boolean {
  const isPicture = (inner: Uint8Array): boolean => isWithinMetafile(inner, depth + 1);
  switch (type) {
    case "png":
      return hasPngHeader(bytes);
    case "jpeg":
      return hasJpegFrame(bytes);
    case "gif":
      return bytes.length >= GIF_HEADER;
    case "bmp":
      return isBmp(bytes);
    case "tiff":
      return isTiff(bytes);
    case "emf":
      return isEmf(bytes, isPicture);
    case "wmf":
      return isWmf(bytes, isPicture);
  }
}

const GIF_HEADER = 13;

/**
 * Whether bytes are a picture that is allowed in a metafile. An SVG is not: Windows does not read it, but LibreOffice
 * does.
 */
function isWithinMetafile(bytes: Uint8Array, depth: number): boolean {
  const type = sniff(bytes);
  return type !== null && type !== "svg" && depth < MAX_DEPTH && isSound(type, bytes, depth);
}
