import { resolve } from "node:path";
import type { Renderer } from "@quire/core/host";

/** The output of a command: a stream of the process, or any other writable stream. */
export type Output = NodeJS.WritableStream & {
  /** Whether the output is a terminal. If so, progress is one line that is updated in place. */
  readonly isTTY?: boolean;
  /** The width of the terminal. */
  readonly columns?: number;
};

/** The signals that stop a command gracefully. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** The parts of the process that `main` uses. `main` does not close them. */
export interface Io {
  /** Entries for `--data -`. Default: none. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Receives results, which a caller may pipe into another program. */
  readonly stdout: Output;
  /** Receives messages, progress and reports. */
  readonly stderr: Output;
  /**
   * Environment variables: settings, passwords and bucket endpoints. LibreOffice, the AWS SDK and the temporary folder
   * use `process.env` instead.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder for relative paths: an absolute path, or "." for the working directory of the process. */
  readonly cwd: string;
  /** Emits signals, as `process` does. A service does not remove its listeners. */
  readonly signals: {
    /** Calls the listener for each signal. */
    on(signal: StopSignal, listener: () => void): unknown;
    /** Removes a listener. Removing an unknown listener is not an error. */
    off(signal: StopSignal, listener: () => void): unknown;
  };
  /**
   * Resolves when the process that started this one has ended or wants it to end: it has closed the IPC channel between
   * them. Without a channel, it never does. Default: never.
   */
  parentEnds?(): Promise<void>;
  /** Ends the process immediately. `serve` and `convert` call it on the second signal. */
  exit(code: number): void;
  /** Renders the documents of batches. The caller closes it. Default: processes that end with the command. Not used with `--svg-fonts`. */
  readonly renderer?: Renderer;
  /** Receives the log of a service in whole lines. Default: standard output of the process, unbuffered. */
  readonly log?: {
    /** Takes one line with its line break. Must not throw. */
    write(line: string): void;
  };
}

/** The `Io` of one command. */
export interface CommandIo extends Io {
  /** The arguments, without the program name. */
  readonly argv: readonly string[];
  /** The exit code, from `EXIT`. If a command throws, the code is `nothingRan`. */
  exitCode: number;
}

/**
 * Returns the renderer of `io` as an engine option. Its `close` does nothing, because the caller of `main` closes it.
 */
export function rendererOf({ renderer }: Pick<Io, "renderer">): { readonly renderer?: Renderer } {
  if (renderer === undefined) return {};
  return { renderer: { open: (...args) => renderer.open(...args), close: async () => {} } };
}

/** Writes a line in one call. */
export function writeLine(output: Output, line: string): void {
  output.write(`${line}\n`);
}

/** Resolves a path that the user typed. Messages quote the path as typed. */
export function pathIn({ cwd }: Pick<Io, "cwd">, path: string): string {
  return cwd === "." ? path : resolve(cwd, path);
}
