import { QuireError } from "@quire/core/host";
import { migratePostgres } from "@quire/postgres";
import { type CommandIo, writeLine } from "../terminal/io.ts";
import { databaseInWords } from "./stores.ts";

/** Options of `quire migrate`. */
export interface MigrateOptions {
  readonly database: string;
  readonly directDatabase?: string;
  readonly databaseSchema?: string;
  /** The user that gets the rights of a service. */
  readonly grantTo?: string;
  /** A data folder, which is moved to the database. */
  readonly from?: string;
  readonly json?: true;
}

/** Creates or updates the tables in a database, moves a data folder to it, and prints the result. */
export async function migrate(io: CommandIo, options: MigrateOptions): Promise<void> {
  const { database, directDatabase = database, databaseSchema: schema, grantTo, from } = options;
  const target = {
    url: directDatabase,
    ...(schema === undefined ? {} : { schema }),
    ...(grantTo === undefined ? {} : { grantTo }),
  };
  if (from !== undefined) {
    const { move } = await import("./move.ts");
    await move(io, { from, json: options.json === true }, target);
    return;
  }
  if (options.json) {
    throw new QuireError("invalid_request", "--json needs --from: only a move has such a report.");
  }
  const { before, now } = await migratePostgres(target);
  const what =
    before === 0
      ? "The tables were created"
      : before < now
        ? "The tables were updated"
        : "The tables are already up to date";
  const granted = grantTo === undefined ? "" : ` The user ${JSON.stringify(grantTo)} may use them.`;
  writeLine(io.stderr, `${what}, in ${databaseInWords(directDatabase)}.${granted}`);
}
