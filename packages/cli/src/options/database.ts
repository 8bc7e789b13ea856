import type { Option } from "commander";
import { type Env, option, switchOption } from "./env-option.ts";

/** Creates `--data`, an option of several commands. */
export function dataOption(io: Env): Option {
  return option(
    io,
    "--data <folder>",
    "the folder for all data of the service; created if missing",
  ).default("quire-data");
}

/** Creates the options that name the database of a service, for all commands about a service. */
export function databaseOptions(io: Env): Option[] {
  return [
    option(
      io,
      "--database <url>",
      "a PostgreSQL database instead of the data folder, as postgres://…; other users of the machine can see a flag, but not the environment",
    ),
    option(
      io,
      "--database-schema <name>",
      "the schema of the tables in the database (default: quire)",
    ),
  ];
}

/** Creates `--direct-database`. */
export function directDatabaseOption(io: Env): Option {
  return option(
    io,
    "--direct-database <url>",
    "the same database without PgBouncer, if --database goes through it",
  );
}

/** Creates the options of processes that run all the time with a database. */
export function serviceDatabaseOptions(io: Env): Option[] {
  const [database, schema] = databaseOptions(io) as [Option, Option];
  return [
    database,
    directDatabaseOption(io),
    schema,
    switchOption("--no-migrate", "never create or update the tables: quire migrate does that"),
    switchOption(
      "--allow-data-loss",
      "accept a database that may lose accepted batches in a crash or a failover",
    ),
  ];
}
