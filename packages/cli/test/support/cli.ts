/** Runs the CLI in this process or in a child process, in a test folder. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type Renderer, renderPool } from "@quire/core";
import { onTestFinished } from "vitest";
import { main } from "../../src/quire.ts";

/** The folder that contains the test folders. It does not depend on the temporary folder of a command. */
const TEMPORARY = tmpdir();
const USUAL_TMPDIR = process.env.TMPDIR;
const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
/** The root of the repository, which contains all code of the CLI. */
const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url));

/** The result of a command. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command. */
export interface Started {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Ended>;
}

/** A command running in this process. */
export interface Begun {
  /** Emits signals, which the command receives as a process would. */
  readonly signals: EventEmitter;
  /** Streams that also receive the output of the command. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<Ended>;
}

/** Options for starting a command. */
export interface QuireOptions {
  /** Added to the environment of the test folder; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The text of standard input, for commands in this process. */
  readonly stdin?: string;
}

/** Options for starting a child process. */
export interface StartOptions extends QuireOptions {
  /** Arguments for Node itself. */
  readonly nodeArgs?: readonly string[];
}

/** The folder of one test. Commands run in it, and LibreOffice keeps its files below it. */
export interface Place {
  readonly folder: string;
  /** Writes a file. Values other than bytes and strings are written as JSON. */
  write(name: string, content: Uint8Array | string | object): Promise<void>;
  /** Returns the sorted names in a folder, including hidden names; empty if the folder is missing. */
  names(folder?: string): Promise<string[]>;
  path(...segments: string[]): string;
  /** Runs a command in a child process, for tests of processes. */
  start(args: readonly string[], options?: StartOptions): Started;
  /** Starts a command in this process. */
  begin(args: readonly string[], options?: QuireOptions): Begun;
  /** Runs a command in this process. */
  quire(args: readonly string[], options?: QuireOptions): Promise<Ended>;
}

/** Creates a test folder. It is removed after the test, or when `atEnd` calls its argument. */
export async function makePlace(
  env: Readonly<Record<string, string>> = {},
  atEnd: (clean: () => void | Promise<void>) => void = onTestFinished,
): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(TEMPORARY, "quire-cli-test-")));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 20 }));
  mkdirSync(join(folder, "tmp"));
  const start: Place["start"] = (args, { nodeArgs = [], env: more = {} } = {}) => {
    const child = spawn(process.execPath, [...nodeArgs, MAIN, ...args], {
      cwd: folder,
      env: { ...process.env, TMPDIR: join(folder, "tmp"), NODE_OPTIONS: "", ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    atEnd(() => {
      child.kill("SIGKILL");
    });
    return { process: child, ended: endOf(child) };
  };
  const begin: Place["begin"] = (args, { env: more = {}, stdin } = {}) => {
    // LibreOffice uses the temporary folder of the process.
    process.env.TMPDIR = join(folder, "tmp");
    atEnd(restoreTemporaryFolder);
    return beginHere(args, { cwd: folder, env: { ...process.env, ...env, ...more }, stdin });
  };
  return {
    folder,
    write: (name, content) => writeFile(join(folder, name), asBytes(content)),
    names: async (name = "out") => (await readdir(join(folder, name)).catch(() => [])).sort(),
    path: (...segments) => join(folder, ...segments),
    start,
    begin,
    quire: (args, options) => begin(args, options).ended,
  };
}

function beginHere(
  args: readonly string[],
  {
    cwd,
    env,
    stdin,
  }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stdin: string | undefined;
  },
): Begun {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = [textOf(stdout), textOf(stderr)] as const;
  const signals = new EventEmitter();
  const exit = (code: number) => {
    throw new Error(`The command ended the process with ${code}.`);
  };
  const work = async (): Promise<Ended> => {
    const io = { stdout, stderr, env, cwd, signals, exit, log: stdout, renderer: sharedPool() };
    const input = stdin === undefined ? {} : { stdin: Readable.from([Buffer.from(stdin)]) };
    const code = await main(args, { ...io, ...input });
    stdout.end();
    stderr.end();
    const [out, err] = await Promise.all(texts);
    return { code, signal: null, stdout: out, stderr: err };
  };
  return { signals, stdout, stderr, ended: work() };
}

let pool: Renderer | undefined;

/** Returns the renderer that all commands of this process share. Its processes end with this process. */
function sharedPool(): Renderer {
  pool ??= renderPool();
  return pool;
}

function restoreTemporaryFolder(): void {
  if (USUAL_TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = USUAL_TMPDIR;
}

async function textOf(stream: Readable): Promise<string> {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  await once(stream, "end");
  return text;
}

/**
 * Returns arguments for Node that hide all programs outside of the test folder and the repository, and the dependency
 * that contains LibreOffice.
 */
export function nothingInstalled(place: Place): string[] {
  const modules = join(REPOSITORY, "node_modules");
  const dependencies = readdirSync(modules).filter((name) => name !== "@matbee");
  return [
    "--permission",
    "--allow-child-process",
    ...[
      join(REPOSITORY, "packages"),
      join(REPOSITORY, "package.json"),
      ...dependencies.map((name) => join(modules, name)),
      place.folder,
    ].map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${place.folder}`,
  ];
}

function asBytes(content: Uint8Array | string | object): Uint8Array | string {
  if (typeof content === "string" || content instanceof Uint8Array) return content;
  return JSON.stringify(content);
}

function endOf(child: Started["process"]): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Whether a name in a folder belongs to a finished PDF, and not to a probe or an unfinished file. */
export function isPdf(name: string): boolean {
  return name.endsWith(".pdf");
}

/** Waits until a condition is true. */
export async function until(
  what: string,
  probe: () => boolean | Promise<boolean>,
  seconds = 25,
): Promise<void> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    if (await probe()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Waited in vain until ${what}.`);
}

/** Interrupts a command as soon as it handles signals. */
export function interruptWhenItListens({ signals }: Begun): void {
  signals.once("newListener", () => {
    // The command has added its listener when the current microtask ends.
    queueMicrotask(() => signals.emit("SIGINT"));
  });
}

/**
 * Returns the command lines of processes, except zombies, that contain a string. Linux only, because it reads /proc.
 */
export function processesWith(text: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      if (command.includes(text)) found.push(command);
    } catch {
      // The process has ended.
    }
  }
  return found;
}

/** Returns the descendants of a process. Linux only, because it reads /proc. */
export function descendantsOf(pid: number | undefined): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  const direct = children.split(" ").filter(Boolean).map(Number);
  return direct.flatMap((child) => {
    try {
      return [child, ...descendantsOf(child)];
    } catch {
      return []; // The process has ended.
    }
  });
}

/** The bit in the flags of `/proc/<pid>/stat` of a process that the kernel is ending: `PF_EXITING` in Linux. */
const EXITING = 4;

/**
 * Whether a process exists and runs: neither a zombie nor a process that the kernel is still ending, which takes a
 * while on a busy machine. Linux only, because it reads /proc.
 */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, , , , , , flags] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state !== "Z" && state !== "X" && (Number(flags) & EXITING) === 0;
  } catch {
    return false;
  }
}
