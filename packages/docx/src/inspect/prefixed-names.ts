const MAX_LENGTH = 40;

/** Creates names that are unique identifiers with a common prefix. */
export class PrefixedNames {
  readonly #prefix: string;
  readonly #used = new Map<string, number>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Returns a name for the value of a key. */
  next(key: string): string {
    const words = key.slice(0, MAX_LENGTH).match(/[a-z0-9]+/gi) ?? [];
    const name =
      this.#prefix + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
    const count = (this.#used.get(name) ?? 0) + 1;
    this.#used.set(name, count);
    // A key may also end in a number. The underscore separates the two numbers.
    return count === 1 && words.length > 0 ? name : `${name}_${count}`;
  }
}
