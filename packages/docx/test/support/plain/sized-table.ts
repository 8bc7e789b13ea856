import type {
  CoveredColumns,
  GridColumnOp,
  TableSizeOp,
} from "../../../src/program/column-widths.ts";
import type { Scope } from "../../../src/render/evaluate/context/scope.ts";
import { widthOf } from "../../../src/render/looks.ts";
import { columnCount } from "../../../src/render/loops.ts";
import type { Rendering } from "../../../src/render/rendering.ts";
import type { GivenWidth } from "../../../src/render/tables/column-widths.ts";
import { inCentimeters, readColumnWidth } from "../../../src/values/arguments/column-width.ts";
import type { Slot } from "./part-writer.ts";

/** A column of the document, with the positions in the loops that repeat it, outermost first. */
interface Column {
  readonly column: number;
  readonly positions: readonly unknown[];
  readonly twips: number;
  readonly given: GivenWidth | null;
}

/** The widths of a table in which tags set the widths of columns. */
export class SizedTable {
  readonly #rendering: Rendering;
  readonly #columns: Column[] = [];
  readonly #sizes: { readonly op: TableSizeOp; readonly slot: Slot }[] = [];

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  /** Adds a column, and returns its width. */
  column(op: GridColumnOp, scope: Scope | null): number {
    const tag = widthOf(op.tags, this.#rendering);
    const { width } = op;
    const before = typeof width === "number" ? width : columnCount(width, this.#rendering);
    const wanted = tag === null ? null : this.#twips(tag, op.whole);
    const twips = wanted ?? before;
    const given = wanted === null ? null : tag;
    const positions = positionsOf(scope, op.turns);
    this.#columns.push({ column: op.column, positions, twips, given });
    return twips;
  }

  #twips({ text, origin, pointer }: GivenWidth, whole: number): number | null {
    const width = readColumnWidth(text);
    if (width === null || "twips" in width) return width?.twips ?? null;
    const { diagnostics } = this.#rendering;
    const twips = Math.round(width.share * whole);
    if (twips < 57) {
      diagnostics.invalid(origin, "is not a width of a column: the least is 1mm", pointer);
    } else if (twips > 31_680) {
      diagnostics.invalid(origin, "is more than Word allows: 55.8 cm at most", pointer);
    } else return twips;
    return null;
  }

  size(op: TableSizeOp, slot: Slot): void {
    this.#sizes.push({ op, slot });
  }

  get #isSized(): boolean {
    return this.#columns.some(({ given }) => given !== null);
  }

  /** Fills the sizes of the table that are already written. */
  fill(fill: (slot: Slot, xml: string) => void): void {
    const layout = '<w:tblLayout w:type="fixed"/>';
    for (const { op, slot } of this.#sizes) {
      const sized =
        op.of === "w:tblW" ? `<w:tblW w:w="${sum(this.#columns)}" w:type="dxa"/>` : layout;
      fill(slot, this.#isSized ? sized : op.own);
    }
  }

  report(): void {
    const total = sum(this.#columns);
    const last = this.#columns.findLast(({ given }) => given !== null)?.given ?? null;
    if (last === null || total <= 31_680) return;
    this.#rendering.diagnostics.invalid(
      last.origin,
      `makes the table ${inCentimeters(total)} wide, but Word allows 55.8 cm`,
      last.pointer,
      () => "Give smaller widths to the columns, or repeat fewer of them.",
    );
  }

  /** Returns the width of a cell in twentieths of a point; null if it keeps the one of the template. */
  cell({ from, to, turns }: CoveredColumns, isFixed: boolean, scope: Scope | null) {
    if (!this.#isSized) return null;
    const positions = positionsOf(scope, turns);
    const covered = this.#columns.filter((each) => {
      return (
        each.column >= from &&
        each.column < to &&
        positions.every((position, index) => each.positions[index] === position)
      );
    });
    const isGiven = covered.some(({ given }) => given !== null);
    return isFixed && !isGiven ? null : sum(covered);
  }
}

function sum(columns: readonly Column[]): number {
  return columns.reduce((all, { twips }) => all + twips, 0);
}

function positionsOf(scope: Scope | null, count: number): unknown[] {
  if (count === 0 || scope === null) return [];
  return [...positionsOf(scope.outer, count - 1), scope.index];
}
