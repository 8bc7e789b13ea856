import { Buffer } from "node:buffer";

/** Readers look for the header within this many bytes from the start of the file. */
const HEAD_LENGTH = 1024;

/**
 * Whether the bytes should be read as a PDF: they begin like a PDF and not like a zip archive, as every Word file does.
 */
export function isPdf(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_LENGTH));
  return head.includes("%PDF-") && !(head[0] === 0x50 && head[1] === 0x4b);
}
