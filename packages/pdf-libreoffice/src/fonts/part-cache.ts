import { LRUCache } from "lru-cache";

/** A part of a document as stored in the zip. */
export interface StoredPart {
  readonly name: string;
  readonly crc32: number;
  /** Inflated size in bytes. */
  readonly size: number;
  /** The bytes in the zip. */
  readonly raw: Uint8Array;
}

/** Caches results derived from recently used parts. */
export interface PartCache<T> {
  /** Returns the cached result for equal parts and the same `used`, or the result of `make`. */
  get(used: string, parts: readonly StoredPart[], make: () => T): T;
}

interface CacheEntry<T> {
  readonly raws: readonly Uint8Array[];
  readonly value: T;
}

/** Size limits of a cache. */
export interface PartCacheLimits {
  readonly entries: number;
  /** Results for more than this many bytes of XML are not cached. */
  readonly bytes: number;
}

/**
 * Creates a cache of results derived from parts. Finds equal parts by checksum and then compares them byte by byte,
 * because checksums can be forged.
 */
export function createPartCache<T>({ entries, bytes }: PartCacheLimits): PartCache<T> {
  const kept = new LRUCache<string, CacheEntry<T>>({ max: entries });
  return {
    get(used, parts, make) {
      // A stored part may be longer than it declares.
      const size = parts.reduce((sum, part) => sum + Math.max(part.size, part.raw.length), 0);
      if (size > bytes) return make();
      const key = [used, ...parts.map((part) => `${part.crc32}.${part.size}`)].join();
      const found = kept.get(key);
      const isFound =
        found !== undefined && parts.every(({ raw }, at) => isEqual(raw, found.raws[at]));
      if (isFound) return found.value;
      // Stores copies, because the parts are views of the bytes of the whole document.
      const entry = { raws: parts.map(({ raw }) => raw.slice()), value: make() };
      kept.set(key, entry);
      return entry.value;
    },
  };
}

function isEqual(raw: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && Buffer.compare(raw, other) === 0;
}
