import { contentOf, readZip } from "../src/join/zip.ts";
import { DOCX_MAIN, zip } from "./docx.ts";

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";
const PART = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const NAMESPACES =
  `xmlns:w="${WORD}" xmlns:r="${OFFICE}" xmlns:wp="${DRAWING}/wordprocessingDrawing" ` +
  `xmlns:a="${DRAWING}/main" xmlns:pic="${DRAWING}/picture"`;

export const PAGE = '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1000" w:bottom="1000"/>';

/** The contents of a test document besides its body. */
export interface Beside {
  /** Content of `w:sectPr` before the page size, and after the margins. */
  readonly references?: string;
  readonly section?: string;
  /** XML of a footer, with the relationship `rFooter`. */
  readonly footer?: string;
  readonly relations?: string;
  readonly numbering?: string;
  readonly styles?: string;
  readonly settings?: string;
  readonly parts?: Readonly<Record<string, string>>;
  readonly types?: string;
  /** Attributes of the root. */
  readonly namespaces?: string;
}

/** Returns the tag of a relationship of the main part. */
export function relation(id: string, kind: string, target: string, mode = ""): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"${mode}/>`;
}

/** Returns the XML of a part with this root. */
export function root(name: string, content: string, namespaces = NAMESPACES): string {
  return `${DECLARATION}<w:${name} ${namespaces}>${content}</w:${name}>`;
}

/** Creates a docx with this body, as Quire writes it. */
export function docxOf(body: string, beside: Beside = {}): Uint8Array {
  const { references = "", section = "", footer, relations = "" } = beside;
  const files = new Map<string, string>();
  let lines = relations;
  let types = beside.types ?? "";
  let named = references;
  const add = (kind: string, xml: string | undefined, element: string): void => {
    if (xml === undefined) return;
    files.set(`word/${kind}.xml`, root(element, xml));
    lines += relation(`r-${kind}`, kind, `${kind}.xml`);
    types += `<Override PartName="/word/${kind}.xml" ContentType="${PART}.${kind}+xml"/>`;
  };
  add("footer", footer, "ftr");
  if (footer !== undefined) named += '<w:footerReference w:type="default" r:id="r-footer"/>';
  add("numbering", beside.numbering, "numbering");
  add("styles", beside.styles, "styles");
  add("settings", beside.settings, "settings");
  const sectPr = `<w:sectPr>${named}${PAGE}${section}</w:sectPr>`;
  return zip({
    "[Content_Types].xml":
      `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ` +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="png" ContentType="image/png"/>' +
      `<Override PartName="/word/document.xml" ContentType="${DOCX_MAIN}"/>${types}</Types>`,
    "_rels/.rels":
      `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">` +
      `${relation("r1", "officeDocument", "word/document.xml")}</Relationships>`,
    "word/document.xml": root(
      "document",
      `<w:body>${body}${sectPr}</w:body>`,
      beside.namespaces ?? NAMESPACES,
    ),
    "word/_rels/document.xml.rels": `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${lines}</Relationships>`,
    ...Object.fromEntries(files),
    ...beside.parts,
  });
}

export function paragraph(text: string, properties = ""): string {
  const block = properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`;
  return `<w:p>${block}<w:r><w:t>${text}</w:t></w:r></w:p>`;
}

export function table(...rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]): string =>
    row.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join("");
  return `<w:tbl><w:tblPr/>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>`;
}

/** Creates a field, in the runs that Word writes. */
export function field(code: string): string {
  const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const text = `<w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r>`;
  return `${mark("begin")}${text}${mark("separate")}<w:r><w:t>1</w:t></w:r>${mark("end")}`;
}

/** Creates an inline picture. `id` is the id of its relationship. */
export function picture(id: string): string {
  return (
    '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="100" cy="100"/><wp:docPr id="1" name="p"/>' +
    `<a:graphic><a:graphicData uri="${DRAWING}/picture"><pic:pic><pic:nvPicPr>` +
    '<pic:cNvPr id="0" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>' +
    `<a:blip r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr/>` +
    "</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
  );
}

/** Returns `numbering.xml` with the list 1 in a number format. */
export function lists(format: string, more = ""): string {
  return (
    '<w:abstractNum w:abstractNumId="5"><w:nsid w:val="00000001"/><w:lvl w:ilvl="0">' +
    `<w:numFmt w:val="${format}"/>${more}</w:lvl></w:abstractNum>` +
    '<w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num>'
  );
}

/** Reads the parts of a docx as text. */
export function partsOf(bytes: Uint8Array): Map<string, string> {
  return new Map(
    [...readZip(bytes)].map(([name, part]) => [name, contentOf(part).toString("utf8")]),
  );
}
