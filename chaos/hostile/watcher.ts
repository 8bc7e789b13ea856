/** Measures the memory of a service and the size of its database. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../../benchmarks/service/running.ts";
import { familyOf } from "../support/processes.ts";

/** Sizes in megabytes. */
export interface Sizes {
  /** Peak memory of the serving process alone. `all` is the peak including all processes that it has started. */
  readonly own: number;
  readonly all: number;
  /** Growth of the database since the start. */
  readonly database: number;
  /** The processes when their total memory was highest, as text. */
  readonly largest: string;
}

const EVERY_MS = 500;
const MB = 1e6;

/** Runs the work, and measures repeatedly until it is done. */
export async function watched<T>(
  server: Server,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly sizes: Sizes }> {
  const before = await databaseMb(server.data);
  const sizes = { own: 0, all: 0, database: 0, largest: "" };
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      sizes.own = Math.max(sizes.own, await ownMb(server.pid));
      const { all, largest } = await familyMb(server.pid);
      if (all > sizes.all) Object.assign(sizes, { all, largest });
      sizes.database = Math.max(sizes.database, (await databaseMb(server.data)) - before);
      await sleep(EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
    }
  })();
  const done = await work().finally(() => over.abort());
  await watching;
  return { done, sizes };
}

/** Returns the current memory of a process in megabytes. */
export function ownMb(pid: number): Promise<number> {
  return memoryMb(pid, "status", "VmRSS");
}

/** Returns the memory of a process and its descendants. A shared page is divided among the processes that share it. */
async function familyMb(pid: number): Promise<Pick<Sizes, "all" | "largest">> {
  const family = await familyOf(pid);
  const each = await Promise.all(
    family.map(async (one) => ({
      name: one.name,
      mb: await memoryMb(one.pid, "smaps_rollup", "Pss"),
    })),
  );
  each.sort((a, b) => b.mb - a.mb);
  const largest = each.slice(0, 5).map(({ name, mb }) => `${name} ${mb.toFixed(0)}`);
  return { all: each.reduce((sum, { mb }) => sum + mb, 0), largest: largest.join(", ") };
}

async function memoryMb(pid: number, file: string, line: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
  return (Number(new RegExp(`^${line}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0) * 1024) / MB;
}

async function databaseMb(data: string): Promise<number> {
  const files = ["", "-wal"].map((end) => join(data, `quire.db${end}`));
  const sizes = await Promise.all(files.map((file) => stat(file).catch(() => ({ size: 0 }))));
  return sizes.reduce((sum, { size }) => sum + size, 0) / MB;
}
