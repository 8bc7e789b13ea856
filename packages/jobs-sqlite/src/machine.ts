import { readFileSync, readlinkSync } from "node:fs";

/**
 * Milliseconds by a clock that nobody sets and that all processes of the machine share, since its start:
 * `process.hrtime` is CLOCK_MONOTONIC on Linux, and its like elsewhere.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

/** Which start of the machine this is: times of another one mean nothing. `""` where that cannot be told. */
export const BOOT = orNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());

const NAMESPACE = orNothing(() => readlinkSync("/proc/self/ns/pid"));

/**
 * Who this process is, for others on the machine: its number, when it started, and among which processes
 * that number counts. `""` where that cannot be told, as in a system without /proc.
 */
export const PROCESS = orNothing(() => identityOf(process.pid));

/** Whether the process that once gave itself that identity is known to be gone. */
export function isGone(identity: string): boolean {
  const [pid, , namespace] = identity.split(" ");
  if (PROCESS === "" || identity === "" || namespace !== PROCESS.split(" ")[2]) return false;
  try {
    return identityOf(Number(pid)) !== identity;
  } catch (error) {
    // Anything else, as too many open files, says nothing.
    const code = error instanceof Error && "code" in error ? error.code : null;
    return code === "ENOENT" || code === "ESRCH";
  }
}

/** Throws when the process cannot be looked at. One that has ended and is not yet forgotten by its parent is `""`. */
function identityOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may hold anything; behind it, the state is the first field, the start the 20th.
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
