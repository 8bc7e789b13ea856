import { writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** Documents yield the processor to processes that handle requests. From -20 to 19, the lowest priority. */
const PRIORITY = 10;

/** Linux lets a user without privileges set the priority of one session per tenth of a second. */
const SESSION_PAUSE_MS = 150;
const SESSION_TRIES = 10;

/**
 * Lowers the priority of a process that leads a session, and of the processes that it starts from now on. Does nothing
 * if it has ended.
 */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.max(PRIORITY, getPriority()));
    lowerSession(pid, SESSION_TRIES);
  } catch {
    // It has already ended, or the system does not allow it: it keeps the host's priority.
  }
}

/**
 * Linux with autogroup, as on desktops and servers outside of containers, shares the processor among sessions first.
 * The priorities of processes of different sessions then have no effect: see sched(7), "The autogroup feature".
 */
function lowerSession(pid: number, tries: number): void {
  if (process.platform !== "linux") return;
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY));
  } catch (error) {
    const isTooSoon = error instanceof Error && "code" in error && error.code === "EAGAIN";
    if (!isTooSoon || tries === 1) return;
    setTimeout(() => lowerSession(pid, tries - 1), SESSION_PAUSE_MS).unref();
  }
}
