import { createHash, randomUUID } from "node:crypto";
import { readdir, stat, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { TEMP_PREFIX } from "./locate.ts";

/** Tells this machine, or container, from others that see the same folder. */
const HOST = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
/** Tells this process from one before that had the same number. */
const LIFE = randomUUID().slice(0, 8);

/** Nobody writes one file for so long. */
const MAX_AGE_MS = 24 * 3600 * 1000;

/** A name for a file that is not finished; it says whose it is. */
export function temporaryName(): string {
  return `${TEMP_PREFIX}${HOST}-${process.pid}-${LIFE}-${randomUUID()}`;
}

/** Removes the unfinished files of processes that are gone. What cannot be removed is left. */
export async function sweep(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => name.startsWith(TEMP_PREFIX));
  await Promise.all(
    left.map(async (name) => {
      const path = join(folder, name);
      if (isOrphan(name) || (await isOld(path))) await unlink(path).catch(() => {});
    }),
  );
}

function isOrphan(name: string): boolean {
  const [host, pid, life] = name.slice(TEMP_PREFIX.length).split("-");
  if (host !== HOST || life === undefined) return false;
  if (Number(pid) === process.pid) return life !== LIFE;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtimeMs < Date.now() - MAX_AGE_MS;
}
