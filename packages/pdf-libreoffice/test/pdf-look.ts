/** Reads the contents of a PDF for tests, with PDF.js and pdf-lib. */
import { constants, inflateSync } from "node:zlib";
import { PDFDict, PDFDocument, PDFName, PDFRawStream, PDFStream } from "pdf-lib";
import { extractText, getDocumentProxy } from "unpdf";

/** The contents of a PDF as a program reads them. */
export interface PdfLook {
  readonly pages: number;
  /** The text of each page. */
  readonly text: readonly string[];
  /** Titles of the outline, with the titles below them. */
  readonly outline: readonly string[];
  readonly info: Readonly<Record<string, unknown>>;
  readonly permissions: readonly number[] | null;
  readonly pageMode: string;
  readonly pageLayout: string;
}

/** Opens a PDF with PDF.js. Rejects for a wrong password. */
export async function look(bytes: Uint8Array, password?: string): Promise<PdfLook> {
  const options = password === undefined ? {} : { password };
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), options);
  const { text } = await extractText(pdf, { mergePages: false });
  const { info } = await pdf.getMetadata();
  const outline = (await pdf.getOutline()) ?? [];
  return {
    pages: pdf.numPages,
    text,
    outline: titles(outline),
    info: { ...info },
    permissions: await pdf.getPermissions(),
    pageMode: await pdf.getPageMode(),
    pageLayout: await pdf.getPageLayout(),
  };
}

interface OutlineItem {
  readonly title: string;
  readonly items: readonly OutlineItem[];
}

function titles(items: readonly OutlineItem[]): string[] {
  return items.flatMap(({ title, items: below }) => [title, ...titles(below)]);
}

/** Returns the whole file as text, with inflated streams. */
export async function plainText(bytes: Uint8Array): Promise<string> {
  const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
  const parts = [Buffer.from(bytes).toString("latin1")];
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream)) continue;
    const filter = object.dict.get(PDFName.of("Filter"));
    if (filter !== PDFName.of("FlateDecode")) continue;
    // pdf-lib takes a last byte that is a line end for the end of the stream, so the checksum may be incomplete.
    const stream = inflateSync(object.contents, { finishFlush: constants.Z_SYNC_FLUSH });
    parts.push(stream.toString("latin1"));
  }
  return parts.join("\n");
}

/** Returns the number of pictures in a PDF. */
export async function imageCount(bytes: Uint8Array): Promise<number> {
  return (await images(bytes)).length;
}

/** Returns the pictures in a PDF: width in pixels, compression, and size in bytes. */
export async function images(
  bytes: Uint8Array,
): Promise<{ width: number; filter: string; bytes: number }[]> {
  const { context } = await PDFDocument.load(bytes, { updateMetadata: false });
  return context.enumerateIndirectObjects().flatMap(([, object]) => {
    if (!(object instanceof PDFStream)) return [];
    const { dict } = object;
    if (dict.get(PDFName.of("Subtype")) !== PDFName.of("Image")) return [];
    return [
      {
        width: Number(String(dict.get(PDFName.of("Width")))),
        filter: String(dict.get(PDFName.of("Filter"))),
        bytes: object.getContentsSize(),
      },
    ];
  });
}

/** Returns an entry of the catalog as written; empty if the entry is missing. */
export async function catalogEntry(bytes: Uint8Array, name: string): Promise<string> {
  const { catalog, context } = await PDFDocument.load(bytes, { updateMetadata: false });
  const value = catalog.get(PDFName.of(name));
  const object = value === undefined ? undefined : context.lookup(value);
  return object instanceof PDFDict || object !== undefined ? String(object) : "";
}
