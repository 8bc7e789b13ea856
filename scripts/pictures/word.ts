// A small writer of Word files for the pictures in the docs: plain XML, one style, no timestamps.

import PizZip from "pizzip";

const W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";

const NAMESPACES = [
  `xmlns:w="${W}" xmlns:r="${OFFICE}"`,
  `xmlns:wp="${DRAWING}/wordprocessingDrawing" xmlns:a="${DRAWING}/main" xmlns:pic="${DRAWING}/picture"`,
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
].join(" ");

/** A Word file: the XML within `w:body`, and the other parts. */
export interface WordDocument {
  readonly body: string;
  readonly header?: string;
  readonly footer?: string;
  /** The paragraphs of each footnote, as XML. The first footnote has the id 1. */
  readonly footnotes?: readonly string[];
  /** Pictures by relationship id. */
  readonly images?: Readonly<Record<string, Uint8Array>>;
  /** The height of the page in millimetres. Default 200. Pictures are cropped to their content. */
  readonly pageHeight?: number;
}

/** The width of every page and of its text, in millimetres. */
export const PAGE_WIDTH = 120;
const MARGIN = 6;
const TEXT_WIDTH = twips(PAGE_WIDTH - 2 * MARGIN);

function twips(millimetres: number): number {
  return Math.round((millimetres * 1440) / 25.4);
}

/** Returns the parts of a Word file by their names in the zip archive. All parts except images are text. */
export function partsOf(document: WordDocument): Map<string, string | Uint8Array> {
  const parts = new Map<string, string | Uint8Array>();
  const links: string[] = [];
  const types: string[] = [];
  const add = (name: string, kind: string, xml: string): void => {
    parts.set(`word/${name}.xml`, xml);
    links.push(relationship(name, kind, `${name}.xml`));
    types.push(override(`word/${name}.xml`, kind));
  };
  add("styles", "styles", STYLES);
  add("numbering", "numbering", NUMBERING);
  const { body, header, footer, footnotes = [], images = {}, pageHeight = 200 } = document;
  if (header !== undefined) add("header1", "header", root("hdr", header));
  if (footer !== undefined) add("footer1", "footer", root("ftr", footer));
  if (footnotes.length > 0) add("footnotes", "footnotes", root("footnotes", notes(footnotes)));
  for (const [id, bytes] of Object.entries(images)) {
    parts.set(`word/media/${id}.png`, bytes);
    links.push(relationship(id, "image", `media/${id}.png`));
  }
  const section = [
    header === undefined ? "" : '<w:headerReference w:type="default" r:id="header1"/>',
    footer === undefined ? "" : '<w:footerReference w:type="default" r:id="footer1"/>',
    `<w:pgSz w:w="${twips(PAGE_WIDTH)}" w:h="${twips(pageHeight)}"/>`,
    margins(header !== undefined, footer !== undefined),
  ].join("");
  parts.set("word/document.xml", root("document", bodyXml(body, section)));
  parts.set("word/_rels/document.xml.rels", relationships(links));
  parts.set(
    "_rels/.rels",
    relationships([relationship("rId1", "officeDocument", "word/document.xml")]),
  );
  types.push(override("word/document.xml", "document.main"));
  parts.set("[Content_Types].xml", contentTypes(types));
  return parts;
}

/** Returns the bytes of a Word file. The same document gives the same bytes. */
export function wordFile(document: WordDocument): Uint8Array {
  const zip = new PizZip();
  const date = new Date(Date.UTC(2026, 0, 1));
  for (const [name, content] of partsOf(document)) zip.file(name, content, { date });
  return zip.generate({ type: "uint8array", compression: "DEFLATE" });
}

/** Returns a paragraph. Its pieces are strings, in which tags are coloured, or the XML of runs. */
export function p(content: string | readonly (string | Xml)[], style = "", numbering = ""): string {
  const pieces = typeof content === "string" ? [content] : content;
  const xml = pieces.map((piece) => (typeof piece === "string" ? text(piece) : piece.xml)).join("");
  const properties = `${style === "" ? "" : `<w:pStyle w:val="${style}"/>`}${numbering}`;
  return `<w:p>${properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`}${xml}</w:p>`;
}

/** Raw XML, as opposed to text. */
export interface Xml {
  readonly xml: string;
}

/** Returns a heading of level 1. */
export function heading(content: string): string {
  return p(content, "Heading1");
}

/** Returns a paragraph of a list with numbers (`list` 1) or bullets (`list` 2). */
export function item(content: string | readonly (string | Xml)[], list: 1 | 2 = 1): string {
  return p(
    content,
    "ListParagraph",
    `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${list}"/></w:numPr>`,
  );
}

/** Returns a run of bold text. The next two functions return italic and coloured text (six hexadecimal digits). */
export function bold(content: string): Xml {
  return { xml: run(content, "<w:b/>") };
}

export function italic(content: string): Xml {
  return { xml: run(content, "<w:i/>") };
}

export function coloured(content: string, colour: string): Xml {
  return { xml: run(content, `<w:color w:val="${colour}"/>`) };
}

/** Matches tags of blocks. Their formatting does not affect the result. */
const BLOCK_TAG =
  /\{\{\s*(?:[#^/!]|(?:for|endfor|tablerow|endtablerow|tablecolumn|endtablecolumn|if|elseif|else|endif|include)\b).*?\}\}/g;
const BLOCK_COLOUR = '<w:color w:val="0B7285"/>';

function text(content: string): string {
  let xml = "";
  let from = 0;
  for (const match of content.matchAll(BLOCK_TAG)) {
    if (content[match.index - 1] === "\\") continue;
    xml += run(content.slice(from, match.index)) + run(match[0], BLOCK_COLOUR);
    from = match.index + match[0].length;
  }
  return xml + run(content.slice(from));
}

function run(content: string, properties = ""): string {
  if (content === "") return "";
  const rPr = properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`;
  const lines = content
    .split("\n")
    .map((line) => `<w:t xml:space="preserve">${escapeXml(line)}</w:t>`);
  return `<w:r>${rPr}${lines.join("<w:br/>")}</w:r>`;
}

function escapeXml(content: string): string {
  return content
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/**
 * Returns a table that is as wide as the text. `shares` are the relative widths of the columns. The first row is the
 * header. Cells are strings or the XML of paragraphs.
 */
export function table(
  shares: readonly number[],
  rows: readonly (readonly (string | Xml)[])[],
): string {
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const widths = shares.map((share) => Math.round((TEXT_WIDTH * share) / whole));
  const grid = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join("");
  const body = rows.map((cells, index) => {
    const row = cells.map((cell, column) => tableCell(cell, widths[column] ?? 0, index === 0));
    return `<w:tr>${row.join("")}</w:tr>`;
  });
  return `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="${TEXT_WIDTH}" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${body.join("")}</w:tbl>`;
}

function tableCell(cell: string | Xml, width: number, isHead: boolean): string {
  const shade = isHead ? '<w:shd w:val="clear" w:color="auto" w:fill="E7EEF0"/>' : "";
  const content = typeof cell === "string" ? p(cell, "Cell") : cell.xml;
  return `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${shade}</w:tcPr>${content}</w:tc>`;
}

/** Returns a reference to a footnote by its number, from 1. */
export function footnote(id: number): Xml {
  return {
    xml: `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="${id}"/></w:r>`,
  };
}

/** Returns an inline picture. Lengths are in millimetres. `rId` is a key of {@link WordDocument.images}. */
export function picture(rId: string, width: number, height: number, alternative: string): Xml {
  const [cx, cy] = [width * 36_000, height * 36_000];
  return {
    xml: `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="1" name="Picture 1" descr="${escapeXml(alternative)}"/><a:graphic><a:graphicData uri="${DRAWING}/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="Picture 1"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${rId}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`,
  };
}

/** Returns an inline text box with these paragraphs. Lengths are in millimetres. */
export function textBox(width: number, height: number, paragraphs: string): Xml {
  const [cx, cy] = [width * 36_000, height * 36_000];
  return {
    xml: `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="2" name="Text Box 2"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="FFF9DB"/></a:solidFill><a:ln w="9525"><a:solidFill><a:srgbClr val="B0A060"/></a:solidFill></a:ln></wps:spPr><wps:txbx><w:txbxContent>${paragraphs}</w:txbxContent></wps:txbx><wps:bodyPr lIns="72000" tIns="36000" rIns="72000" bIns="36000"/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice></mc:AlternateContent></w:r>`,
  };
}

/** A field that shows the page number. */
export const PAGE_NUMBER: Xml = {
  xml: '<w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple>',
};

function bodyXml(body: string, section: string): string {
  return `<w:body>${body}<w:sectPr>${section}</w:sectPr></w:body>`;
}

function margins(header: boolean, footer: boolean): string {
  const [side, edge] = [twips(MARGIN), twips(5)];
  const [top, bottom] = [twips(header ? 14 : MARGIN), twips(footer ? 14 : MARGIN)];
  return `<w:pgMar w:top="${top}" w:right="${side}" w:bottom="${bottom}" w:left="${side}" w:header="${edge}" w:footer="${edge}" w:gutter="0"/>`;
}

function notes(footnotes: readonly string[]): string {
  const separators = [
    `<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>`,
    `<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>`,
  ];
  const reference =
    '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>';
  const own = footnotes.map(
    (content, index) =>
      `<w:footnote w:id="${index + 1}">${p([{ xml: reference }, content], "FootnoteText")}</w:footnote>`,
  );
  return [...separators, ...own].join("");
}

function root(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:${name} ${NAMESPACES}>${content}</w:${name}>`;
}

function relationship(id: string, kind: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`;
}

function relationships(links: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="${PACKAGE}/relationships">${links.join("")}</Relationships>`;
}

function override(part: string, kind: string): string {
  return `<Override PartName="/${part}" ContentType="${WORD_TYPE}.${kind}+xml"/>`;
}

function contentTypes(overrides: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>${overrides.join("")}</Types>`;
}

function style(type: string, id: string, name: string, content: string): string {
  return `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${content}</w:style>`;
}

/** LibreOffice draws Calibri with Carlito, which has the same metrics. */
const FONT = '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/>';
const EDGES = ["top", "left", "bottom", "right", "insideH", "insideV"];

const STYLES = root(
  "styles",
  [
    `<w:docDefaults><w:rPrDefault><w:rPr>${FONT}<w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="zxx"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="100" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>`,
    style("paragraph", "Normal", "Normal", ""),
    ...[1, 2, 3].map((level) =>
      style(
        "paragraph",
        `Heading${level}`,
        `heading ${level}`,
        `<w:basedOn w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="${160 - 40 * level}" w:after="80"/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/><w:color w:val="1F3864"/><w:sz w:val="${32 - 4 * level}"/><w:szCs w:val="${32 - 4 * level}"/></w:rPr>`,
      ),
    ),
    style(
      "paragraph",
      "ListParagraph",
      "List Paragraph",
      '<w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="40"/><w:ind w:left="400" w:hanging="400"/></w:pPr>',
    ),
    style(
      "paragraph",
      "Cell",
      "Cell",
      '<w:basedOn w:val="Normal"/><w:pPr><w:spacing w:before="30" w:after="30" w:line="240" w:lineRule="auto"/></w:pPr>',
    ),
    style(
      "paragraph",
      "FootnoteText",
      "footnote text",
      '<w:basedOn w:val="Normal"/><w:pPr><w:spacing w:after="0"/></w:pPr><w:rPr><w:sz w:val="19"/><w:szCs w:val="19"/></w:rPr>',
    ),
    style(
      "character",
      "Hyperlink",
      "Hyperlink",
      '<w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr>',
    ),
    style("table", "TableNormal", "Normal Table", cellMargins(100)),
    style(
      "table",
      "TableGrid",
      "Table Grid",
      `<w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders>${EDGES.map((edge) => `<w:${edge} w:val="single" w:sz="4" w:space="0" w:color="A0A8AC"/>`).join("")}</w:tblBorders></w:tblPr>`,
    ),
  ].join(""),
);

function cellMargins(side: number): string {
  return `<w:tblPr><w:tblCellMar><w:left w:w="${side}" w:type="dxa"/><w:right w:w="${side}" w:type="dxa"/></w:tblCellMar></w:tblPr>`;
}

function level(format: string, mark: string): string {
  return `<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${mark}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="400" w:hanging="400"/></w:pPr></w:lvl>`;
}

const NUMBERING = root(
  "numbering",
  [
    `<w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="singleLevel"/>${level("decimal", "%1.")}</w:abstractNum>`,
    `<w:abstractNum w:abstractNumId="1"><w:multiLevelType w:val="singleLevel"/>${level("bullet", "•")}</w:abstractNum>`,
    `<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
    `<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>`,
  ].join(""),
);
