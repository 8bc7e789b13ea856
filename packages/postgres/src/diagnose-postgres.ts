import { checkOptions } from "@quire/contracts";
import type pg from "pg";
import { placeName } from "./database/connection.ts";
import { checkTransactions } from "./database/database.ts";
import {
  schemaVersion,
  serverFacts,
  serverProblem,
  unfinishedMove,
  withClient,
} from "./database/migrate.ts";
import { toQuireError } from "./database/postgres-errors.ts";
import { checkSchema } from "./database/schema-name.ts";
import { SCHEMA_STEPS } from "./schema/migrations.ts";

/** Options of {@link diagnosePostgres}. */
export interface DiagnosePostgresOptions {
  /** As in `PostgresStoresOptions`. */
  readonly url: string;
  /** As in `PostgresStoresOptions`. Default: `url`. */
  readonly directUrl?: string;
  /** As in `PostgresStoresOptions`. Default `quire`. */
  readonly schema?: string;
}

/** The result of one check. */
export interface PostgresFinding {
  /** With a problem, services do not start or do not work. */
  readonly level: "ok" | "warning" | "problem";
  /** The result in words, without a password. */
  readonly what: string;
  /** How to fix it. */
  readonly fix?: string;
}

/** Fewer free connections than this are too few for some processes. */
const FEW_CONNECTIONS = 30;
const READ_WRITE = "SELECT, INSERT, UPDATE, DELETE";

const ok = (what: string): PostgresFinding => ({ level: "ok", what });
const warning = (what: string, fix: string): PostgresFinding => ({ level: "warning", what, fix });
const problem = (what: string, fix: string): PostgresFinding => ({ level: "problem", what, fix });

/**
 * Checks whether the stores of a service can be in this database: the connection, the server, its durability, the
 * pooler, the tables and the rights. Changes nothing. Rejects only for invalid options.
 */
export async function diagnosePostgres(
  options: DiagnosePostgresOptions,
): Promise<readonly PostgresFinding[]> {
  checkOptions("diagnosePostgres()", options, { url: true, directUrl: true, schema: true });
  const { url, directUrl = url } = options;
  const schema = checkSchema(options.schema ?? "quire");
  const direct = await tried(directUrl, (client) => directFindings(client, directUrl, schema));
  if (url === directUrl) return direct;
  const pooled = await tried(url, async (client) => {
    await checkTransactions(client);
    return [ok(`connections: ${placeName(url)} allows transactions`)];
  });
  return [...direct, ...pooled];
}

/** Returns the findings of the body, or the reason why the connection or a statement failed. */
async function tried(
  url: string,
  body: (client: pg.Client) => Promise<PostgresFinding[]>,
): Promise<PostgresFinding[]> {
  const name = placeName(url);
  try {
    return await withClient(url, body);
  } catch (error) {
    return [{ level: "problem", what: toQuireError(error, name).message }];
  }
}

async function directFindings(
  client: pg.Client,
  url: string,
  schema: string,
): Promise<PostgresFinding[]> {
  const server = await serverFacts(client);
  const unusable = serverProblem(server, true);
  if (unusable !== null) return [{ level: "problem", what: unusable.message }];
  const unsafe = serverProblem(server, false);
  const durable: PostgresFinding =
    unsafe === null
      ? ok("durability: a commit is on disk, and on a synchronous standby if there are standbys")
      : { level: "problem", what: unsafe.message };
  return [
    ok(`database ${placeName(url)}: PostgreSQL ${server.name}, ${server.encoding}`),
    durable,
    ...(await settingsFindings(client)),
    await poolerFinding(client),
    ...(await schemaFindings(client, schema)),
  ];
}

async function settingsFindings(client: pg.Client): Promise<PostgresFinding[]> {
  const { rows } = await client.query(`SELECT current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS pages,
    current_setting('max_connections')::int - (SELECT count(*) FROM pg_stat_activity
      WHERE backend_type = 'client backend')::int AS free`);
  const { fsync, pages, free } = rows[0];
  const findings: PostgresFinding[] = [];
  if (fsync === "off" || pages === "off") {
    const name = fsync === "off" ? "fsync" : "full_page_writes";
    findings.push(
      problem(
        `durability: ${name} is off, so a crash of the machine can destroy the database.`,
        `Set ${name} = on.`,
      ),
    );
  }
  const room = `room: ${free} connections are free; a process of Quire uses up to 9`;
  findings.push(
    free < FEW_CONNECTIONS
      ? warning(`${room}.`, "Raise max_connections, or use PgBouncer in transaction mode.")
      : ok(room),
  );
  return findings;
}

/** A pooler sends its own process id instead of the server's. */
async function poolerFinding(client: pg.Client): Promise<PostgresFinding> {
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  const { processID } = client as pg.Client & { readonly processID?: number };
  if (rows[0].pid === processID)
    return ok("direct connection: it goes to the server without a pooler");
  await checkTransactions(client);
  return warning(
    "direct connection: it goes through a pooler. In transaction mode, other machines learn of new jobs late.",
    "Give the URL of the server itself as directUrl (--direct-database), or use a pooler in session mode there.",
  );
}

async function schemaFindings(client: pg.Client, schema: string): Promise<PostgresFinding[]> {
  const name = JSON.stringify(schema);
  const { rows } = await client.query(
    `SELECT n.oid IS NOT NULL AS exists,
       CASE WHEN n.oid IS NULL THEN has_database_privilege(current_database(), 'CREATE')
         ELSE has_schema_privilege(n.oid, 'CREATE') END AS may_create,
       n.oid IS NOT NULL AND has_schema_privilege(n.oid, 'USAGE') AS may_use
     FROM (SELECT 1) AS one LEFT JOIN pg_namespace AS n ON nspname = $1`,
    [schema],
  );
  const { exists, may_create, may_use } = rows[0];
  if (exists && !may_use) return [lacksRight(`to use the schema ${name}`)];
  const version = exists ? await schemaVersion(client, schema, SCHEMA_STEPS) : 0;
  const wanted = SCHEMA_STEPS.steps.length;
  if (version >= wanted) {
    const rights = await rightsFinding(client, schema);
    if (rights.level === "problem") return [rights];
    const move = await unfinishedMove(client, schema);
    return [
      move === null
        ? ok(`schema ${name}: has the tables of this release`)
        : problem(`The database ${move.what}`, move.fix),
      rights,
    ];
  }
  const what = `schema ${name}: ${version === 0 ? "has no tables yet" : "has the tables of an older release"}`;
  return may_create
    ? [
        ok(
          `${what}; the first start, or quire migrate, ${version === 0 ? "creates" : "updates"} them`,
        ),
      ]
    : [
        problem(
          `${what}, and this user may not create them.`,
          "Run quire migrate as a user that may create tables, with --grant-to and the name of this user.",
        ),
      ];
}

async function rightsFinding(client: pg.Client, schema: string): Promise<PostgresFinding> {
  const { rows } = await client.query(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = $1::regnamespace AND NOT relispartition AND CASE
       WHEN relkind IN ('r', 'p') THEN NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
         AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
       WHEN relkind = 'S' THEN NOT (has_sequence_privilege(oid, 'USAGE') AND has_sequence_privilege(oid, 'UPDATE'))
       ELSE false END ORDER BY relname`,
    [schema],
  );
  if (rows.length === 0) return ok("rights: this user may read and write all tables");
  const [first] = rows;
  const others = rows.length === 1 ? "" : ` and ${rows.length - 1} more tables or sequences`;
  return lacksRight(`to ${READ_WRITE} on ${first.name}${others}`);
}

function lacksRight(what: string): PostgresFinding {
  return problem(
    `rights: this user has no right ${what}.`,
    "Run quire migrate as the owner of the tables, with --grant-to and the name of this user.",
  );
}
