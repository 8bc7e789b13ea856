import { readFileSync } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ROOM = 2 ** 31;

/**
 * Creates one temporary folder for a test run and removes it at the end. The folder is in memory if there is enough
 * space, because tests mostly wait for the disk. An existing TMPDIR is used as its parent.
 */
export async function setup(): Promise<() => Promise<void>> {
  const { env } = process;
  const before = env.TMPDIR;
  const parent = before === undefined && (await hasRoomInMemory()) ? MEMORY : tmpdir();
  const folder = await mkdtemp(join(parent, "quire-"));
  env.TMPDIR = folder;
  return async () => {
    if (before === undefined) delete env.TMPDIR;
    else env.TMPDIR = before;
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  };
}

/**
 * Whether there is a file system in memory with enough space. In containers, it is often small, and programs cannot run
 * from it.
 */
async function hasRoomInMemory(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  try {
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const options = mounts.findLast((line) => line.split(" ")[1] === MEMORY)?.split(" ")[3];
    if (options === undefined || /\b(ro|noexec)\b/.test(options)) return false;
    const { bavail, bsize } = await statfs(MEMORY);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}
