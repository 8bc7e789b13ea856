import { crc32 } from "node:zlib";

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";

/** The namespaces for the bodies and parts of these documents. */
export const NAMESPACES =
  `xmlns:w="${WORD}" xmlns:r="${OFFICE}/relationships" ` +
  `xmlns:wp="${DRAWING}/wordprocessingDrawing" xmlns:a="${DRAWING}/main" ` +
  `xmlns:pic="${DRAWING}/picture" xmlns:c="${DRAWING}/chart" ` +
  'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"';

/** The content type of a .docx main part. */
export const DOCX_MAIN =
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

/** A relationship of a part or of the package. */
export interface Relationship {
  readonly id: string;
  /** A type in the office namespace, or a path below `http://schemas.openxmlformats.org/`. */
  readonly type: string;
  readonly target: string;
  readonly external?: boolean;
}

/** The contents of a docx. */
export interface DocxContent {
  readonly body: string;
  /** The XML before the body. */
  readonly beforeBody?: string;
  /** The XML before the root of the main part. */
  readonly prolog?: string;
  /** Relationships of the main part. */
  readonly relationships?: readonly Relationship[];
  readonly packageRelationships?: readonly Relationship[];
  /** Parts by name. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
  /** Content types by part name. */
  readonly types?: Readonly<Record<string, string>>;
}

/** Writes a zip without compression. */
export function zip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const path = Buffer.from(name);
    const data = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
    const common = Buffer.alloc(26); // version, flags, method, time, date, crc, sizes, lengths
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x21, 8); // 1 January 1980
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

/** Creates a docx with this content. */
export function docx(content: DocxContent): Uint8Array {
  return zip(partsOf(content));
}

/** Creates the parts of a docx with this body. */
export function docxParts(body: string): Record<string, string> {
  const parts = partsOf({ body });
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, String(part)]));
}

function partsOf(content: DocxContent): Record<string, string | Uint8Array> {
  const { body, relationships = [], packageRelationships = [], parts = {}, types = {} } = content;
  return {
    "[Content_Types].xml": contentTypesXml(types),
    "_rels/.rels": relationshipsXml([
      { id: "main", type: "officeDocument", target: "word/document.xml" },
      ...packageRelationships,
    ]),
    "word/document.xml":
      `${content.prolog ?? ""}<w:document ${NAMESPACES}>${content.beforeBody ?? ""}` +
      `<w:body>${body}</w:body></w:document>`,
    ...(relationships.length === 0
      ? {}
      : { "word/_rels/document.xml.rels": relationshipsXml(relationships) }),
    ...parts,
  };
}

function contentTypesXml(types: Readonly<Record<string, string>>): string {
  const extensions = Object.entries({
    rels: "application/vnd.openxmlformats-package.relationships+xml",
    xml: "application/xml",
    png: "image/png",
    svg: "image/svg+xml",
    emf: "image/x-emf",
    html: "text/html",
    bin: "application/vnd.openxmlformats-officedocument.oleObject",
  });
  const overrides = Object.entries({ "word/document.xml": DOCX_MAIN, ...types });
  return (
    `<Types xmlns="${PACKAGE}/content-types">` +
    extensions
      .map(([ext, type]) => `<Default Extension="${ext}" ContentType="${type}"/>`)
      .join("") +
    overrides
      .map(([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`)
      .join("") +
    "</Types>"
  );
}

/** Returns the XML of a `.rels` part. */
export function relationshipsXml(relationships: readonly Relationship[]): string {
  const written = relationships.map(({ id, type, target, external = false }) => {
    const full = type.includes("/")
      ? `http://schemas.openxmlformats.org/${type}`
      : `${OFFICE}/relationships/${type}`;
    const mode = external ? ' TargetMode="External"' : "";
    return `<Relationship Id="${id}" Type="${full}" Target="${attribute(target)}"${mode}/>`;
  });
  return `<Relationships xmlns="${PACKAGE}/relationships">${written.join("")}</Relationships>`;
}

/** Escapes a string for an attribute. */
export function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

export function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

export function pageBreak(): string {
  return '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
}

/** Creates a picture, about three centimetres wide. With `link`, its relationship is external. */
export function picture(id: string, how: "embed" | "link" = "embed", more = ""): string {
  const size = 'cx="1000000" cy="1000000"';
  return (
    `<w:p><w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="1" name="p">${more}</wp:docPr>` +
    `<a:graphic><a:graphicData uri="${DRAWING}/picture"><pic:pic><pic:nvPicPr>` +
    '<pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr>' +
    `<pic:blipFill><a:blip r:${how}="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm>` +
    '<a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic>' +
    "</wp:inline></w:drawing></w:r></w:p>"
  );
}

/** Creates a docx with one paragraph. */
export function textDocx(text: string): Uint8Array {
  return docx({ body: paragraph(text) });
}

/** Number of nested tables, enough for LibreOffice to hang. With 100, LibreOffice 7.4 hangs, but 25.2 does not. */
const HANGING_DEPTH = 1_000;

/** Creates a valid docx on which LibreOffice hangs, if the docx is converted as rendered. */
export function hangingDocx(text = "deep"): Uint8Array {
  let body = paragraph(text);
  for (let depth = 0; depth < HANGING_DEPTH; depth++) {
    body = `<w:tbl><w:tr><w:tc>${body}<w:p/></w:tc></w:tr></w:tbl>`;
  }
  return docx({ body: `${body}<w:p/>` });
}

/** Creates a docx with an image that is linked by address. */
export function linkedImageDocx(address: string): Uint8Array {
  return docx({
    body: paragraph("linked") + picture("image", "link"),
    relationships: [{ id: "image", type: "image", target: address, external: true }],
  });
}
