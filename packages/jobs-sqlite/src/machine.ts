import { readFileSync, readlinkSync } from "node:fs";

/**
 * Milliseconds by a clock that nobody sets and that all processes of the machine share, since its start:
 * `process.hrtime` is CLOCK_MONOTONIC on Linux, and its like elsewhere.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** Which start of the machine this is: times of another one mean nothing. `""` where that cannot be told. */
export const BOOT = readOr("/proc/sys/kernel/random/boot_id", "");

/**
 * Who this process is, for others on the machine: its number, when it started, and among which processes
 * that number counts. `""` where that cannot be told, as in a system without /proc.
 */
export const PROCESS = identityOf(process.pid);

/** Whether the process that once gave itself that identity is known to be gone. */
export function isGone(identity: string): boolean {
  const [pid, , namespace] = identity.split(" ");
  if (PROCESS === "" || identity === "" || namespace !== PROCESS.split(" ")[2]) return false;
  return identityOf(Number(pid)) !== identity;
}

/** A process that has ended and is not yet forgotten by its parent is gone as well. */
function identityOf(pid: number): string {
  const stat = readOr(`/proc/${pid}/stat`, "");
  // The name in parentheses may hold anything; behind it, the state is the first field, the start the 20th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, start] = [fields[0], fields[19]];
  if (start === undefined || state === "Z" || state === "X") return "";
  return `${pid} ${start} ${namespaceOfProcesses()}`;
}

function namespaceOfProcesses(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return otherwise;
  }
}
