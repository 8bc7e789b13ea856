import { createHash } from "node:crypto";

/** The date of a PDF when nothing else is said. */
const DEFAULT_DATE = "2000-01-01T00:00:00Z";

const INFO_DATE = /\/(?:CreationDate|ModDate)\((D:[^)]{4,40})\)/g;
const XMP_DATE = /<xmp:(?:CreateDate|ModifyDate|MetadataDate)>([^<]{4,40})<\/xmp:/g;
/** LibreOffice calls a PDF/A-1 one of level A, which it does not see to; level B is what is asked of it. */
const LEVEL = /<pdfaid:conformance>(A)<\/pdfaid:conformance>/g;
const IDS = /\/ID\s*\[\s*<([0-9A-Fa-f]{32})>\s*<([0-9A-Fa-f]{32})>\s*\]/g;
const CHECKSUM = /\/DocChecksum \/([0-9A-F]{32})/g;

/** LibreOffice writes the Info dictionary last, some hundred bytes, and the table of objects behind it. */
const INFO_LENGTH = 8192;

/**
 * Puts a date of ours and an id that follows from the content in place of what LibreOffice writes anew each
 * time: the dates of Info and XMP, the file's ids and a checksum. The level of a PDF/A is put right. Each keeps its length, so that nothing else
 * moves; what is not where LibreOffice writes it stays as it is. Changes the bytes in place. An encrypted PDF
 * is left alone: its id is part of its key.
 */
export function steady(pdf: Buffer, date: string = DEFAULT_DATE): void {
  const trailer = pdf.lastIndexOf("trailer");
  const table = pdf.lastIndexOf("xref", trailer);
  if (trailer < 0 || table < 0 || pdf.includes("/Encrypt", trailer)) return;
  const instant = new Date(date).toISOString().replace(/\.\d+Z$/, "Z");
  const compact = `D:${instant.replace(/[-:TZ]/g, "")}Z'`;
  for (const { at, length } of places(pdf, INFO_DATE, Math.max(0, table - INFO_LENGTH), table)) {
    put(pdf, at, compact, length);
  }
  for (const { at, length } of inXmp(pdf, XMP_DATE)) put(pdf, at, instant, length);
  for (const { at, length } of inXmp(pdf, LEVEL)) put(pdf, at, "B", length);
  const ids = [IDS, CHECKSUM].flatMap((pattern) => places(pdf, pattern, trailer, pdf.length));
  for (const { at, length } of ids) pdf.fill("0", at, at + length);
  const id = createHash("sha256").update(pdf).digest("hex").slice(0, 32).toUpperCase();
  for (const { at, length } of ids) put(pdf, at, id, length);
}

/** The XMP stands uncompressed in the file, when there is one. */
function inXmp(pdf: Buffer, pattern: RegExp): Place[] {
  const begin = pdf.indexOf("<?xpacket begin");
  const end = pdf.indexOf("<?xpacket end", begin);
  return begin < 0 || end < 0 ? [] : places(pdf, pattern, begin, end);
}

interface Place {
  readonly at: number;
  readonly length: number;
}

/** Where the groups of all matches between two offsets stand. */
function places(pdf: Buffer, pattern: RegExp, begin: number, end: number): Place[] {
  const text = pdf.toString("latin1", begin, end);
  return [...text.matchAll(pattern)].flatMap((match) => {
    let from = match.index;
    return match.slice(1).map((value) => {
      const at = text.indexOf(value, from);
      from = at + value.length;
      return { at: begin + at, length: value.length };
    });
  });
}

/** A date that is too long for its place loses its end, which says no more than UTC. */
function put(pdf: Buffer, at: number, text: string, length: number): void {
  pdf.write(text.padEnd(length, " ").slice(0, length), at, length, "latin1");
}
