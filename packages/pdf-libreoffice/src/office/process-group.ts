import { spawn } from "node:child_process";
import { getPriority, setPriority } from "node:os";

/** From -20 to 19, the lowest. The processes that render documents have the same. */
const PRIORITY = 10;

/** Gives a process, and what it starts from now on, a lower priority than its host. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.max(PRIORITY, getPriority()));
  } catch {
    // It has ended, or the system does not allow it: then it keeps the priority of the host.
  }
}

/**
 * Kills a process that was started with `detached: true`, and with it everything it started.
 * Only SIGKILL stops a LibreOffice that hangs.
 */
export function killGroup(leader: number | undefined): void {
  if (leader === undefined || leader <= 1) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // ESRCH: all gone already. EPERM: macOS says this of a group in which only zombies are left.
  }
}

/** Once more after a moment: a process that is being killed may be writing a file. */
const BURY = 'kill -s KILL -- "-$1"; shift; rm -rf -- "$@"; sleep 0.2; rm -rf -- "$@"';

/**
 * Kills the group that this process leads, this process with it, and then removes what it left: a program from
 * outside of the group does both, as what is removed before is written anew by those that still live.
 */
export function buryOwnGroup(paths: readonly string[]): void {
  const sexton = spawn("/bin/sh", ["-c", BURY, "sh", String(process.pid), ...paths], {
    cwd: "/",
    detached: true,
    stdio: "ignore",
  });
  sexton.once("error", () => killGroup(process.pid)); // no file matters as much as the end
}
