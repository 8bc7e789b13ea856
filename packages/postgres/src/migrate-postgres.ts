import { checkOptions, QuireError } from "@quire/contracts";
import { placeName } from "./database/connection.ts";
import { migrate, withClient } from "./database/migrate.ts";
import { toQuireError } from "./database/postgres-errors.ts";
import { checkSchema } from "./database/schema-name.ts";
import { SCHEMA_STEPS } from "./schema/migrations.ts";

/** Options of {@link migratePostgres}. */
export interface MigratePostgresOptions {
  /** The database, for a user that may create tables in it. Not through PgBouncer. */
  readonly url: string;
  /** The schema. It is created if it does not exist. Default `quire`. */
  readonly schema?: string;
  /**
   * The user of the services, which gets the rights that they need: to use the schema, and to read and write its
   * tables. Default: none; the services then connect as the owner of the tables.
   */
  readonly grantTo?: string;
}

/** Result of {@link migratePostgres}. */
export interface MigratedPostgres {
  /** The number of the schema that was found; 0 if there were no tables. */
  readonly before: number;
  /** The number of the schema of this release, or of a newer one that was found. */
  readonly now: number;
}

/**
 * Creates the tables of `postgresStores`, or updates the tables of an older release. If they are current, it changes
 * nothing. Rejects `job_store_failed` if the server refuses it, and `invalid_request` for invalid options.
 */
export async function migratePostgres(options: MigratePostgresOptions): Promise<MigratedPostgres> {
  checkOptions("migratePostgres()", options, { url: true, schema: true, grantTo: true });
  const { url, grantTo } = options;
  const schema = checkSchema(options.schema ?? "quire");
  if (grantTo === "") {
    throw new QuireError("invalid_request", "The user that gets the rights must have a name.");
  }
  const name = placeName(url);
  try {
    const place = { url, directUrl: url, schema };
    // The schema does not depend on how durable commits are. The services check that, and unfinished moves.
    const done = await migrate(place, {
      steps: SCHEMA_STEPS,
      migrate: true,
      allowDataLoss: true,
      allowMove: true,
    });
    if (grantTo !== undefined) await grant(url, schema, grantTo);
    return done;
  } catch (error) {
    throw toQuireError(error, name);
  }
}

async function grant(url: string, schema: string, user: string): Promise<void> {
  const role = `"${user.replaceAll('"', '""')}"`;
  await withClient(url, async (client) => {
    // All or nothing. New partitions need no rights: they are used through their parents.
    await client.query(`BEGIN;
      GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
      GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role};
      COMMIT`);
  });
}
