import { closest } from "../nodes/nodes.ts";
import type { Block } from "./blocks.ts";

/** Whether a table is between the paragraphs of two tags. */
export function hasTable({ open, close }: Block): boolean {
  const [first, last] = [closest(open, "w:p"), closest(close, "w:p")];
  const around = first?.parent?.children ?? [];
  if (first === null || last === null || first.parent !== last.parent) return false;
  const between = around.slice(around.indexOf(first), around.indexOf(last));
  return between.some((node) => node.kind === "element" && node.name === "w:tbl");
}
