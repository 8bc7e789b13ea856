import PizZip from "pizzip";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const MARKUP = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** The namespaces that a root element of a test part declares. */
export const NAMESPACES = [
  `xmlns:w="${MARKUP}"`,
  `xmlns:r="${OFFICE}"`,
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'mc:Ignorable="w14"',
].join(" ");

const ROOTS: Readonly<Record<string, string>> = {
  header: "w:hdr",
  footer: "w:ftr",
  footnotes: "w:footnotes",
  endnotes: "w:endnotes",
  comments: "w:comments",
  numbering: "w:numbering",
  styles: "w:styles",
  theme: "a:theme",
  // An SVG picture under the usual part name.
  image: "svg",
};

/** The content of a Word file. */
export interface WordFile {
  readonly body: string;
  /** The section at the end of the body, or `null` for none. Default: an empty section. */
  readonly section?: string | null;
  /** XML within the root of each part, by its name below `word/`, such as `header1.xml`. */
  readonly parts?: Readonly<Record<string, string>>;
  /** Addresses of links in the main part, by the id of their relationship. */
  readonly links?: Readonly<Record<string, string>>;
  /** Complete parts with document properties, by kind: `core`, `custom`. */
  readonly properties?: Readonly<Partial<Record<"core" | "custom", string>>>;
}

/** Returns a Word file with numbering, styles, notes, links and properties. */
export function wordFile({
  body,
  section = "<w:sectPr/>",
  parts = {},
  links = {},
  properties = {},
}: WordFile): Uint8Array {
  const zip = new PizZip();
  const types = [
    `<Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/>`,
  ];
  const relations: string[] = [];
  for (const [index, [name, xml]] of Object.entries(parts).entries()) {
    const kind = name.replace(/\d*\.xml$/, "");
    const root = ROOTS[kind] ?? "w:hdr";
    types.push(`<Override PartName="/word/${name}" ContentType="${WORD}.${kind}+xml"/>`);
    relations.push(relation(`rId${index + 1}`, `${OFFICE}/${kind}`, name));
    zip.file(`word/${name}`, `<${root} ${NAMESPACES}>${xml}</${root}>`);
  }
  for (const [id, address] of Object.entries(links)) {
    const target = address.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    relations.push(relation(id, `${OFFICE}/hyperlink`, target, ' TargetMode="External"'));
  }
  const roots = [relation("rId1", `${OFFICE}/officeDocument`, "word/document.xml")];
  if (properties.core !== undefined) {
    types.push(
      override("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"),
    );
    roots.push(
      relation("rId2", `${PACKAGE}/relationships/metadata/core-properties`, "docProps/core.xml"),
    );
    zip.file("docProps/core.xml", properties.core);
  }
  if (properties.custom !== undefined) {
    types.push(
      override(
        "docProps/custom.xml",
        "application/vnd.openxmlformats-officedocument.custom-properties+xml",
      ),
    );
    roots.push(relation("rId3", `${OFFICE}/custom-properties`, "docProps/custom.xml"));
    zip.file("docProps/custom.xml", properties.custom);
  }
  zip.file(
    "[Content_Types].xml",
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${types.join("")}</Types>`,
  );
  zip.file("_rels/.rels", relationshipsXml(roots));
  zip.file("word/_rels/document.xml.rels", relationshipsXml(relations));
  zip.file(
    "word/document.xml",
    `<w:document ${NAMESPACES}><w:body>${body}${section ?? ""}</w:body></w:document>`,
  );
  return zip.generate({ type: "uint8array" });
}

function override(part: string, type: string): string {
  return `<Override PartName="/${part}" ContentType="${type}"/>`;
}

function relation(id: string, type: string, target: string, mode = ""): string {
  return `<Relationship Id="${id}" Type="${type}" Target="${target}"${mode}/>`;
}

function relationshipsXml(all: readonly string[]): string {
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join("")}</Relationships>`;
}

/** Returns the parts of a file by name, as text. */
export function partsOf(bytes: Uint8Array): Map<string, string> {
  const { files } = new PizZip(bytes);
  return new Map(Object.values(files).map((file) => [file.name, file.asText()]));
}
