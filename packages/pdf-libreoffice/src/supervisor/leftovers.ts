import { readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { hasEnded } from "../office/owner.ts";
import { leftoverSocket, pipePath } from "../office/sockets.ts";

/** The beginning of the name of each converter's folder. The mark of its owner follows. */
export const FOLDER_PREFIX = "quire-pdf-";

/** Where folders may be by default, depending on the free space at that time. */
export const MEMORY_FOLDER = "/dev/shm";

/** A younger folder may belong to a container that shares this file system and whose processes we cannot see. */
const ABANDONED_AFTER_MS = 24 * 3600 * 1000;

/**
 * Removes the folders and sockets of hosts that were killed together with their lanes, which nobody else would remove:
 * if the host has certainly ended, or if it seems to have ended and the folder is old.
 */
export async function removeLeftovers(tempDir: string): Promise<void> {
  const parents = process.platform === "linux" ? [tempDir, MEMORY_FOLDER, tmpdir()] : [tempDir];
  for (const parent of new Set(parents)) {
    const place = await realpath(parent).catch(() => parent);
    for (const name of await readdir(place).catch(() => [])) {
      if (await isAbandoned(join(place, name))) await removeFolder(join(place, name));
    }
  }
  const [sockets, prefix] = [dirname(pipePath("quire")), basename(pipePath("quire"))];
  for (const name of await readdir(sockets).catch(() => [])) {
    const mark = name.startsWith(prefix) ? name.slice(prefix.length).split("x")[0] : undefined;
    if (mark !== undefined && hasEnded(mark)) await remove(join(sockets, name));
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const [, mark, pid] = /^quire-pdf-((\d+)\w*)-/.exec(basename(folder)) ?? [];
  if (mark === undefined) return false;
  if (hasEnded(mark)) return true;
  if (isRunning(Number(pid))) return false;
  const changed = await stat(folder).catch(() => null);
  return changed !== null && Date.now() - changed.mtimeMs >= ABANDONED_AFTER_MS;
}

async function removeFolder(folder: string): Promise<void> {
  const lanes = await readdir(folder).catch(() => []);
  const profiles = ["profile", ...lanes.map((lane) => join(lane, "profile"))];
  for (const profile of profiles) await remove(leftoverSocket(join(folder, profile)));
  await remove(folder);
}

/** Another user's files cannot be removed and do not need to be. */
function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true }).catch(() => {});
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
