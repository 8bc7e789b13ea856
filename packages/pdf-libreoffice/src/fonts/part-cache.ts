/** A part of a document as it stands in the zip. */
export interface StoredPart {
  readonly name: string;
  readonly crc32: number;
  /** Bytes when inflated. */
  readonly size: number;
  /** The bytes in the zip. */
  readonly raw: Uint8Array;
}

/** What was made of the latest parts. */
export interface PartCache<T> {
  /** What `make` makes of these parts, or made of equal ones that were `used` in the same way. */
  get(used: string, parts: readonly StoredPart[], make: () => T): T;
}

interface Kept<T> {
  readonly raws: readonly Uint8Array[];
  readonly value: T;
}

/** How much a cache keeps. */
export interface PartCacheLimits {
  readonly entries: number;
  /** What was made of more bytes of XML is made anew each time. */
  readonly bytes: number;
}

/**
 * Remembers what was made of the latest parts. Equal parts are found by their checksums and then
 * compared byte for byte: a checksum can be made to agree.
 */
export function createPartCache<T>({ entries, bytes }: PartCacheLimits): PartCache<T> {
  /** The one that was used longest ago comes first. */
  const kept = new Map<string, Kept<T>>();
  return {
    get(used, parts, make) {
      // A stored part may be longer than it says.
      const size = parts.reduce((sum, part) => sum + Math.max(part.size, part.raw.length), 0);
      if (size > bytes) return make();
      const key = [used, ...parts.map((part) => `${part.crc32}.${part.size}`)].join();
      const found = kept.get(key);
      const isFound =
        found !== undefined && parts.every(({ raw }, at) => isEqual(raw, found.raws[at]));
      if (isFound) kept.delete(key);
      // Copies: a part is within the bytes of its whole document.
      const entry = isFound ? found : { raws: parts.map(({ raw }) => raw.slice()), value: make() };
      kept.set(key, entry);
      for (const oldest of kept.keys()) {
        if (kept.size <= entries) break;
        kept.delete(oldest);
      }
      return entry.value;
    },
  };
}

function isEqual(raw: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && Buffer.compare(raw, other) === 0;
}
