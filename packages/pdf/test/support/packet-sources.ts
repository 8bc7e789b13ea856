/** PDFs to merge, and functions that read the content of a packet with PDF.js. */
import { PDFDocument, PDFName, StandardFonts } from "pdf-lib";
import { getDocumentProxy } from "unpdf";
import { createPacket } from "../../src/packet/packet.ts";
import type {
  Packet,
  PacketEntry,
  PacketOptions,
  PacketSummary,
} from "../../src/packet/packet-types.ts";

/** Returns a PDF with one page for each string. */
export async function pdfOf(...texts: readonly string[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts) pdf.addPage([300, 400]).drawText(text, { x: 20, y: 350, font });
  return pdf.save({ addDefaultPage: false });
}

/**
 * An object for {@link rawPdf}: its text, or a stream. `dict` is the stream's dictionary without `<<`, `>>` and the
 * length, which {@link rawPdf} adds.
 */
export type RawObject = string | { readonly dict: string; readonly data: Uint8Array | string };

/**
 * Creates a PDF from its objects. Object 1 is the catalog. The length of a stream is a separate object, as in the
 * output of LibreOffice.
 */
export function rawPdf(objects: readonly RawObject[], trailer = ""): Uint8Array {
  const chunks: Buffer[] = [Buffer.from("%PDF-1.5\n", "latin1")];
  const offsets: number[] = [];
  const size = () => chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const lengths: string[] = [];
  const put = (body: Buffer) => {
    offsets.push(size());
    chunks.push(Buffer.from(`${offsets.length} 0 obj\n`), body, Buffer.from("\nendobj\n"));
  };
  for (const object of objects) {
    if (typeof object === "string") {
      put(Buffer.from(object, "latin1"));
      continue;
    }
    const data = Buffer.from(object.data as string, "latin1");
    lengths.push(String(data.length));
    const head = `<<${object.dict}/Length ${objects.length + lengths.length} 0 R>>\nstream\n`;
    put(Buffer.concat([Buffer.from(head, "latin1"), data, Buffer.from("\nendstream")]));
  }
  for (const length of lengths) put(Buffer.from(length));
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const start = size();
  const table = `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<</Size ${offsets.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`;
  chunks.push(Buffer.from(table + end));
  return Buffer.concat(chunks);
}

/** Returns the first objects of a PDF with one page. The page is object 3, and its contents are object 4. */
export function onePage(
  options: { readonly catalog?: string; readonly page?: string; readonly text?: string } = {},
): RawObject[] {
  const { catalog = "", page = "", text = "Hello" } = options;
  return [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 400]/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Type/Page/Parent 2 0 R/Contents 4 0 R${page}>>`,
    { dict: "", data: `BT /F1 12 Tf 20 350 Td (${text}) Tj ET` },
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
}

/** A packet in memory. */
export interface TestPacket extends Packet {
  bytes(): Buffer;
}

/** Returns a packet that keeps its bytes. */
export function packetInMemory(options?: PacketOptions): TestPacket {
  const chunks: Uint8Array[] = [];
  const packet = createPacket((bytes) => void chunks.push(bytes), options);
  return { ...bound(packet), bytes: () => Buffer.concat(chunks) };
}

function bound(packet: Packet): Packet {
  return {
    add: (pdf, entry) => packet.add(pdf, entry),
    finish: () => packet.finish(),
  };
}

/** Merges the sources and returns the packet and its summary. */
export async function merged(
  sources: readonly (readonly [Uint8Array, PacketEntry | string])[],
  options?: PacketOptions,
): Promise<{ readonly bytes: Buffer; readonly summary: PacketSummary }> {
  const packet = packetInMemory(options);
  for (const [pdf, entry] of sources) {
    await packet.add(pdf, typeof entry === "string" ? { title: entry } : entry);
  }
  const summary = await packet.finish();
  return { bytes: packet.bytes(), summary };
}

/** A bookmark, as read by PDF.js. */
export interface SeenBookmark {
  readonly title: string;
  /** The page number, from 1; null if the bookmark has no target. */
  readonly page: number | null;
  readonly items: readonly SeenBookmark[];
}

/** The content of a PDF, as read by PDF.js. */
export interface SeenPdf {
  /** The text of each page. */
  readonly pages: readonly string[];
  /** Width, height and rotation of each page. */
  readonly sizes: readonly string[];
  readonly bookmarks: readonly SeenBookmark[];
  /** For each page, the target pages or addresses of its links. */
  readonly links: readonly (readonly (number | string | null)[])[];
  /** The values of the fields, by name. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly title: string | null;
}

type Proxy = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Reads a PDF with PDF.js. */
export async function seen(bytes: Uint8Array): Promise<SeenPdf> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  try {
    const pages: string[] = [];
    const sizes: string[] = [];
    const links: (number | string | null)[][] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(items.map((item) => ("str" in item ? item.str : "")).join(""));
      const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
      sizes.push(`${right - left} x ${top - bottom}, ${page.rotate}°`);
      const annotations = await page.getAnnotations();
      links.push(await Promise.all(annotations.filter(isLink).map((each) => target(pdf, each))));
    }
    const outline = ((await pdf.getOutline()) ?? []) as RawBookmark[];
    const { info } = await pdf.getMetadata();
    return {
      pages,
      sizes,
      links,
      bookmarks: await Promise.all(outline.map((each) => bookmark(pdf, each))),
      fields: (await pdf.getFieldObjects()) ?? {},
      title: (info as { readonly Title?: string }).Title ?? null,
    };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

interface RawBookmark {
  readonly title: string;
  readonly dest: unknown;
  readonly items: readonly RawBookmark[];
}

async function bookmark(pdf: Proxy, { title, dest, items }: RawBookmark): Promise<SeenBookmark> {
  const below = await Promise.all(items.map((item) => bookmark(pdf, item)));
  return { title, page: await pageOf(pdf, dest), items: below };
}

function isLink(annotation: { readonly subtype?: string }): boolean {
  return annotation.subtype === "Link";
}

async function target(
  pdf: Proxy,
  { url, dest }: { readonly url?: string; readonly dest?: unknown },
): Promise<number | string | null> {
  return url ?? (await pageOf(pdf, dest));
}

async function pageOf(pdf: Proxy, destination: unknown): Promise<number | null> {
  if (!Array.isArray(destination)) return null;
  return (await pdf.getPageIndex(destination[0])) + 1;
}

/** Sets a value in the catalog of a pdf-lib document. */
export function setInCatalog(pdf: PDFDocument, name: string, value: unknown): void {
  pdf.catalog.set(PDFName.of(name), pdf.context.obj(value as string));
}
