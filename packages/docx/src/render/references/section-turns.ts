/** What sections need to know about an iteration of a block. */
interface Turn {
  readonly alias: string | null;
}

/** An iteration of a loop that contains section breaks. */
export interface SectionTurn<Iteration> {
  /** The number of the loop in the template. */
  readonly loop: number;
  /** Null if the block is shown once, with the names around it. */
  readonly scope: Iteration | null;
  readonly outer: SectionTurn<Iteration> | null;
}

/** The iteration to which all content of a section belongs. */
export interface SectionOwner<Iteration> {
  /** Null if the content is outside all loops, or in several iterations of an outermost loop. */
  readonly turn: SectionTurn<Iteration> | null;
  /** Whether the section has content of several iterations of a loop. */
  readonly isMixed: boolean;
}

/** Finds out to which iterations the content of each section belongs. */
export class SectionTurns<Iteration extends Turn> {
  #turn: SectionTurn<Iteration> | null = null;
  /** The amount of visible output at the last boundary of an iteration or a section. */
  #shown = 0;
  /** The iteration in which the current section began, and the last iteration that began in it. */
  #began: SectionTurn<Iteration> | null = null;
  #latest: SectionTurn<Iteration> | null = null;
  #owner: SectionOwner<Iteration> | null = null;
  readonly #last = new Map<number, SectionTurn<Iteration>>();

  /** Begins an iteration. `shown`: a number that grows with all visible output. */
  begin(loop: number, scope: Iteration | null, shown: number): void {
    this.#settle(shown);
    this.#turn = { loop, scope, outer: this.#turn };
    this.#latest = this.#turn;
    this.#last.set(loop, this.#turn);
  }

  /** Ends the iteration that began last. */
  end(shown: number): void {
    this.#settle(shown);
    this.#turn = this.#turn?.outer ?? null;
  }

  /**
   * Returns the owner of the current section, at its properties. A section belongs to the iterations with visible
   * output; without any, to the iteration before its break if that is the first content of its loop (`isLeading`), and
   * otherwise to the iteration of its break. `hasText`: whether output follows in the paragraph of the break.
   */
  owner(
    { isLeading, hasText }: { readonly isLeading: boolean; readonly hasText: boolean },
    shown: number,
  ): SectionOwner<Iteration> {
    this.#settle(shown);
    if (hasText) this.#add(this.#turn);
    const turn = isLeading ? this.#began : (this.#latest ?? this.#turn);
    return this.#owner ?? { turn, isMixed: false };
  }

  /** Begins a section, after the paragraph of a break. */
  next(shown: number): void {
    this.#shown = shown;
    this.#owner = null;
    this.#began = this.#turn;
    this.#latest = null;
  }

  /** Whether a loop has repeated anything within an iteration, or in the document if `within` is null. */
  hasRun(loop: number, within: SectionTurn<Iteration> | null): boolean {
    const last = this.#last.get(loop);
    return last !== undefined && (within === null || chainOf(last).includes(within));
  }

  /** Adds the current iteration to those with content in the section, if it has shown anything since the last boundary. */
  #settle(shown: number): void {
    const isShown = shown > this.#shown;
    this.#shown = shown;
    if (isShown) this.#add(this.#turn);
  }

  #add(turn: SectionTurn<Iteration> | null): void {
    if (turn === null) return;
    if (this.#owner === null) {
      this.#owner = { turn, isMixed: false };
      return;
    }
    const { turn: owner, isMixed } = this.#owner;
    const around = chainOf(owner);
    if (around.includes(turn)) return;
    const common = chainOf(turn).find((each) => around.includes(each)) ?? null;
    this.#owner =
      common === owner
        ? { turn: isMixed ? owner : turn, isMixed }
        : { turn: common, isMixed: true };
  }
}

/** Returns an iteration and those around it, innermost first. */
export function chainOf<Iteration>(
  turn: SectionTurn<Iteration> | null,
): readonly SectionTurn<Iteration>[] {
  const chain: SectionTurn<Iteration>[] = [];
  for (let at = turn; at !== null; at = at.outer) chain.push(at);
  return chain;
}
