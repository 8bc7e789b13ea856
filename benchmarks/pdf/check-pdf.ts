import { readFile } from "node:fs/promises";
import { extractText } from "unpdf";

/** The properties in which PDFs are compared. */
export interface PdfContent {
  readonly pages: number;
  /** The whole text without spaces, because line breaks may differ. */
  readonly text: string;
  readonly bytes: number;
}

/** Reads a PDF. Throws if the file is not a PDF. */
export async function readPdf(file: string): Promise<PdfContent> {
  const bytes = await readFile(file);
  const { totalPages, text } = await extractText(new Uint8Array(bytes), { mergePages: false });
  return { pages: totalPages, text: text.map(withoutSpaces).join(""), bytes: bytes.length };
}

/** Throws if a PDF lacks one of the texts or has the wrong number of pages. */
export function checkPdf(
  { pages, text }: PdfContent,
  expected: { readonly texts: readonly string[]; readonly pages: number },
  title: string,
): void {
  if (pages !== expected.pages) {
    throw new Error(`The PDF of ${title} has ${pages} pages instead of ${expected.pages}.`);
  }
  const missing = expected.texts.filter((each) => !text.includes(withoutSpaces(each)));
  if (missing.length > 0) {
    throw new Error(`The PDF of ${title} lacks ${missing.length} of the texts of its data.`);
  }
}

function withoutSpaces(text: string): string {
  return text.normalize("NFKC").replaceAll(/\s+/g, "");
}
