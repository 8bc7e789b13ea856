import { createHash, hash } from "node:crypto";
import { type FileHandle, link, lstat, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isByteStream, throwIfAborted } from "@quire/core/host";
import type { HeldFolder } from "./held-folder.ts";
import { nullWhenMissing, systemCode } from "./problems.ts";
import { temporaryName } from "./temporary-files.ts";

const MAX_OPENS = 50;
const OPEN_PAUSE_MS = 100;

/** How a file is created. */
export interface CreateFileOptions {
  readonly signal: AbortSignal | undefined;
  /** Makes the folder's entries durable. */
  readonly syncFolder: (path: string) => Promise<void>;
}

/** What was written. */
export interface Written {
  readonly size: number;
  readonly sha256: string;
}

/**
 * Creates a file whole and durable under a new name; null when the name is taken. The bytes, or the
 * pieces of a stream as they come, go to a temporary file in the same folder first. The final name is
 * then a hard link to it, made in one step that never replaces anything (unlike a rename), so that one
 * of several writers wins.
 */
export async function createFile(
  folder: HeldFolder,
  name: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  { signal, syncFolder }: CreateFileOptions,
): Promise<Written | null> {
  const target = folder.entry(name);
  // A stream may be long, or without an end: it is not read for a name that is taken already.
  if (isByteStream(bytes) && (await nullWhenMissing(lstat(target))) !== null) return null;
  const temp = join(folder.path, temporaryName());
  let written: Written;
  try {
    written = await writeSynced(temp, bytes, signal);
    throwIfAborted(signal);
    if (!(await linkNew(temp, target))) return null;
  } finally {
    await discard(temp);
  }
  try {
    await folder.verify();
    await syncFolder(folder.path);
  } catch (error) {
    // Not below the root, or perhaps not durable: it must not be found there.
    await discard(target);
    throw error;
  }
  return written;
}

async function writeSynced(
  path: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<Written> {
  const handle = await open(path, "wx", 0o666);
  try {
    const written = isByteStream(bytes)
      ? await writePieces(handle, bytes)
      : await writeWhole(handle, bytes, signal);
    await handle.sync();
    return written;
  } finally {
    await handle.close();
  }
}

async function writeWhole(
  handle: FileHandle,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Written> {
  const sha256 = hash("sha256", bytes);
  await handle.writeFile(bytes, { signal });
  return { size: bytes.length, sha256 };
}

/** The next piece is asked for when the one before is written. */
async function writePieces(
  handle: FileHandle,
  pieces: AsyncIterable<Uint8Array>,
): Promise<Written> {
  const sum = createHash("sha256");
  let size = 0;
  for await (const piece of pieces) {
    sum.update(piece);
    size += piece.length;
    await handle.writeFile(piece);
  }
  return { size, sha256: sum.digest("hex") };
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
