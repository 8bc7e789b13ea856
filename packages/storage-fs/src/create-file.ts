import { link, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { throwIfAborted } from "@quire/core";
import { systemCode } from "./problems.ts";
import { temporaryName } from "./temporary-files.ts";

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
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes what must not stay. What cannot be removed is left: it must not hide the first error. */
async function discard(path: string): Promise<void> {
  await unlink(path).catch(() => {});
}
