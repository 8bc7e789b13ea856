// The only use of node:crypto in docx/. A digest is a pure function of the bytes, and since nobody can create
// collisions, two different images never become one part.
import { createHash } from "node:crypto";

/** SHA-256 of the bytes in lowercase hex. */
export function contentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
