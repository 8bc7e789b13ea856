import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** The resident memory of a process, in MiB; 0 if unknown. Needs Linux's `/proc`. */
export async function residentMb(pid: number | null): Promise<number> {
  if (pid === null || process.platform !== "linux") return 0;
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}

/** The id of the child of `unshare`; for any other program, the id of the process itself. */
export async function programIn(pid: number | null): Promise<number | null> {
  if (pid === null || process.platform !== "linux") return pid;
  const name = await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "");
  if (name.trim() !== "unshare") return pid;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return Number(children.trim().split(" ")[0]) || pid;
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
