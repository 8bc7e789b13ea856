import { readFileSync, statSync } from "node:fs";
import { QuireError } from "@quire/contracts";

/** SQLite locks bytes of the database file from this position on. */
const FIRST_LOCKED_BYTE = 0x40000000;

/**
 * Returns the ids of the other processes that have a SQLite file open. Only Linux lists them. Processes in another
 * container are not visible.
 */
export function holdersOf(path: string): number[] {
  try {
    const { ino } = statSync(path);
    const pids = readFileSync("/proc/locks", "utf8")
      .split("\n")
      .flatMap((line) => {
        const [, pid, inode, start] =
          /^\d+: POSIX +\w+ +\w+ +(\d+) \w+:\w+:(\d+) (\d+) /.exec(line) ?? [];
        return Number(inode) === ino && Number(start) >= FIRST_LOCKED_BYTE ? [Number(pid)] : [];
      });
    return [...new Set(pids)].filter((pid) => pid > 0 && pid !== process.pid);
  } catch {
    return [];
  }
}

/** Returns the error for a file that something else has open. */
export function inUse(path: string): QuireError {
  const pids = holdersOf(path);
  const who =
    pids.length === 0
      ? "another process"
      : `${pids.length === 1 ? "the process" : "the processes"} ${pids.join(", ")}`;
  return new QuireError(
    "conflict",
    `The job store ${JSON.stringify(path)} is in use by ${who}. Stop every service, worker and command that uses it, then try again.`,
    { retryable: true },
  );
}
