import {
  type Diagnostic,
  isQuireError,
  nearest,
  type PlaceUse,
  pointerOf,
  QuireError,
} from "@quire/core";
import { autoReader } from "../entries/auto.ts";
import {
  type Cell,
  type CellProblem,
  type CellReader,
  isBlank,
  isProblem,
} from "../entries/cell.ts";
import type { ColumnTypes } from "../entries/column-types.ts";
import { declaredReader, plainText } from "../entries/declared.ts";
import type { DataEntry, DataItem, DataSource } from "../entries/entry.ts";
import type { Notation } from "../entries/notation.ts";
import { type Header, parseHeader } from "./header.ts";

/** A row of a table. */
export interface TableRow {
  /** The line or row of the file, from 1. */
  readonly line: number;
  /** The cells, each a value or a problem; an error if the row cannot be read. */
  readonly cells: readonly (Cell | CellProblem)[] | QuireError;
}

/** A file of rows. The first row that is not blank names the columns. */
export interface Table {
  /** The name of the file, for messages. */
  readonly label: string;
  readonly notation: Notation;
  /** Names the position of a row, for messages: `Line 5 of data.csv`. */
  place(line: number): string;
  /** Names the position of a column, for messages: `column 3`, `column C`. `index` is from 0. */
  columnPlace(index: number): string;
  /** Whether a row may have fewer cells than the header; the missing cells are empty. */
  readonly isSparse: boolean;
  /** Reads the rows on demand. Throws if the rest of the file cannot be read. */
  rows(): AsyncIterable<TableRow>;
}

/** Determines the types of cells. */
export interface Typing {
  readonly types: ColumnTypes;
  /** How templates use the value at a path of keys in the data; null if no template uses the value. */
  readonly useOf: (keys: readonly string[]) => PlaceUse | null;
}

/**
 * Converts the rows of a table to entries. A dot in the name of a column separates nested keys: `customer.name`. An
 * object whose cells are all empty is a missing value. Blank rows are skipped, and so are columns that have neither a
 * name nor values.
 */
export function tableEntries(table: Table, typing: Typing): DataSource {
  let blankRows = 0;
  async function* read<T>(
    convert: (row: TableRow, header: Header) => T,
    begin: (header: Header) => void = () => {},
  ): AsyncGenerator<T, void, undefined> {
    let header: Header | null = null;
    blankRows = 0;
    for await (const row of table.rows()) {
      const isRowBlank = !isQuireError(row.cells) && row.cells.every(isBlank);
      if (isRowBlank && header !== null) blankRows += 1;
      if (isRowBlank) continue;
      if (header !== null) yield convert(row, header);
      else if (isQuireError(row.cells)) throw row.cells;
      else {
        header = parseHeader(row.cells, table.label);
        begin(header);
      }
    }
  }
  return {
    get blankRows() {
      return blankRows;
    },
    async count() {
      let rows = 0;
      try {
        for await (const _ of read(() => null)) rows += 1;
      } catch (error) {
        if (rows > 0 && isQuireError(error)) return null;
        throw error;
      }
      return rows;
    },
    items() {
      let reader: RowReader | null = null;
      return read(
        (row): DataItem => {
          const { line, cells } = row;
          const where = table.place(line);
          if (isQuireError(cells)) return { line, where, entry: cells };
          return { line, where, entry: reader?.entry(line, cells) ?? noHeader() };
        },
        (header) => {
          reader = new RowReader(table, header, typing);
        },
      );
    },
  };
}

function noHeader(): never {
  throw new Error("A row was read before the header.");
}

class RowReader {
  readonly #table: Table;
  readonly #header: Header;
  readonly #readers: readonly (CellReader | null)[];
  /** For each column, whether a template uses it, so that invalid cells matter. */
  readonly #isUsed: readonly boolean[];

  constructor(table: Table, header: Header, { types, useOf }: Typing) {
    this.#table = table;
    this.#header = header;
    const names = header.columns.flatMap((column) => (column === null ? [] : [column.join(".")]));
    for (const name of types.columns.keys()) {
      if (!names.includes(name)) throw noColumn(name, names, table.label);
    }
    this.#readers = header.columns.map((column) => {
      if (column === null) return null;
      const name = column.join(".");
      const declared = types.columns.get(name);
      if (declared !== undefined) return declaredReader(declared, table.notation);
      return types.others === "text" ? plainText : autoReader(name, useOf(column), table.notation);
    });
    this.#isUsed = header.columns.map((column) => column !== null && useOf(column) !== null);
  }

  entry(line: number, cells: readonly (Cell | CellProblem)[]): DataEntry | QuireError {
    const { columns, toData } = this.#header;
    const where = this.#table.place(line);
    const misfit = this.#misfit(cells);
    if (misfit !== null) return new QuireError("invalid_data", `${where} ${misfit}`);
    const problems: Diagnostic[] = [];
    const values = columns.map((column, index) => {
      const cell = cells[index] ?? null;
      const read = isProblem(cell) ? cell : (this.#readers[index]?.(cell) ?? null);
      if (!isProblem(read)) return read;
      if (read === cell && !this.#isUsed[index]) return null;
      problems.push(this.#problem(column ?? [], index, read));
      return null;
    });
    if (problems.length === 0) return { data: toData(values), name: null };
    const [first] = problems;
    const more = problems.length === 1 ? "" : ` (and ${problems.length - 1} more)`;
    return new QuireError("invalid_data", `${where}: ${first?.message}${more}`, {
      diagnostics: problems,
    });
  }

  #problem(column: readonly string[], index: number, { problem, hint }: CellProblem): Diagnostic {
    const place = this.#table.columnPlace(index);
    return {
      severity: "error",
      code: "invalid_cell",
      message: `The cell in ${place}, ${JSON.stringify(column.join("."))}, ${problem}.`,
      hint,
      pointer: pointerOf(column),
    };
  }

  /** Returns why the cells do not match the columns; null if they do. */
  #misfit(cells: readonly (Cell | CellProblem)[]): string | null {
    const { columns } = this.#header;
    const named = columns.length;
    const isShort = !this.#table.isSparse && cells.length < named;
    const isLong = cells.slice(named).some((cell) => !isBlank(cell));
    if (!this.#table.isSparse && (isShort || isLong)) {
      return `has ${counted(cells.length, "cell")}, but the first line names ${counted(named, "column")}.`;
    }
    const unnamed = cells.findIndex((cell, index) => !columns[index] && !isBlank(cell));
    if (unnamed === -1) return null;
    return `has a value in ${this.#table.columnPlace(unnamed)}, which has no name in the first row. Name the column, or clear its cells.`;
  }
}

function noColumn(name: string, names: readonly string[], label: string): QuireError {
  const near = nearest(name, names);
  const meant = near === null ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  const listed = names.slice(0, 50).map((each) => JSON.stringify(each));
  const more = names.length > listed.length ? ", …" : "";
  return new QuireError(
    "invalid_request",
    `The file ${label} has no column ${JSON.stringify(name)}, which --types names.${meant} Its columns are ${listed.join(", ")}${more}.`,
  );
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
