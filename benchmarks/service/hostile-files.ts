/** Small files that take long to read. */
import { deflateSync } from "node:zlib";
import { writeZip, type ZipFile } from "../word/zip.ts";

const FIRST_STREAM = 10;
const OBJECTS_PER_STREAM = 1000;

/** Returns a PDF form with one field that refers to this many numbers, each of which is a separate object. */
export function manyObjects(count: number): Uint8Array {
  const streams = Math.ceil(count / OBJECTS_PER_STREAM);
  const first = FIRST_STREAM + streams;
  const size = first + count + 1;
  const rows = Buffer.alloc(size * 9);
  const begin = Buffer.from("%PDF-1.7\n");
  const pieces = [begin];
  let { length } = begin;
  const add = (id: number, ...content: (string | Uint8Array)[]): void => {
    rows.writeUInt8(1, id * 9);
    rows.writeUInt32BE(length, id * 9 + 1);
    const piece = Buffer.concat([
      Buffer.from(`${id} 0 obj\n`),
      ...content.map((part) => Buffer.from(part)),
      Buffer.from("\nendobj\n"),
    ]);
    length += piece.length;
    pieces.push(piece);
  };
  const stream = (id: number, dict: string, content: Uint8Array): void => {
    const packed = deflateSync(content);
    const head = `<< ${dict} /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
    add(id, head, packed, "\nendstream");
  };
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  add(1, "<< /Type /Catalog /Pages 2 0 R /AcroForm 4 0 R >>");
  add(2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
  add(
    3,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Annots [5 0 R] /Resources << /Properties << /A 6 0 R >> >> >>",
  );
  add(4, "<< /Fields [5 0 R] /DA (/Helv 10 Tf 0 g) >>");
  add(
    5,
    "<< /Type /Annot /Subtype /Widget /FT /Tx /T (customer.name) /Rect [10 10 200 30] /F 4 >>",
  );
  add(6, `<< /L [${numbers.map((id) => `${id} 0 R`).join(" ")}] >>`);
  for (let index = 0; index < streams; index++) {
    const own = numbers.slice(index * OBJECTS_PER_STREAM, (index + 1) * OBJECTS_PER_STREAM);
    const head = own.map((id, place) => `${id} ${2 * place} `).join("");
    const dict = `/Type /ObjStm /N ${own.length} /First ${head.length}`;
    stream(FIRST_STREAM + index, dict, Buffer.from(head + "1 ".repeat(own.length)));
    for (const [place, id] of own.entries()) {
      rows.writeUInt8(2, id * 9);
      rows.writeUInt32BE(FIRST_STREAM + index, id * 9 + 1);
      rows.writeUInt32BE(place, id * 9 + 5);
    }
  }
  const start = length;
  rows.writeUInt8(1, (size - 1) * 9);
  rows.writeUInt32BE(start, (size - 1) * 9 + 1);
  stream(size - 1, `/Type /XRef /Size ${size} /W [1 4 4] /Root 1 0 R`, rows);
  return Buffer.concat([...pieces, Buffer.from(`startxref\n${start}\n%%EOF\n`)]);
}

/** Returns a Word file with one paragraph for each tag. */
export function tagged(tags: readonly string[]): Uint8Array {
  return wordFile(tags.map((tag) => `<w:p><w:r><w:t>{{${tag}}}</w:t></w:r></w:p>`).join(""));
}

/** Additional parts of a Word file. */
export interface WordParts {
  /** Relationships of the main part, as in its `.rels`. */
  readonly relationships?: string;
  /** Entries for `[Content_Types].xml`. */
  readonly types?: string;
  /** Text before the main part's root element, for example a document type. */
  readonly prologue?: string;
  readonly parts?: readonly ZipFile[];
}

/** Returns a Word file with this body and additional parts. */
export function wordFile(body: string, more: WordParts = {}): Uint8Array {
  const { relationships = "", types = "", prologue = "", parts = [] } = more;
  const main = `${prologue}${DOCUMENT}<w:body>${body}</w:body></w:document>`;
  return writeZip([
    { name: "[Content_Types].xml", content: `${TYPES}${types}</Types>` },
    { name: "_rels/.rels", content: `${RELATIONS}${PACKAGE_RELATION}</Relationships>` },
    { name: "word/document.xml", content: `${XML}${main}` },
    {
      name: "word/_rels/document.xml.rels",
      content: `${RELATIONS}${relationships}</Relationships>`,
    },
    ...parts,
  ]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const OPEN = "http://schemas.openxmlformats.org";
const OFFICE = `${OPEN}/officeDocument/2006`;
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
const TYPES = `${XML}<Types xmlns="${OPEN}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${WORD}"/>`;
const RELATIONS = `${XML}<Relationships xmlns="${OPEN}/package/2006/relationships">`;
const PACKAGE_RELATION = `<Relationship Id="rId1" Type="${OFFICE}/relationships/officeDocument" Target="word/document.xml"/>`;
const DOCUMENT = `<w:document xmlns:w="${OPEN}/wordprocessingml/2006/main" xmlns:r="${OFFICE}/relationships" xmlns:wp="${OPEN}/drawingml/2006/wordprocessingDrawing" xmlns:a="${OPEN}/drawingml/2006/main" xmlns:pic="${OPEN}/drawingml/2006/picture">`;
