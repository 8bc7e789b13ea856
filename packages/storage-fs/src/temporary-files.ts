import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { readdir, stat, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { systemCode } from "./fs-errors.ts";
import { TEMP_PREFIX } from "./locate.ts";

/**
 * Identifies this machine or container among those that share the folder, because process ids are unique only within
 * one of them.
 */
const HOST = createHash("sha256")
  .update(`${hostname()} ${namespaceOfProcesses()}`)
  .digest("hex")
  .slice(0, 8);
/** The process's start time, which distinguishes it from an earlier process with the same id. `""` if unknown. */
const LIFE = statOf("self")?.start ?? "";

/** No process writes one file for longer than this. */
const MAX_AGE_MS = 24 * 3600 * 1000;

/** Returns a new name for an unfinished file. The name identifies the process that writes the file. */
export function temporaryName(): string {
  return `${TEMP_PREFIX}${HOST}-${process.pid}-${LIFE}-${randomUUID()}`;
}

/**
 * Removes unfinished files of processes that no longer run from a folder. `folder` is the path of the folder. A storage
 * does this before it first writes to a folder. Ignores a missing folder and files that cannot be removed.
 */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => name.startsWith(TEMP_PREFIX));
  await Promise.all(
    left.map(async (name) => {
      const path = join(folder, name);
      const owner = ownerOf(name);
      // The wall clock may have been changed, so a file of a live process is kept at any age.
      const isLeft = owner === "gone" || (owner === "unknown" && (await isOld(path)));
      if (isLeft) await unlink(path).catch(() => {});
    }),
  );
}

/**
 * Returns the state of the process that writes a temporary file; `unknown` for processes on other machines, for
 * example.
 */
function ownerOf(name: string): "alive" | "gone" | "unknown" {
  const [host, pid, life] = name.slice(TEMP_PREFIX.length).split("-");
  if (host !== HOST || life === undefined) return "unknown";
  if (Number(pid) === process.pid) {
    if (LIFE === "") return "unknown";
    return life === LIFE ? "alive" : "gone";
  }
  if (!exists(Number(pid))) return "gone";
  const found = life === "" ? null : statOf(pid ?? "");
  // A killed process exists until its parent has waited for it. Another process may have its id later.
  const hasEnded = found !== null && (found.state === "Z" || found.start !== life);
  return hasEnded ? "gone" : "alive";
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtimeMs < Date.now() - MAX_AGE_MS;
}

/** The state and the start time of a process, identical in all of its threads. Null if unknown. Linux only. */
function statOf(pid: string): { readonly state: string; readonly start: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain anything; the start time is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", start: fields[19] ?? "" };
  } catch {
    return null;
  }
}

function namespaceOfProcesses(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
