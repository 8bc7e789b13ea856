import { createHash } from "node:crypto";
import { jobStoreProblems } from "@quire/contracts";
import pg from "pg";
import { connectionConfig, type Place, placeName, SESSION_SETTINGS } from "./connection.ts";
import { isStandby, type MigrateOptions, migrate, standbyProblem, withClient } from "./migrate.ts";
import {
  isDiskFull,
  isOfStatement,
  isRepeatable,
  isUnprepared,
  noWrites,
  toQuireError,
} from "./postgres-errors.ts";
import { inSchema } from "./schema-name.ts";

// biome-ignore lint/suspicious/noExplicitAny: each statement determines the columns of its rows.
export type Row = Record<string, any>;

/** Runs statements: the database, or a connection within a transaction. In a statement, `quire.` is the schema. */
export interface Runner {
  /** Returns all rows. */
  all(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** How long a disk counts as full after a write has failed. The next write then shows whether it still is. */
const FULL_MS = 15_000;
/** How often a transaction is tried that failed because of others. */
const TRIES = 5;

/** Options of a {@link Database}. */
export interface DatabaseOptions extends MigrateOptions {
  /** Maximum number of connections of the pool. */
  readonly connections: number;
}

/**
 * A pool of connections. The first statement checks the server and the tables. All methods reject `job_store_failed` if
 * the server fails.
 */
export class Database implements Runner {
  readonly place: Place;
  /** Host, port and database, for messages. */
  readonly name: string;
  readonly #options: DatabaseOptions;
  readonly #pool: pg.Pool;
  #checked: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  /** The names of the statements that the server prepares, by their text. */
  readonly #names = new Map<string, string>();
  /** Whether each connection prepares its statements, so that the server plans each of them only a few times. */
  #prepares: boolean;
  /** The monotonic time in milliseconds until which the disk of the server counts as full. */
  #fullUntil = 0;

  constructor(place: Place, options: DatabaseOptions) {
    this.place = place;
    this.name = placeName(place.url);
    this.#options = options;
    // A pooler may run the next statement on another connection of the server.
    this.#prepares = place.url === place.directUrl;
    this.#pool = new pg.Pool({
      ...connectionConfig(place.url),
      max: options.connections,
      onConnect: async (client) => {
        // Without a listener, the error of a connection in use would end the process. Its statement fails, too.
        client.on("error", () => {});
        await client.query(SESSION_SETTINGS);
        // A pool would keep a connection to a standby for as long as it is used.
        if (await isStandby(client)) throw standbyProblem();
      },
    });
    this.#pool.on("error", () => {});
  }

  async all(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    await this.check();
    return this.#repeat(async () => {
      const client = await this.#pool.connect();
      try {
        const { rows } = await client.query(this.#statement(sql, values));
        client.release();
        return rows;
      } catch (error) {
        client.release(!isOfStatement(error));
        throw error;
      }
    });
  }

  async get(sql: string, values: readonly unknown[] = []): Promise<Row | undefined> {
    return (await this.all(sql, values))[0];
  }

  /** Runs the body in a transaction, again if it fails because of other transactions. */
  async transaction<T>(body: (runner: Runner) => Promise<T>): Promise<T> {
    await this.check();
    return this.#repeat(async () => {
      const client = await this.#pool.connect();
      try {
        await client.query("BEGIN");
        const result = await body({
          all: async (text, values = []) =>
            (await client.query(this.#statement(text, values))).rows,
        });
        await client.query("COMMIT");
        client.release();
        return result;
      } catch (error) {
        const rolledBack = await client.query("ROLLBACK").then(
          () => true,
          () => false,
        );
        client.release(!rolledBack);
        throw error;
      }
    });
  }

  /** Throws if the server would reject writes: it reported that it is read-only, or its disk was full a moment ago. */
  assertWritable({ isReadOnly }: { readonly isReadOnly: boolean }): void {
    if (isReadOnly) throw noWrites(this.name, "read-only");
    if (performance.now() < this.#fullUntil) throw noWrites(this.name, "full");
  }

  /** Closes all connections. Closing twice is not an error. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  /** Checks the server, and creates or updates the tables if they are not of this release. */
  async check(): Promise<void> {
    if (this.#closing !== null) throw jobStoreProblems.closed();
    this.#checked ??= this.#check().catch((error) => {
      this.#checked = null;
      throw toQuireError(error, this.name);
    });
    await this.#checked;
  }

  async #check(): Promise<void> {
    const { url, directUrl } = this.place;
    await migrate(this.place, this.#options);
    if (url !== directUrl) await withClient(url, checkTransactions);
  }

  async #repeat<T>(body: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await body();
      } catch (error) {
        if (this.#closing !== null) throw jobStoreProblems.closed();
        if (tries < TRIES && isRepeatable(error)) continue;
        if (this.#prepares && isUnprepared(error)) {
          this.#prepares = false;
          continue;
        }
        if (isDiskFull(error)) this.#fullUntil = performance.now() + FULL_MS;
        throw toQuireError(error, this.name);
      }
    }
  }

  #statement(sql: string, values: readonly unknown[]): pg.QueryConfig {
    const text = inSchema(sql, this.place.schema);
    if (!this.#prepares) return { text, values: [...values] };
    let name = this.#names.get(text);
    if (name === undefined) {
      name = statementName(text);
      this.#names.set(text, name);
    }
    return { name, text, values: [...values] };
  }
}

/**
 * Returns the name of a prepared statement. Every process gives a text the same name, so a pooler that changes the
 * connection cannot run another statement.
 */
function statementName(text: string): string {
  return `quire_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
}

/** Rejects if the connection leads to a pooler that allows no transactions. */
export async function checkTransactions(client: pg.Client): Promise<void> {
  await client.query("BEGIN");
  await client.query("COMMIT");
}
