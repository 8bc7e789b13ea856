import { contentHash } from "@quire/ooxml/internal/content-hash";
import { placeOfXmp, XMP_DATE } from "./xmp.ts";

/** The default date of a PDF. */
const DEFAULT_DATE = "2000-01-01T00:00:00Z";

const INFO_DATE = /\/(?:CreationDate|ModDate)\((D:[^)]{4,40})\)/g;
/** LibreOffice marks a PDF/A-1 as level A but does not ensure level A. Level B is requested. */
const LEVEL = /<pdfaid:conformance>(A)<\/pdfaid:conformance>/g;
const IDS = /\/ID\s*\[\s*<([0-9A-Fa-f]{32})>\s*<([0-9A-Fa-f]{32})>\s*\]/g;
const CHECKSUM = /\/DocChecksum \/([0-9A-F]{32})/g;

/** LibreOffice writes the Info dictionary last, in a few hundred bytes, followed by the object table. */
const INFO_LENGTH = 8192;

/**
 * Makes the PDF reproducible: replaces the dates in Info and XMP with `date`, and the file ids and a checksum with an
 * id derived from the content. Also corrects the PDF/A level. All lengths remain the same, so nothing else moves. A
 * value that is not where LibreOffice writes it does not change. Changes the bytes in place. Does not change an
 * encrypted PDF, because its id is part of its key.
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
  const id = contentHash(pdf).slice(0, 32).toUpperCase();
  for (const { at, length } of ids) put(pdf, at, id, length);
}

function inXmp(pdf: Buffer, pattern: RegExp): Place[] {
  const xmp = placeOfXmp(pdf);
  return xmp === null ? [] : places(pdf, pattern, xmp.begin, xmp.end);
}

interface Place {
  readonly at: number;
  readonly length: number;
}

/** Finds the groups of all matches between two byte offsets. */
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

/** Writes text, padded or cut to `length`. A longer date loses its end, which only says that the time is UTC. */
function put(pdf: Buffer, at: number, text: string, length: number): void {
  pdf.write(text.padEnd(length, " ").slice(0, length), at, length, "latin1");
}
