import { inflateSync } from "node:zlib";
import type { PdfMetadata } from "@quire/contracts";
import type { OpenedPdf } from "../read/open-pdf.ts";
import { PDFArray, PDFDict, PDFName, PDFRawStream, PDFString } from "../read/pdf-lib.ts";
import { key, textString } from "../read/pdf-objects.ts";
import { PdfProblem } from "../read/pdf-problem.ts";
import { changePdf } from "../read/save-pdf.ts";
import { metadataDate } from "./metadata-date.ts";
import { writeXmp, type XmpProperties } from "./xmp.ts";

/** Sets the metadata of a PDF; see `withMetadata`. */
export function writeMetadata(bytes: Uint8Array, metadata: PdfMetadata): Promise<Uint8Array> {
  const date = metadataDate(metadata);
  const texts = {
    title: clean(metadata.title),
    author: clean(metadata.author),
    subject: clean(metadata.subject),
    keywords: clean(metadata.keywords),
  };
  return changePdf(bytes, "The metadata of this PDF cannot be set", (pdf) => {
    const info = infoOf(pdf);
    setText(info, "Title", texts.title);
    setText(info, "Author", texts.author);
    setText(info, "Subject", texts.subject);
    setText(info, "Keywords", texts.keywords);
    info.set(key("CreationDate"), PDFString.fromDate(date));
    info.set(key("ModDate"), PDFString.fromDate(date));
    setXmp(pdf, { ...texts, date: `${date.toISOString().slice(0, 19)}Z` });
  });
}

/** Returns the text as a single line, as both metadata formats require. */
function clean(text: string | undefined): string | undefined {
  return text?.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]+/gu, " ");
}

function infoOf({ context }: OpenedPdf): PDFDict {
  const known = context.lookup(context.trailerInfo.Info);
  if (known instanceof PDFDict) return known;
  const info = context.obj({});
  context.trailerInfo.Info = context.register(info);
  return info;
}

function setText(info: PDFDict, entry: string, text: string | undefined): void {
  if (text !== undefined) info.set(key(entry), textString(text));
}

/** Maximum size of XMP metadata in bytes. */
const MAX_XMP = 4_000_000;

function setXmp({ context, catalog }: OpenedPdf, properties: XmpProperties): void {
  const stream = catalog.lookup(key("Metadata"));
  if (stream === undefined) return;
  if (!(stream instanceof PDFRawStream)) throw unreadable();
  const text = writeXmp(decoded(contentOf(stream)), properties);
  if (text === null) throw unreadable();
  const dict = stream.dict.clone();
  // Any program must be able to read the XMP of an archival PDF, so it is not compressed.
  dict.delete(key("Filter"));
  dict.delete(key("DecodeParms"));
  const written = PDFRawStream.of(dict, new TextEncoder().encode(text));
  catalog.set(key("Metadata"), context.register(written));
}

function unreadable(cause?: unknown): PdfProblem {
  return new PdfProblem("its XMP metadata cannot be read, and would contradict the new metadata", {
    cause,
  });
}

function contentOf({ dict, contents }: PDFRawStream): Uint8Array {
  const filter = dict.lookup(key("Filter"));
  const names =
    filter instanceof PDFArray ? filter.asArray() : filter === undefined ? [] : [filter];
  if (names.length === 0 && contents.length <= MAX_XMP) return contents;
  if (names.length !== 1 || names[0] !== PDFName.FlateDecode) throw unreadable();
  try {
    return inflateSync(contents, { maxOutputLength: MAX_XMP });
  } catch (cause) {
    throw unreadable(cause);
  }
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xfe && second === 0xff
      ? "utf-16be"
      : first === 0xff && second === 0xfe
        ? "utf-16le"
        : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unreadable(cause);
  }
}
