/**
 * Tracks which programs show the content at the current position: those that accept its tracked changes, or those that
 * use its branch.
 */
export class ReadingContext {
  #deleted = 0;
  #inserted = 0;
  readonly #branches = [0];
  #branchCount = 0;

  /** A number that is equal for two positions if the same programs show both. */
  get now(): number {
    const changed = (this.#deleted > 0 ? 1 : 0) + (this.#inserted > 0 ? 2 : 0);
    return (this.#branches.at(-1) ?? 0) * 4 + changed;
  }

  /** Enters an element. Returns the function to call when it ends. */
  enter(kind: "deleted" | "inserted" | "branch"): () => void {
    if (kind === "deleted") {
      this.#deleted += 1;
      return () => {
        this.#deleted -= 1;
      };
    }
    if (kind === "inserted") {
      this.#inserted += 1;
      return () => {
        this.#inserted -= 1;
      };
    }
    this.#branchCount += 1;
    this.#branches.push(this.#branchCount);
    return () => {
      this.#branches.pop();
    };
  }
}
