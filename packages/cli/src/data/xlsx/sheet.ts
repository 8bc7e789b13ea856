import type { QuireError } from "@quire/core";
import type { Cell, CellProblem } from "../../entries/cell.ts";
import type { TableRow } from "../table.ts";
import { notXlsx, tooLarge } from "./archive.ts";
import { numberCell } from "./cell-values.ts";
import { cellAt, MergedCells, type MergedRange } from "./merged-cells.ts";
import { RichText, unescaped } from "./strings.ts";
import type { NumberForm } from "./styles.ts";
import type { Attributes, XmlHandler } from "./xml.ts";

/** Excel's limits. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** Longer rows are rejected, as in CSV. */
const MAX_ROW_CHARACTERS = 64_000_000;

/** The data of a workbook that is needed to read the cells of a sheet. */
export interface SheetContext {
  /** The name of the file, for messages. */
  readonly label: string;
  readonly strings: readonly string[];
  /** How each style shows numbers. */
  readonly forms: readonly NumberForm[];
  readonly from1904: boolean;
  /** Ordered by their first row. */
  readonly merged: readonly MergedRange[];
}

/** Returns the letters of a column: `A` for the index 0. */
export function columnLetters(index: number): string {
  let letters = "";
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/**
 * Reads the rows of a sheet from its XML, including hidden rows and columns. Blank rows at the end are dropped, since
 * sheets may have styles down to their last row. Of merged cells, only the first one keeps its value. The value of a
 * formula is its saved result.
 */
export class SheetReader implements XmlHandler {
  readonly #context: SheetContext;
  readonly #merged: MergedCells;
  #rows: TableRow[] = [];
  #row = 0;
  #lastFilled = 0;
  #cells: (Cell | CellProblem)[] = [];
  #characters = 0;
  #column = -1;
  #cell: CellReading | null = null;
  readonly #text = new RichText();

  constructor(context: SheetContext) {
    this.#context = context;
    this.#merged = new MergedCells(context.merged);
  }

  /** Returns the rows that were read since the last call. */
  taken(): readonly TableRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, attributes: Attributes, path: readonly string[]): void {
    if (path.length === 2 && name === "row" && path[1] === "sheetData") this.#beginRow(attributes);
    else if (path.length === 3 && name === "c" && path[2] === "row") this.#beginCell(attributes);
    else if (path.length === 4 && this.#cell !== null) {
      if (name === "f") this.#cell.hasFormula = true;
      if (name === "v") this.#cell.value = "";
      if (name === "is") {
        this.#cell.isInline = true;
        this.#text.begin();
      }
    }
  }

  text(text: string, path: readonly string[]): void {
    const cell = this.#cell;
    if (cell === null) return;
    if (cell.isInline && path[4] === "is") this.#text.add(text, path);
    else if (path.length === 5 && path[4] === "v" && cell.value !== null) cell.value += text;
  }

  close(name: string, path: readonly string[]): void {
    if (path.length === 3 && name === "c" && this.#cell !== null) this.#endCell(this.#cell);
    else if (path.length === 2 && name === "row" && path[1] === "sheetData") this.#endRow();
  }

  #beginRow({ r }: Attributes): void {
    const row = r === undefined ? this.#row + 1 : Number(r);
    if (!Number.isInteger(row) || row <= this.#row || row > MAX_ROWS) {
      throw this.#wrong(`its rows are out of order (after row ${this.#row})`);
    }
    this.#row = row;
    if (!this.#merged.beginRow(row)) throw this.#wrong("its merged cells overlap");
    this.#cells = [];
    this.#characters = 0;
    this.#column = -1;
  }

  #beginCell({ r, t = "n", s }: Attributes): void {
    const column = r === undefined ? this.#column + 1 : (cellAt(r)?.column ?? -1);
    if (column <= this.#column || column >= MAX_COLUMNS) {
      throw this.#wrong(`the cells of its row ${this.#row} are out of order`);
    }
    this.#column = column;
    const form = this.#context.forms[Number(s ?? 0)] ?? "number";
    this.#cell = { type: t, form, value: null, isInline: false, hasFormula: false };
  }

  #endCell(cell: CellReading): void {
    const value = this.#valueOf(cell);
    this.#cell = null;
    if (value === null || value === "" || this.#merged.hides(this.#column)) return;
    if (typeof value === "string") this.#characters += value.length;
    if (this.#characters > MAX_ROW_CHARACTERS) {
      throw tooLarge(
        this.#context.label,
        `its row ${this.#row} has more than ${MAX_ROW_CHARACTERS} characters`,
      );
    }
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells.push(value);
  }

  #valueOf({ type, form, value, isInline, hasFormula }: CellReading): Cell | CellProblem {
    const { strings, from1904 } = this.#context;
    if (isInline) return this.#text.take();
    if (value === null) return hasFormula ? WITHOUT_RESULT : null;
    // Some versions of LibreOffice write the text of a formula as an inline string.
    const isText = type === "str" || type === "inlineStr";
    if (isText) return unescaped(value);
    // Libraries that cannot compute formulas write an empty value.
    if (value.trim() === "") return hasFormula ? WITHOUT_RESULT : null;
    switch (type) {
      case "s": {
        const text = /^\s*\d+\s*$/.test(value) ? strings[Number(value)] : undefined;
        if (text === undefined) throw this.#wrong("a cell refers to a string that does not exist");
        return text;
      }
      case "b":
        return /^\s*(?:1|true)\s*$/.test(value);
      case "e":
        return errorIn(value);
      case "d":
        // Cells do not have a time zone, even if some programs write one.
        return form === "date" ? value.slice(0, 10) : value.trim().replace(/Z$/, "");
      case "n":
        return numberCell(value, form, from1904);
      default:
        throw this.#wrong("a cell has a type that Excel does not know");
    }
  }

  #endRow(): void {
    if (this.#cells.length === 0) return;
    for (let line = this.#lastFilled + 1; line < this.#row; line++) {
      this.#rows.push({ line, cells: [] });
    }
    this.#lastFilled = this.#row;
    this.#rows.push({ line: this.#row, cells: this.#cells });
  }

  #wrong(why: string): QuireError {
    return notXlsx(this.#context.label, why);
  }
}

/** The cell that is being read. */
interface CellReading {
  readonly type: string;
  readonly form: NumberForm;
  /** Null until a value is found. */
  value: string | null;
  isInline: boolean;
  hasFormula: boolean;
}

const WITHOUT_RESULT: CellProblem = {
  problem: "contains a formula without its result",
  hint: "Open the file in a spreadsheet program and save it, so that it contains the results.",
};

const ERRORS = /^#(?:N\/A|REF!|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|GETTING_DATA)$/;

function errorIn(value: string): CellProblem {
  const error = value.trim();
  return {
    problem: ERRORS.test(error) ? `contains the error ${error}` : "contains an error",
    hint: "Correct its formula.",
  };
}
