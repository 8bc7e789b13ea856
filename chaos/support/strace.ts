import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { asRoot } from "./as-root.ts";
import type { Program } from "./run-program.ts";

const ADVICE =
  "Run as root, with strace and permission to trace, or skip its tests with QUIRE_CHAOS_SKIP=strace.";

/**
 * The threads of a program with `UV_THREADPOOL_SIZE=1`: the main thread, which accesses the database, and the thread
 * that accesses all files of the storage.
 */
export type Thread = "database" | "files";

/** Returns the Linux id of a thread. The program must be ready. */
export function threadOf({ pid, lines }: Program, thread: Thread): number {
  if (thread === "database") return pid;
  const ready = lines.find((line) => line.type === "ready");
  if (typeof ready?.filesThread === "number") return ready.filesThread;
  throw new Error("The program did not report its file system thread.");
}

/** An attached strace. It ends together with the thread that it traces. */
export interface Strace {
  readonly ended: Promise<unknown>;
}

/** Attaches strace to one thread. From then on, `when=` counts the calls of each system call separately. */
export async function attach(tid: number, args: readonly string[]): Promise<Strace> {
  const strace = spawn(...asRoot("strace", ["-p", String(tid), ...args]), {
    stdio: ["ignore", "ignore", "pipe"],
  });
  await attached(strace);
  return { ended: once(strace, "close") };
}

async function attached(strace: ChildProcess): Promise<void> {
  let said = "";
  await new Promise<void>((resolve, reject) => {
    strace.on("error", () => reject(new Error(`strace was not found. ${ADVICE}`)));
    strace.on("close", () =>
      reject(new Error(`strace cannot attach. ${ADVICE} Its output: ${said}`)),
    );
    strace.stderr?.on("data", (text) => {
      said += String(text);
      if (/attached/.test(said)) resolve();
    });
  });
}
