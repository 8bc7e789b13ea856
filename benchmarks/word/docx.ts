import type { TemplateText } from "./blocks.ts";
import { writeStories } from "./body.ts";
import { noisePng } from "./png.ts";
import {
  fontTablePart,
  notesPart,
  numberingPart,
  settingsPart,
  webSettingsPart,
} from "./settings.ts";
import { stylesPart } from "./styles.ts";
import type { Syntax } from "./syntax.ts";
import { themePart } from "./theme.ts";
import { STORY, xmlPart } from "./xml.ts";
import { writeZip, type ZipFile } from "./zip.ts";

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/** Width and height of the logo in pixels. It has 49 KB, which cannot be compressed. */
const LOGO_SIZE = 128;

/** Returns a template with the parts that Word writes and the tags of one engine. */
export function docxTemplate(text: TemplateText, syntax: Syntax): Uint8Array {
  const { body, header, footer } = writeStories(text, syntax);
  const logo = text.body.some(({ block }) => block === "logo");
  const relations = [...RELATIONS, ...(logo ? [LOGO_RELATION] : [])];
  const files: ZipFile[] = [
    { name: "[Content_Types].xml", content: contentTypes() },
    { name: "_rels/.rels", content: relationships(PACKAGE_RELATIONS) },
    { name: "word/document.xml", content: documentPart(body) },
    { name: "word/_rels/document.xml.rels", content: relationships(relations) },
    { name: "word/header1.xml", content: xmlPart("w:hdr", STORY, header) },
    { name: "word/footer1.xml", content: xmlPart("w:ftr", STORY, footer) },
    ...(logo
      ? [{ name: "word/media/image1.png", content: noisePng(LOGO_SIZE, LOGO_SIZE, 1) }]
      : []),
    ...fixedParts(),
  ];
  return writeZip(files);
}

function fixedParts(): ZipFile[] {
  return [
    { name: "word/footnotes.xml", content: notesPart("footnote") },
    { name: "word/endnotes.xml", content: notesPart("endnote") },
    { name: "word/theme/theme1.xml", content: themePart() },
    { name: "word/settings.xml", content: settingsPart() },
    { name: "word/numbering.xml", content: numberingPart() },
    { name: "word/styles.xml", content: stylesPart() },
    { name: "word/webSettings.xml", content: webSettingsPart() },
    { name: "word/fontTable.xml", content: fontTablePart() },
    { name: "docProps/core.xml", content: coreProperties() },
    { name: "docProps/app.xml", content: appProperties() },
  ];
}

function documentPart(body: string): string {
  return xmlPart(
    "w:document",
    STORY,
    `<w:body>${body}<w:sectPr w:rsidR="00A77B1E"><w:headerReference w:type="default" r:id="rId10"/><w:footerReference w:type="default" r:id="rId11"/>` +
      '<w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/><w:cols w:space="720"/><w:docGrid w:linePitch="360"/></w:sectPr></w:body>',
  );
}

type Relation = readonly [id: string, type: string, target: string];

const RELATIONS: readonly Relation[] = [
  ["rId1", `${OFFICE}/numbering`, "numbering.xml"],
  ["rId2", `${OFFICE}/styles`, "styles.xml"],
  ["rId3", `${OFFICE}/settings`, "settings.xml"],
  ["rId4", `${OFFICE}/webSettings`, "webSettings.xml"],
  ["rId5", `${OFFICE}/footnotes`, "footnotes.xml"],
  ["rId6", `${OFFICE}/endnotes`, "endnotes.xml"],
  ["rId7", `${OFFICE}/fontTable`, "fontTable.xml"],
  ["rId8", `${OFFICE}/theme`, "theme/theme1.xml"],
  ["rId10", `${OFFICE}/header`, "header1.xml"],
  ["rId11", `${OFFICE}/footer`, "footer1.xml"],
];

const LOGO_RELATION: Relation = ["rId20", `${OFFICE}/image`, "media/image1.png"];

const PACKAGE_RELATIONS: readonly Relation[] = [
  ["rId1", `${OFFICE}/officeDocument`, "word/document.xml"],
  ["rId2", `${PACKAGE}/relationships/metadata/core-properties`, "docProps/core.xml"],
  ["rId3", `${OFFICE}/extended-properties`, "docProps/app.xml"],
];

function relationships(relations: readonly Relation[]): string {
  const entries = relations.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`,
  );
  return xmlPart("Relationships", `xmlns="${PACKAGE}/relationships"`, entries.join(""));
}

function contentTypes(): string {
  const overrides = [
    ["/word/document.xml", `${WORD_TYPE}.document.main+xml`],
    ["/word/header1.xml", `${WORD_TYPE}.header+xml`],
    ["/word/footer1.xml", `${WORD_TYPE}.footer+xml`],
    ["/word/numbering.xml", `${WORD_TYPE}.numbering+xml`],
    ["/word/styles.xml", `${WORD_TYPE}.styles+xml`],
    ["/word/settings.xml", `${WORD_TYPE}.settings+xml`],
    ["/word/webSettings.xml", `${WORD_TYPE}.webSettings+xml`],
    ["/word/footnotes.xml", `${WORD_TYPE}.footnotes+xml`],
    ["/word/endnotes.xml", `${WORD_TYPE}.endnotes+xml`],
    ["/word/fontTable.xml", `${WORD_TYPE}.fontTable+xml`],
    ["/word/theme/theme1.xml", "application/vnd.openxmlformats-officedocument.theme+xml"],
    ["/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"],
    ["/docProps/app.xml", "application/vnd.openxmlformats-officedocument.extended-properties+xml"],
  ].map(([part, type]) => `<Override PartName="${part}" ContentType="${type}"/>`);
  return xmlPart(
    "Types",
    `xmlns="${PACKAGE}/content-types"`,
    '<Default Extension="png" ContentType="image/png"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Default Extension="xml" ContentType="application/xml"/>${overrides.join("")}`,
  );
}

function coreProperties(): string {
  return xmlPart(
    "cp:coreProperties",
    `xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`,
    '<dc:title></dc:title><dc:creator>Author</dc:creator><cp:lastModifiedBy>Author</cp:lastModifiedBy><cp:revision>7</cp:revision><dcterms:created xsi:type="dcterms:W3CDTF">2026-01-05T08:00:00Z</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">2026-01-05T09:30:00Z</dcterms:modified>',
  );
}

function appProperties(): string {
  return xmlPart(
    "Properties",
    'xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"',
    "<Template>Normal.dotm</Template><TotalTime>42</TotalTime><Application>Microsoft Office Word</Application><DocSecurity>0</DocSecurity><ScaleCrop>false</ScaleCrop><AppVersion>16.0000</AppVersion>",
  );
}
