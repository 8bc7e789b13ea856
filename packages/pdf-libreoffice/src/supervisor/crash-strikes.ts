import { LRUCache } from "lru-cache";

/** A document that ended this many lanes is not retried. */
const MAX_STRIKES = 2;

/** Number of documents to remember. The least recently used are evicted first. */
const MAX_DOCUMENTS = 10_000;

/** Records which documents crashed or hung a lane, by the hash of their content. */
export class CrashStrikes {
  readonly #strikes = new LRUCache<string, number>({ max: MAX_DOCUMENTS });
  readonly #lost = new WeakMap<object, number>();

  /** Whether the document must not be retried. */
  refuses(document: string): boolean {
    return (this.#strikes.get(document) ?? 0) >= MAX_STRIKES;
  }

  /** Records that a lane ended while it had this document. */
  strike(document: string): void {
    this.#strikes.set(document, (this.#strikes.get(document) ?? 0) + 1);
  }

  /**
   * Records that a lane failed with this task for a reason unrelated to the document. Returns how often that has
   * happened.
   */
  lose(task: object): number {
    const lost = (this.#lost.get(task) ?? 0) + 1;
    this.#lost.set(task, lost);
    return lost;
  }

  /** Records that the document was converted, so earlier lanes ended for other reasons. */
  clear(document: string): void {
    this.#strikes.delete(document);
  }
}
