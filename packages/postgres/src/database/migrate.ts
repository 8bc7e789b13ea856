import { QuireError } from "@quire/contracts";
import pg from "pg";
import { connectionConfig, type Place, SESSION_SETTINGS } from "./connection.ts";
import { inSchema } from "./schema-name.ts";

/** The oldest server version that the tests cover, as in `server_version_num`. */
const OLDEST_SERVER = 150_000;
/** The key of the advisory lock that the processes take which update the tables. */
const MIGRATE_LOCK = 0x51756972;

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
}

/**
 * Checks the server, and creates or updates the tables. Processes that do this at the same time take turns. Throws
 * `invalid_request` if the server or the tables cannot be used by this release.
 */
export async function migrate(place: Place, options: MigrateOptions): Promise<void> {
  const client = new pg.Client(connectionConfig(place.directUrl));
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(SESSION_SETTINGS);
    await checkServer(client, options.allowDataLoss);
    if (await isCurrent(client, place.schema, options.steps)) return;
    if (!options.migrate) throw outdated(place.schema);
    // Locked before the transaction begins, which then sees what other processes have committed.
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATE_LOCK]);
    if (!(await isCurrent(client, place.schema, options.steps)))
      await update(client, place.schema, options.steps);
  } finally {
    await client.end().catch(() => {});
  }
}

async function checkServer(client: pg.Client, allowDataLoss: boolean): Promise<void> {
  const { rows } = await client.query(`SELECT current_setting('server_version_num')::int AS version,
    current_setting('server_version') AS name, current_setting('server_encoding') AS encoding,
    current_setting('synchronous_commit') AS commits, pg_is_in_recovery() AS is_standby,
    current_setting('synchronous_standby_names') AS synchronous,
    (SELECT count(*) FROM pg_stat_replication WHERE state IS NULL OR state = 'streaming')
      - (SELECT count(*) FROM pg_replication_slots WHERE slot_type = 'logical' AND active) AS standbys`);
  const [server] = rows;
  if (server.version < OLDEST_SERVER) {
    throw refused(`is PostgreSQL ${server.name}. Quire needs version 15 or newer.`);
  }
  if (server.encoding !== "UTF8") {
    throw refused(`has the encoding ${server.encoding}. Create the database with ENCODING 'UTF8'.`);
  }
  if (server.is_standby) {
    throw refused("is a read-only standby. Connect to the primary.", true);
  }
  if (allowDataLoss) return;
  if (["off", "local"].includes(server.commits)) {
    throw refused(
      `has synchronous_commit = ${server.commits}, so accepted batches could be lost in a crash. Set it to on, or allow this with the option allowDataLoss.`,
    );
  }
  if (Number(server.standbys) > 0 && server.synchronous === "") {
    throw refused(
      "has standbys, but no synchronous one, so accepted batches could be lost in a failover. Set synchronous_standby_names, or allow this with the option allowDataLoss.",
    );
  }
}

/** Whether the tables are those of this release, or of a newer one with which this release can work. */
async function isCurrent(
  client: pg.Client,
  schema: string,
  { steps }: SchemaSteps,
): Promise<boolean> {
  const found = await client.query("SELECT to_regclass($1) AS version", [`${schema}.version`]);
  if (found.rows[0]?.version === null) return false;
  const { rows } = await client.query(inSchema("SELECT * FROM quire.version", schema));
  const { current = 0, oldest_compatible = 0 } = rows[0] ?? {};
  if (oldest_compatible > steps.length) {
    throw refused(
      `has tables of a newer release of Quire in the schema ${JSON.stringify(schema)}. Update Quire on this machine.`,
    );
  }
  return current >= steps.length;
}

async function update(
  client: pg.Client,
  schema: string,
  { steps, oldestCompatible }: SchemaSteps,
): Promise<void> {
  await client.query("BEGIN");
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
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
  await client.query("COMMIT");
}

function outdated(schema: string): QuireError {
  return refused(
    `has no tables of this release of Quire in the schema ${JSON.stringify(schema)}. Run \`quire migrate\`.`,
  );
}

function refused(what: string, retryable = false): QuireError {
  return new QuireError("job_store_failed", `The PostgreSQL server ${what}`, { retryable });
}
