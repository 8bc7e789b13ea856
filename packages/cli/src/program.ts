import { type Command, CommanderError } from "commander";
import { newCommand, UsageError } from "./commands/command.ts";
import { COMMANDS } from "./commands.ts";
import { manifest } from "./manifest.ts";
import { EXIT } from "./terminal/exit.ts";
import { type CommandIo, writeLine } from "./terminal/io.ts";

/** Runs the command that the arguments name, and returns the exit code. Rejects with the errors of the command. */
export async function runProgram(argv: readonly string[], io: CommandIo): Promise<number> {
  const program = await programFor(argv, io);
  try {
    await program.parseAsync(argv, { from: "user" });
    return io.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof UsageError)) throw error;
    const { describeMistake } = await import("./commands/describe-mistake.ts");
    for (const line of await describeMistake(error, { argv, io, listed: COMMANDS })) {
      writeLine(io.stderr, line);
    }
    return EXIT.nothingRan;
  }
}

/**
 * Loads only the commands that the arguments may name, because loading a command takes longer than printing the whole
 * help.
 */
async function programFor(argv: readonly string[], io: CommandIo): Promise<Command> {
  const { version, description } = manifest();
  const program = newCommand("quire", io).description(description).version(version);
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
