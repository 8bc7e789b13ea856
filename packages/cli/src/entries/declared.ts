import { type Cell, type CellProblem, type CellReader, isBlank, type TextReader } from "./cell.ts";
import type { ColumnType } from "./column-types.ts";
import { excelDate, patternDate } from "./dates.ts";
import { isRead, localNotation, type Notation } from "./notation.ts";
import { asNumber } from "./numbers.ts";
import { truthOf } from "./words.ts";

/** Creates a reader for a column whose type `--types` declares. An empty cell is a missing value. */
export function declaredReader(type: ColumnType, notation: Notation): CellReader {
  const read = readerOf(type, notation);
  return (cell) => (isBlank(cell) ? null : (read(cell) ?? noSuch(type, notation)));
}

/** Returns a cell as an unchanged string. An empty cell becomes an empty string. */
export function plainText(cell: Cell): string {
  return cell === null ? "" : String(cell);
}

type Reader = (cell: Cell) => Cell;

/** Returns a reader for cells of this type. The reader returns null for other cells. */
function readerOf(type: ColumnType, notation: Notation): Reader {
  switch (type.kind) {
    case "text":
      return (cell) => (typeof cell === "string" ? cell : String(cell));
    case "boolean":
      return (cell) => (typeof cell === "boolean" ? cell : truthOf(String(cell)));
    case "number": {
      const { number } = notationOf(type.locale, notation);
      return (cell) => {
        if (typeof cell !== "string") return typeof cell === "number" ? cell : null;
        const read = number(cell);
        return isRead(read) ? asNumber(read) : null;
      };
    }
    case "date":
      return dateReader(notationOf(type.locale, notation).date);
    case "pattern":
      return dateReader(patternDate(type.pattern) ?? (() => null));
    case "days": {
      const { number, date } = notation;
      return (cell) => {
        if (typeof cell === "number") return excelDate(cell, type.from1904);
        const days = typeof cell === "string" ? number(cell) : null;
        return isRead(days) ? excelDate(Number(days), type.from1904) : dateReader(date)(cell);
      };
    }
  }
}

function notationOf(locale: string | null, notation: Notation): Notation {
  return locale === null ? notation : localNotation(locale);
}

function dateReader(date: TextReader): Reader {
  return (cell) => {
    const read = typeof cell === "string" ? date(cell) : null;
    return isRead(read) ? read.trim() : null;
  };
}

const KINDS: Readonly<Record<ColumnType["kind"], string>> = {
  text: "text",
  boolean: "a word or number for true or false",
  number: "a number",
  date: "a date",
  pattern: "a date",
  days: "an Excel day number",
};

function noSuch(type: ColumnType, notation: Notation): CellProblem {
  return {
    problem: `is not ${KINDS[type.kind]}, but --types requires one`,
    hint: `Correct the cell, or declare another type for the column. ${remedyOf(type, notation)}`.trim(),
  };
}

function remedyOf(type: ColumnType, { locale }: Notation): string {
  switch (type.kind) {
    case "number": {
      const own = type.locale ?? locale;
      const form = own === null ? "1234.50" : new Intl.NumberFormat(own).format(1234.5);
      return own === null
        ? `Numbers are written as ${form}; for another language, declare for example number(de).`
        : `Numbers are written as ${form} (${own}).`;
    }
    case "date":
      return "Dates are written as 2026-11-20; for another format, declare for example date(dd.MM.yyyy), date(en-GB) or date(excel).";
    case "pattern":
      return `Dates are written as ${type.pattern} or 2026-11-20.`;
    case "boolean":
      return "Write yes or no, true or false, 1 or 0; docs/cli.md lists all words.";
    default:
      return "";
  }
}
