import { QuireError, type StoresSource } from "@quire/contracts";
import type pg from "pg";
import { inSchema } from "../database/schema-name.ts";

/** How far a table has been moved. */
export interface TableProgress {
  readonly rows: number;
  /** The key of the last row; null before the first one. */
  readonly after: readonly (number | string)[] | null;
  readonly done: boolean;
}

/** How far a move has come, by table. */
export type Progress = Readonly<Record<string, TableProgress>>;

/** A connection, with the schema of the stores. */
export class Target {
  /** Host, port and database, and the schema, for messages. */
  readonly name: string;
  readonly #client: pg.Client;
  readonly #schema: string;

  constructor(client: pg.Client, place: string, schema: string) {
    this.#client = client;
    this.#schema = schema;
    this.name = `the database ${place}, schema ${schema}`;
  }

  /** The schema, for statements that name it in a value. */
  get schema(): string {
    return this.#schema;
  }

  // biome-ignore lint/suspicious/noExplicitAny: each statement determines the columns of its rows.
  async all(sql: string, values: readonly unknown[] = []): Promise<Record<string, any>[]> {
    return (await this.#client.query(inSchema(sql, this.#schema), [...values])).rows;
  }

  /** Runs the body in a transaction. After an error, the connection is closed, which undoes the transaction. */
  async transaction(body: () => Promise<void>): Promise<void> {
    await this.#client.query("BEGIN");
    await body();
    await this.#client.query("COMMIT");
  }
}

/** Tables that contain rows before anything is stored. */
const ALWAYS = ["version", "partition", "move", "waiting", "catalog_sweep"];

/**
 * Returns the progress of the move, or null if it is finished. Rejects `conflict` if the schema contains anything that
 * this move has not written.
 */
export async function findMove(target: Target, source: StoresSource): Promise<Progress | null> {
  // Waits for the last transaction of a process that was killed.
  const [move] = await target.all(
    "SELECT progress, finished_at FROM quire.move WHERE id = $1 FOR UPDATE",
    [source.id],
  );
  if (move !== undefined) return move.finished_at === null ? JSON.parse(move.progress) : null;
  if (source.target !== null && source.target !== target.name) {
    throw new QuireError(
      "conflict",
      `${JSON.stringify(source.name)} is being moved, or was moved, to ${source.target}. Use that database. To give up that move instead, do not use the rows that it has written, and ${source.undo}.`,
    );
  }
  if (source.isFinished) {
    throw new QuireError(
      "conflict",
      `${JSON.stringify(source.name)} was moved to ${target.name}, but this database has no record of the move. If it lost its data, restore its backup. To move the old data again, ${source.undo}.`,
    );
  }
  await assertEmpty(target);
  return {};
}

async function assertEmpty(target: Target): Promise<void> {
  const tables = await target.all(
    `SELECT quote_ident(relname) AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> ALL($2) ORDER BY relname`,
    [target.schema, ALWAYS],
  );
  const filled: string[] = [];
  for (const { name } of tables) {
    const [row] = await target.all(`SELECT EXISTS (SELECT FROM quire.${name}) AS filled`);
    if (row?.filled) filled.push(name);
  }
  const [other] = await target.all("SELECT source FROM quire.move LIMIT 1");
  if (filled.length === 0 && other === undefined) return;
  throw new QuireError(
    "conflict",
    filled.includes("worker")
      ? `A service or a worker uses ${target.name}. Stop it, and use an empty database or another schema (--database-schema).`
      : `There are data in ${target.name} that do not come from this move (${other === undefined ? `in ${filled.slice(0, 5).join(", ")}` : `a move of ${JSON.stringify(other.source)}`}). Use an empty database or another schema (--database-schema). If nobody needs them, remove them: DROP SCHEMA ${target.schema} CASCADE.`,
  );
}

/** Says how to give up the move and begin it again. */
export function howToStartAgain({ schema }: Target, { undo }: StoresSource): string {
  return `To start again, run DROP SCHEMA ${schema} CASCADE, and ${undo}.`;
}

/** Records that the move has begun, unless it is recorded. Throws `conflict` if another move was faster. */
export async function recordMove(target: Target, source: StoresSource): Promise<void> {
  await target.all("INSERT INTO quire.move (id, source) VALUES ($1, $2) ON CONFLICT DO NOTHING", [
    source.id,
    source.name,
  ]);
  const [other] = await target.all("SELECT source FROM quire.move WHERE id <> $1", [source.id]);
  if (other === undefined) return;
  throw new QuireError(
    "conflict",
    `A move of ${JSON.stringify(other.source)} to ${target.name} has just begun. Nothing of ${JSON.stringify(source.name)} was moved. To move it elsewhere or use it again, ${source.undo}.`,
  );
}

/**
 * Changes the progress of the move, within a transaction. Throws `conflict` if another process has changed it: both
 * would write the same rows.
 */
export async function recordProgress(
  target: Target,
  source: StoresSource,
  before: Progress,
  now: Progress,
): Promise<void> {
  const changed = await target.all(
    "UPDATE quire.move SET progress = $3 WHERE id = $1 AND progress = $2 RETURNING id",
    [source.id, JSON.stringify(before), JSON.stringify(now)],
  );
  if (changed.length === 1) return;
  throw new QuireError(
    "conflict",
    `Another process is moving a copy of ${JSON.stringify(source.name)} to ${target.name}. Stop one of the two.`,
  );
}
