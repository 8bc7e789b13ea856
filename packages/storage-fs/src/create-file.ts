import { createHash, hash } from "node:crypto";
import { type FileHandle, link, lstat, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isByteStream, throwIfAborted } from "@quire/contracts";
import { nullWhenMissing, systemCode } from "./fs-errors.ts";
import type { HeldFolder } from "./held-folder.ts";
import { temporaryName } from "./temporary-files.ts";

const MAX_OPENS = 50;
const OPEN_PAUSE_MS = 100;

/** Options of {@link createFile}. */
export interface CreateFileOptions {
  readonly signal: AbortSignal | undefined;
  /** Flushes the folder's entries to disk. */
  readonly syncFolder: (path: string) => Promise<void>;
}

/** Size and hash of a file that was written. */
export interface Written {
  readonly size: number;
  readonly sha256: string;
}

/**
 * Creates a file under a new name, atomically and durably. Returns null if the name is taken. The bytes, or the chunks
 * of a stream, first go to a temporary file in the same folder. A hard link then gives the file its final name. Unlike
 * a rename, a link never replaces an existing file, so that exactly one of several concurrent writers succeeds.
 */
export async function createFile(
  folder: HeldFolder,
  name: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  { signal, syncFolder }: CreateFileOptions,
): Promise<Written | null> {
  const target = folder.entry(name);
  // A stream may be long or endless, so check the name before reading it.
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
    // The file may be outside the root or not durable, so it must not remain under its name.
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

/** Writes the chunks of a stream. Requests each chunk only after the previous one is written. */
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

/** Flushes the folder's entries to disk. Windows cannot sync a folder, and does not need to. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await openPatiently(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Opens a folder that has just been changed, to sync it. Retries while too many files are open. */
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

/** Deletes a file that must not remain. Ignores failures, because they would hide the first error. */
async function discard(path: string): Promise<void> {
  await unlink(path).catch(() => {});
}
