import { tooMany } from "@quire/http/parts";

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * The number of buckets above which full buckets are removed. They are removed again when the number of remaining
 * buckets has doubled.
 */
const MANY_BUCKETS = 10_000;
const MINUTE_MS = 60_000;

/**
 * A token bucket for each principal. It allows `perMinute` requests per minute, possibly all at the same time. `now`
 * returns milliseconds and never decreases.
 */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  #forgetAbove = MANY_BUCKETS;

  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Takes a token. If none is left, throws a 429 with the delay before a retry. */
  take(principal: string): void {
    if (this.#perMinute === Number.POSITIVE_INFINITY) return;
    const now = this.#now();
    const bucket = this.#buckets.get(principal) ?? { tokens: this.#perMinute, at: now };
    bucket.tokens = this.#refilled(bucket, now);
    bucket.at = now;
    this.#buckets.set(principal, bucket);
    if (bucket.tokens < 1) {
      const seconds = ((1 - bucket.tokens) * 60) / this.#perMinute;
      throw tooMany(
        `You sent more than ${this.#perMinute} requests in a minute. Wait before you send more.`,
        seconds,
      );
    }
    bucket.tokens -= 1;
    if (this.#buckets.size > this.#forgetAbove) this.#forget(now);
  }

  #refilled({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.#perMinute, tokens + ((now - at) * this.#perMinute) / MINUTE_MS);
  }

  #forget(now: number): void {
    for (const [principal, bucket] of this.#buckets) {
      if (this.#refilled(bucket, now) >= this.#perMinute) this.#buckets.delete(principal);
    }
    this.#forgetAbove = Math.max(MANY_BUCKETS, 2 * this.#buckets.size);
  }
}
