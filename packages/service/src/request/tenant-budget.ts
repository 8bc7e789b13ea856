import { type HeldBytes, tooMany, unavailable } from "@quire/http/parts";

const RETRY_SECONDS = 2;

/**
 * The fraction of all bytes that each tenant may hold even if one large request of another tenant occupies the rest.
 */
const RESERVED = 1 / 64;

/**
 * Limits the bytes that requests hold at the same time. One tenant may hold at most as many bytes as remain free for
 * others, which is half of the total if no other tenant holds any. A single request may exceed this if its tenant holds
 * nothing else.
 */
export class TenantBudget {
  readonly #maxBytes: number;
  readonly #held = new Map<string, number>();
  #all = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The number of held bytes. */
  get usedBytes(): number {
    return this.#all;
  }

  holding(tenant: string): HeldBytes {
    let held = 0;
    return {
      get bytes() {
        return held;
      },
      add: (bytes) => {
        this.#add(tenant, bytes, held);
        held += bytes;
      },
      release: () => {
        this.#release(tenant, held);
        held = 0;
      },
    };
  }

  #add(tenant: string, bytes: number, mine: number): void {
    const own = this.#held.get(tenant) ?? 0;
    const isAlone = own === mine;
    const isReserved = own + bytes <= this.#maxBytes * RESERVED;
    if (!isReserved && !isAlone && own + bytes > this.#maxBytes - this.#all - bytes) {
      throw tooMany(
        "You have too many bytes in flight. Retry when some requests have finished.",
        RETRY_SECONDS,
      );
    }
    if (!isReserved && this.#all > mine && this.#all + bytes > this.#maxBytes) {
      throw unavailable("The service is busy with large requests. Try again later.", RETRY_SECONDS);
    }
    this.#held.set(tenant, own + bytes);
    this.#all += bytes;
  }

  #release(tenant: string, bytes: number): void {
    const own = (this.#held.get(tenant) ?? 0) - bytes;
    if (own > 0) this.#held.set(tenant, own);
    else this.#held.delete(tenant);
    this.#all -= bytes;
  }
}
