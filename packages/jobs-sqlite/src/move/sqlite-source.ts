import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import {
  checkOptions,
  type MovedRow,
  type MovedTable,
  type MovedValue,
  QuireError,
  type StoresSource,
} from "@quire/contracts";
import { Database } from "../database/database.ts";
import { monotonicMs } from "../database/machine.ts";
import { MIGRATIONS } from "../database/migrations.ts";
import { type MovedMark, markPath, readMark, writeMark } from "../database/moved-mark.ts";
import { isBusy, toQuireError } from "../database/sqlite-errors.ts";
import { Inputs } from "../inputs.ts";
import { LargeFiles } from "../templates/large-files.ts";
import { inUse } from "./holders.ts";
import { settle } from "./settle.ts";
import { countQuery, rowsQuery } from "./source-tables.ts";

/** Options of {@link sqliteSource}. */
export interface SqliteSourceOptions {
  /** The file of `sqliteStores`. It must exist. */
  readonly path: string;
}

/** Limits of {@link StoresSource.rows}. */
export interface SourceLimits {
  readonly rows: number;
  readonly bytes: number;
}

const LIMITS: SourceLimits = { rows: 1000, bytes: 4_000_000 };

/**
 * Opens the file of `sqliteStores` for a move to other stores. A file of an older release is first upgraded, as
 * `sqliteStores` does. Throws `conflict` if something else has the file open, and says which process; `not_found` if
 * the file does not exist; `invalid_request` if it is empty, is not a job store, or comes from a newer version of Quire.
 * While the source is open, nothing else can open the file. From `begin` on, nothing can open it after a restart either.
 */
export function sqliteSource(options: SqliteSourceOptions): StoresSource {
  checkOptions("sqliteSource()", options, { path: true });
  return openSource(resolve(options.path), LIMITS);
}

/** As {@link sqliteSource}, with other limits. */
export function openSource(path: string, limits: SourceLimits): StoresSource {
  assertExists(path);
  // Before the file is opened, which would upgrade it.
  const mark = readMark(path);
  if (mark !== null && mark.schema !== MIGRATIONS.length) throw otherRelease(path);
  try {
    return new SqliteSource(new Database(path, { exclusive: true }), limits);
  } catch (error) {
    throw isBusy(error) ? inUse(path) : error;
  }
}

function assertExists(path: string): void {
  try {
    statSync(path);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : null;
    // Another error, such as a missing right, does not mean that the file does not exist.
    if (code !== "ENOENT" && code !== "ENOTDIR") throw toQuireError(cause, path);
    throw new QuireError("not_found", `The job store ${JSON.stringify(path)} does not exist.`, {
      cause,
    });
  }
}

class SqliteSource implements StoresSource {
  readonly id: string;
  readonly name: string;
  readonly undo: string;
  readonly #database: Database;
  readonly #inputs: Inputs;
  readonly #large: LargeFiles;
  readonly #limits: SourceLimits;
  #mark: MovedMark | null;

  constructor(database: Database, limits: SourceLimits) {
    const mark = readMark(database.path);
    this.#database = database;
    this.#inputs = new Inputs(database);
    this.#large = new LargeFiles(database);
    this.#limits = limits;
    this.#mark = mark;
    this.id = mark?.id ?? randomUUID();
    this.name = database.path;
    this.undo = `remove the file ${JSON.stringify(markPath(database.path))}`;
  }

  get target(): string | null {
    return this.#mark?.target ?? null;
  }

  get isFinished(): boolean {
    return (this.#mark?.finishedAt ?? null) !== null;
  }

  async begin(target: string): Promise<void> {
    if (this.#mark !== null) return;
    await settle(this.#database);
    this.#write({
      id: this.id,
      target,
      schema: MIGRATIONS.length,
      clock: Date.now() - monotonicMs(),
      begunAt: new Date().toISOString(),
      finishedAt: null,
    });
  }

  count(table: MovedTable): number {
    return Number(this.#database.get(countQuery(table))?.n);
  }

  async rows(table: MovedTable, after: MovedRow | null): Promise<readonly MovedRow[]> {
    const columns = Object.keys(table.columns);
    const rows: MovedValue[][] = [];
    let bytes = 0;
    this.#database.each(
      rowsQuery(table, after === null),
      (after ?? []).slice(0, table.key) as (number | string)[],
      (row) => {
        rows.push(columns.map((column) => row[column] ?? null));
        bytes += table.name === "file" ? Number(row.size) : bytesOf(Object.values(row));
        return rows.length < this.#limits.rows && bytes < this.#limits.bytes;
      },
    );
    if (table.name === "file") return Promise.all(rows.map((row) => this.#withBytes(row)));
    return table.name === "job" ? rows.map((row) => this.#asJob(columns, row)) : rows;
  }

  /** Reads the bytes of a large file. */
  async #withBytes([sha256, size, place]: readonly MovedValue[]): Promise<MovedRow> {
    const isLarge = typeof place === "string";
    return [
      sha256 ?? null,
      size ?? null,
      isLarge ? await this.#large.read(place, Number(size)) : (place ?? null),
    ];
  }

  #asJob(columns: readonly string[], row: readonly MovedValue[]): MovedRow {
    return row.map((value, index) => {
      const column = columns[index];
      if (column === "ready_at" && value !== null) {
        return Math.round(Number(value) + (this.#mark?.clock ?? 0));
      }
      if (column !== "input_bytes") return value;
      return this.#inputs.read(Number(row[0]), Number(row[1]))?.bytes.length ?? 0;
    });
  }

  lastNumbers(): ReadonlyMap<string, number> {
    const rows = this.#database.all("SELECT name, seq FROM sqlite_sequence");
    return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]));
  }

  async finish(): Promise<void> {
    const mark = this.#mark;
    if (mark === null || this.isFinished) return;
    this.#write({ ...mark, finishedAt: new Date().toISOString() });
  }

  #write(mark: MovedMark): void {
    writeMark(this.#database.path, mark);
    this.#mark = mark;
  }

  close(): void {
    this.#database.close();
  }
}

function bytesOf(values: readonly MovedValue[]): number {
  return values.reduce<number>(
    (sum, value) => sum + (value === null || typeof value === "number" ? 8 : value.length),
    0,
  );
}

function otherRelease(path: string): QuireError {
  return new QuireError(
    "conflict",
    `The move of the job store ${JSON.stringify(path)} was begun by another release of Quire. Finish it with that release. Or give up the move: remove the file ${JSON.stringify(markPath(path))}, and do not use the rows that the move has written.`,
  );
}
