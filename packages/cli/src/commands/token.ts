import { type Command, InvalidArgumentError } from "commander";
import { type CommandIo, newCommand } from "../io.ts";
import { dataOption } from "../serve/settings.ts";
import type { CreateOptions, DataOptions } from "../serve/tokens.ts";

/** `quire token`: access tokens of `quire serve`. */
export function defineToken(command: Command, io: CommandIo): void {
  command
    .addCommand(
      newCommand("create", io)
        .description("Make a token and print it, this once: only its hash is kept.")
        .requiredOption("--user <id>", "whose it is")
        .requiredOption("--enterprise <id>", "the tenant whose files and batches it opens")
        .option(
          "--scopes <list>",
          "what it is good for, separated by commas (default: root_readonly,root_readwrite,manage_webhook)",
        )
        .option("--expires-days <days>", "how long it is good (default: for ever)", daysOf)
        .addOption(dataOption(io))
        .action(async (options: CreateOptions) => (await tokens()).createAndPrint(io, options)),
    )
    .addCommand(
      newCommand("list", io)
        .description("List the tokens, without the tokens themselves.")
        .addOption(dataOption(io))
        .action(async (options: DataOptions) => (await tokens()).printAll(io, options)),
    )
    .addCommand(
      newCommand("revoke", io)
        .description("End a token, at once.")
        .argument("<id>", "its id, as quire token list has it")
        .addOption(dataOption(io))
        .action(async (id: string, options: DataOptions) =>
          (await tokens()).revoke(io, id, options),
        ),
    );
}

/** Loaded only when it is needed: the other commands start sooner without it. */
function tokens() {
  return import("../serve/tokens.ts");
}

function daysOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1.");
}
