import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { asRoot } from "./as-root.ts";
import type { Program } from "./run-program.ts";

const ADVICE =
  "Run as root, with strace and the right to trace, or leave its tests out with QUIRE_CHAOS_SKIP=strace.";

/**
 * Threads of a program with `UV_THREADPOOL_SIZE=1`: the first one, which works the database, and the one
 * that works all files of the storage.
 */
export type Thread = "database" | "files";

/** The number that the kernel gives to a thread of a program that is ready. */
export function threadOf({ pid, lines }: Program, thread: Thread): number {
  if (thread === "database") return pid;
  const ready = lines.find((line) => line.type === "ready");
  if (typeof ready?.filesThread === "number") return ready.filesThread;
  throw new Error("The program did not report its file system thread.");
}

/** A strace that is attached. It ends with what it looks at. */
export interface Strace {
  readonly ended: Promise<unknown>;
}

/**
 * Attaches strace to one thread, and to no other. Counts of `when=` begin here, and
 * each system call has its own.
 */
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
    strace.on("error", () => reject(new Error(`There is no strace. ${ADVICE}`)));
    strace.on("close", () => reject(new Error(`strace cannot attach. ${ADVICE} It said: ${said}`)));
    strace.stderr?.on("data", (text) => {
      said += String(text);
      if (/attached/.test(said)) resolve();
    });
  });
}
