import { createReadStream } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";

/** Reads a pipe of this process. On Bun, a `Socket` of a descriptor writes, but never reads. */
export function readPipe(fd: number): Readable {
  if (process.versions.bun !== undefined) return createReadStream("", { fd });
  return new Socket({ fd, readable: true, writable: false });
}
