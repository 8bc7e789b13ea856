import { QuireError } from "@quire/contracts";
import pg from "pg";
import { connectionConfig, type Place, SESSION_SETTINGS } from "./connection.ts";
import { inSchema } from "./schema-name.ts";

/** The oldest server version that the tests cover, as in `server_version_num`. */
const OLDEST_SERVER = 150_000;
/** The key of the advisory lock that the processes take which update the tables. */
const MIGRATE_LOCK = 0x51756972;

/** The time limit of each statement that updates the tables, and of its answer. */
const UPDATE_MS = 60_000;
const UPDATE_ANSWER_MS = UPDATE_MS + 5000;

/** The statements that lead from an empty schema to the one of this release. */
export interface SchemaSteps {
  readonly steps: readonly string[];
  /** How many steps a release must have at least that works on the tables of this release. */
  readonly oldestCompatible: number;
}

/** Options of {@link migrate}. */
export interface MigrateOptions {
  readonly steps: SchemaSteps;
  /** Whether to create and update the tables. */
  readonly migrate: boolean;
  /** Whether a server with asynchronous standbys, or without synchronous commits, is accepted. */
  readonly allowDataLoss: boolean;
  /** Whether tables into which an unfinished move writes are accepted. Default false. */
  readonly allowMove?: boolean;
}

/** The numbers of the schema before and after {@link migrate}; 0 if there were no tables. */
export interface Migrated {
  readonly before: number;
  readonly now: number;
}

/**
 * Checks the server, and creates or updates the tables. Processes that do this at the same time take turns. Throws
 * `job_store_failed` if the server or the tables cannot be used by this release.
 */
export async function migrate(place: Place, options: MigrateOptions): Promise<Migrated> {
  const { schema } = place;
  const { steps } = options;
  const check = async (client: pg.Client): Promise<Migrated> => {
    await client.query(`${SESSION_SETTINGS}; SET statement_timeout = ${UPDATE_MS}`);
    const problem = serverProblem(await serverFacts(client), options.allowDataLoss);
    if (problem !== null) throw problem;
    const before = await schemaVersion(client, schema, steps);
    if (before > 0 && !options.allowMove) await assertNoMove(client, schema);
    if (before >= steps.steps.length) return { before, now: before };
    if (!options.migrate) throw outdated(schema, before);
    // A lock of the transaction also works if a pooler gives each transaction another connection.
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
    await client.query("SELECT pg_advisory_xact_lock($1)", [MIGRATE_LOCK]);
    const current = await schemaVersion(client, schema, steps);
    if (current < steps.steps.length) await update(client, schema, steps);
    await client.query("COMMIT");
    return { before, now: steps.steps.length };
  };
  return withClient(place.directUrl, check, UPDATE_ANSWER_MS);
}

/** Connects, calls the body, and disconnects. `answerMs`: after this time, an unanswered statement counts as lost. */
export async function withClient<T>(
  url: string,
  body: (client: pg.Client) => Promise<T>,
  answerMs?: number,
): Promise<T> {
  const client = new pg.Client(connectionConfig(url, answerMs));
  client.on("error", () => {});
  await client.connect();
  try {
    return await body(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** What {@link serverProblem} judges. */
export interface ServerFacts {
  /** As in `server_version_num`. */
  readonly version: number;
  readonly name: string;
  readonly encoding: string;
  /** `synchronous_commit`. */
  readonly commits: string;
  readonly is_standby: boolean;
  /** `synchronous_standby_names`. */
  readonly synchronous: string;
  /** The number of standbys. */
  readonly standbys: number;
}

/** Reads what the server is and how durable its commits are. */
export async function serverFacts(client: pg.Client): Promise<ServerFacts> {
  const { rows } = await client.query(`SELECT current_setting('server_version_num')::int AS version,
    current_setting('server_version') AS name, current_setting('server_encoding') AS encoding,
    current_setting('synchronous_commit') AS commits, pg_is_in_recovery() AS is_standby,
    current_setting('synchronous_standby_names') AS synchronous,
    (SELECT count(*) FROM pg_stat_replication WHERE state IS NULL OR state = 'streaming')
      - (SELECT count(*) FROM pg_replication_slots WHERE slot_type = 'logical' AND active) AS standbys`);
  return { ...rows[0], standbys: Number(rows[0].standbys) };
}

/** Returns why the server cannot be used; null if it can. */
export function serverProblem(server: ServerFacts, allowDataLoss: boolean): QuireError | null {
  if (server.version < OLDEST_SERVER) {
    return refused(`is PostgreSQL ${server.name}. Quire needs version 15 or newer.`);
  }
  if (server.encoding !== "UTF8") {
    return refused(
      `has the encoding ${server.encoding}. Create the database with ENCODING 'UTF8'.`,
    );
  }
  if (server.is_standby) return standbyProblem();
  if (allowDataLoss) return null;
  if (["off", "local"].includes(server.commits)) {
    return refused(
      `has synchronous_commit = ${server.commits}, so accepted batches could be lost in a crash. Set it to on, or accept this with allowDataLoss (--allow-data-loss).`,
    );
  }
  if (server.standbys > 0 && server.synchronous === "") {
    return refused(
      "has standbys, but no synchronous one, so accepted batches could be lost in a failover. Set synchronous_standby_names, or accept this with allowDataLoss (--allow-data-loss).",
    );
  }
  return null;
}

/** Whether the server is a standby. */
export async function isStandby(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query("SELECT pg_is_in_recovery() AS is_standby");
  return rows[0].is_standby;
}

/** Why a standby cannot be used. */
export function standbyProblem(): QuireError {
  return refused(
    "is a read-only standby. Connect to the primary, for example with a URL that names it, or promote the standby.",
    true,
  );
}

/**
 * Returns the number of the schema; 0 without tables. Throws if it belongs to a newer release with which this release
 * cannot work.
 */
export async function schemaVersion(
  client: pg.Client,
  schema: string,
  { steps }: SchemaSteps,
): Promise<number> {
  const found = await client.query("SELECT to_regclass($1) AS version", [`${schema}.version`]);
  if (found.rows[0]?.version === null) return 0;
  const { rows } = await client.query(inSchema("SELECT * FROM quire.version", schema));
  const { current = 0, oldest_compatible = 0 } = rows[0] ?? {};
  if (oldest_compatible > steps.length) {
    throw refused(
      `has tables of a newer release of Quire in the schema ${JSON.stringify(schema)}. Update Quire on this machine.`,
    );
  }
  return current;
}

/** Throws if a move into the tables is unfinished, or was given up. */
async function assertNoMove(client: pg.Client, schema: string): Promise<void> {
  const found = await unfinishedMove(client, schema);
  if (found !== null) throw refused(`${found.what} ${found.fix}`);
}

/** Describes an unfinished move into the tables; null if no move is unfinished. */
export async function unfinishedMove(
  client: pg.Client,
  schema: string,
): Promise<{ readonly what: string; readonly fix: string } | null> {
  const { rows } = await client.query(
    inSchema("SELECT source FROM quire.move WHERE finished_at IS NULL", schema),
  );
  if (rows.length === 0) return null;
  return {
    what: `has an unfinished move of ${JSON.stringify(rows[0].source)} in the schema ${JSON.stringify(schema)}.`,
    fix: `Finish it with \`quire migrate --from\`. If it was given up: DROP SCHEMA ${schema} CASCADE.`,
  };
}

async function update(
  client: pg.Client,
  schema: string,
  { steps, oldestCompatible }: SchemaSteps,
): Promise<void> {
  // An existing schema may belong to somebody else, who lets this user create tables in it.
  const known = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  if (known.rows.length === 0) await client.query(`CREATE SCHEMA ${schema}`);
  await client.query(
    inSchema(
      "CREATE TABLE IF NOT EXISTS quire.version (current int NOT NULL, oldest_compatible int NOT NULL)",
      schema,
    ),
  );
  const { rows } = await client.query(inSchema("SELECT current FROM quire.version", schema));
  const current = rows[0]?.current ?? 0;
  for (const sql of steps.slice(current)) await client.query(inSchema(sql, schema));
  await client.query(inSchema("DELETE FROM quire.version", schema));
  await client.query(
    inSchema(`INSERT INTO quire.version VALUES (${steps.length}, ${oldestCompatible})`, schema),
  );
}

function outdated(schema: string, version: number): QuireError {
  const name = JSON.stringify(schema);
  const what =
    version === 0
      ? `has no tables of Quire in the schema ${name}.`
      : `has tables of an older release of Quire in the schema ${name}.`;
  return refused(`${what} Run \`quire migrate\` as a user that may create tables.`);
}

function refused(what: string, retryable = false): QuireError {
  return new QuireError("job_store_failed", `The PostgreSQL server ${what}`, { retryable });
}
