import { QuireError } from "../../errors.ts";

/**
 * The longest document, in characters of XML over all its parts: as many as fit into a zip in any case,
 * which tells sizes of up to 4 GB. A table of a million rows has some 700 to 1,100 million.
 */
const MAX_CHARACTERS = 1_400_000_000;

/**
 * The most ops, values and turns of loops of one document: loops over one list in each other make billions.
 * A million rows of eight columns have some 10 million.
 */
const MAX_STEPS = 20_000_000;

const TOO_MANY_CHARACTERS = `it has more than ${MAX_CHARACTERS.toLocaleString("en-US")} characters of XML`;
const TOO_MANY_STEPS = `its loops and sums look at more than ${MAX_STEPS.toLocaleString("en-US")} values`;

/** What the rendering of one document may still use up. */
export class Budget {
  #characters: number;
  #steps: number;

  constructor(characters = MAX_CHARACTERS, steps = MAX_STEPS) {
    this.#characters = characters;
    this.#steps = steps;
  }

  /** Counts an op or a turn. Throws `limit_exceeded` when it is one too many. */
  step(part: string): void {
    this.#steps -= 1;
    if (this.#steps < 0) throw tooLarge(part, TOO_MANY_STEPS);
  }

  /** Counts many at once. */
  steps(part: string, count: number): void {
    this.#steps -= count;
    if (this.#steps < 0) throw tooLarge(part, TOO_MANY_STEPS);
  }

  /** Counts what is written. Throws `limit_exceeded` when it is too much. */
  write(part: string, characters: number): void {
    this.#characters -= characters;
    if (this.#characters < 0) throw tooLarge(part, TOO_MANY_CHARACTERS);
  }
}

/** What the engine throws for a text or a list that is longer than it can hold, as `limit_exceeded`. */
export function withinLimits<T>(part: string, compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof RangeError && /^Invalid (?:string|array) length$/.test(cause.message))) {
      throw cause;
    }
    throw tooLarge(part, TOO_MANY_CHARACTERS, cause);
  }
}

function tooLarge(part: string, why: string, cause?: unknown): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The part ${part} of the document becomes too large: ${why}. Give the data in several documents.`,
    { cause },
  );
}
