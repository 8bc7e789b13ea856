import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { readdir, stat, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { TEMP_PREFIX } from "./locate.ts";

/** Tells this machine, or container, from others that see the same folder: numbers of processes are its own. */
const HOST = createHash("sha256")
  .update(`${hostname()} ${namespaceOfProcesses()}`)
  .digest("hex")
  .slice(0, 8);
/** Tells this process from one before that had the same number: when it started. `""` where that cannot be told. */
const LIFE = startOfProcess();

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
      const owner = ownerOf(name);
      // The wall clock may have been set: nothing is taken from a process that lives.
      const isLeft = owner === "gone" || (owner === "unknown" && (await isOld(path)));
      if (isLeft) await unlink(path).catch(() => {});
    }),
  );
}

/** What is known of the process that a temporary file is named for; of another machine's nothing is. */
function ownerOf(name: string): "alive" | "gone" | "unknown" {
  const [host, pid, life] = name.slice(TEMP_PREFIX.length).split("-");
  if (host !== HOST || life === undefined) return "unknown";
  if (Number(pid) === process.pid) {
    if (LIFE === "") return "unknown";
    return life === LIFE ? "alive" : "gone";
  }
  try {
    process.kill(Number(pid), 0);
    return "alive";
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    return isGone ? "gone" : "alive";
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtimeMs < Date.now() - MAX_AGE_MS;
}

/** The same in all threads. */
function startOfProcess(): string {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    // The name in parentheses may hold anything; behind it, the start is the 20th field.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function namespaceOfProcesses(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
