import { type Command, InvalidArgumentError } from "commander";
import { dataOption } from "../options/serve.ts";
import type { CreateOptions, DataOptions } from "../serve/tokens.ts";
import type { CommandIo } from "../terminal/io.ts";
import { newCommand } from "./command.ts";

/** `quire token`: manages access tokens for `quire serve`. */
export function defineToken(command: Command, io: CommandIo): void {
  command
    .addCommand(
      newCommand("create", io)
        .description("Create a token and print it once; only its hash is stored.")
        .requiredOption("--user <id>", "the user of the token")
        .requiredOption(
          "--enterprise <id>",
          "the tenant whose files and batches the token can access",
        )
        .option(
          "--scopes <list>",
          "the scopes, separated by commas (default: root_readonly,root_readwrite,manage_webhook)",
        )
        .option("--expires-days <days>", "days until the token expires (default: never)", daysOf)
        .addOption(dataOption(io))
        .action(async (options: CreateOptions) => (await tokens()).createAndPrint(io, options)),
    )
    .addCommand(
      newCommand("list", io)
        .description("List the tokens without their secrets.")
        .addOption(dataOption(io))
        .action(async (options: DataOptions) => (await tokens()).printAll(io, options)),
    )
    .addCommand(
      newCommand("revoke", io)
        .description("Revoke a token immediately.")
        .argument("<id>", "the id of the token, as shown by quire token list")
        .addOption(dataOption(io))
        .action(async (id: string, options: DataOptions) =>
          (await tokens()).revoke(io, id, options),
        ),
    );
}

/** Loaded on demand, so that the other commands start faster. */
function tokens() {
  return import("../serve/tokens.ts");
}

function daysOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a positive integer.");
}
