import { readFileSync } from "node:fs";

const MEGABYTE = 1_000_000;

/** The cost of a piece of work. */
export interface Cost {
  /** User and system time of all threads, including garbage collection and compilation. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Runs a piece of work and measures its cost. */
export async function measured(work: () => Promise<void>): Promise<Cost> {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - wall };
}

/**
 * Returns the peak resident memory of this process in megabytes. On Linux, the value comes from `/proc`, because the
 * resource usage also includes the process that started this one, which may have been larger.
 */
export function peakMb(): number {
  const kilobytes = highWaterMark() ?? process.resourceUsage().maxRSS;
  return (kilobytes * 1_024) / MEGABYTE;
}

function highWaterMark(): number | null {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return found === undefined ? null : Number(found);
  } catch {
    return null;
  }
}

/**
 * Returns the current resident memory of this process in megabytes. Does not collect garbage first: after a collection,
 * V8 compiles its code once more, and the next documents take twice as long.
 */
export function residentMb(): number {
  return process.memoryUsage.rss() / MEGABYTE;
}
