import { manifest } from "./manifest.ts";
import { EXIT } from "./terminal/exit.ts";
import { type CommandIo, type Io, writeLine } from "./terminal/io.ts";

/**
 * Runs `quire` with these arguments, without the program name, and returns the exit code: 0 if everything was
 * generated, 1 if nothing could run, 2 if some entries have errors, 129 if its terminal was closed, 130 if another
 * signal interrupted the command. It never
 * rejects: it prints errors, including bugs, to standard error. Several calls may run in one process at the same time.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const own: CommandIo = { ...io, argv, exitCode: EXIT.completed };
  try {
    if (asksOnlyForVersion(argv)) {
      writeLine(io.stdout, manifest().version);
      return EXIT.completed;
    }
    const { runProgram } = await import("./program.ts");
    return await runProgram(argv, own);
  } catch (error) {
    const { printError } = await import("./terminal/print-error.ts");
    printError(own, error);
    return EXIT.nothingRan;
  }
}

/**
 * Whether the arguments ask only for the version. Scripts and health checks often do, and loading the argument parser
 * takes longer than the start of Node.
 */
function asksOnlyForVersion(argv: readonly string[]): boolean {
  const [first, ...others] = argv;
  return others.length === 0 && (first === "--version" || first === "-V");
}
