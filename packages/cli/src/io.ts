import type { EventEmitter } from "node:events";
import { resolve } from "node:path";
import type { Renderer } from "@quire/core/host";
import { Command } from "commander";

/** The output of a command: a stream of the process, or any other writable stream. */
export type Output = NodeJS.WritableStream & {
  /** Whether a person looks at it: then progress is one line that renews itself. */
  readonly isTTY?: boolean;
  /** How wide the terminal is. */
  readonly columns?: number;
};

/** The signals that end a command in order. */
export type StopSignal = "SIGINT" | "SIGTERM";

/** What `main` has of the process that it runs in. `main` neither ends nor closes any of it. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  /**
   * Settings, passwords and places of buckets. LibreOffice, the AWS SDK and the temporary folder follow the environment
   * of the process itself.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where relative paths begin: an absolute path, or "." for the folder of the process. */
  readonly cwd: string;
  /** Emits signals, as `process` does. A service does not remove its listeners. */
  readonly signals: {
    on(signal: StopSignal, listener: () => void): unknown;
    once(signal: StopSignal, listener: () => void): unknown;
    off(signal: StopSignal, listener: () => void): unknown;
  };
  /** Ends the process at once: a service does it at the second signal. */
  exit(code: number): void;
  /** Where documents of batches are rendered; the caller closes it. Default: processes that end with the command. */
  readonly renderer?: Renderer;
  /** Gets whole lines of the log of a service. Default: standard output of the process, written at once. */
  readonly log?: { write(line: string): void };
}

/** The `Io` of one command. */
export interface CommandIo extends Io {
  /** The exit code, from `EXIT`. It is `nothingRan` for a command that throws. */
  exitCode: number;
}

/** The renderer of `io` as an option of an engine, which closes its renderers, and not this one. */
export function rendererOf({ renderer }: Pick<Io, "renderer">): { readonly renderer?: Renderer } {
  if (renderer === undefined) return {};
  return { renderer: { open: (...args) => renderer.open(...args), close: async () => {} } };
}

/** Writes a line, in one piece. */
export function writeLine(output: Output, line: string): void {
  output.write(`${line}\n`);
}

/** Resolves a path that a user gave. Messages quote the path as given. */
export function pathIn({ cwd }: Pick<Io, "cwd">, path: string): string {
  return cwd === "." ? path : resolve(cwd, path);
}

/** A command that writes where the caller wants it, and throws instead of ending the process. */
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

/** A command whose options come from the environment of the caller. Commander reads that of the process. */
class EnvCommand extends Command {
  readonly #env: Io["env"];

  constructor(name: string, env: Io["env"]) {
    super(name);
    this.#env = env;
  }

  /** In place of commander's own, which it calls when it has read the flags. */
  _parseOptionsEnv(): void {
    for (const option of this.options) {
      const value = option.envVar === undefined ? undefined : this.#env[option.envVar];
      const source = this.getOptionValueSource(option.attributeName()) ?? "default";
      if (value === undefined || source === "cli") continue;
      // Its types leave out that it is an emitter.
      (this as unknown as EventEmitter).emit(`optionEnv:${option.name()}`, value);
    }
  }
}
