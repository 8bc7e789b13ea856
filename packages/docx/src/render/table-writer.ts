import type { CellOp, Op } from "../program/ops.ts";
import { TABLE_GAP } from "../program/table-gap.ts";
import type { TagOrigin } from "../program/tag-ops.ts";
import type { Scope } from "./evaluate/context/scope.ts";
import { spanOf } from "./looks.ts";
import { columnCount } from "./loops.ts";
import type { PartWriter } from "./part-writer.ts";
import type { Rendering } from "./rendering.ts";
import { CoveringRow, sizeOf } from "./tables/covering-row.ts";
import { MergeOrders } from "./tables/merge-orders.ts";
import { acrossText, MergedRows, mergeText } from "./tables/merged-rows.ts";

type TableOp = Extract<Op, { op: "table" }>;
type MergeOp = Extract<Op, { op: "merge" }>;
type CellSizeOp = Extract<Op, { op: "cellSize" }>;

/** Writes content, and rolls it back if it has no row or no cell. Returns whether it is kept. */
type KeepIf = (need: "rows" | "cells", write: () => void) => boolean;

/** Writes the tables of a part, with cells that are merged by their values. `body` writes the content of an op. */
export class TableWriter {
  readonly #writer: PartWriter;
  readonly #rendering: Rendering;
  readonly #keepIf: KeepIf;
  readonly #merged = new MergedRows();
  readonly #orders = new MergeOrders();
  /** The innermost row, if some of its cells may cover others. */
  #row: CoveringRow | null = null;

  constructor(writer: PartWriter, rendering: Rendering, keepIf: KeepIf) {
    this.#writer = writer;
    this.#rendering = rendering;
    this.#keepIf = keepIf;
  }

  table({ apart, vanishes }: TableOp, body: () => void): void {
    const write = (): void => {
      if (apart && this.#writer.ending === "table") this.#writer.write(TABLE_GAP, "paragraph");
      body();
    };
    if (vanishes) this.#keepIf("rows", write);
    else write();
  }

  merge(op: MergeOp): void {
    const text = mergeText(op, this.#rendering);
    const { scope } = this.#rendering.env;
    this.#orders.add(op, text, this.#merged.above(op, scope) !== null, scope);
    this.#writer.write(this.#merged.xml(op, text, scope), "unchanged");
  }

  /** Reports the problems that show only after the last table. */
  finish(): void {
    this.#orders.report(this.#rendering.diagnostics);
  }

  coveringRow(body: () => void): void {
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
  cell(op: CellOp, scope: Scope | null, body: () => void): void {
    const row = this.#row;
    if (row === null) throw new Error("The cell is outside its row.");
    const rendering = this.#rendering;
    rendering.env.scope = scope;
    const size = sizeOf(op, (columns) => columnCount(columns, rendering));
    if (row.isSpanned) {
      const own = row.coversOwn(op);
      if (own !== null) this.#reportCovered(own.origin);
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

  cellSize({ of }: CellSizeOp): void {
    this.#row?.size(of);
  }
}
