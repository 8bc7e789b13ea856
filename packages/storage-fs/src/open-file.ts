import { createHash } from "node:crypto";
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
