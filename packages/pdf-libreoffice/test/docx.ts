import { crc32 } from "node:zlib";

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";

/** The content type of a .docx main part. */
export const DOCX_MAIN =
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/** A zip without compression. */
export function zip(files: Readonly<Record<string, string>>): Uint8Array {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const path = Buffer.from(name);
    const data = Buffer.from(text);
    const common = Buffer.alloc(26); // version, flags, method, time, date, crc, sizes, lengths
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x21, 8); // the first of January 1980
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, path, data]);
    locals.push(local);
    entries.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, place, path]));
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Uint8Array.from(Buffer.concat([...locals, directory, end]));
}

/** The parts of a docx with the given body. */
export function docxParts(body: string): Record<string, string> {
  return {
    "[Content_Types].xml":
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ` +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/word/document.xml" ContentType="${DOCX_MAIN}"/></Types>`,
    "_rels/.rels":
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" ` +
      `Type="${OFFICE}/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml":
      `<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}/relationships" ` +
      `xmlns:wp="${DRAWING}/wordprocessingDrawing" xmlns:a="${DRAWING}/main" ` +
      `xmlns:pic="${DRAWING}/picture"><w:body>${body}<w:sectPr/></w:body></w:document>`,
  };
}

function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** A docx with one paragraph. */
export function textDocx(text: string): Uint8Array {
  return zip(docxParts(paragraph(text)));
}

/** A valid docx on which LibreOffice hangs. */
export function hangingDocx(): Uint8Array {
  let body = paragraph("deep");
  for (let depth = 0; depth < 100; depth++) {
    body = `<w:tbl><w:tr><w:tc>${body}<w:p/></w:tc></w:tr></w:tbl>`;
  }
  return zip(docxParts(`${body}<w:p/>`));
}

/** A docx with an image that is not in it but at an address. */
export function linkedImageDocx(address: string): Uint8Array {
  const size = 'cx="1000000" cy="1000000"';
  const picture =
    '<pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr>' +
    '<pic:blipFill><a:blip r:link="image"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>' +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm>` +
    '<a:prstGeom prst="rect"/></pic:spPr></pic:pic>';
  const body =
    `${paragraph("linked")}<w:p><w:r><w:drawing><wp:inline><wp:extent ${size}/>` +
    '<wp:docPr id="1" name="p"/><a:graphic>' +
    `<a:graphicData uri="${DRAWING}/picture">${picture}</a:graphicData></a:graphic>` +
    "</wp:inline></w:drawing></w:r></w:p>";
  return zip({
    ...docxParts(body),
    "word/_rels/document.xml.rels":
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="image" ` +
      `Type="${OFFICE}/relationships/image" Target="${address}" TargetMode="External"/>` +
      "</Relationships>",
  });
}
