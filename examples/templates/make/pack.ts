// Packs a document without the current time. docx writes the current time into docProps/core.xml and into every zip
// entry; this file replaces both with a fixed time.

import { type Document, Packer } from "docx";

const STAMP = "2026-01-02T00:00:00Z";
const DOS_DATE = ((2026 - 1980) << 9) | (1 << 5) | 2;

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_RECORD = 0x06054b50;
const END_RECORD_SIZE = 22;

export async function packDocument(document: Document, title: string): Promise<Uint8Array> {
  const core = { path: "docProps/core.xml", data: coreProperties(title) };
  const bytes = await Packer.toBuffer(document, undefined, [core]);
  return withFixedDates(bytes);
}

function coreProperties(title: string): string {
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
    "<cp:coreProperties",
    ' xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"',
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"',
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    `<dc:title>${title}</dc:title><dc:creator>Quire examples</dc:creator>`,
    `<dcterms:created xsi:type="dcterms:W3CDTF">${STAMP}</dcterms:created>`,
    `<dcterms:modified xsi:type="dcterms:W3CDTF">${STAMP}</dcterms:modified>`,
    "</cp:coreProperties>",
  ].join("");
}

function withFixedDates(zip: Buffer): Buffer {
  const end = zip.length - END_RECORD_SIZE;
  if (zip.readUInt32LE(end) !== END_RECORD) throw new Error("The packed zip has no end record.");
  let central = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const local = zip.readUInt32LE(central + 42);
    if (zip.readUInt32LE(central) !== CENTRAL_HEADER || zip.readUInt32LE(local) !== LOCAL_HEADER) {
      throw new Error("The packed zip has an entry without a header.");
    }
    zip.writeUInt32LE(DOS_DATE << 16, central + 12);
    zip.writeUInt32LE(DOS_DATE << 16, local + 10);
    const nameSize = zip.readUInt16LE(central + 28);
    central += 46 + nameSize + zip.readUInt16LE(central + 30) + zip.readUInt16LE(central + 32);
  }
  return zip;
}
