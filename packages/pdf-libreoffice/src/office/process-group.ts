import { spawn } from "node:child_process";

/**
 * Kills a process that was started with `detached: true`, and everything it started. Only SIGKILL stops a hanging
 * LibreOffice.
 */
export function killGroup(leader: number | undefined): void {
  if (leader === undefined || leader <= 1) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // ESRCH: the group has already ended. EPERM: macOS reports this for a group of zombies.
  }
}

/** Removes the paths twice, with a pause, because a dying process may still be writing a file. */
const KILL_AND_REMOVE = 'kill -s KILL -- "-$1"; shift; rm -rf -- "$@"; sleep 0.2; rm -rf -- "$@"';

/**
 * Kills this process's own group, including this process, and then removes `paths`. A program outside the group does
 * both, because living processes could create removed files again.
 */
export function killOwnGroup(paths: readonly string[]): void {
  const cleaner = spawn("/bin/sh", ["-c", KILL_AND_REMOVE, "sh", String(process.pid), ...paths], {
    cwd: "/",
    detached: true,
    stdio: "ignore",
  });
  cleaner.once("error", () => killGroup(process.pid)); // ending the process matters more than removing files
}
