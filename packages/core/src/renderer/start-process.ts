// biome-ignore lint/style/noRestrictedImports: untrusted content is rendered in a process of its own.
import { type ChildProcess, spawn } from "node:child_process";
// biome-ignore lint/style/noRestrictedImports: the pipes of that process; only the type.
import type { Socket } from "node:net";
import { getPriority, setPriority } from "node:os";
import { dirname, join, parse, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PIPES } from "./messages.ts";

/** The process comes from the file beside this one: `.ts` in the sources, `.js` in dist. */
const ENTRY = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "./pool-process.ts" : "./pool-process.js",
    import.meta.url,
  ),
);

/** What Node itself asks of the environment. */
const PASSED_ON = ["NODE_ICU_DATA", "SystemRoot"];

/**
 * Room for what is new on the heap, in megabytes. Documents lie beside the heap, with next to nothing on it: in a
 * larger room the small collections that would free them come later than the large ones that cost much more.
 */
const NURSERY_MB = 4;

/** Documents can wait: who asks the host for something gets the processor first. From -20 to 19, the least. */
const PRIORITY = 10;

/** How a process is started. */
export interface StartOptions {
  readonly heapLimitMb: number;
  readonly memoryLimitMb: number;
  /** Whether it may read every file instead of its own program alone. */
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
 * Starts a process of the pool, the leader of a group of its own. Nothing keeps the host running for it.
 * Throws what the system says when it has no room for another process.
 */
export function startProcess({
  heapLimitMb,
  memoryLimitMb,
  readsAll,
}: StartOptions): StartedProcess {
  const readable = readsAll ? ["*"] : ownFolders();
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
  const child = spawn(process.execPath, [...flags, ENTRY, String(memoryLimitMb)], {
    cwd: parse(ENTRY).root,
    detached: true,
    env: Object.fromEntries(PASSED_ON.flatMap((name) => variable(name))),
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  child.on("error", () => {}); // whoever listens to its end is told
  standBack(child);
  child.unref();
  for (const pipe of child.stdio) (pipe as Socket | null)?.unref();
  return {
    child,
    input: child.stdio[PIPES.input] as Socket,
    output: child.stdio[PIPES.output] as Socket,
    guard: (child.stdio as unknown as Socket[])[PIPES.guard] as Socket,
  };
}

function standBack({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.max(PRIORITY, getPriority()));
  } catch {
    // It has ended already, or it may not be done here: then it renders at the host's own priority.
  }
}

/** Ends a process with everything in its group, at once. */
export function killProcess(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || pid <= 1) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // no groups on this system, or gone already
  }
}

/** The package that this file belongs to, and the folders in which its dependencies are looked for. */
function ownFolders(): string[] {
  const above: string[] = [];
  for (let at = dirname(ENTRY); at !== dirname(at); at = dirname(at)) above.push(at);
  const own = join(ENTRY, "..", "..", "..");
  return [own, ...above.map((folder) => join(folder, "node_modules"))].map(
    (folder) => `${folder}${sep}`,
  );
}

function variable(name: string): [string, string][] {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
}
