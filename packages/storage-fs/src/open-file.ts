import { createHash, hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { throwIfAborted } from "@quire/contracts";
import { nullWhenMissing } from "./fs-errors.ts";
import type { HeldPlace } from "./held-folder.ts";

/** Opening does not block if the path has become a FIFO, and does not follow it if it has become a link. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Opens a regular file. Null if there is no regular file in this folder with this name. */
export async function openFile(place: HeldPlace): Promise<FileHandle | null> {
  // Check the type first: opening a device can have side effects.
  if (!(await isRegular(place))) return null;
  const handle = await nullWhenMissing(open(join(place.folder.path, place.name), READ_FLAGS));
  try {
    await place.folder.verify();
    return handle;
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

/** Whether the entry is a regular file and not a link. */
export async function isRegular({ folder, name }: HeldPlace): Promise<boolean> {
  return (await nullWhenMissing(lstat(join(folder.path, name))))?.isFile() ?? false;
}

/** Maximum number of bytes that are read and hashed in one step. */
export const CHUNK_BYTES = 256 * 1024;

/** Maximum size of a file that is read and hashed in one call. */
const MAX_AT_ONCE = 1_000_000;

/** The bytes of an open file and their hash. Hashes a long file piece by piece, to keep the event loop responsive. */
export async function readWhole(
  handle: FileHandle,
  signal: AbortSignal | undefined,
): Promise<{ bytes: Uint8Array; sha256: string }> {
  const { size } = await handle.stat();
  if (size <= MAX_AT_ONCE) {
    const bytes = new Uint8Array(await handle.readFile({ signal }));
    return { bytes, sha256: hash("sha256", bytes) };
  }
  const sha256 = createHash("sha256");
  // One extra byte, so that the end of the file is reached before the buffer is full.
  let buffer = new Uint8Array(size + 1);
  let length = 0;
  for (;;) {
    throwIfAborted(signal);
    if (length === buffer.length) buffer = grown(buffer);
    const most = Math.min(CHUNK_BYTES, buffer.length - length);
    const { bytesRead } = await handle.read(buffer, length, most);
    if (bytesRead === 0) break;
    sha256.update(buffer.subarray(length, length + bytesRead));
    length += bytesRead;
  }
  return { bytes: buffer.subarray(0, length), sha256: sha256.digest("hex") };
}

/** Doubles the buffer, because a file can grow while it is being read. */
function grown(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * buffer.length);
  larger.set(buffer);
  return larger;
}

/** Size and hash of an open file, computed in one pass with little memory. */
export async function measure(
  handle: FileHandle,
  signal: AbortSignal | undefined,
): Promise<{ size: number; sha256: string }> {
  const sha256 = createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let size = 0;
  for (;;) {
    throwIfAborted(signal);
    const { bytesRead } = await handle.read(buffer);
    if (bytesRead === 0) return { size, sha256: sha256.digest("hex") };
    sha256.update(buffer.subarray(0, bytesRead));
    size += bytesRead;
  }
}
