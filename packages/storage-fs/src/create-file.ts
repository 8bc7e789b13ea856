import { type FileHandle, link, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { throwIfAborted } from "@quire/core";
import { systemCode } from "./problems.ts";
import { temporaryName } from "./temporary-files.ts";

const MAX_OPENS = 50;
const OPEN_PAUSE_MS = 100;

/** How a file is created. */
export interface CreateFileOptions {
  readonly signal: AbortSignal | undefined;
  /** Makes the folder's entries durable. */
  readonly syncFolder: (path: string) => Promise<void>;
}

/**
 * Creates a file whole and durable under a new name; false when the name is taken. The bytes go to
 * a temporary file in the same folder first. The final name is then a hard link to it, made in one
 * step that never replaces anything (unlike a rename), so that one of several writers wins.
 */
export async function createFile(
  folder: string,
  name: string,
  bytes: Uint8Array,
  { signal, syncFolder }: CreateFileOptions,
): Promise<boolean> {
  const target = join(folder, name);
  const temp = join(folder, temporaryName());
  try {
    await writeSynced(temp, bytes, signal);
    throwIfAborted(signal);
    if (!(await linkNew(temp, target))) return false;
  } finally {
    await discard(temp);
  }
  try {
    await syncFolder(folder);
  } catch (error) {
    // Not known to be durable, so it must not stand there either.
    await discard(target);
    throw error;
  }
  return true;
}

async function writeSynced(
  path: string,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  const handle = await open(path, "wx", 0o666);
  try {
    await handle.writeFile(bytes, { signal });
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function linkNew(existing: string, path: string): Promise<boolean> {
  try {
    await link(existing, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Makes the folder's entries durable. Windows cannot sync a folder and needs not. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await openPatiently(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opens what was changed already: that too many files are open for the moment is not to undo it. */
async function openPatiently(path: string): Promise<FileHandle> {
  for (let tries = 1; ; tries++) {
    try {
      return await open(path, "r");
    } catch (error) {
      const isForTheMoment = ["EMFILE", "ENFILE"].includes(systemCode(error) ?? "");
      if (!isForTheMoment || tries === MAX_OPENS) throw error;
      await wait(OPEN_PAUSE_MS);
    }
  }
}

/** Removes what must not stay. What cannot be removed is left: it must not hide the first error. */
async function discard(path: string): Promise<void> {
  await unlink(path).catch(() => {});
}
