/** The command line, in this process or in a child, and the folder it works in. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type Renderer, renderPool } from "@quire/core";
import { onTestFinished } from "vitest";
import { main } from "../../src/quire.ts";

/** Places are made here, whatever the temporary folder of a command is. */
const TEMPORARY = tmpdir();
const USUAL_TMPDIR = process.env.TMPDIR;
const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
/** Everything the command line is made of is in here. */
const REPOSITORY = fileURLToPath(new URL("../../../../", import.meta.url));

/** How a run of the command line ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run of the command line that is under way. */
export interface Started {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<Ended>;
}

/** A command that runs in this process. */
export interface Begun {
  /** Tells it of signals, as the system tells a process. */
  readonly signals: EventEmitter;
  /** Get all that it writes, too. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<Ended>;
}

/** How a command is started. */
export interface QuireOptions {
  /** On top of the place's; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How a child process is started. */
export interface StartOptions extends QuireOptions {
  /** Arguments of Node itself. */
  readonly nodeArgs?: readonly string[];
}

/** The folder of one test. Commands run in it, and LibreOffice keeps its files below it. */
export interface Place {
  readonly folder: string;
  /** Writes a file; what is no bytes and no text is written as JSON. */
  write(name: string, content: Uint8Array | string | object): Promise<void>;
  /** The names in a folder, sorted; hidden ones too. None when the folder is not there. */
  names(folder?: string): Promise<string[]>;
  path(...segments: string[]): string;
  /** Runs a command in a child process, for tests of which the process is the subject. */
  start(args: readonly string[], options?: StartOptions): Started;
  /** Begins a command in this process. */
  begin(args: readonly string[], options?: QuireOptions): Begun;
  /** Runs a command in this process. */
  quire(args: readonly string[], options?: QuireOptions): Promise<Ended>;
}

/** Makes the folder; it is removed when the test is over, or whenever `atEnd` has it. */
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
  const begin: Place["begin"] = (args, { env: more = {} } = {}) => {
    // LibreOffice takes the temporary folder of the process.
    process.env.TMPDIR = join(folder, "tmp");
    atEnd(restoreTemporaryFolder);
    return beginHere(args, folder, { ...process.env, ...env, ...more });
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
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Begun {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = [textOf(stdout), textOf(stderr)] as const;
  const signals = new EventEmitter();
  const exit = (code: number) => {
    throw new Error(`The command ended the process with ${code}.`);
  };
  const work = async (): Promise<Ended> => {
    const io = { stdout, stderr, env, cwd, signals, exit, log: stdout, renderer: sharedPool() };
    const code = await main(args, io);
    stdout.end();
    stderr.end();
    const [out, err] = await Promise.all(texts);
    return { code, signal: null, stdout: out, stderr: err };
  };
  return { signals, stdout, stderr, ended: work() };
}

let pool: Renderer | undefined;

/** The processes in which the commands of a test's process render. They end with it. */
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
 * Arguments of Node under which no program outside of the place and the repository can be found, and of the
 * repository's dependencies not the one that has LibreOffice in it.
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

/** Whether a file of a folder is a finished PDF: a probe or a file that is being written is none. */
export function isPdf(name: string): boolean {
  return name.endsWith(".pdf");
}

/** Waits until a condition holds. */
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

/** Interrupts a command as soon as it listens for signals. */
export function interruptWhenItListens({ signals }: Begun): void {
  signals.once("newListener", () => {
    // It is listening when the step that it is in ends.
    queueMicrotask(() => signals.emit("SIGINT"));
  });
}

/** The command lines of the processes, without zombies, that hold a text. Reads /proc: Linux only. */
export function processesWith(text: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      if (command.includes(text)) found.push(command);
    } catch {
      // it ended meanwhile
    }
  }
  return found;
}

/** A process's children, their children, and so on. Reads /proc: Linux only. */
export function descendantsOf(pid: number | undefined): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  const direct = children.split(" ").filter(Boolean).map(Number);
  return direct.flatMap((child) => {
    try {
      return [child, ...descendantsOf(child)];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

/** Whether a process is there, and no zombie. Reads /proc: Linux only. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
