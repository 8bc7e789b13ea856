import { readFileSync } from "node:fs";
import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ROOM = 2 ** 31;

/**
 * Makes one temporary folder for a test run, and removes it at the end. It is in memory if there is enough space, because
 * tests mostly wait for the disk. An existing TMPDIR is kept.
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

/** Containers often have a small file system in memory, from which programs cannot run. */
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
