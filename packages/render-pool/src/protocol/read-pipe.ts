import { createReadStream } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";

/** Opens a pipe of this process for reading. On Bun, a `Socket` of a file descriptor can write but never reads. */
export function readPipe(fd: number): Readable {
  if (process.versions.bun !== undefined) return createReadStream("", { fd });
  return new Socket({ fd, readable: true, writable: false });
}
