import type { Op } from "../../program/ops.ts";
import type { TextOp } from "../../program/tag-ops.ts";
import { evaluateTag, type PrintContext, printFound } from "../evaluate/print-tag.ts";

type MergeOp = Extract<Op, { op: "merge" }>;

interface Cell {
  readonly group: number | null;
  readonly text: string | null | undefined;
}

/** Tracks which cells of the written rows are merged with the cells above them. */
export class MergedRows {
  /** For each column: the group of merged cells in the last row, null for other cells, and the text of the cell. */
  readonly #cells = new Map<number, Cell>();

  /**
   * Returns the XML for the next cell of a column. `text`: the text that the cell and the one above must have in common;
   * null if the text does not matter, undefined if the cell is not merged.
   */
  xml({ column, group, above }: MergeOp, text: string | null | undefined): string {
    const last = this.#cells.get(column);
    const open = last?.group ?? null;
    const isOpen = open !== null && above !== null && open >= above[0] && open <= above[1];
    if (isOpen && text !== undefined && last?.text === text) return "<w:vMerge/>";
    this.#cells.set(column, { group, text });
    return group === null ? "" : '<w:vMerge w:val="restart"/>';
  }
}

/**
 * Returns the text that decides whether a cell is merged with the one above: null if the template decides, undefined if
 * its key has no value.
 */
export function mergeText(
  { by, isKey }: Pick<MergeOp, "by" | "isKey">,
  context: PrintContext,
): string | null | undefined {
  if (by === undefined) return null;
  return printedText(by, context) ?? (isKey === true ? undefined : "");
}

/**
 * Returns the text that decides whether a cell is merged with the one to its left. Null if it is missing or empty, because
 * nothing says that such cells belong together.
 */
export function acrossText(by: TextOp, context: PrintContext): string | null {
  return printedText(by, context) || null;
}

/** Returns the text of a tag, or the tag itself if its value is missing; null if it prints nothing. */
function printedText(by: TextOp, context: PrintContext): string | null {
  const found = evaluateTag(by, context);
  if (found.kind === "kept") return found.text;
  return found.kind === "value" ? printFound(found.op, found.value, context) : null;
}
