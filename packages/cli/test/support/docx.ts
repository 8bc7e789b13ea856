/** Tiny Word documents, and the text of finished documents. */
import { readFile } from "node:fs/promises";
import PizZip from "pizzip";

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/** Creates a `.docx` with these paragraphs and optionally a header with one paragraph. */
export function docx(paragraphs: readonly string[], header?: string): Uint8Array {
  const zip = new PizZip();
  const types = [
    `<Override PartName="/word/document.xml" ContentType="${TYPE}.document.main+xml"/>`,
  ];
  if (header !== undefined) {
    types.push(`<Override PartName="/word/header1.xml" ContentType="${TYPE}.header+xml"/>`);
    zip.file("word/header1.xml", `<w:hdr xmlns:w="${WORD}">${paragraph(header)}</w:hdr>`);
    zip.file("word/_rels/document.xml.rels", relationships("header", "header1.xml"));
  }
  zip.file(
    "[Content_Types].xml",
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${types.join("")}</Types>`,
  );
  zip.file("_rels/.rels", relationships("officeDocument", "word/document.xml"));
  const body = paragraphs.map(paragraph).join("");
  zip.file(
    "word/document.xml",
    `<w:document xmlns:w="${WORD}"><w:body>${body}<w:sectPr/></w:body></w:document>`,
  );
  return zip.generate({ type: "uint8array", compression: "DEFLATE" });
}

function paragraph(text: string): string {
  return `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

function relationships(type: string, target: string): string {
  return `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/${type}" Target="${target}"/></Relationships>`;
}

/** Reads the paragraphs of a finished document, with line breaks as newlines. Rejects for an incomplete file. */
export async function linesOf(path: string): Promise<string[]> {
  return linesOfBytes(await readFile(path));
}

/** Like {@link linesOf}, but for the bytes of a document. */
export function linesOfBytes(bytes: Uint8Array): string[] {
  const xml = new PizZip(bytes).file("word/document.xml")?.asText() ?? "";
  return [...xml.matchAll(/<w:p[ >].*?<\/w:p>/gs)].map(([inner]) =>
    [...inner.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>|<w:br\/>/g)]
      .map(([, text]) => text ?? "\n")
      .join("")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&"),
  );
}
