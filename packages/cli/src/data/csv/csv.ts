import { isUtf8 } from "node:buffer";
import { QuireError } from "@quire/core";
import { CsvError, parse } from "csv-parse";
import { fileLabel } from "../../entries/entry.ts";
import { localNotation, NEUTRAL } from "../../entries/notation.ts";
import type { Table, TableRow } from "../table.ts";
import { NOT_UTF8, utf8Chunks } from "./decode.ts";
import { type CsvForm, sniffCsv } from "./sniff.ts";

/** Longer rows are rejected instead of being read into memory. An unclosed quote can lead to such a row. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;

/** The options for reading a CSV file. */
export interface CsvOptions {
  /** The encoding, under the name that `TextDecoder` uses. Default: UTF-8. A byte order mark takes precedence. */
  readonly encoding?: string | undefined;
  /** The locale of the numbers and dates in the file. */
  readonly dataLocale?: string | undefined;
  /** The size of the chunks in which the file is read, in bytes. Only tests set it. */
  readonly chunkBytes?: number | undefined;
}

/**
 * Opens a CSV file (RFC 4180), which is read as a stream. Its first rows, or a first line `sep=;`, determine the
 * separator of its cells. Throws `invalid_data` if the separator is not clear.
 */
export async function openCsv(path: string, options: CsvOptions): Promise<Table> {
  const label = fileLabel(path);
  const form = await sniffCsv(path, label, options.encoding);
  const { dataLocale } = options;
  const place = (line: number): string => `Line ${line} of ${label}`;
  return {
    label,
    notation: dataLocale === undefined ? NEUTRAL : localNotation(dataLocale),
    place,
    columnPlace: (index) => `column ${index + 1}`,
    isSparse: false,
    rows: () => readRows(path, { form, label, place, chunkBytes: options.chunkBytes }),
  };
}

interface Reading {
  readonly form: CsvForm;
  readonly label: string;
  readonly place: (line: number) => string;
  readonly chunkBytes: number | undefined;
}

/** A row as csv-parse returns it with the option `info` and without an encoding. */
interface Row {
  readonly record: readonly Buffer[];
  readonly info: { readonly lines: number };
}

async function* readRows(
  path: string,
  reading: Reading,
): AsyncGenerator<TableRow, void, undefined> {
  let countedTwice = 0;
  for await (const { record, info } of parseRows(path, reading)) {
    const cells = record.map((cell) => cell.toString("utf8"));
    countedTwice += quotedCrlfs(cells);
    const line = info.lines - countedTwice - lineBreaks(cells);
    if (!record.every((cell) => isUtf8(cell))) {
      throw new QuireError(
        "invalid_data",
        `${reading.place(line)} ${NOT_UTF8} The rows after it cannot be read.`,
      );
    }
    yield { line, cells };
  }
}

/** Yields the rows before the first row that is not valid CSV, then the error. */
async function* parseRows(
  path: string,
  { form, label, chunkBytes }: Reading,
): AsyncGenerator<Row, void, undefined> {
  const { encoding, delimiter, firstLine } = form;
  const rows: Row[] = [];
  const parser = parse({
    delimiter,
    encoding: null, // bytes, so that each row can be checked for UTF-8
    from_line: firstLine,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    // Rows are collected here, because the stream drops its buffered rows on an error.
    on_record: (row: unknown) => {
      rows.push(row as Row);
      return null;
    },
  });
  parser.on("error", () => {}); // the callbacks below also receive the error
  try {
    for await (const chunk of utf8Chunks(path, { encoding, label, chunkBytes })) {
      const error = await new Promise<unknown>((done) => parser.write(chunk, done));
      yield* rows.splice(0);
      if (error) throw error;
    }
    const error = await new Promise<unknown>((done) => parser.end(done));
    yield* rows.splice(0);
    if (error) throw error;
  } catch (cause) {
    throw cause instanceof CsvError ? notCsv(cause, label) : cause;
  } finally {
    parser.destroy();
  }
}

function notCsv(cause: CsvError, label: string): QuireError {
  const row = typeof cause.records === "number" ? ` in row ${cause.records + 1}` : "";
  return new QuireError(
    "invalid_data",
    `The file ${label} is not valid CSV${row}: a quote is not closed or is in the wrong place. The rows after it cannot be read.`,
    { cause },
  );
}

/** Counts the CRLF line breaks in the cells of a row. csv-parse counts each of them twice. */
function quotedCrlfs(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split("\r\n").length - 1, 0);
}

/** Counts the line breaks within a row. csv-parse reports only the last line of a row. */
function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split(/\r\n|\r|\n/).length - 1, 0);
}
