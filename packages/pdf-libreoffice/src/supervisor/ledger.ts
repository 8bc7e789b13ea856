/** A document that ended a lane this often is not tried again. */
const MAX_STRIKES = 2;

/** So many documents are remembered; the oldest are forgotten first. */
const MAX_DOCUMENTS = 10_000;

/** Which documents crashed a lane or hung in it, by the hash of their content. */
export class Ledger {
  readonly #strikes = new Map<string, number>();
  readonly #lost = new WeakMap<object, number>();

  /** Whether the document is not to be tried again. */
  refuses(document: string): boolean {
    return (this.#strikes.get(document) ?? 0) >= MAX_STRIKES;
  }

  /** A lane ended with this document in it. */
  strike(document: string): void {
    const strikes = (this.#strikes.get(document) ?? 0) + 1;
    this.#strikes.delete(document);
    this.#strikes.set(document, strikes);
    const [oldest] = this.#strikes.keys();
    if (this.#strikes.size > MAX_DOCUMENTS && oldest !== undefined) this.#strikes.delete(oldest);
  }

  /** A lane could not go on with this task in it, whatever the document. How often that was. */
  lose(task: object): number {
    const lost = (this.#lost.get(task) ?? 0) + 1;
    this.#lost.set(task, lost);
    return lost;
  }

  /** It was converted: the lane ended for another reason. */
  acquit(document: string): void {
    this.#strikes.delete(document);
  }
}
