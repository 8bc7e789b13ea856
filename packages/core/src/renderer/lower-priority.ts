import { getPriority, setPriority } from "node:os";

/** Documents yield the processor to processes that handle requests. From -20 to 19, the lowest priority. */
const PRIORITY = 10;

/** Lowers the priority of a process, and of the processes that it starts from now on. Does nothing if it has ended. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.max(PRIORITY, getPriority()));
  } catch {
    // It has already ended, or the system does not allow it: it keeps the host's priority.
  }
}
