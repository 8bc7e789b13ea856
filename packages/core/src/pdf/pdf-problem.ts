/** Why a PDF cannot be used: the message ends a sentence that says for what. */
export class PdfProblem extends Error {}

/** The reason for a PDF that is not whole or not sound. */
export function damaged(cause?: unknown): PdfProblem {
  return new PdfProblem("it is damaged, or no PDF at all", { cause });
}
