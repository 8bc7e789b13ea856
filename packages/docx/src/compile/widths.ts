import { childNamed, closest, type ElementNode } from "../template/nodes/nodes.ts";

/** The sum of the left and right margins of an ordinary cell, in twentieths of a point. */
const CELL_MARGINS = 216;

const EMU_PER_TWIP = 635;

/** Returns the width of the text in the cell around a paragraph, in EMU; `pageWidthEmu` if no such width is known. */
export function widthAround(paragraph: ElementNode, pageWidthEmu: number): number {
  const cell = closest(paragraph, "w:tc");
  const width = childNamed(childNamed(cell, "w:tcPr"), "w:tcW")?.attributes ?? "";
  const twips = width.includes('w:type="dxa"') ? Number(/ w:w="(\d+)"/.exec(width)?.[1] ?? 0) : 0;
  return twips > CELL_MARGINS ? (twips - CELL_MARGINS) * EMU_PER_TWIP : pageWidthEmu;
}
