import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { variableOf } from "../options/env-option.ts";
import { withWorkOptions } from "../options/work.ts";
import { type Io, writeLine } from "../terminal/io.ts";
import type { Settings } from "./settings.ts";

/** The processes of `quire serve --workers`. */
export interface Workers {
  /** Lets the workers finish their documents, within the time of `--grace`, and waits until they have ended. */
  stop(): Promise<void>;
}

/** What workers are started with. */
export interface WorkersOptions {
  readonly settings: Settings;
  /** Whether they make PDFs. */
  readonly pdf: boolean;
}

const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../main.ts" : "../main.js", import.meta.url),
);
/** The pause before a worker that ended is started again. It doubles each time, and starts over after a long life. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;
const LONG_LIFE_MS = 60_000;
/** How much longer than `--grace` a worker may take to end. */
const END_MS = 10_000;

/**
 * Starts the workers, and starts each one again when it ends by itself. They end with this process, even if it is
 * killed: each one watches its channel to this process.
 */
export function startWorkers(io: Io, command: Command, options: WorkersOptions): Workers {
  const { workers = 0, grace } = options.settings;
  const env = environmentOf(io, command, options);
  const stopping = new AbortController();
  const running = Array.from({ length: workers }, () =>
    keepRunning(io, stopping.signal, () => startOne(io, env, stopping.signal, grace)),
  );
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function keepRunning(
  io: Io,
  stopping: AbortSignal,
  start: () => Promise<string>,
): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  while (!stopping.aborted) {
    const startedAt = performance.now();
    const how = await start();
    if (stopping.aborted) return;
    if (performance.now() - startedAt > LONG_LIFE_MS) pause = FIRST_PAUSE_MS;
    writeLine(
      io.stderr,
      `A worker ended unexpectedly (${how}). It is started again in ${pause / 1000} seconds; its documents are made again.`,
    );
    await wait(pause, undefined, { signal: stopping }).catch(() => {});
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
}

/** Runs a worker. Resolves with the way in which it ended. */
function startOne(
  io: Io,
  env: NodeJS.ProcessEnv,
  stopping: AbortSignal,
  grace: number,
): Promise<string> {
  const child = fork(PROGRAM, ["work"], {
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    ...(io.cwd === "." ? {} : { cwd: io.cwd }),
  });
  const kill = (): void => void child.kill("SIGKILL");
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (child.connected) child.disconnect();
    timer = setTimeout(kill, grace * 1000 + END_MS);
  };
  stopping.addEventListener("abort", stop);
  // A second signal ends this process immediately, and the workers with it.
  process.once("exit", kill);
  return ended(child).finally(() => {
    clearTimeout(timer);
    stopping.removeEventListener("abort", stop);
    process.off("exit", kill);
  });
}

function ended(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

/**
 * The environment of the workers: their settings as variables, because every user of the machine can see arguments. They
 * get no tokens and no keys.
 */
function environmentOf(
  io: Io,
  command: Command,
  { settings, pdf }: WorkersOptions,
): NodeJS.ProcessEnv {
  const { workers = 1, processes = Math.max(1, Math.floor(availableParallelism() / workers)) } =
    settings;
  const others = Object.entries({ ...process.env, ...io.env }).filter(
    ([name]) => !name.startsWith("QUIRE_"),
  );
  const known = withWorkOptions(new Command(), io).options;
  const set = known.flatMap((option) => {
    const key = option.attributeName();
    const source = command.getOptionValueSource(key);
    if (key === "config" || source === undefined || source === "default") return [];
    const value: unknown = command.getOptionValue(key);
    const isSwitch = !option.required && !option.optional;
    if (isSwitch) return value === !option.negate ? [[variableOf(option), "1"]] : [];
    return [[variableOf(option), String(value)]];
  });
  return {
    ...Object.fromEntries([...others, ...set]),
    QUIRE_HEALTH_PORT: "0",
    QUIRE_PROCESSES: String(processes),
    ...(pdf ? {} : { QUIRE_ONLY: "docx" }),
  };
}
