import { QuireError } from "@quire/contracts";

/** Limits for rendering one document. The cost depends only on the template and the data, not on the machine. */
export interface DocumentLimits {
  /**
   * Maximum number of steps. A step takes about 400 ns. Each op, value and loop iteration is one step; a barcode, a
   * picture, or the chart or header of a repetition takes thousands of steps. A table of a million rows and eight columns takes
   * about 18 million. Default: 20 million.
   */
  readonly steps: number;
  /**
   * Maximum number of XML characters in the document, summed over its parts. A table of a million rows has about 700 to
   * 1,100 million characters. Default: 1,400 million, which always fits into a zip with 32-bit sizes.
   */
  readonly characters: number;
}

/** The default limits. */
export const DEFAULT_DOCUMENT_LIMITS: DocumentLimits = {
  steps: 20_000_000,
  characters: 1_400_000_000,
};

/** The kinds of work, as an error message names them. */
const WORK = {
  loops: "loops, sums and computations",
  texts: "comparing, joining and formatting text",
  writing: "writing text",
  codes: "QR codes and barcodes",
  pictures: "pictures",
  drawings: "SVG and WebP pictures",
  rich: "HTML and Markdown",
  copies: "the charts, headers and footers of loops",
} as const;

/** A kind of work. */
export type Work = keyof typeof WORK;

/** Counts work in steps. Throws `limit_exceeded` above the limit. */
export type Spend = (steps: number, work?: Work) => void;

/** Number of characters written per step. */
const CHARACTERS_OF_STEP = 32;

/** Maximum length of short template text, such as that of a table row. Such text repeats, so writing it is cheaper. */
const SHORT_STATICS = 4_096;
/** Number of characters of short template text written per step. */
const SHORT_STATICS_OF_STEP = 256;

/** The steps and characters that one document has left. */
export class Budget {
  readonly #limits: DocumentLimits;
  #characters: number;
  #steps: number;
  readonly #used = new Map<Work, number>();
  #written = 0;

  /** Throws `invalid_request` if a limit is not a positive integer. */
  constructor(limits: Partial<DocumentLimits> = {}) {
    this.#limits = {
      steps: limitOf("steps", limits.steps),
      characters: limitOf("characters", limits.characters),
    };
    this.#characters = this.#limits.characters;
    this.#steps = this.#limits.steps;
  }

  /** Resets the characters, but not the steps, for another run of the document. */
  startOver(): void {
    this.#characters = this.#limits.characters;
  }

  /** Counts ops, values and loop iterations. Throws `limit_exceeded` above the limit. */
  step(count = 1): void {
    this.#steps -= count;
    if (this.#steps < 0) throw this.#tooMuchWork();
  }

  /** Counts the steps of a kind of work. */
  readonly spend: Spend = (steps, work = "loops") => {
    if (work !== "loops") this.#used.set(work, (this.#used.get(work) ?? 0) + steps);
    this.step(steps);
  };

  /** Counts written characters of template text and of values. Throws `limit_exceeded` above the limit. */
  write(part: string, statics: number, values: number): void {
    this.#characters -= statics + values;
    if (this.#characters < 0) throw tooLong(part, this.#limits.characters);
    const own = statics > SHORT_STATICS ? CHARACTERS_OF_STEP : SHORT_STATICS_OF_STEP;
    const steps = statics / own + values / CHARACTERS_OF_STEP;
    this.#written += steps;
    this.#steps -= steps;
    if (this.#steps < 0) throw this.#tooMuchWork();
  }

  /** Calls `make`. Throws `limit_exceeded` if a string or an array becomes too long for V8. */
  within<T>(part: string, make: () => T): T {
    try {
      return make();
    } catch (cause) {
      if (
        !(cause instanceof RangeError && /^Invalid (?:string|array) length$/.test(cause.message))
      ) {
        throw cause;
      }
      throw tooLong(part, this.#limits.characters, cause);
    }
  }

  #tooMuchWork(): QuireError {
    const { steps } = this.#limits;
    const used = new Map<Work, number>([...this.#used, ["writing", this.#written]]);
    const others = [...used.values()].reduce((sum, each) => sum + each, 0);
    used.set("loops", steps - this.#steps - others);
    const [most, count] = [...used].reduce((one, other) => (other[1] > one[1] ? other : one));
    const share = Math.min(Math.round((count / (steps - this.#steps)) * 100), 100);
    return new QuireError(
      "limit_exceeded",
      `The document takes more than ${grouped(steps)} steps to make, ${share}% of them for ${WORK[most]}. Split the data into several documents, or raise the limit 'steps' (documentSteps of renderPool()).`,
    );
  }
}

function limitOf(name: keyof DocumentLimits, value = DEFAULT_DOCUMENT_LIMITS[name]): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new QuireError(
    "invalid_request",
    `The document limit '${name}' must be a positive integer, not ${value}.`,
  );
}

function tooLong(part: string, limit: number, cause?: unknown): QuireError {
  return new QuireError(
    "limit_exceeded",
    `The part ${part} of the document becomes too large: it has more than ${grouped(limit)} characters of XML. Split the data into several documents, or raise the limit 'characters'.`,
    { cause },
  );
}

function grouped(value: number): string {
  return value.toLocaleString("en-US");
}
