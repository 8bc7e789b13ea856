/** The memory that one request occupies. */
export interface HeldBytes {
  /** Total number of added bytes; 0 after a release. */
  readonly bytes: number;
  /** Adds bytes. Throws a 429 if the tenant holds too many bytes, and a 503 if all tenants together hold too many. */
  add(bytes: number): void;
  /** Releases all bytes. May be called more than once. */
  release(): void;
}

/** Counts held bytes without a limit. */
export function unlimitedBytes(): HeldBytes {
  let held = 0;
  return {
    get bytes() {
      return held;
    },
    add: (bytes) => {
      held += bytes;
    },
    release: () => {
      held = 0;
    },
  };
}
