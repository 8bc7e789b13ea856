import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { isQuireError, QuireError } from "@quire/core";
import { CsvError, parse } from "csv-parse";
import {
  BOM_LENGTH,
  type DataEntry,
  type DataItem,
  type DataSource,
  fileLabel,
  startsWithBom,
} from "./entry.ts";

/** A longer row is refused instead of read into memory: a quote that is never closed makes one. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;

/**
 * A CSV file (RFC 4180) in UTF-8, read as a stream. Cells are separated by commas, semicolons or tabs,
 * whichever the first line has most of. The first line names the columns; a dot in a name leads into
 * an object: `customer.name`. All values are texts; an empty cell is an empty text.
 */
export function csvEntries(path: string, chunkBytes?: number): DataSource {
  return {
    async count() {
      let rows = 0;
      try {
        for await (const _ of readRows(path, chunkBytes)) rows += 1;
      } catch (error) {
        if (rows > 0 && isQuireError(error)) return null;
        throw error;
      }
      return rows;
    },
    items: () => readRows(path, chunkBytes),
  };
}

/** A row as csv-parse gives it with `info` and without an encoding. */
interface Row {
  readonly record: readonly Buffer[];
  readonly info: { readonly lines: number };
}

/** A column's name as the keys that lead to its value. */
type Column = readonly string[];

async function* readRows(
  path: string,
  chunkBytes: number | undefined,
): AsyncGenerator<DataItem, void, undefined> {
  const label = fileLabel(path);
  let columns: readonly Column[] | null = null;
  let countedTwice = 0;
  for await (const { record, info } of parseRows(path, label, chunkBytes)) {
    const cells = record.map((cell) => cell.toString("utf8"));
    countedTwice += quotedCrlfs(cells);
    const line = info.lines - countedTwice - lineBreaks(cells);
    const where = `Line ${line} of ${label}`;
    if (!record.every((cell) => isUtf8(cell))) {
      throw new QuireError(
        "invalid_data",
        `${where} is not UTF-8 text. Save the file as UTF-8. The rows from there on cannot be read.`,
      );
    }
    if (columns === null && isBlank(cells)) continue;
    if (columns === null) columns = parseHeader(cells, label);
    else yield { line, entry: toData(columns, cells, where) };
  }
}

/** Whether a line before the header has nothing but white space. */
function isBlank([cell = "", ...others]: readonly string[]): boolean {
  return others.length === 0 && cell.trim() === "";
}

/** The rows up to the first one that is not CSV, then the error. */
async function* parseRows(
  path: string,
  label: string,
  chunkBytes: number | undefined,
): AsyncGenerator<Row, void, undefined> {
  const { delimiter, start } = await sniff(path);
  const rows: Row[] = [];
  const parser = parse({
    delimiter,
    encoding: null, // bytes: whether they are UTF-8 is asked for each row
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    // Taken here, not from the stream: that one drops what it holds when an error comes.
    on_record: (row: unknown) => {
      rows.push(row as Row);
      return null;
    },
  });
  parser.on("error", () => {}); // it is given to the callback as well
  try {
    for await (const chunk of createReadStream(path, {
      start,
      highWaterMark: chunkBytes,
    }) as AsyncIterable<Buffer>) {
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
    `The file ${label} is not valid CSV${row}: a quote is not closed or stands in the wrong place. The rows from there on cannot be read.`,
    { cause },
  );
}

/** The line breaks within a row that csv-parse counts twice. */
function quotedCrlfs(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split("\r\n").length - 1, 0);
}

/** The line breaks within a row, of which csv-parse tells the last line. */
function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split(/\r\n|\r|\n/).length - 1, 0);
}

/** What the beginning of a file tells: the delimiter, and where the text starts. */
async function sniff(
  path: string,
): Promise<{ readonly delimiter: string; readonly start: number }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64 * 1024) });
    const start = startsWithBom(buffer.subarray(0, bytesRead)) ? BOM_LENGTH : 0;
    const text = buffer.toString("latin1", start, bytesRead).replace(/"[^"]*"/g, '""');
    // Blank lines before it are passed over when it is read, too. A line of quoted names is not blank.
    const [line = ""] = text.replace(/^\s*[\r\n]/, "").split(/[\r\n]/, 1);
    const [delimiter = ","] = [",", ";", "\t"].sort(
      (a, b) => line.split(b).length - line.split(a).length,
    );
    return { delimiter, start };
  } finally {
    await file.close();
  }
}

function parseHeader(names: readonly string[], label: string): Column[] {
  const columns = names.map((name) => name.trim().split("."));
  const wrong = (why: string): QuireError =>
    new QuireError("invalid_data", `The first line of ${label} does not name its columns: ${why}.`);
  const seen = new Set<string>();
  for (const column of columns) {
    const name = column.join(".");
    if (column.some((key) => key === "")) throw wrong(`${JSON.stringify(name)} is no name`);
    if (seen.has(name)) throw wrong(`${JSON.stringify(name)} stands there twice`);
    seen.add(name);
  }
  for (const column of columns) {
    for (let length = 1; length < column.length; length++) {
      const outer = column.slice(0, length).join(".");
      if (seen.has(outer)) {
        throw wrong(
          `${JSON.stringify(outer)} cannot be a text and hold ${JSON.stringify(column.join("."))}`,
        );
      }
    }
  }
  return columns;
}

function toData(
  columns: readonly Column[],
  cells: readonly string[],
  where: string,
): DataEntry | QuireError {
  if (cells.length !== columns.length) {
    return new QuireError(
      "invalid_data",
      `${where} has ${counted(cells.length, "cell")}, but the first line names ${counted(columns.length, "column")}.`,
    );
  }
  const data: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    let object = data;
    for (const key of column.slice(0, -1)) object = childObject(object, key);
    setOwn(object, column.at(-1) ?? "", cells[index]);
  }
  return { data, name: null };
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function childObject(object: Record<string, unknown>, key: string): Record<string, unknown> {
  if (!Object.hasOwn(object, key)) setOwn(object, key, {});
  return object[key] as Record<string, unknown>;
}

/** Sets an own property, also one called `__proto__`. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
