const MAX_LENGTH = 40;

/** Gives out names that are identifiers, begin with a prefix, and are all different. */
export class Names {
  readonly #prefix: string;
  readonly #used = new Map<string, number>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** A name for what stands at a key. */
  next(key: string): string {
    const words = key.slice(0, MAX_LENGTH).match(/[a-z0-9]+/gi) ?? [];
    const name =
      this.#prefix + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
    const count = (this.#used.get(name) ?? 0) + 1;
    this.#used.set(name, count);
    // A key may end in a number as well: the underscore keeps the two apart.
    return count === 1 && words.length > 0 ? name : `${name}_${count}`;
  }
}
