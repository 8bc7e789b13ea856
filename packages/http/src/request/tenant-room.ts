import { tooMany, unavailable } from "../wire/problem.ts";

const RETRY_SECONDS = 2;

/** The bytes that one request holds. */
export interface Holding {
  readonly bytes: number;
  /** Throws a 429 when the tenant holds too much, a 503 when all do. */
  add(bytes: number): void;
  /** Releases them all. May be called twice. */
  release(): void;
}

/**
 * Limits the bytes that requests hold at the same time. One tenant holds no more than it leaves free, so that the next
 * one finds room: half of all while it is alone. A single request may exceed that when its tenant holds nothing else.
 */
export class TenantRoom {
  readonly #maxBytes: number;
  readonly #held = new Map<string, number>();
  #all = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** How many bytes are held. */
  get usedBytes(): number {
    return this.#all;
  }

  holding(tenant: string): Holding {
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
    if (!isAlone && own + bytes > this.#maxBytes - this.#all - bytes) {
      throw tooMany("Too much of yours is on its way already. Wait for some of it.", RETRY_SECONDS);
    }
    if (this.#all > mine && this.#all + bytes > this.#maxBytes) {
      throw unavailable("The service has its hands full with large requests.", RETRY_SECONDS);
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
