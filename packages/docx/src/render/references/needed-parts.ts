import type { LostRelationships, PartGraph } from "../../program/part-graph.ts";

const NOTHING: ReadonlySet<string> = new Set();

/**
 * The parts that a document needs. A part to which only omitted content refers is not written, such as the chart of a
 * block whose condition is false.
 */
export class NeededParts {
  readonly #graph: PartGraph;
  // Created with the first lost relationship, because most documents lose none.
  #lost: Map<string, ReadonlySet<string>> | null = null;
  #omitted = NOTHING;

  constructor(graph: PartGraph) {
    this.#graph = graph;
  }

  /** Records that a part was written, and which of its relationships it uses. */
  wrote(
    { part, optional }: { readonly part: string; readonly optional: ReadonlySet<string> },
    used: ReadonlySet<string> | null,
  ): void {
    if (optional.size === 0) return;
    const lost = [...optional].filter((id) => used?.has(id) !== true);
    if (lost.length === 0) return;
    this.#lost ??= new Map();
    this.#lost.set(part, new Set(lost));
    this.#omitted = this.#graph.unreachable(this.#lost);
  }

  /** Records which relationships a further copy of a part uses: they are lost only if no copy uses them. */
  copied(part: string, used: ReadonlySet<string> | null): void {
    const lost = this.#lost?.get(part);
    if (lost === undefined || used === null) return;
    const left = lost.difference(used);
    if (left.size === lost.size) return;
    if (left.size === 0) this.#lost?.delete(part);
    else this.#lost?.set(part, left);
    this.#omitted = this.#graph.unreachable(this.lost);
  }

  /** The parts to omit. Complete after all parts that may refer to them have been written. */
  get omitted(): ReadonlySet<string> {
    return this.#omitted;
  }

  /** The lost relationships, by part. */
  get lost(): LostRelationships {
    return this.#lost ?? NO_LOSS;
  }

  /** Whether a relationship leads to a part that the document needs. */
  needs(part: string, id: string): boolean {
    return this.#lost === null || !this.#graph.isLost(part, id, this.#lost);
  }
}

const NO_LOSS: LostRelationships = new Map();
