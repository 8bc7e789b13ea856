import type { EventEmitter } from "node:events";
import { Command } from "commander";
import type { Io, Output } from "../terminal/io.ts";

/** A command that writes to the caller's streams, and throws instead of ending the process. */
export function newCommand(
  name: string,
  { stdout, stderr, env }: Pick<Io, "stdout" | "stderr" | "env">,
): Command {
  return new EnvCommand(name, env).exitOverride().configureOutput({
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout) as number,
    getErrHelpWidth: () => widthOf(stderr) as number,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
}

function widthOf({ isTTY, columns }: Output): number | undefined {
  return isTTY ? columns : undefined;
}

/** A command that reads options from the caller's environment. Commander itself would read `process.env`. */
class EnvCommand extends Command {
  readonly #env: Io["env"];

  constructor(name: string, env: Io["env"]) {
    super(name);
    this.#env = env;
  }

  /** Overrides the method that commander calls after it has read the flags. */
  _parseOptionsEnv(): void {
    for (const option of this.options) {
      const value = option.envVar === undefined ? undefined : this.#env[option.envVar];
      const source = this.getOptionValueSource(option.attributeName()) ?? "default";
      if (value === undefined || source === "cli") continue;
      // Commander's types do not say that a command is an emitter.
      (this as unknown as EventEmitter).emit(`optionEnv:${option.name()}`, value);
    }
  }
}
