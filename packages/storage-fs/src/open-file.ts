import { createHash, hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { throwIfAborted } from "@quire/core/host";
import type { HeldPlace } from "./held-folder.ts";
import { nullWhenMissing } from "./problems.ts";

/** Does not wait for a writer when the path turns into a FIFO, nor follow it when it turns into a link. */
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/** Opens a regular file; null when it does not exist, or has been moved since. */
export async function openFile(place: HeldPlace): Promise<FileHandle | null> {
  // Checked first: opening a device can have side effects.
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

/** Whether the place has a regular file, not a link. */
export async function isRegular({ folder, name }: HeldPlace): Promise<boolean> {
  return (await nullWhenMissing(lstat(join(folder.path, name))))?.isFile() ?? false;
}

/** How much of a file is in memory at a time. */
export const CHUNK_BYTES = 256 * 1024;

/** The longest file that is read and hashed at once. */
const MAX_AT_ONCE = 1_000_000;

/** The bytes of an open file and their hash. Of a long one each piece is hashed while nothing else waits for long. */
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
  // With room for one byte more, the end of the file is met before the buffer is full.
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

/** A file can grow while it is read. */
function grown(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * buffer.length);
  larger.set(buffer);
  return larger;
}

/** Size and hash of an open file, in one pass and with little memory. */
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
