// The one use of node:crypto below docx/: a digest is a pure function of the bytes, and one that nobody
// can bring to collide keeps two different images from ever becoming one part.
import { createHash } from "node:crypto";

/** SHA-256 of the bytes in lower-case hex. */
export function contentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
