/** The relationships that the output of a part uses. */
export class UsedRelationships {
  // Created with the first relationship, because most parts use none.
  #ids: Set<string> | null = null;

  /** The ids in the order of their first use; null before the first use. */
  get ids(): ReadonlySet<string> | null {
    return this.#ids;
  }

  get count(): number {
    return this.#ids?.size ?? 0;
  }

  use(ids: readonly string[]): void {
    this.#ids ??= new Set();
    for (const id of ids) this.#ids.add(id);
  }

  /** Forgets all but the first `count` relationships, after the others were rolled back. */
  forget(count: number): void {
    if (this.count > count)
      for (const id of [...(this.#ids ?? [])].slice(count)) this.#ids?.delete(id);
  }
}
