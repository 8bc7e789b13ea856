import type { Command } from "commander";
import { databaseOptions, directDatabaseOption } from "../options/database.ts";
import { option } from "../options/env-option.ts";
import type { MigrateOptions } from "../serve/migrate.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire migrate`: creates or updates the tables of a service in a database, and moves a data folder to it. */
export function defineMigrate(command: Command, io: CommandIo): void {
  const [, ...others] = databaseOptions(io);
  command
    .option("--from <folder>", "move the service with this data folder to the database")
    .addOption(
      option(
        io,
        "--to, --database <url>",
        "the PostgreSQL database, as postgres://…; other users of the machine can see a flag, but not the environment",
      ).makeOptionMandatory(),
    );
  for (const one of [directDatabaseOption(io), ...others]) command.addOption(one);
  command
    .option(
      "--grant-to <user>",
      "the database user of quire serve and quire work, which gets the rights that they need",
    )
    .option(
      "--json",
      "with --from: print one JSON object per line: the rows and the hash of each table, then a summary",
    )
    .action(async (options: MigrateOptions) => {
      // Loaded on demand, so that the other commands start faster.
      const { migrate } = await import("../serve/migrate.ts");
      await migrate(io, options);
    });
  withExamples(command, [
    "quire migrate --database postgres://owner@db.example/quire --grant-to quire",
    "quire migrate --from quire-data --to postgres://owner@db.example/quire",
  ]);
}
