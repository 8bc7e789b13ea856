import { PdfProblem } from "./pdf-problem.ts";

/** What a PDF may take before it is refused. */
export interface PdfLimits {
  /** Of the file. */
  readonly bytes: number;
  /** Of all object streams when inflated: they hold what is no picture, font or page. */
  readonly unpackedBytes: number;
  /** Numbers, names, texts, lists and dictionaries: each becomes an object. */
  readonly values: number;
  readonly pages: number;
}

/** The limits for templates. The largest of some 1,000 real PDFs has 19 MB and 700,000 values. */
export const TEMPLATE_LIMITS: PdfLimits = {
  bytes: 50_000_000,
  unpackedBytes: 50_000_000,
  values: 3_000_000,
  pages: 5_000,
};

/** The limits for documents that were made: packets of many of them. */
export const DOCUMENT_LIMITS: PdfLimits = {
  bytes: 1_000_000_000,
  unpackedBytes: 500_000_000,
  values: 30_000_000,
  pages: 200_000,
};

/** Lists and dictionaries one inside the other. */
const MAX_DEPTH = 100;

/** What may still be spent on reading a file. Once something has run out, everything is refused at once. */
export class ParseBudget {
  #values: number;
  #unpacked: number;
  /** Bytes looked at: what is in no order is looked at again and again. */
  #steps: number;
  /** Bytes at which no object begins, where one should. */
  #disorder = 1_000_000;
  #depth = 0;
  /** What ran out first; null as long as there is enough. */
  problem: PdfProblem | null = null;

  constructor({ values, unpackedBytes }: PdfLimits, bytes: number) {
    this.#values = values;
    this.#unpacked = unpackedBytes;
    this.#steps = 20 * bytes + 10_000_000;
  }

  /** Bytes that object streams may still have. */
  get unpacked(): number {
    return this.#unpacked;
  }

  unpack(bytes: number): void {
    this.#unpacked -= bytes;
    this.#steps += 20 * bytes;
  }

  /** Something stands where an object should begin. */
  disorder(cost: number): void {
    this.#disorder -= cost;
    if (this.#disorder < 0) this.fail("it is in such disorder that it takes too long to read");
  }

  step(bytes: number): void {
    this.#steps -= bytes;
    if (this.#steps < 0) this.fail("it is in such disorder that it takes too long to read");
  }

  /** Reads one value with what is in it. */
  value<T>(read: () => T): T {
    this.#values -= 1;
    if (this.#values < 0) this.fail("it holds too many objects");
    if (this.#depth === MAX_DEPTH) this.fail("it is nested too deep");
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  /** Whether what is read now is in nothing else. */
  get isOutermost(): boolean {
    return this.#depth === 0;
  }

  fail(why: string): never {
    this.problem ??= new PdfProblem(why);
    throw this.problem;
  }
}
