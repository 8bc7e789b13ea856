import type { Slot } from "../../deflate/pieces.ts";
import type { CoveredColumns, GridColumnOp, TableSizeOp } from "../../program/column-widths.ts";
import type { TagOrigin } from "../../program/tag-ops.ts";
import {
  inCentimeters,
  MOST,
  MOST_TEXT,
  rangeProblem,
  readColumnWidth,
} from "../../values/arguments/column-width.ts";
import type { Diagnostics } from "../evaluate/context/document-diagnostics.ts";
import type { Scope } from "../evaluate/context/scope.ts";

/** The width that a tag gives to a column, as text, and the place of the text in the data. */
export interface GivenWidth {
  readonly text: string;
  readonly origin: TagOrigin;
  readonly pointer: string | undefined;
}

/** The width of columns in twentieths of a point. `isGiven`: whether a tag gives one of them. */
interface Width {
  readonly twips: number;
  readonly isGiven: boolean;
}

/** The widths of the columns of one table, which its grid decides. */
export class ColumnWidths {
  readonly #diagnostics: Diagnostics;
  readonly #fill: (slot: Slot, xml: string) => void;
  /** By the column and the positions in its loops. Without the innermost positions, of all these repetitions. */
  readonly #widths = new Map<string, Width>();
  readonly #sizes: { readonly op: TableSizeOp; readonly slot: Slot }[] = [];
  #whole = 0;
  #last: GivenWidth | null = null;
  #isDecided = false;
  /** The width of the current cell in twentieths of a point; null if tags do not change it. */
  cell: number | null = null;

  constructor(diagnostics: Diagnostics, fill: (slot: Slot, xml: string) => void) {
    this.#diagnostics = diagnostics;
    this.#fill = fill;
  }

  /** Adds a column of the grid, and returns its width. `width`: its width if no tag gives one. */
  column(op: GridColumnOp, width: number, given: GivenWidth | null, scope: Scope | null): number {
    const wanted = given === null ? null : this.#read(given, op.whole);
    const own: Width = { twips: wanted ?? width, isGiven: wanted !== null };
    if (wanted !== null) this.#last = given;
    const positions = innermost(op.turns, scope);
    for (let known = 0; known <= positions.length; known++) {
      const key = keyOf(op.column, positions.slice(0, known));
      this.#widths.set(key, plus(this.#widths.get(key) ?? NOTHING, own));
    }
    this.#whole += own.twips;
    return own.twips;
  }

  /** Returns the width of a given text; null if it cannot be the width of a column. */
  #read({ text, origin, pointer }: GivenWidth, whole: number): number | null {
    const width = readColumnWidth(text);
    if (width === null || "twips" in width) return width?.twips ?? null;
    const twips = Math.round(width.share * whole);
    const problem = rangeProblem(twips);
    if (problem === null) return twips;
    this.#diagnostics.invalid(origin, problem, pointer);
    return null;
  }

  /** Adds a place for the width of the table, or for whether it is fixed. */
  table(op: TableSizeOp, slot: Slot): void {
    this.#sizes.push({ op, slot });
    if (this.#isDecided) this.#settle();
  }

  /** Ends the grid, after which the widths of all columns are known. Reports a table that is too wide for Word. */
  decide(): void {
    this.#isDecided = true;
    this.#settle();
    if (this.#last === null || this.#whole <= MOST) return;
    const { origin, pointer } = this.#last;
    this.#diagnostics.invalid(
      origin,
      `makes the table ${inCentimeters(this.#whole)} wide, but Word allows ${MOST_TEXT}`,
      pointer,
      () => "Give smaller widths to the columns, or repeat fewer of them.",
    );
  }

  /** Writes the sizes of the table. If it were not fixed, Word would widen a column for a long word. */
  #settle(): void {
    const sized = {
      "w:tblW": `<w:tblW w:w="${this.#whole}" w:type="dxa"/>`,
      "w:tblLayout": '<w:tblLayout w:type="fixed"/>',
    } as const;
    for (const { op, slot } of this.#sizes.splice(0)) {
      this.#fill(slot, this.#last === null ? op.own : sized[op.of]);
    }
  }

  /**
   * Returns the width of a cell in twentieths of a point; null if the cell keeps the one of the template. `isFixed`:
   * whether the cell has a fixed width there.
   */
  of({ from, to, turns }: CoveredColumns, isFixed: boolean, scope: Scope | null): number | null {
    if (this.#last === null) return null;
    const positions = innermost(turns, scope);
    let width = NOTHING;
    for (let column = from; column < to; column++) {
      width = plus(width, this.#widths.get(keyOf(column, positions)) ?? NOTHING);
    }
    return isFixed && !width.isGiven ? null : width.twips;
  }
}

const NOTHING: Width = { twips: 0, isGiven: false };

function plus(one: Width, other: Width): Width {
  return { twips: one.twips + other.twips, isGiven: one.isGiven || other.isGiven };
}

function keyOf(column: number, positions: readonly (number | null)[]): string {
  return `${column} ${positions.join(" ")}`;
}

/** Returns the positions in this number of innermost loops, from the outermost of them. */
function innermost(loops: number, scope: Scope | null): (number | null)[] {
  const positions: (number | null)[] = [];
  for (let at = scope; at !== null && positions.length < loops; at = at.outer)
    positions.unshift(at.index);
  return positions;
}
