import type { Slot } from "../../deflate/pieces.ts";
import type { CellOp } from "../../program/ops.ts";
import type { TagOrigin } from "../../program/tag-ops.ts";

/** Where the cells are written. */
interface Writer {
  /** Reserves a slot in the output. */
  slot(): Slot;
  fill(slot: Slot, xml: string): void;
}

/** The size of a cell. The unit is the one of `w:tcW`; widths of different units are not added. */
export interface CellSize {
  readonly columns: number;
  readonly width: { readonly amount: number; readonly unit: string } | null;
  /** Whether a tag sets the width. The one in the template does not count then. */
  readonly isGiven?: boolean;
}

/** The number of cells to cover, itself included, with the tag that says so, and the place of the number in the data. */
export interface Span {
  readonly cells: number;
  readonly origin: TagOrigin;
  readonly pointer: string | undefined;
}

/** The last written cell of a row, and all cells that it covers. */
interface Last {
  readonly op: Pick<CellOp, "own" | "isAlone">;
  /** The text that a cell to the right must have, too, to be merged with it; null if its text does not matter. */
  readonly text: string | null;
  span: Span | null;
  /** The number of further cells to cover. */
  left: number;
  size: CellSize;
  covers: boolean;
  readonly slots: Partial<Record<"columns" | "width", Slot>>;
}

/** Tracks which cells of a row are covered by cells to their left. */
export class CoveringRow {
  readonly #writer: Writer;
  #last: Last | null = null;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** The span with which a repeated cell covers the cell of the next item in the loop. */
  coversOwn(op: Pick<CellOp, "own" | "isAlone">): Span | null {
    return this.isSpanned && this.#last?.op === op ? this.#last.span : null;
  }

  /** Whether the next cell is covered by a cell with `span`. */
  get isSpanned(): boolean {
    return this.#last !== null && this.#last.left > 0;
  }

  /**
   * Whether a cell with this text is merged with the cell to its left. A cell of another template cell may contain other
   * things beside its tag, which would be lost.
   */
  continues(op: Pick<CellOp, "own" | "isAlone">, text: string | null): boolean {
    const last = this.#last;
    if (last === null || text === null || last.text !== text) return false;
    return last.op === op || (last.op.isAlone && op.isAlone);
  }

  /** Adds a covered cell to the cell that covers it. `span`: the span of the covered cell itself. */
  cover({ columns, width }: CellSize, span: Span | null): void {
    const last = this.#last;
    if (last === null) return;
    const { size } = last;
    const isSame = size.width !== null && width?.unit === size.width.unit;
    last.left = Math.max(last.left - 1, 0);
    if (span !== null && span.cells - 1 > last.left) {
      last.left = span.cells - 1;
      last.span = span;
    }
    last.covers = true;
    last.size = {
      ...size,
      columns: size.columns + columns,
      width: isSame ? { ...size.width, amount: size.width.amount + width.amount } : null,
    };
    for (const of of ["columns", "width"] as const) this.#fill(of);
  }

  /** Begins a cell that no other cell covers. */
  begin(op: Last["op"], size: CellSize, text: string | null, span: Span | null): void {
    this.#last = { op, size, text, span, left: (span?.cells ?? 1) - 1, covers: false, slots: {} };
  }

  /** Writes a size of the current cell, which grows with each cell that it covers. */
  size(of: "columns" | "width"): void {
    if (this.#last === null) return;
    this.#last.slots[of] = this.#writer.slot();
    this.#fill(of);
  }

  /** Ends the row. Returns the span that exceeds its cells, with the number of missing cells; or null. */
  end(): { readonly span: Span; readonly missing: number } | null {
    const { span = null, left = 0 } = this.#last ?? {};
    return span !== null && left > 0 ? { span, missing: left } : null;
  }

  #fill(of: "columns" | "width"): void {
    const last = this.#last;
    const slot = last?.slots[of];
    if (last === null || slot === undefined) return;
    const isChanged = last.covers || (of === "width" && last.size.isGiven === true);
    const own = isChanged ? null : last.op.own[of];
    this.#writer.fill(slot, own ?? sizeXml(of, last.size));
  }
}

/** Returns the XML of a size. If a width is unknown, Word computes it from the grid. */
function sizeXml(of: "columns" | "width", { columns, width }: CellSize): string {
  if (of === "columns") return columns === 1 ? "" : `<w:gridSpan w:val="${columns}"/>`;
  return width === null
    ? '<w:tcW w:w="0" w:type="auto"/>'
    : `<w:tcW w:w="${width.amount}" w:type="${width.unit}"/>`;
}

/** Returns the size of a cell. `count` computes numbers that depend on repeated columns. */
export function sizeOf(
  { columns, width }: Pick<CellOp, "columns" | "width">,
  count: (op: Exclude<CellOp["columns"], number>) => number,
): CellSize {
  const known = (number: CellOp["columns"]): number =>
    typeof number === "number" ? number : count(number);
  return {
    columns: known(columns),
    width: width === null ? null : { ...width, amount: known(width.amount) },
  };
}
