import { isPdf } from "./is-pdf.ts";
import { catalogOf, type PdfPage, pagesOf } from "./pages.ts";
import type { PdfLimits } from "./parse-budget.ts";
import { parsePdf } from "./parse-pdf.ts";
import type { PDFContext, PDFDict } from "./pdf-lib.ts";
import { damaged } from "./pdf-problem.ts";

/** A completely parsed PDF. */
export interface OpenedPdf {
  readonly context: PDFContext;
  readonly catalog: PDFDict;
  /** Contains at least one page. */
  readonly pages: readonly PdfPage[];
}

/** The largest object number (ISO 32000-1, annex C) and the largest generation number that programs use. */
const MAX_NUMBER = 8_388_607;
const MAX_GENERATION = 65_535;

/** Opens a PDF. Rejects {@link PdfProblem} if it is damaged, encrypted or malicious. */
export async function openPdf(bytes: Uint8Array, limits: PdfLimits): Promise<OpenedPdf> {
  if (!isPdf(bytes)) throw damaged();
  const context = await parsePdf(bytes, limits);
  const isWild =
    context.largestObjectNumber > MAX_NUMBER ||
    context.enumerateIndirectObjects().some(([ref]) => ref.generationNumber > MAX_GENERATION);
  if (isWild) throw damaged();
  return { context, catalog: catalogOf(context), pages: pagesOf(context, limits.pages) };
}
