import { writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * The priority of processes that work on documents: they yield the processor to processes that handle requests. The
 * range is -20 to 19, where 19 is the lowest priority.
 */
const PRIORITY = 10;
/** The priority of processes that work on long documents: they yield to processes that work on short ones. */
const LONG_PRIORITY = 19;

/**
 * Linux lets an unprivileged user set a session's priority only once per 100 ms, so each retry waits longer than that.
 */
const SESSION_PAUSE_MS = 150;
const SESSION_TRIES = 10;

/**
 * Lowers the priority of a process that leads a session, and of the processes that it starts from now on. Does nothing
 * if the process has ended.
 */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.max(PRIORITY, getPriority()));
    setSession(pid, PRIORITY, SESSION_TRIES);
  } catch {
    // The process has already ended, or the system does not allow the change: the process keeps the host's priority.
  }
}

/**
 * Lowers the priority of processes further while they work on a long document, and restores it afterwards. The first
 * process leads a session. Does nothing if this process lacks the privilege to raise priorities.
 */
export function setLongWork(pids: readonly (number | null | undefined)[], isLong: boolean): void {
  if (!canRaise()) return;
  const priority = isLong ? LONG_PRIORITY : Math.max(PRIORITY, getPriority());
  for (const pid of pids) {
    if (typeof pid !== "number") continue;
    try {
      setPriority(pid, priority);
    } catch {
      // The process has already ended.
    }
  }
  if (typeof pids[0] === "number") setSession(pids[0], priority, 1);
}

let mayRaise: boolean | undefined;

/** Whether this process may raise priorities. To find out, it raises its priority for a moment. */
function canRaise(): boolean {
  if (mayRaise !== undefined) return mayRaise;
  const own = getPriority();
  try {
    setPriority(Math.max(own - 1, -20));
    setPriority(own);
    mayRaise = true;
  } catch {
    mayRaise = false;
  }
  return mayRaise;
}

/**
 * Sets the priority of a session. With autogroup, as on desktops and servers outside containers, Linux shares the
 * processor among sessions first, and process priorities have no effect between sessions: see sched(7), "The autogroup
 * feature".
 */
function setSession(pid: number, priority: number, tries: number): void {
  if (process.platform !== "linux") return;
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(priority));
  } catch (error) {
    const isTooSoon = error instanceof Error && "code" in error && error.code === "EAGAIN";
    if (!isTooSoon || tries === 1) return;
    setTimeout(() => setSession(pid, priority, tries - 1), SESSION_PAUSE_MS).unref();
  }
}
