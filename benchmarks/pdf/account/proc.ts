import { readdirSync, readFileSync } from "node:fs";
import type { CountedProcess } from "./account.ts";

/**
 * Unit of process times in milliseconds. Linux reports hundredths of a second, regardless of the kernel's clock rate.
 */
const TICK_MS = 10;

/** The information about a process in `/proc`. */
export interface ProcessStat {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  /** The pid of the process that created its session, which may have ended. */
  readonly session: number;
  readonly started: number;
  /** CPU time of the process itself, in milliseconds. */
  readonly ownMs: number;
  /** CPU time, in milliseconds, of the children that the process has waited for, including their children. */
  readonly endedMs: number;
}

/** Returns a process; null if it does not exist. A zombie process still exists. */
export function processStat(pid: number): ProcessStat | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name may contain spaces and parentheses, so it ends at the last parenthesis.
  const end = stat.lastIndexOf(")");
  const fields = stat.slice(end + 2).split(" ");
  // The fields after the name start with number 3 of the manual page.
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid,
    name: stat.slice(stat.indexOf("(") + 1, end),
    parent: field(4),
    session: field(6),
    started: field(22),
    ownMs: (field(14) + field(15)) * TICK_MS,
    endedMs: (field(16) + field(17)) * TICK_MS,
  };
}

/** Returns all processes of the machine. */
export function allProcesses(): ProcessStat[] {
  return readdirSync("/proc").flatMap((name) => {
    const stat = /^\d+$/.test(name) ? processStat(Number(name)) : null;
    return stat === null ? [] : [stat];
  });
}

/** Returns the processes that still exist, with their memory. */
export function countedProcesses(pids: readonly number[]): CountedProcess[] {
  return pids.flatMap((pid) => {
    const stat = processStat(pid);
    if (stat === null) return [];
    const status = read(`/proc/${pid}/status`) ?? "";
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    const { name, started } = stat;
    return [{ pid, name, started, residentMb: (kilobytes * 1_024) / 1_000_000 }];
  });
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
