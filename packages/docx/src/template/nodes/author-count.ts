/** The counts at a position. */
interface Counted {
  readonly paragraphs: number;
  readonly tables: number;
}

/**
 * Counts the paragraphs and tables of a part as an author does. A program shows one branch of an
 * `mc:AlternateContent`, and Word writes the same text box into each branch. Each branch is therefore counted from the
 * same numbers, and the text after the `mc:AlternateContent` continues from the highest ones.
 */
export class AuthorCount {
  paragraphs = 0;
  tables = 0;
  /** For each open alternative, the counts at its start and the highest counts of its branches. */
  readonly #alternatives: { readonly start: Counted; greatest: Counted }[] = [];

  /** Begins an element. `name` has the usual namespace prefix. */
  open(name: string): void {
    if (name === "w:p") this.paragraphs += 1;
    else if (name === "w:tbl") this.tables += 1;
    else if (name === "mc:AlternateContent") {
      this.#alternatives.push({ start: this.#now(), greatest: this.#now() });
    } else if (isBranch(name)) this.#goTo(this.#alternatives.at(-1)?.start);
  }

  /** Ends an element, even an empty one. */
  close(name: string): void {
    if (name === "mc:AlternateContent") this.#goTo(this.#alternatives.pop()?.greatest);
    const open = isBranch(name) ? this.#alternatives.at(-1) : undefined;
    if (open === undefined) return;
    const { paragraphs, tables } = open.greatest;
    open.greatest = {
      paragraphs: Math.max(paragraphs, this.paragraphs),
      tables: Math.max(tables, this.tables),
    };
  }

  #now(): Counted {
    return { paragraphs: this.paragraphs, tables: this.tables };
  }

  #goTo(counted: Counted | undefined): void {
    if (counted === undefined) return;
    this.paragraphs = counted.paragraphs;
    this.tables = counted.tables;
  }
}

/** Whether an element is one of the alternative forms in an `mc:AlternateContent`. */
export function isBranch(name: string): boolean {
  return name === "mc:Choice" || name === "mc:Fallback";
}
