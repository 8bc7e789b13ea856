import { type Command, InvalidArgumentError } from "commander";
import { withServicePlace } from "../options/serve.ts";
import type { ServicePlace } from "../serve/settings.ts";
import type { CreateOptions } from "../serve/tokens.ts";
import type { CommandIo } from "../terminal/io.ts";
import { newCommand, withExamples } from "./command.ts";

const ID = "0f8fad5b-d9cd-469f-a165-70867728950e";

/** `quire token`: manages access tokens for `quire serve`. */
export function defineToken(command: Command, io: CommandIo): void {
  command
    .addCommand(createCommand(io))
    .addCommand(
      withServicePlace(
        withExamples(newCommand("list", io), [
          "quire token list",
          "quire token list --data quire-data",
        ]).description("List the tokens without their secrets."),
        io,
      ).action(async (options: ServicePlace) => (await tokens()).printAll(io, options)),
    )
    .addCommand(
      withServicePlace(
        withExamples(newCommand("revoke", io), [
          `quire token revoke ${ID}`,
          `quire token revoke ${ID} --data quire-data`,
        ])
          .description("Revoke a token immediately.")
          .argument("<id>", "the id of the token, as shown by quire token list"),
        io,
      ).action(async (id: string, options: ServicePlace) =>
        (await tokens()).revoke(io, id, options),
      ),
    );
  withExamples(command, ["quire token create --user ann --enterprise acme", "quire token list"]);
}

function createCommand(io: CommandIo): Command {
  const command = withExamples(newCommand("create", io), [
    "quire token create --user ann --enterprise acme",
    "quire token create --user ann --enterprise acme --scopes root_readonly --expires-days 30",
  ])
    .description("Create a token and print it once; only its hash is stored.")
    .requiredOption("--user <id>", "the user of the token")
    .requiredOption(
      "--enterprise <id>",
      "the enterprise whose files and batches the token can access",
    )
    .option(
      "--scopes <list>",
      "the scopes, separated by commas (default: root_readonly,root_readwrite,manage_webhook)",
    )
    .option("--expires-days <days>", "days until the token expires (default: never)", daysOf);
  return withServicePlace(command, io).action(async (options: CreateOptions) =>
    (await tokens()).createAndPrint(io, options),
  );
}

/** Loaded on demand, so that the other commands start faster. */
function tokens() {
  return import("../serve/tokens.ts");
}

function daysOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number of days, for example 30.");
}
