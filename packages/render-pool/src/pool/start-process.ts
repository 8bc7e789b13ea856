import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { dirname, join, parse, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { lowerPriority, programUrl } from "@quire/contracts";
import { PIPES } from "../protocol/messages.ts";

/** Returns the path of the program of a process. Throws `unavailable` if the file is missing, as in a bundle. */
export function processProgram(): string {
  return fileURLToPath(programUrl("../process/pool-process", import.meta.url));
}

/** Environment variables that Node needs. */
const PASSED_ON = ["NODE_ICU_DATA", "SystemRoot"];

/**
 * Size of the heap's young generation in megabytes. The bytes of documents are outside the heap, which contains only
 * very small objects that own them. With a larger young generation, these objects would be freed too late: their minor
 * garbage collections would come after major ones, which cost much more.
 */
const NURSERY_MB = 4;

/** Options for starting a process. */
export interface StartOptions {
  readonly heapLimitMb: number;
  readonly memoryLimitMb: number;
  /** Whether the process may read all files instead of only its own packages. */
  readonly readsAll: boolean;
}

/** A process and its pipes. */
export interface StartedProcess {
  readonly child: ChildProcess;
  readonly input: Socket;
  readonly output: Socket;
  readonly guard: Socket;
}

/**
 * Starts a process of the pool, as the leader of a new process group. The process does not keep the host running.
 * Throws the system's error if it cannot be started.
 */
export function startProcess({
  heapLimitMb,
  memoryLimitMb,
  readsAll,
}: StartOptions): StartedProcess {
  const program = processProgram();
  const readable = readsAll ? ["*"] : ownFolders(program);
  const flags = [
    `--max-old-space-size=${heapLimitMb}`,
    `--max-semi-space-size=${NURSERY_MB}`,
    "--disallow-code-generation-from-strings",
    "--disable-proto=throw",
    "--no-warnings",
    "--permission",
    "--allow-worker",
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
  const child = spawn(process.execPath, [...flags, program, String(memoryLimitMb)], {
    cwd: parse(program).root,
    detached: true,
    env: Object.fromEntries(PASSED_ON.flatMap((name) => variable(name))),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  child.on("error", () => {}); // process-link.ts reports the error
  lowerPriority(child.pid);
  child.unref();
  for (const pipe of child.stdio) (pipe as Socket | null)?.unref();
  return {
    child,
    input: child.stdio[PIPES.input] as Socket,
    output: child.stdio[PIPES.output] as Socket,
    guard: (child.stdio as unknown as Socket[])[PIPES.guard] as Socket,
  };
}

/** Kills a process and its whole process group with SIGKILL. */
export function killProcess(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || pid <= 1) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // the system has no process groups, or the process has already ended
  }
}

/** The Quire packages that the program loads. In a workspace, they are outside `node_modules`. */
const PARTS = ["@quire/contracts", "@quire/ooxml", "@quire/docx", "@quire/pdf"];

/** Returns the folders of the program's packages, and those in which Node looks for their dependencies. */
function ownFolders(program: string): string[] {
  const { resolve } = createRequire(import.meta.url);
  // `resolve` returns the path of `dist/index.js` in the package.
  const own = [
    join(program, "..", "..", ".."),
    ...PARTS.map((name) => join(resolve(name), "..", "..")),
  ];
  const above = new Set<string>();
  for (const folder of own) {
    for (let at = folder; at !== dirname(at); at = dirname(at)) above.add(at);
  }
  return [...own, ...[...above].map((folder) => join(folder, "node_modules"))].map(
    (folder) => `${folder}${sep}`,
  );
}

function variable(name: string): [string, string][] {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
}
