import { createHash, hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { throwIfAborted } from "@quire/contracts";
import { nullWhenMissing } from "./fs-errors.ts";
import type { HeldPlace } from "./held-folder.ts";

/** Opening does not block if the path has become a FIFO, and does not follow the path if it has become a link. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Opens a regular file. Returns null if the path is not a regular file. */
export async function openFile({ folder, name, isFile }: HeldPlace): Promise<FileHandle | null> {
  // The type is known before: opening a device can have side effects.
  if (!isFile) return null;
  const handle = await nullWhenMissing(open(join(folder.path, name), READ_FLAGS));
  try {
    await folder.verify();
    return handle;
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

/** Maximum number of bytes that are read and hashed in one step. */
export const CHUNK_BYTES = 256 * 1024;

/** Maximum size of a file that is read and hashed in one call. */
const MAX_AT_ONCE = 1_000_000;

/**
 * The bytes of an open file and their hash. `size` is the expected size. Hashes a long file piece by piece, to keep the
 * event loop responsive.
 */
export async function readWhole(
  handle: FileHandle,
  size: number,
  signal: AbortSignal | undefined,
): Promise<{ bytes: Uint8Array; sha256: string }> {
  if (size <= MAX_AT_ONCE) {
    const bytes = await readShort(handle, size, signal);
    return { bytes, sha256: hash("sha256", bytes) };
  }
  const sha256 = createHash("sha256");
  // The extra byte lets the loop reach the end of the file before the buffer is full.
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

/** Reads a file of the expected size in one call. */
async function readShort(
  handle: FileHandle,
  size: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const buffer = new Uint8Array(size + 1);
  const { bytesRead } = await handle.read(buffer);
  if (bytesRead === size) return buffer.slice(0, size);
  // The file has changed since, or the read was cut short.
  const rest = await handle.readFile({ signal });
  return Buffer.concat([buffer.subarray(0, bytesRead), rest]);
}

/** Doubles the buffer, because a file can grow while it is being read. */
function grown(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * buffer.length);
  larger.set(buffer);
  return larger;
}

/** Computes the size and the hash of an open file, in one pass with little memory. */
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
