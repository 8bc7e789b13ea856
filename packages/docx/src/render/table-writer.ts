import {
  type CoveredColumns,
  type GridColumnOp,
  type TableSizeOp,
  textWidthIn,
} from "../program/column-widths.ts";
import type { CellOp, CellWidthOp, GridOp, Op } from "../program/ops.ts";
import { TABLE_GAP } from "../program/table-gap.ts";
import type { TagOrigin } from "../program/tag-ops.ts";
import type { Scope } from "./evaluate/context/scope.ts";
import { spanOf, widthOf } from "./looks.ts";
import { columnCount } from "./loops.ts";
import type { PartWriter } from "./part-writer.ts";
import type { Rendering } from "./rendering.ts";
import { ColumnWidths } from "./tables/column-widths.ts";
import { type CellSize, CoveringRow, sizeOf } from "./tables/covering-row.ts";
import { MergeOrders } from "./tables/merge-orders.ts";
import { acrossText, MergedRows, mergeText } from "./tables/merged-rows.ts";
import { OuterGroups } from "./tables/outer-groups.ts";

type TableOp = Extract<Op, { op: "table" }>;
type MergeOp = Extract<Op, { op: "merge" }>;
type CoveringRowOp = Extract<Op, { op: "coveringRow" }>;
type CellSizeOp = Extract<Op, { op: "cellSize" }>;

/** Writes content, and rolls it back if it has no row or no cell. Returns whether it is kept. */
type KeepIf = (need: "rows" | "cells", write: () => void) => boolean;

/** Writes the tables of a part, with cells that are merged by their values. `body` writes the content of an op. */
export class TableWriter {
  readonly #writer: PartWriter;
  readonly #rendering: Rendering;
  readonly #keepIf: KeepIf;
  // Created with the first merged cell, because most documents have none.
  #merged: MergedRows | null = null;
  #orders: MergeOrders | null = null;
  #outer: OuterGroups | null = null;
  /** The innermost row, if some of its cells may cover others. */
  #row: CoveringRow | null = null;
  /** The widths of the innermost table, if tags set them. */
  #widths: ColumnWidths | null = null;

  constructor(writer: PartWriter, rendering: Rendering, keepIf: KeepIf) {
    this.#writer = writer;
    this.#rendering = rendering;
    this.#keepIf = keepIf;
  }

  /** Writes a table, or a part that depends on other parts of its table. `body` writes the content of the op. */
  write(
    op: TableOp | GridOp | CoveringRowOp | CellOp | CellWidthOp,
    scope: Scope | null,
    body: () => void,
  ): void {
    switch (op.op) {
      case "table":
        this.#table(op, body);
        break;
      case "grid":
        this.#grid(body);
        break;
      case "coveringRow":
        this.#coveringRow(body);
        break;
      case "cell":
        this.#cell(op, scope, body);
        break;
      case "cellWidth":
        this.#cellWidth(op, scope, body);
    }
  }

  #table({ apart, vanishes, isSized }: TableOp, body: () => void): void {
    const outer = this.#widths;
    const { diagnostics } = this.#rendering;
    this.#widths = isSized
      ? new ColumnWidths(diagnostics, (slot, xml) => this.#writer.fill(slot, xml))
      : null;
    const write = (): void => {
      if (apart && this.#writer.ending === "table") this.#writer.write(TABLE_GAP, "paragraph");
      body();
    };
    if (vanishes) this.#keepIf("rows", write);
    else write();
    this.#widths = outer;
  }

  /** Writes the beginning of a table, whose widths are known at the end of its grid. */
  #grid(body: () => void): void {
    this.#writer.hold(() => {
      body();
      this.#widths?.decide();
    });
  }

  #gridColumn(op: GridColumnOp, scope: Scope | null): void {
    const rendering = this.#rendering;
    const given = widthOf(op.tags, rendering);
    const width = typeof op.width === "number" ? op.width : columnCount(op.width, rendering);
    const twips = this.#widths?.column(op, width, given, scope) ?? width;
    this.#writer.write(`<w:gridCol w:w="${twips}"/>`, "unchanged");
  }

  /** Writes the width of a cell. `own` writes the one of the template. */
  #cellWidth(
    { element, columns, isFixed }: CellWidthOp,
    scope: Scope | null,
    own: () => void,
  ): void {
    const width = this.#widthOf(columns, isFixed, scope);
    if (width === null) own();
    else this.#writer.write(`<${element} w:w="${width}" w:type="dxa"/>`, "unchanged");
  }

  /** Returns the width of the current cell if tags change it; otherwise null. */
  #widthOf(columns: CoveredColumns, isFixed: boolean, scope: Scope | null): number | null {
    const widths = this.#widths;
    if (widths === null) return null;
    this.#rendering.env.spend(columns.to - columns.from);
    widths.cell = widths.of(columns, isFixed, scope);
    return widths.cell;
  }

  /** The width of the text in the current cell, in EMU; null if tags do not change it. */
  get textWidthEmu(): number | null {
    const twips = this.#widths?.cell ?? null;
    return twips === null ? null : textWidthIn(twips);
  }

  merge(op: MergeOp): void {
    const text = mergeText(op, this.#rendering);
    const { scope } = this.#rendering.env;
    this.#merged ??= new MergedRows();
    this.#orders ??= new MergeOrders();
    this.#outer ??= new OuterGroups();
    const above = this.#merged.above(op, scope);
    this.#orders.add(op, text, above !== null, scope);
    this.#outer.add(op, above !== null, above !== null && above.text === text, scope);
    this.#writer.write(this.#merged.xml(op, text, scope), "unchanged");
  }

  /** Reports the problems that show only after the last table. */
  finish(): void {
    this.#orders?.report(this.#rendering.diagnostics);
    this.#outer?.report(this.#rendering.diagnostics);
  }

  #coveringRow(body: () => void): void {
    const outer = this.#row;
    const row = new CoveringRow(this.#writer);
    this.#row = row;
    this.#keepIf("cells", () => this.#writer.hold(body));
    this.#row = outer;
    const beyond = row.end();
    if (beyond !== null) this.#reportSpan(beyond);
  }

  #reportSpan({ span, missing }: NonNullable<ReturnType<CoveringRow["end"]>>): void {
    const { cells, origin, pointer } = span;
    this.#rendering.diagnostics.invalid(
      origin,
      `covers ${cells} cells, but its row has only ${cells - missing} from there`,
      pointer,
      () => "Give a smaller number, or add columns to the table.",
    );
  }

  #reportCovered(origin: TagOrigin): void {
    this.#rendering.diagnostics.warn(
      origin,
      "covered_cell",
      `${origin.text} covers the cell of another item of its loop, which is not printed.`,
      undefined,
      () =>
        "To print it, too, repeat the columns below the headings, and merge equal headings with mergeAcross.",
    );
  }

  /** Writes a cell, unless a cell to its left covers it. */
  #cell(op: CellOp, scope: Scope | null, body: () => void): void {
    const row = this.#row;
    if (row === null) throw new Error("The cell is outside its row.");
    const rendering = this.#rendering;
    rendering.env.scope = scope;
    const size = this.#sizeOf(op, scope);
    if (row.isSpanned) {
      const own = row.coversOwn(op);
      if (own !== null && !op.isSame) this.#reportCovered(own.origin);
      row.cover(size, null);
      return;
    }
    const text = op.by === null ? null : acrossText(op.by, rendering);
    const span = spanOf(op.tags, rendering);
    if (row.continues(op, text)) row.cover(size, span);
    else {
      row.begin(op, size, text, span);
      body();
    }
  }

  #sizeOf(op: CellOp, scope: Scope | null): CellSize {
    const size = sizeOf(op, (columns) => columnCount(columns, this.#rendering));
    const isFixed = size.width?.unit === "dxa";
    const given = op.grid === null ? null : this.#widthOf(op.grid, isFixed, scope);
    if (given === null) return size;
    return { ...size, width: { amount: given, unit: "dxa" }, isGiven: true };
  }

  /** Writes a size that may depend on later cells or columns. */
  size(op: CellSizeOp | GridColumnOp | TableSizeOp, scope: Scope | null): void {
    if (op.op === "cellSize") this.#row?.size(op.of);
    else if (op.op === "gridColumn") this.#gridColumn(op, scope);
    else this.#widths?.table(op, this.#writer.slot());
  }
}
