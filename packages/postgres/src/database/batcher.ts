import { isQuireError } from "@quire/contracts";

/** Maximum number of values that are sent together. */
const GROUP = 64;

interface Item<V, R> {
  readonly value: V;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends values that arrive while a group is under way together, as the next group. So groups grow with the load, and
 * without load no value waits.
 */
export class Batcher<V, R> {
  readonly #send: (values: readonly V[]) => Promise<readonly R[]>;
  readonly #keyOf: ((value: V) => string) | undefined;
  /** The waiting items, by key. */
  readonly #waiting = new Map<unknown, Item<V, R>[]>();
  #isSending = false;

  /**
   * `send` resolves with the result of each value, in order. If it rejects with an error that is not retryable, one of
   * the values may be at fault, so each value is sent again alone. Values with the same key are never in the same
   * group, and keep their order.
   */
  constructor(send: (values: readonly V[]) => Promise<readonly R[]>, keyOf?: (value: V) => string) {
    this.#send = send;
    this.#keyOf = keyOf;
  }

  /** Returns the result of a value, or rejects with its error. */
  add(value: V): Promise<R> {
    return new Promise((resolve, reject) => {
      const item = { value, resolve, reject };
      const key = this.#keyOf?.(value) ?? item;
      const sameKey = this.#waiting.get(key);
      if (sameKey === undefined) this.#waiting.set(key, [item]);
      else sameKey.push(item);
      if (this.#isSending) return;
      this.#isSending = true;
      // Values that are added within the same turn form the first group.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) await this.#sendGroup(this.#nextGroup());
    this.#isSending = false;
  }

  /** Takes the first item of each key. */
  #nextGroup(): Item<V, R>[] {
    const group: Item<V, R>[] = [];
    for (const [key, items] of this.#waiting) {
      if (group.length === GROUP) break;
      group.push(...items.splice(0, 1));
      if (items.length === 0) this.#waiting.delete(key);
    }
    return group;
  }

  async #sendGroup(group: readonly Item<V, R>[]): Promise<void> {
    try {
      const results = await this.#send(group.map(({ value }) => value));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as R);
    } catch (error) {
      const isOutage = isQuireError(error) && error.retryable;
      if (isOutage || group.length === 1) for (const { reject } of group) reject(error);
      else for (const item of group) await this.#sendGroup([item]);
    }
  }
}
