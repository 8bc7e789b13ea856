import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Returns the resident memory of a process, in MiB; 0 if unknown. Needs Linux's `/proc`. */
export async function residentMb(pid: number | null): Promise<number> {
  if (pid === null || process.platform !== "linux") return 0;
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

/** Returns the id of the child of `unshare`; for any other program, the id of the process itself. */
export async function programIn(pid: number | null): Promise<number | null> {
  if (pid === null || process.platform !== "linux") return pid;
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  if (name.trim() !== "unshare") return pid;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return Number(children.trim().split(" ")[0]) || pid;
}

/** How many processes the kernel has killed for lack of memory; null if unknown. Needs Linux's `/proc`. */
export function oomKills(): number | null {
  if (process.platform !== "linux") return null;
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync("/proc/vmstat", "latin1"))?.[1];
    return count === undefined ? null : Number(count);
  } catch {
    return null;
  }
}

/**
 * Whether a process that SIGKILL ended was killed from outside, and not by the kernel because the process used too much
 * memory. `before`: {@link oomKills} at the beginning of its work.
 */
export function isKilledFromOutside(before: number | null): boolean {
  return before !== null && oomKills() === before;
}

/** Whether a process has ended, even if its parent has not collected it yet; false if unknown. */
export function isGone(pid: number | null): boolean {
  if (pid === null || process.platform !== "linux") return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is a name in parentheses, which may contain anything.
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return true;
  }
}
