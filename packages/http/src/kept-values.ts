/** Something that is kept, and for how much it counts. */
export interface Kept<T> {
  readonly value: T;
  readonly size: number;
}

/** Keeps what was asked for last: so many, and of so much size in all. One that is larger by itself is kept alone. */
export class KeptValues<T> {
  readonly #most: number;
  readonly #mostSize: number;
  /** What was asked for last stands last. */
  readonly #kept = new Map<string, Kept<T>>();
  #size = 0;

  constructor(most: number, mostSize: number) {
    this.#most = most;
    this.#mostSize = mostSize;
  }

  /** Null when nothing is kept. */
  get(key: string): T | null {
    const kept = this.#kept.get(key);
    if (kept === undefined) return null;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** In place of what was kept under the key. */
  keep(key: string, kept: Kept<T>): void {
    this.#remove(key);
    this.#kept.set(key, kept);
    this.#size += kept.size;
    for (const [oldest] of this.#kept) {
      const fits = this.#kept.size <= this.#most && this.#size <= this.#mostSize;
      if (fits || oldest === key) break;
      this.#remove(oldest);
    }
  }

  /** Lets go of this value; another one that took its place stays. */
  forget(key: string, value: T): void {
    if (this.#kept.get(key)?.value === value) this.#remove(key);
  }

  #remove(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }
}
