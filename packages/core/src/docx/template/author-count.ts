/** What had been counted at a place. */
interface Counted {
  readonly paragraphs: number;
  readonly tables: number;
}

/**
 * Counts the paragraphs and tables of a part as an author does. Of what an `mc:AlternateContent` holds a
 * program shows one branch, and Word writes the same text box into both: each branch is counted from
 * the same numbers on, and what follows goes on behind the longest.
 */
export class AuthorCount {
  paragraphs = 0;
  tables = 0;
  /** For each alternative that is open where it began, and the greatest numbers of its branches. */
  readonly #alternatives: { readonly start: Counted; greatest: Counted }[] = [];

  /** An element begins, by its usual name. */
  open(name: string): void {
    if (name === "w:p") this.paragraphs += 1;
    else if (name === "w:tbl") this.tables += 1;
    else if (name === "mc:AlternateContent") {
      this.#alternatives.push({ start: this.#now(), greatest: this.#now() });
    } else if (isBranch(name)) this.#goTo(this.#alternatives.at(-1)?.start);
  }

  /** An element ends, empty ones included. */
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

/** Whether an element is one of the forms in which an `mc:AlternateContent` says the same. */
export function isBranch(name: string): boolean {
  return name === "mc:Choice" || name === "mc:Fallback";
}
