import { readFileSync, readlinkSync } from "node:fs";

/**
 * Returns the milliseconds since the machine's start, by a clock that nobody can set and that all processes share.
 * `process.hrtime` uses CLOCK_MONOTONIC on Linux, and equivalents elsewhere.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** Identifies the machine's current boot, because times from other boots are meaningless. `""` if unknown. */
export const BOOT = orNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());

const NAMESPACE = orNothing(() => readlinkSync("/proc/self/ns/pid"));

/**
 * Identifies this process to others on the machine: process id, start time and PID namespace. `""` if unknown, for
 * example on a system without /proc.
 */
export const PROCESS = orNothing(() => identityOf(process.pid));

/** Whether the process with this identity is known to have ended. */
export function isGone(identity: string): boolean {
  const [pid, , namespace] = identity.split(" ");
  if (PROCESS === "" || identity === "" || namespace !== PROCESS.split(" ")[2]) return false;
  try {
    return identityOf(Number(pid)) !== identity;
  } catch (error) {
    // Other errors, such as too many open files, prove nothing.
    const code = error instanceof Error && "code" in error ? error.code : null;
    return code === "ENOENT" || code === "ESRCH";
  }
}

/** Returns the identity of a process; `""` for a zombie process. Throws if the process cannot be inspected. */
function identityOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may contain anything. After it, the state is the 1st field and the start time the 20th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, start] = [fields[0], fields[19]];
  if (start === undefined || state === "Z" || state === "X") return "";
  return `${pid} ${start} ${NAMESPACE}`;
}

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
