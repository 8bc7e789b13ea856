import { migratePostgres } from "@quire/postgres";
import { type Io, writeLine } from "../terminal/io.ts";
import { databaseInWords } from "./stores.ts";

/** Options of `quire migrate`. */
export interface MigrateOptions {
  readonly database: string;
  readonly directDatabase?: string;
  readonly databaseSchema?: string;
  /** The user that gets the rights of a service. */
  readonly grantTo?: string;
}

/** Creates or updates the tables in a database, and prints the result. */
export async function migrate(io: Io, options: MigrateOptions): Promise<void> {
  const { database, directDatabase = database, databaseSchema: schema, grantTo } = options;
  const { before, now } = await migratePostgres({
    url: directDatabase,
    ...(schema === undefined ? {} : { schema }),
    ...(grantTo === undefined ? {} : { grantTo }),
  });
  const what =
    before === 0
      ? "The tables were created"
      : before < now
        ? "The tables were updated"
        : "The tables are already up to date";
  const granted = grantTo === undefined ? "" : ` The user ${JSON.stringify(grantTo)} may use them.`;
  writeLine(io.stderr, `${what}, in ${databaseInWords(directDatabase)}.${granted}`);
}
