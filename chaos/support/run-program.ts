import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ProgramLine, ProgramOptions } from "../program/options.ts";
import type { Place } from "./place.ts";

/** The folder in which V8 caches compiled code, because programs are started thousands of times. */
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/quire-chaos", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../program/engine-program.ts", import.meta.url));

/** Time limit of a run in milliseconds. A run that exceeds it counts as hung. */
export const RUN_LIMIT_MS = 240_000;

/** Options for the start of a program. */
export interface StartOptions {
  readonly changes?: Partial<ProgramOptions>;
  /** The beginning of the command line, before the program's own command, such as `prlimit --nofile=64`. */
  readonly wrapper?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node. */
  readonly flags?: readonly string[];
}

/** How a program ended. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether the program was killed because it took longer than {@link RUN_LIMIT_MS}. */
  readonly hung: boolean;
  readonly errors: string;
}

/** A running program. */
export interface Program {
  readonly process: ChildProcess;
  readonly pid: number;
  /** The output of the program so far. */
  readonly lines: readonly ProgramLine[];
  readonly ended: Promise<ProgramEnd>;
  /** Resolves when the program has printed a line of this type, or when it has ended. */
  said(type: ProgramLine["type"]): Promise<boolean>;
}

/** Starts the program with the folders and options of a scenario. */
export function startProgram(place: Place, options: StartOptions = {}): Program {
  const told = JSON.stringify({ ...place.options, ...options.changes });
  const own = [process.execPath, "--no-warnings", ...(options.flags ?? []), PROGRAM, told];
  const [command = "", ...rest] = [...(options.wrapper ?? []), ...own];
  const child = spawn(command, rest, {
    cwd: place.path,
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      HOME: place.path,
      TMPDIR: place.temp,
      NODE_COMPILE_CACHE: CACHE,
      ...options.env,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {});
  const lines: ProgramLine[] = [];
  const listeners = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(parse(line));
    for (const listener of [...listeners]) listener();
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  const ended = endOf(child, () => errors);
  return {
    process: child,
    pid: child.pid ?? 0,
    lines,
    ended,
    said: (type) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!lines.some((line) => line.type === type)) return;
          listeners.delete(look);
          resolve(true);
        };
        listeners.add(look);
        void ended.then(() => resolve(lines.some((line) => line.type === type)));
        look();
      }),
  };
}

/** Runs the program until it ends. */
export async function runProgram(
  place: Place,
  options: StartOptions = {},
): Promise<ProgramEnd & { readonly lines: readonly ProgramLine[] }> {
  const program = startProgram(place, options);
  return { ...(await program.ended), lines: program.lines };
}

/** Describes the end of a run in a report. */
export function endInWords({ code, signal, hung, errors }: ProgramEnd): string {
  const how = hung ? "hung" : signal === null ? `exit code ${code}` : `signal ${signal}`;
  return errors === "" ? how : `${how}; ${errors.trim().split("\n").slice(-3).join(" | ")}`;
}

async function endOf(child: ChildProcess, errors: () => string): Promise<ProgramEnd> {
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, RUN_LIMIT_MS);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  return { code, signal, hung, errors: errors() };
}

/** Parses a line of output. The last line of a program that was killed may be incomplete. */
function parse(line: string): ProgramLine {
  try {
    return JSON.parse(line) as ProgramLine;
  } catch {
    return { type: "error", code: "cut", message: line };
  }
}
