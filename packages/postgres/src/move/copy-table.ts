import {
  type MovedRow,
  type MovedTable,
  type MovedType,
  type MovedValue,
  QuireError,
  type StoresSource,
} from "@quire/contracts";
import { codeOf } from "../database/postgres-errors.ts";
import { toText } from "../database/text.ts";
import { howToStartAgain, type Progress, recordProgress, type Target } from "./move-record.ts";
import { insertStatement } from "./target-tables.ts";

/** The classes of SQLSTATEs that mean that the database does not accept a row: data, constraints, limits. */
const UNACCEPTABLE = /^(22|23|54)/;

/** Writes the rows of a table that are not written yet. Yields the progress after each transaction. */
export async function* copyTable(
  target: Target,
  source: StoresSource,
  table: MovedTable,
  progress: Progress,
): AsyncGenerator<Progress, void, undefined> {
  let known = progress;
  for (;;) {
    const { rows: count, after, done } = known[table.name] ?? { rows: 0, after: null, done: false };
    if (done) return;
    const rows = await source.rows(table, after);
    const last = rows.at(-1);
    const next: Progress = {
      ...known,
      [table.name]: {
        rows: count + rows.length,
        after: last === undefined ? after : (last.slice(0, table.key) as (number | string)[]),
        done: last === undefined,
      },
    };
    await target.transaction(async () => {
      // The last transaction of the move makes all of them durable.
      await target.all("SET LOCAL synchronous_commit = off");
      await recordProgress(target, source, known, next);
      await insert(target, table, rows).catch((error) => {
        throw UNACCEPTABLE.test(codeOf(error)) ? unacceptable(target, source, table, error) : error;
      });
    });
    known = next;
    yield known;
  }
}

async function insert(target: Target, table: MovedTable, rows: readonly MovedRow[]): Promise<void> {
  if (rows.length === 0) return;
  if (table.name !== "file") {
    const types = Object.values(table.columns);
    const arrays = types.map((type, index) =>
      rows.map((row) => toColumn(row[index] ?? null, type)),
    );
    await target.all(insertStatement(table), arrays);
    return;
  }
  // An array would be sent as text, which is too long for a file of some hundred megabytes.
  for (const [sha256, , bytes] of rows) {
    await target.all("INSERT INTO quire.file VALUES ($1, $2, clock_timestamp())", [sha256, bytes]);
  }
}

function toColumn(value: MovedValue, type: MovedType): unknown {
  if (value === null) return null;
  if (type === "text") return toText(String(value));
  if (type === "flag") return value === 1;
  return type === "bytes" ? Buffer.from(value as Uint8Array) : value;
}

function unacceptable(
  target: Target,
  source: StoresSource,
  { name }: MovedTable,
  cause: Error,
): QuireError {
  return new QuireError(
    "job_store_failed",
    `A row of the table ${name} in ${JSON.stringify(source.name)} cannot be moved to ${target.name}: ${cause.message}. Either something else has written to this database, or PostgreSQL cannot store such a row, for example because a name is too long for an index. ${howToStartAgain(target, source)}`,
    { cause },
  );
}
