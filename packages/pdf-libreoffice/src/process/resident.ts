import { readFile } from "node:fs/promises";

/** The resident memory of a process, in MiB; 0 where that cannot be told: it needs Linux's `/proc`. */
export async function residentMb(pid: number | null): Promise<number> {
  if (pid === null || process.platform !== "linux") return 0;
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
}
