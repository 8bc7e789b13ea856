/** A queue whose items may be removed at any position. It skips a removed item when the item would be next. */
export class Queue<T> {
  readonly #isIn: (item: T) => boolean;
  #items: T[] = [];
  #next = 0;

  /** `isIn` returns whether an item is still in the queue. */
  constructor(isIn: (item: T) => boolean) {
    this.#isIn = isIn;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  unshift(item: T): void {
    if (this.#next === 0) this.#items.unshift(item);
    else this.#items[--this.#next] = item;
  }

  /** Returns the first item that has not been removed. */
  first(): T | undefined {
    for (; this.#next < this.#items.length; this.#next++) {
      const item = this.#items[this.#next];
      if (item !== undefined && this.#isIn(item)) {
        this.#shorten();
        return item;
      }
    }
    this.#items = [];
    this.#next = 0;
    return undefined;
  }

  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (let index = this.#next; index < this.#items.length; index++) {
      const item = this.#items[index];
      if (item !== undefined && this.#isIn(item)) yield item;
    }
  }

  #shorten(): void {
    if (this.#next < 1_000 || this.#next < this.#items.length / 2) return;
    this.#items = this.#items.slice(this.#next);
    this.#next = 0;
  }
}
