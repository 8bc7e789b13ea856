import type { Op } from "../../program/ops.ts";
import type { TextOp } from "../../program/tag-ops.ts";
import type { Scope } from "../evaluate/context/scope.ts";
import { evaluateTag, type PrintContext, printFound } from "../evaluate/print-tag.ts";

type MergeOp = Extract<Op, { op: "merge" }>;

interface Cell {
  readonly group: number;
  readonly text: string | null | undefined;
}

/** Tracks which cells of the written rows are merged with the cells above them. */
export class MergedRows {
  /** For each column, and each of its repetitions: the group of merged cells in the last row, and the text of the cell. */
  readonly #columns = new Map<number, Map<string, Cell>>();

  /**
   * Returns the XML for the next cell of a column. `text`: the text that the cell and the one above must have in common;
   * null if the text does not matter, undefined if the cell is not merged.
   */
  xml(op: MergeOp, text: string | null | undefined, scope: Scope | null): string {
    const { column, turns, group } = op;
    if (group === null) {
      this.#columns.delete(column);
      return "";
    }
    const last = this.above(op, scope);
    if (last !== null && text !== undefined && last.text === text) return "<w:vMerge/>";
    const cells = this.#columns.get(column) ?? new Map<string, Cell>();
    this.#columns.set(column, cells);
    cells.set(innermost(turns, scope), { group, text });
    return '<w:vMerge w:val="restart"/>';
  }

  /** Returns the cell above that the next cell of a column may continue, or null. */
  above({ column, turns, above }: MergeOp, scope: Scope | null): Cell | null {
    const last = this.#columns.get(column)?.get(innermost(turns, scope));
    return last !== undefined && above !== null && isWithin(last.group, above) ? last : null;
  }
}

function isWithin(group: number, [first, last]: readonly [first: number, last: number]): boolean {
  return group >= first && group <= last;
}

/** Returns the positions in this number of innermost loops. */
function innermost(loops: number, scope: Scope | null): string {
  const positions: (number | null)[] = [];
  for (let at = scope; at !== null && positions.length < loops; at = at.outer)
    positions.push(at.index);
  return positions.join(" ");
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
