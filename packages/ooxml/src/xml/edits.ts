/** A list of numbers that grows and needs little memory, because a hostile file may require a million edits. */
class Numbers {
  #held = new Uint32Array(64);
  length = 0;

  at(index: number): number {
    return this.#held[index] ?? 0;
  }

  push(value: number): void {
    if (this.length === this.#held.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.#held);
      this.#held = grown;
    }
    this.#held[this.length] = value;
    this.length += 1;
  }
}

/**
 * Changes to UTF-8 text, collected in any order: ranges and their replacements. An edit within the range of another
 * edit has no effect.
 */
export class Edits {
  readonly #starts = new Numbers();
  readonly #ends = new Numbers();
  /** The replacements that are not empty, by edit number. */
  readonly #texts = new Map<number, Buffer>();
  /** Whether the edits were collected in the order of their positions, as is usual. */
  #sorted = true;

  get isEmpty(): boolean {
    return this.#starts.length === 0;
  }

  remove(start: number, end: number): void {
    const last = this.#starts.length - 1;
    const before = this.#starts.at(last) - start || end - this.#ends.at(last);
    if (last >= 0 && before > 0) this.#sorted = false;
    this.#starts.push(start);
    this.#ends.push(end);
  }

  replace(start: number, end: number, text: string): void {
    this.#texts.set(this.#starts.length, Buffer.from(text));
    this.remove(start, end);
  }

  applyTo(source: Buffer): Buffer {
    const order = this.#inOrder();
    let added = 0;
    for (const text of this.#texts.values()) added += text.length;
    // One allocation is used instead of a million pieces. Edits within other edits leave part of it unused.
    const result = Buffer.allocUnsafe(source.length + added);
    let length = 0;
    let done = 0;
    for (const index of order) {
      const start = this.#starts.at(index);
      if (start < done) continue;
      length += source.copy(result, length, done, start);
      length += this.#texts.get(index)?.copy(result, length) ?? 0;
      done = this.#ends.at(index);
    }
    length += source.copy(result, length, done);
    return result.subarray(0, length);
  }

  /**
   * Returns the numbers of the edits in the order of their positions. If two begin at the same position, the longer one
   * comes first.
   */
  #inOrder(): Uint32Array {
    const order = Uint32Array.from({ length: this.#starts.length }, (_, index) => index);
    const byPlace = (a: number, b: number): number =>
      this.#starts.at(a) - this.#starts.at(b) || this.#ends.at(b) - this.#ends.at(a) || a - b;
    return this.#sorted ? order : order.sort(byPlace);
  }
}
