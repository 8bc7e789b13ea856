import type { PageStamp } from "./page-stamp.ts";

/**
 * Prints a text on pages of a PDF, in Helvetica, turned and placed as the pages are seen. Screen readers
 * pass over it. Rejects `invalid_request` for a stamp that makes no sense, a character that the font lacks
 * (it has what Western European languages need), and a PDF that is damaged, encrypted, signed, or PDF/A, which
 * must hold all its fonts. The same PDF and stamp give the same bytes.
 */
export async function stampPages(pdf: Uint8Array, stamp: PageStamp): Promise<Uint8Array> {
  const { drawStamp } = await import("./draw-stamp.ts");
  return drawStamp(pdf, stamp);
}
