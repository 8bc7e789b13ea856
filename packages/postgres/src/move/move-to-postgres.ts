import {
  checkOptions,
  isQuireError,
  MOVED_TABLES,
  QuireError,
  type StoresSource,
} from "@quire/contracts";
import { placeName, SESSION_SETTINGS } from "../database/connection.ts";
import { withClient } from "../database/migrate.ts";
import { toQuireError } from "../database/postgres-errors.ts";
import { checkSchema } from "../database/schema-name.ts";
import { type MigratePostgresOptions, migratePostgres } from "../migrate-postgres.ts";
import { type ComparedTable, compareTable } from "./compare-table.ts";
import { copyTable } from "./copy-table.ts";
import { findMove, type Progress, recordMove, Target } from "./move-record.ts";
import { setNumbers } from "./set-numbers.ts";

/**
 * The time limit of a statement. It is higher than in a service, because a move counts the rows of large tables, and
 * sends large templates, also over a slow connection.
 */
const STATEMENT_MS = 600_000;

/** How far a move has come. */
export interface MoveProgress {
  /** All rows are first written, then compared. */
  readonly phase: "moving" | "comparing";
  /** The number of rows for which this is done, over all tables. */
  readonly done: number;
  /** The number of all rows. */
  readonly total: number;
}

/** Options of {@link moveToPostgres}. */
export interface MoveToPostgresOptions extends MigratePostgresOptions {
  /** Called at the beginning of each phase, and after each step. */
  readonly onProgress?: (progress: MoveProgress) => void;
}

/** Result of {@link moveToPostgres}. */
export interface MovedToPostgres {
  /** False if an earlier call had finished the move: nothing was done. */
  readonly moved: boolean;
  /** The tables, which are equal on both sides. Empty if nothing was done. */
  readonly tables: readonly ComparedTable[];
  /** The database and the schema in words, without user and password. */
  readonly target: string;
}

/**
 * Moves all data of the stores of a service to a database, whose tables are created if they do not exist, and compares
 * them afterwards. Ids, numbers and times remain the same. After an interruption, the next call with the same source
 * continues. Until the move is finished, `postgresStores` rejects the database. Rejects `conflict` if the database
 * contains anything else or the source was moved elsewhere, and `job_store_failed` if the server fails or the data
 * differ in the end. The caller closes the source.
 */
export async function moveToPostgres(
  source: StoresSource,
  options: MoveToPostgresOptions,
): Promise<MovedToPostgres> {
  checkOptions("moveToPostgres()", options, {
    url: true,
    schema: true,
    grantTo: true,
    onProgress: true,
  });
  const { onProgress = () => {}, ...migration } = options;
  await migratePostgres(migration);
  const { url } = options;
  const schema = checkSchema(options.schema ?? "quire");
  try {
    return await withClient(
      url,
      async (client) => {
        await client.query(`${SESSION_SETTINGS}; SET statement_timeout = ${STATEMENT_MS}`);
        return move(new Target(client, placeName(url), schema), source, onProgress);
      },
      STATEMENT_MS,
    );
  } catch (error) {
    throw continued(error, toQuireError(error, placeName(url)), source);
  }
}

async function move(
  target: Target,
  source: StoresSource,
  onProgress: (progress: MoveProgress) => void,
): Promise<MovedToPostgres> {
  const { name } = target;
  const found = await findMove(target, source);
  if (found === null) {
    await source.finish();
    return { moved: false, tables: [], target: name };
  }
  await source.begin(name);
  await recordMove(target, source);
  const total = MOVED_TABLES.reduce((sum, table) => sum + source.count(table), 0);
  let progress = found;
  onProgress({ phase: "moving", done: rowsIn(progress), total });
  await addPartitions(target, source);
  for (const table of MOVED_TABLES) {
    for await (progress of copyTable(target, source, table, progress)) {
      onProgress({ phase: "moving", done: rowsIn(progress), total });
    }
  }
  const tables: ComparedTable[] = [];
  let done = 0;
  onProgress({ phase: "comparing", done, total });
  for (const table of MOVED_TABLES) {
    const read = (rows: number): void => {
      done += rows;
      onProgress({ phase: "comparing", done, total });
    };
    tables.push(await compareTable(target, source, table, read));
  }
  await target.transaction(async () => {
    await setNumbers(target, source.lastNumbers());
    await target.all("UPDATE quire.move SET finished_at = clock_timestamp() WHERE id = $1", [
      source.id,
    ]);
  });
  await source.finish();
  return { moved: true, tables, target: name };
}

function rowsIn(progress: Progress): number {
  return Object.values(progress).reduce((sum, { rows }) => sum + rows, 0);
}

/** Adds the partitions for the numbers of all batches. */
async function addPartitions(target: Target, source: StoresSource): Promise<void> {
  await target.all(
    "SELECT quire.add_partition(p) FROM generate_series(0, $1::bigint / 10000000 + 2) AS p",
    [source.lastNumbers().get("batch") ?? 0],
  );
}

/** Adds to an error of the server that the move can be continued. */
function continued(cause: unknown, error: QuireError, source: StoresSource): QuireError {
  if (isQuireError(cause) || source.target === null) return error;
  const { code, message, retryable } = error;
  const more = "The move continues where it stopped when you run the same command again.";
  return new QuireError(code, `${message} ${more}`, { cause, retryable });
}
