import { Buffer } from "node:buffer";
import { QuireError } from "@quire/contracts";
import { contentHash } from "@quire/ooxml/internal/content-hash";
import { type OpenedPdf, openPdf } from "./open-pdf.ts";
import { DOCUMENT_LIMITS } from "./parse-budget.ts";
import { type PDFContext, PDFDict, PDFHexString, PDFStreamWriter, PDFWriter } from "./pdf-lib.ts";
import { key } from "./pdf-objects.ts";
import { PdfProblem } from "./pdf-problem.ts";
import { dropUnreachable } from "./reachable.ts";

/** A placeholder for the ids of a document, because they are derived from all other bytes. */
const PLACEHOLDER = "51756972653a20746865206964206f66";

const MEMBERS = 100;

/**
 * Changes a finished PDF. Rejects `invalid_request` if the PDF cannot be read or is signed. The message begins with
 * `what`.
 */
export async function changePdf(
  bytes: Uint8Array,
  what: string,
  change: (pdf: OpenedPdf) => void,
): Promise<Uint8Array> {
  try {
    const pdf = await openPdf(bytes, DOCUMENT_LIMITS);
    dropUnreachable(pdf.context);
    if (isSigned(pdf.context))
      throw new PdfProblem("it is signed, and a change would break the signature");
    change(pdf);
    return await save(pdf.context, versionOf(bytes));
  } catch (error) {
    if (!(error instanceof PdfProblem)) throw error;
    throw new QuireError("invalid_request", `${what}: ${error.message}.`, { cause: error });
  }
}

function isSigned(context: PDFContext): boolean {
  return context
    .enumerateIndirectObjects()
    .some(([, object]) => object instanceof PDFDict && object.has(key("ByteRange")));
}

/** Returns the version in the file's header, such as `1.7`. */
function versionOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024));
  return /%PDF-(\d\.\d)/.exec(head.toString("latin1"))?.[1] ?? "1.7";
}

/**
 * Returns the bytes of a document. Uses object streams if its version allows them. Its ids are derived from its
 * content.
 */
async function save(context: PDFContext, version: string): Promise<Uint8Array> {
  const id = PDFHexString.of(PLACEHOLDER);
  context.trailerInfo.ID = context.obj([id, id]);
  const isPacked = Number(version) >= 1.5;
  const writer = isPacked
    ? PDFStreamWriter.forContext(context, Number.POSITIVE_INFINITY, true, MEMBERS)
    : PDFWriter.forContext(context, Number.POSITIVE_INFINITY);
  const bytes = await writer.serializeToBuffer();
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  file.write(version, "%PDF-".length, "latin1");
  const hash = contentHash(file).slice(0, PLACEHOLDER.length);
  const last = file.lastIndexOf(PLACEHOLDER);
  for (const at of [last, file.lastIndexOf(PLACEHOLDER, last - 1)]) file.write(hash, at, "latin1");
  return bytes;
}
