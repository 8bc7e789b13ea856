import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** How long to wait for killed processes, and how often to look for them. */
const LIMIT_MS = 10_000;
const INTERVAL_MS = 20;

/**
 * Kills every process whose command line contains one of our paths, because killing the process group misses a process
 * that has left it. Waits until they are gone: on a busy machine, a killed process may still exist for a while. Needs
 * Linux's `/proc`; other systems rely on the process group.
 */
export async function sweep(folder: string): Promise<void> {
  if (process.platform !== "linux") return;
  const marks = [`${folder}/`, `${folder}"`, `${pathToFileURL(folder).href}/`];
  const end = performance.now() + LIMIT_MS;
  while ((await killAll(marks)) > 0 && performance.now() < end) await sleep(INTERVAL_MS);
}

/** Returns the number of processes that still existed. Zombies do not count, because their command line is empty. */
async function killAll(marks: readonly string[]): Promise<number> {
  let found = 0;
  for (const name of await readdir("/proc").catch(() => [])) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (!marks.some((mark) => command.includes(mark))) continue;
    try {
      process.kill(pid, "SIGKILL");
      found += 1;
    } catch {
      // The process has ended in the meantime, or belongs to another user.
    }
  }
  return found;
}
