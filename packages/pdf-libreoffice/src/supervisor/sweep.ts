import { readdir, readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

/**
 * Kills every process whose command line contains one of our paths, because killing the process group misses a process
 * that has left it. Needs Linux's `/proc`; other systems rely on the process group.
 */
export async function sweep(folder: string): Promise<void> {
  if (process.platform !== "linux") return;
  const marks = [`${folder}/`, `${folder}"`, `${pathToFileURL(folder).href}/`];
  for (const name of await readdir("/proc").catch(() => [])) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (!marks.some((mark) => command.includes(mark))) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended in the meantime.
    }
  }
}
