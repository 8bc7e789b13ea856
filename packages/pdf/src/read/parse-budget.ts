import { PdfProblem } from "./pdf-problem.ts";

/** Limits for parsing a PDF. */
export interface PdfLimits {
  /** Maximum size of the file. */
  readonly bytes: number;
  /**
   * Maximum total inflated size of all object streams. They contain everything except pictures, fonts and page
   * contents.
   */
  readonly unpackedBytes: number;
  /** Maximum number of values. Each number, name, string, array and dictionary becomes an object in memory. */
  readonly values: number;
  readonly pages: number;
}

/** The limits for templates. The largest of about 1,000 real PDFs has 19 MB and 700,000 values. */
export const TEMPLATE_LIMITS: PdfLimits = {
  bytes: 50_000_000,
  unpackedBytes: 50_000_000,
  values: 3_000_000,
  pages: 5_000,
};

/** The limits for finished documents, including packets of many documents. */
export const DOCUMENT_LIMITS: PdfLimits = {
  bytes: 1_000_000_000,
  unpackedBytes: 500_000_000,
  values: 30_000_000,
  pages: 200_000,
};

/** Maximum nesting of arrays and dictionaries. */
const MAX_DEPTH = 100;

/** The remaining budget for parsing a file. Once a limit is exceeded, every further call fails. */
export class ParseBudget {
  #values: number;
  #unpacked: number;
  /** Number of bytes that may still be read. Parts of disordered files are read several times and counted each time. */
  #steps: number;
  /** Number of bytes that may still be skipped where an object should begin. */
  #disorder = 1_000_000;
  #depth = 0;
  /** The problem that ended parsing; null if no limit is exceeded yet. */
  problem: PdfProblem | null = null;

  constructor({ values, unpackedBytes }: PdfLimits, bytes: number) {
    this.#values = values;
    this.#unpacked = unpackedBytes;
    this.#steps = 20 * bytes + 10_000_000;
  }

  /** Number of bytes to which further object streams may inflate. */
  get unpacked(): number {
    return this.#unpacked;
  }

  unpack(bytes: number): void {
    this.#unpacked -= bytes;
    this.#steps += 20 * bytes;
  }

  /** Must be called for bytes where an object is expected but something else is found. */
  disorder(cost: number): void {
    this.#disorder -= cost;
    if (this.#disorder < 0)
      this.fail("its structure is so disordered that it takes too long to read");
  }

  step(bytes: number): void {
    this.#steps -= bytes;
    if (this.#steps < 0) this.fail("its structure is so disordered that it takes too long to read");
  }

  /** Counts one value and reads it, including its parts. */
  value<T>(read: () => T): T {
    this.#values -= 1;
    if (this.#values < 0) this.fail("it contains too many objects");
    if (this.#depth === MAX_DEPTH) this.fail("it is nested too deeply");
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  /** Whether the current value is not part of another value. */
  get isOutermost(): boolean {
    return this.#depth === 0;
  }

  fail(why: string): never {
    this.problem ??= new PdfProblem(why);
    throw this.problem;
  }
}
