import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { QuireError } from "@quire/core";
import { CsvError, parse } from "csv-parse";
import { type DataEntry, type DataSource, fileLabel } from "./entry.ts";

/** A longer row is refused instead of read into memory: a quote that is never closed makes one. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;

/**
 * A CSV file (RFC 4180) in UTF-8, read as a stream. Cells are separated by commas, semicolons or tabs,
 * whichever the first line has most of. The first line names the columns; a dot in a name leads into
 * an object: `customer.name`. All values are texts; an empty cell is an empty text.
 */
export function csvEntries(path: string): DataSource {
  return {
    async count() {
      let rows = 0;
      for await (const _ of readRows(path)) rows += 1;
      return rows;
    },
    entries: () => readRows(path),
  };
}

/** A row as csv-parse gives it with `info`. */
interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** A column's name as the keys that lead to its value. */
type Column = readonly string[];

async function* readRows(path: string): AsyncGenerator<DataEntry | QuireError, void, undefined> {
  const label = fileLabel(path);
  const parser = parse({
    bom: true,
    delimiter: await sniffDelimiter(path),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
  });
  // The callback does nothing: an error of the source arrives where the parser is read.
  pipeline(Readable.from(decode(path, label)), parser, () => {});
  let columns: readonly Column[] | null = null;
  let countedTwice = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<Row>) {
      countedTwice += quotedCrlfs(record);
      const where = `Line ${info.lines - countedTwice} of ${label}`;
      if (columns === null) columns = parseHeader(record, label);
      else yield toData(columns, record, where);
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const row = typeof cause.records === "number" ? ` in row ${cause.records + 1}` : "";
    throw new QuireError(
      "invalid_data",
      `The file ${label} is not valid CSV${row}: a quote is not closed or stands in the wrong place. The rows after it cannot be read.`,
      { cause },
    );
  }
}

/** The line breaks within a row that csv-parse counts twice. */
function quotedCrlfs(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split("\r\n").length - 1, 0);
}

async function* decode(path: string, label: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new QuireError("invalid_data", `The file ${label} is not UTF-8 text. Save it as UTF-8.`, {
      cause,
    });
  }
}

async function sniffDelimiter(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64 * 1024) });
    const text = buffer.toString("latin1", 0, bytesRead).replace(/"[^"]*"/g, "");
    // The parser passes over empty lines and a byte order mark (here in Latin-1), too.
    const [line = ""] = text.replace(/^(?:ï»¿)?[\r\n]+/, "").split(/[\r\n]/, 1);
    const [best = ","] = [",", ";", "\t"].sort(
      (a, b) => line.split(b).length - line.split(a).length,
    );
    return best;
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
