import { Buffer } from "node:buffer";

/** So far into a file readers look for its beginning. */
const HEAD_LENGTH = 1024;

/** Whether bytes are to be read as a PDF: they begin like one, and not like a zip, which every Word file is. */
export function isPdf(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_LENGTH));
  return head.includes("%PDF-") && !(head[0] === 0x50 && head[1] === 0x4b);
}
