import {
  type ConflictPolicy,
  foldName,
  isQuireError,
  type JobFailure,
  nameReserver,
  type ReserveName,
  renamed,
  toFailure,
} from "@quire/contracts";

/** The chosen name of a job, or the reason why it has none. */
export type Choice =
  | { readonly name: string; readonly failure: null }
  | { readonly name: null; readonly failure: JobFailure };

/** How many replacement names to look up after the first conflict. Doubled after each further conflict. */
const FIRST_CANDIDATES = 8;

/**
 * Chooses names for the jobs of a batch, as far as this process knows which names are taken. The database decides: if
 * it rejects names, call {@link reject} and choose again.
 */
export class NameChooser {
  readonly #isTaken: (foldedName: string) => boolean;
  readonly #policy: ConflictPolicy;
  /** Folded names of other batches, and names of this batch that are written. */
  readonly #taken = new Set<string>();
  /** Folded names that were chosen since the last {@link keep}, with the wanted names. */
  #chosen = new Map<string, string>();
  #reserve: ReserveName;
  #candidates = FIRST_CANDIDATES;

  constructor(policy: ConflictPolicy, isTaken: (foldedName: string) => boolean) {
    this.#policy = policy;
    this.#isTaken = isTaken;
    this.#reserve = this.#newReserver();
  }

  /** The folded names that were chosen and not written yet. */
  get folded(): string[] {
    return [...this.#chosen.keys()];
  }

  choose(wanted: string): Choice {
    try {
      const name = this.#reserve(wanted, this.#policy);
      this.#chosen.set(foldName(name), wanted);
      return { name, failure: null };
    } catch (error) {
      if (!isQuireError(error)) throw error;
      return { name: null, failure: toFailure(error) };
    }
  }

  /** Chooses a name that the folder may contain, because it is the name of the job's own document. */
  chooseKept(name: string): boolean {
    const folded = foldName(name);
    if (this.#taken.has(folded) || this.#chosen.has(folded)) return false;
    this.#chosen.set(folded, name);
    return true;
  }

  /** The chosen names were written. */
  keep(): void {
    for (const folded of this.#chosen.keys()) this.#taken.add(folded);
    this.#chosen.clear();
  }

  /**
   * The names were not written, because these folded names are taken. Returns folded names that are likely to be chosen
   * next: pass those that are taken to {@link learn}, so that a long row of taken names needs few round trips.
   */
  reject(taken: readonly string[]): string[] {
    const wanted = new Set(taken.map((folded) => this.#chosen.get(folded) ?? folded));
    const last = taken.map(numberOf);
    this.learn(taken);
    this.#reset();
    const from = Math.max(0, ...last) + 1;
    this.#candidates *= 2;
    return [...wanted].flatMap((name) =>
      Array.from({ length: this.#candidates }, (_, index) => foldName(renamed(name, from + index))),
    );
  }

  /** Folded names that other batches have. */
  learn(taken: Iterable<string>): void {
    for (const folded of taken) this.#taken.add(folded);
  }

  /** Forgets the names that were chosen and not written. */
  #reset(): void {
    this.#chosen = new Map();
    // A reserver remembers its last numbers, which may have been given to names that are free again.
    this.#reserve = this.#newReserver();
  }

  #newReserver(): ReserveName {
    return nameReserver(
      (folded) => !this.#taken.has(folded) && !this.#chosen.has(folded) && !this.#isTaken(folded),
    );
  }
}

/** The number in a name like `name (3).pdf`; 0 for a name without a number. */
function numberOf(folded: string): number {
  return Number(/ \((\d{1,9})\)(\.[^.]*)?$/.exec(folded)?.[1] ?? 0);
}
