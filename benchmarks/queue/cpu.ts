/** Processor times of processes, from Linux. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** A tick of the kernel's accounting, in milliseconds. */
const TICK_MS = 10;

/** Returns the CPU time of PostgreSQL, including connections that have ended, in milliseconds. */
export async function serverCpuMs(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", String(pid)]);
  const running = await Promise.all(stdout.trim().split(/\s+/).map(exactMs));
  const [, , childUser = 0, childSystem = 0] = await ticksOf(pid);
  return running.reduce((sum, ms) => sum + ms, (childUser + childSystem) * TICK_MS);
}

/** Returns the CPU time of a process with all its threads and the children that have ended, in milliseconds. */
export async function processCpuMs(pid: number): Promise<number> {
  return (await ticksOf(pid)).reduce((sum, ticks) => sum + ticks * TICK_MS, 0);
}

/** The exact time of a process with one thread; 0 if it has ended. */
async function exactMs(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => "0");
  return Number(text.split(" ")[0]) / 1e6;
}

/** User and system time, and both of the children that have ended. */
async function ticksOf(pid: number): Promise<number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  return (stat.split(") ")[1] ?? "").split(" ").slice(11, 15).map(Number);
}
