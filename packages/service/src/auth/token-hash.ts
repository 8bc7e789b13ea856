import { createHash, timingSafeEqual } from "node:crypto";

/** Returns the SHA-256 of a token: 32 bytes. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/** Returns whether two hashes are equal. The duration must not depend on where they differ. */
export type CompareHashes = (one: Uint8Array, other: Uint8Array) => boolean;

/**
 * Returns the index of a 32-byte hash in a list, or -1. Always compares all entries, so that the duration does not
 * reveal whether or where the hash is listed. If several entries match, returns the index of the last one.
 */
export function findHash(
  hashes: readonly Uint8Array[],
  hash: Uint8Array,
  areEqual: CompareHashes = timingSafeEqual,
): number {
  let found = -1;
  for (const [index, candidate] of hashes.entries()) {
    const equal = Number(areEqual(candidate, hash));
    found = equal * index + (1 - equal) * found;
  }
  return found;
}
