import type { Command } from "commander";
import { databaseOptions, directDatabaseOption } from "../options/database.ts";
import type { MigrateOptions } from "../serve/migrate.ts";
import type { CommandIo } from "../terminal/io.ts";
import { withExamples } from "./command.ts";

/** `quire migrate`: creates or updates the tables of a service in a database. */
export function defineMigrate(command: Command, io: CommandIo): void {
  const [database, ...others] = databaseOptions(io);
  if (database !== undefined) command.addOption(database.makeOptionMandatory());
  for (const one of [directDatabaseOption(io), ...others]) command.addOption(one);
  command
    .option(
      "--grant-to <user>",
      "the database user of quire serve and quire work, which gets the rights that they need",
    )
    .action(async (options: MigrateOptions) => {
      // Loaded on demand, so that the other commands start faster.
      const { migrate } = await import("../serve/migrate.ts");
      await migrate(io, options);
    });
  withExamples(command, [
    "quire migrate --database postgres://owner@db.example/quire",
    "quire migrate --database postgres://owner@db.example/quire --grant-to quire",
  ]);
}
