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
}

/** What a cell wants to cover. */
export interface Cover {
  /** The text that the cells to the right must have in common with it; null if it is not merged by its text. */
  readonly text: string | null;
  /** The number of cells to cover, itself included, and the tag that says so. */
  readonly span: { readonly cells: number; readonly origin: TagOrigin } | null;
}

/** The last written cell of a row. */
interface Last extends Cover {
  size: CellSize;
  /** The number of further cells to cover. */
  left: number;
  readonly slots: Partial<Record<"columns" | "width", Slot>>;
}

/** Tracks which cells of a row are covered by cells to their left. */
export class CoveringRow {
  readonly #writer: Writer;
  #last: Last | null = null;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Whether the next cell is covered by a cell with `span`. */
  get isSpanned(): boolean {
    return this.#last !== null && this.#last.left > 0;
  }

  /** Whether a cell with this text is merged with the cell to its left. */
  continues(text: string | null): boolean {
    return text !== null && this.#last?.text === text;
  }

  /** Adds a covered cell to the one that covers it. */
  cover({ columns, width }: CellSize): void {
    const last = this.#last;
    if (last === null) return;
    const { size } = last;
    const isSame = size.width !== null && width?.unit === size.width.unit;
    last.left -= 1;
    last.size = {
      columns: size.columns + columns,
      width: isSame ? { ...size.width, amount: size.width.amount + width.amount } : null,
    };
    for (const of of ["columns", "width"] as const) this.#fill(of);
  }

  /** Begins a cell that no other cell covers. */
  begin(size: CellSize, cover: Cover): void {
    this.#last = { ...cover, size, left: (cover.span?.cells ?? 1) - 1, slots: {} };
  }

  /** Writes a size of the current cell, which grows with each cell that it covers. */
  size(of: "columns" | "width"): void {
    if (this.#last === null) return;
    this.#last.slots[of] = this.#writer.slot();
    this.#fill(of);
  }

  /** Ends the row. Returns the tag that wants to cover more cells than the row has, or null. */
  end(): { readonly origin: TagOrigin; readonly cells: number; readonly missing: number } | null {
    const { span = null, left = 0 } = this.#last ?? {};
    return span !== null && left > 0 ? { ...span, missing: left } : null;
  }

  #fill(of: "columns" | "width"): void {
    const slot = this.#last?.slots[of];
    if (slot === undefined || this.#last === null) return;
    const { columns, width } = this.#last.size;
    this.#writer.fill(slot, of === "columns" ? columnsXml(columns) : widthXml(width));
  }
}

function columnsXml(columns: number): string {
  return columns === 1 ? "" : `<w:gridSpan w:val="${columns}"/>`;
}

/** Returns the width of a cell; if it is unknown, the width that Word computes from the grid. */
function widthXml(width: CellSize["width"]): string {
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
