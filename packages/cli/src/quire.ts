import { readFileSync } from "node:fs";
import { type Command, CommanderError } from "commander";
import { COMMANDS } from "./commands.ts";
import { EXIT } from "./exit.ts";
import { type CommandIo, type Io, newCommand } from "./io.ts";

/**
 * Runs `quire` with these arguments, without the program name, and returns the exit code: 0 if everything was made, 1 if
 * nothing could run, 2 if some entries have errors, 130 if a signal stopped it. It never rejects: it prints errors,
 * including bugs, to standard error. Several calls may run in one process at the same time.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const own: CommandIo = { ...io, exitCode: EXIT.completed };
  try {
    const program = await programFor(argv, own);
    await program.parseAsync(argv, { from: "user" });
    return own.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    const { printError } = await import("./terminal/problems.ts");
    printError(own, error);
    return EXIT.nothingRan;
  }
}

/** Loads only the commands that the arguments may name. Loading one takes longer than printing the whole help. */
async function programFor(argv: readonly string[], io: CommandIo): Promise<Command> {
  const { version, description } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  ) as { version: string; description: string };
  const program = newCommand("quire", io)
    .description(description)
    .version(version)
    .showHelpAfterError("(quire --help lists the commands)");
  const named = new Set(argv);
  for (const { name, takes, description, load } of COMMANDS) {
    const command = newCommand(name, io).description(description);
    if (named.has(name)) (await load())(command, io);
    else command.usage(takes);
    program.addCommand(command);
  }
  const takes = new Map(COMMANDS.map((each) => [each.name, each.takes]));
  const { subcommandTerm } = program.createHelp();
  return program.configureHelp({
    subcommandTerm: (command) =>
      takes.has(command.name())
        ? `${command.name()} ${takes.get(command.name())}`.trimEnd()
        : subcommandTerm(command),
  });
}
