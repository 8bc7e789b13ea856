import type { PageStamp } from "./page-stamp.ts";

/**
 * Prints text on pages of a PDF, in Helvetica, placed and rotated as a reader sees the pages. Screen readers skip the
 * text. Rejects `invalid_request` for an invalid stamp, for a character that the font lacks (it has the characters of
 * Western European languages), and for a PDF that is damaged, encrypted, signed, or PDF/A, which must embed all fonts.
 * The same PDF and stamp give the same bytes.
 */
export async function stampPages(pdf: Uint8Array, stamp: PageStamp): Promise<Uint8Array> {
  const { drawStamp } = await import("./draw-stamp.ts");
  return drawStamp(pdf, stamp);
}
