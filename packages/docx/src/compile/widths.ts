import { textWidthIn } from "../program/column-widths.ts";
import { childNamed, closest, type ElementNode } from "../template/nodes/nodes.ts";

/** Returns the width of the text in the cell around a paragraph, in EMU; `pageWidthEmu` if no such width is known. */
export function widthAround(paragraph: ElementNode, pageWidthEmu: number): number {
  const cell = closest(paragraph, "w:tc");
  const width = childNamed(childNamed(cell, "w:tcPr"), "w:tcW")?.attributes ?? "";
  const twips = width.includes('w:type="dxa"') ? Number(/ w:w="(\d+)"/.exec(width)?.[1] ?? 0) : 0;
  return textWidthIn(twips) ?? pageWidthEmu;
}
