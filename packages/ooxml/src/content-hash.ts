import { createHash } from "node:crypto";

/**
 * SHA-256 of the bytes in lowercase hex. It depends only on the bytes, and nobody can create collisions, so two
 * different pictures never become one part.
 */
export function contentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
