import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256 of a token: 32 bytes. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
export type CompareHashes = (one: Uint8Array, other: Uint8Array) => boolean;

/**
 * Where a hash of 32 bytes stands in a list, or -1. It is compared with every one of them, also when it has been
 * found, so that the time tells nothing of where or whether it stands there. Of equal ones the last is told.
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
