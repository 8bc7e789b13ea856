import { createHash, hash } from "node:crypto";
import {
  type MovedRow,
  type MovedTable,
  type MovedType,
  type MovedValue,
  QuireError,
  type StoresSource,
} from "@quire/contracts";
import { fromText, toText } from "../database/text.ts";
import { howToStartAgain, type Target } from "./move-record.ts";
import { countStatement, readStatement } from "./target-tables.ts";

/** A table that is equal on both sides. */
export interface ComparedTable {
  /** The name of the table. */
  readonly name: string;
  /** The number of its rows. */
  readonly rows: number;
  /** The SHA-256 of all rows in their common form, in hex. */
  readonly sha256: string;
}

/**
 * Reads all rows of a table on both sides, and compares them in one form: JSON, with the SHA-256 of bytes. Calls `read`
 * with the number of rows after each step. Rejects `job_store_failed` with the first difference.
 */
export async function compareTable(
  target: Target,
  source: StoresSource,
  table: MovedTable,
  read: (rows: number) => void,
): Promise<ComparedTable> {
  const [theirs, ours] = [createHash("sha256"), createHash("sha256")];
  let count = 0;
  for (let after: MovedRow | null = null; ; ) {
    const rows = await source.rows(table, after);
    if (rows.length === 0) break;
    const expected = rows.map((row) => canonicalRow(row, table, fromSource));
    const found = await rowsWithKeys(target, table, expected);
    for (const row of expected) theirs.update(`${JSON.stringify(row)}\n`);
    for (const row of found) ours.update(`${JSON.stringify(row)}\n`);
    count += rows.length;
    after = rows.at(-1) ?? null;
    const difference = firstDifference(table, expected, found);
    if (difference !== null) throw differs(target, source, table, difference);
    read(rows.length);
  }
  const [row] = await target.all(countStatement(table));
  const [here, there] = [Number(row?.n), source.count(table)];
  if (here !== there) {
    throw differs(target, source, table, `has ${here} rows instead of ${there}`);
  }
  const sha256 = theirs.digest("hex");
  if (ours.digest("hex") !== sha256) throw differs(target, source, table, "has another hash");
  return { name: table.name, rows: count, sha256 };
}

async function rowsWithKeys(
  target: Target,
  table: MovedTable,
  rows: readonly MovedRow[],
): Promise<MovedRow[]> {
  const types = Object.values(table.columns).slice(0, table.key);
  const keys = types.map((type, index) => rows.map((row) => toKey(row[index] ?? null, type)));
  const found = await target.all(readStatement(table), keys);
  const names = Object.keys(table.columns);
  return found.map((row) =>
    canonicalRow(
      names.map((name) => row[name]),
      table,
      fromTarget,
    ),
  );
}

function toKey(value: MovedValue, type: MovedType): MovedValue {
  return type === "text" ? toText(String(value)) : value;
}

type Convert = (value: MovedValue, type: MovedType) => MovedValue;

function canonicalRow(row: MovedRow, { columns }: MovedTable, convert: Convert): MovedRow {
  return Object.values(columns).map((type, index) => {
    const value = row[index] ?? null;
    return value === null ? null : convert(value, type);
  });
}

function fromSource(value: MovedValue, type: MovedType): MovedValue {
  if (type === "bytes") return hash("sha256", value as Uint8Array);
  return type === "text" ? String(value).toWellFormed() : value;
}

/** The database has already hashed the bytes. */
function fromTarget(value: MovedValue, type: MovedType): MovedValue {
  return type === "text" ? fromText(String(value)) : value;
}

/** Describes the first difference, without values, which may be confidential; null if the rows are equal. */
function firstDifference(
  table: MovedTable,
  expected: readonly MovedRow[],
  found: readonly MovedRow[],
): string | null {
  const names = Object.keys(table.columns);
  for (const [index, row] of expected.entries()) {
    const other = found[index];
    const key = (some: MovedRow): string => JSON.stringify(some.slice(0, table.key));
    const place = `the row with ${names.slice(0, table.key).join(", ")} = ${row.slice(0, table.key).join(", ")}`;
    if (other === undefined || key(other) !== key(row)) return `lacks ${place}`;
    const column = names.find((_, at) => row[at] !== other[at]);
    if (column !== undefined) return `differs in ${column} of ${place}`;
  }
  return null;
}

function differs(
  target: Target,
  source: StoresSource,
  table: MovedTable,
  what: string,
): QuireError {
  return new QuireError(
    "job_store_failed",
    `The move is not complete. Compared with ${JSON.stringify(source.name)}, the table ${table.name} in ${target.name} ${what}. Something else has changed one of the two, or this is a bug in Quire. ${howToStartAgain(target, source)}`,
  );
}
