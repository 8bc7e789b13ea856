/** The reason why a PDF cannot be used. The message is the end of a sentence. */
export class PdfProblem extends Error {}

/** Returns the problem for a PDF that is incomplete or invalid. */
export function damaged(cause?: unknown): PdfProblem {
  return new PdfProblem("it is damaged, or it is not a PDF", { cause });
}
