import { open } from "node:fs/promises";
import { QuireError } from "@quire/core";
import { decoderFor, type Encoding, encodingOf } from "./decode.ts";

/** The format of a CSV file, detected from its beginning. */
export interface CsvForm {
  readonly encoding: Encoding;
  readonly delimiter: string;
  /** The number of the first line that is a row: 2 if the file begins with `sep=;`. */
  readonly firstLine: number;
}

const HEAD_BYTES = 64 * 1024;

/** The separators to try. If two of them fit the first rows equally well, the file is rejected. */
const DELIMITERS = [",", ";", "\t", "|"];

/** Detects the format of a CSV file. `encoding` applies only without a byte order mark. Throws `invalid_data`. */
export async function sniffCsv(
  path: string,
  label: string,
  encoding: string | undefined,
): Promise<CsvForm> {
  const head = await readHead(path);
  const found = encodingOf(head, label, encoding);
  const decoder = decoderFor(found, { fatal: false });
  const text = decoder.decode(head.subarray(found.markBytes), { stream: true });
  const [, separator] = /^"?sep=([^"\r\n])"?[ \t]*(?:\r|\n|$)/i.exec(text) ?? [];
  if (separator !== undefined) return { encoding: found, delimiter: separator, firstLine: 2 };
  const rows = countDelimiters(text, head.length < HEAD_BYTES);
  return { encoding: found, delimiter: delimiterOf(rows, label), firstLine: 1 };
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES) });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const MAX_ROWS = 100;

/** Counts the occurrences of each delimiter outside quotes, for each of the first rows. Skips blank lines. */
function countDelimiters(text: string, isWhole: boolean): number[][] {
  const lines = text.replace(/"[^"]*(?:"|$)/g, '""').split(/[\r\n]+/);
  // The last row may be cut off, unless it is the only one.
  const complete = isWhole || lines.length === 1 ? lines : lines.slice(0, -1);
  return complete
    .filter((line) => line.trim() !== "")
    .slice(0, MAX_ROWS)
    .map((line) => DELIMITERS.map((delimiter) => line.split(delimiter).length - 1));
}

/**
 * Returns the delimiter that occurs as often as in the first row in the largest number of rows. In a tie, returns the
 * delimiter that gives the most columns. Throws `invalid_data` if that is also a tie.
 */
function delimiterOf([first = [], ...rows]: readonly (readonly number[])[], label: string): string {
  const candidates = DELIMITERS.map((delimiter, index) => ({
    delimiter,
    columns: first[index] ?? 0,
    rows: rows.filter((row) => row[index] === first[index]).length,
  }))
    .filter(({ columns }) => columns > 0)
    .sort((a, b) => b.rows - a.rows || b.columns - a.columns);
  const [best, next] = candidates;
  if (best === undefined) return ",";
  if (next === undefined || next.rows < best.rows || next.columns < best.columns) {
    return best.delimiter;
  }
  throw new QuireError(
    "invalid_data",
    `The cells of ${label} may be separated by ${JSON.stringify(best.delimiter)} or by ${JSON.stringify(next.delimiter)}. Name the separator in an additional first line: sep=;`,
  );
}
