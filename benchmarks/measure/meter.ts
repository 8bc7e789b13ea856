import { readFileSync } from "node:fs";

const MEGABYTE = 1_000_000;

/** What a piece of work took. */
export interface Cost {
  /** Of all threads, user and system: the collector of garbage and the compiler count. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Runs and measures a piece of work. */
export async function measured(work: () => Promise<void>): Promise<Cost> {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - wall };
}

/**
 * The most resident memory that this process ever had. On Linux it is asked of `/proc`: what the usage of
 * resources says counts from the process that began this one, and that may have been larger.
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
 * The resident memory of this process now. Garbage is not collected for it: after that, V8 compiles what
 * it had compiled before once more, and the next documents take twice their time.
 */
export function residentMb(): number {
  return process.memoryUsage.rss() / MEGABYTE;
}
