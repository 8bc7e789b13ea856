/** Documents with external references in markup that Word seldom writes. */
import {
  attribute,
  docx,
  NAMESPACES,
  paragraph,
  picture,
  type Relationship,
  relationshipsXml,
} from "./docx.ts";
import type { Vector } from "./link-vectors.ts";
import { PIXEL } from "./pixel.ts";

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";

const out = (type: string, target: string, id = "x"): Relationship => ({
  id,
  type,
  target,
  external: true,
});

const linked = (body: string, ...relationships: Relationship[]): Uint8Array =>
  docx({ body: paragraph("linked") + body, relationships });

const run = (inner: string): string => `<w:r>${inner}</w:r>`;

const mark = (kind: string): string => run(`<w:fldChar w:fldCharType="${kind}"/>`);

const code = (text: string): string =>
  run(`<w:instrText xml:space="preserve">${attribute(text)}</w:instrText>`);

/** Creates a field. `instruction` is the XML of its instruction. */
const field = (instruction: string): string =>
  `<w:p>${mark("begin")}${instruction}${mark("separate")}${run("<w:t>r</w:t>")}${mark("end")}</w:p>`;

const vml = (inner: string): string =>
  `<w:p><w:r><w:pict><v:shape id="s" style="width:100pt;height:100pt">${inner}</v:shape></w:pict></w:r></w:p>`;

function graphic(uri: string, inner: string): string {
  const size = 'cx="1000000" cy="1000000"';
  return `<w:p><w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="9" name="g"/><a:graphic><a:graphicData uri="${uri}">${inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
}

const OFFICE_WORD = "http://schemas.microsoft.com/office/word/2010";
const WPG = `${OFFICE_WORD}/wordprocessingGroup`;
const WPS = `${OFFICE_WORD}/wordprocessingShape`;
const LOCKED = "http://schemas.openxmlformats.org/drawingml/2006/lockedCanvas";
const MC = "http://schemas.openxmlformats.org/markup-compatibility/2006";

const XFRM = '<a:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm>';

const FILL = '<a:blipFill><a:blip r:link="x"/><a:stretch><a:fillRect/></a:stretch></a:blipFill>';

const shapeOf = (fill: string): string =>
  `<wps:wsp xmlns:wps="${WPS}"><wps:cNvSpPr/><wps:spPr>${XFRM}<a:prstGeom prst="rect"/>${fill}</wps:spPr><wps:bodyPr/></wps:wsp>`;

/** Creates a document with a part of a rare kind. */
function withPart(type: string, name: string, xml: string | Buffer, body: string, png: string) {
  const [, folder = "", file = ""] = /^(.*\/)?([^/]+)$/.exec(name) ?? [];
  return docx({
    body: paragraph("part") + body,
    relationships: [{ id: "part", type, target: name }],
    parts: {
      [`word/${name}`]: xml,
      [`word/${folder}_rels/${file}.rels`]: relationshipsXml([out("image", png)]),
    },
    types: {
      [`word/${name}`]: `${WORD}.${type === "glossaryDocument" ? "document.glossary" : type}+xml`,
    },
  });
}

const inUtf16 = (xml: string, how: "utf16le" | "swapped" = "utf16le"): Buffer => {
  const bytes = Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${xml}`, "utf16le");
  return how === "swapped" ? bytes.swap16() : bytes;
};

/** Keys describe the documents. */
export const RARE_VECTORS: Readonly<Record<string, Vector>> = {
  "a linked object of Word 2010": ({ txt }) =>
    linked(
      '<w:p><w:r><w:object><w:objectLink w:drawAspect="content" r:id="x" w:progId="Word.Document.12" w:shapeId="o" w:updateMode="always"/></w:object></w:r></w:p>',
      out("oleObject", txt),
    ),
  "a picture in a locked canvas": ({ png }) =>
    linked(
      graphic(
        LOCKED,
        `<lc:lockedCanvas xmlns:lc="${LOCKED}"><a:nvGrpSpPr><a:cNvPr id="0" name=""/><a:cNvGrpSpPr/></a:nvGrpSpPr><a:grpSpPr>${XFRM}</a:grpSpPr><a:pic><a:nvPicPr><a:cNvPr id="1" name="p"/><a:cNvPicPr/></a:nvPicPr>${FILL}<a:spPr>${XFRM}<a:prstGeom prst="rect"/></a:spPr></a:pic></lc:lockedCanvas>`,
      ),
      out("image", png),
    ),
  "a picture in VML in a group": ({ png }) =>
    docx({
      body: `<w:p><w:r><w:pict><v:group style="width:100pt;height:100pt" coordsize="100,100"><v:rect style="width:50;height:50" filled="t"><v:fill type="frame" src="${attribute(png)}" o:href="${attribute(png)}"/></v:rect><v:shape style="width:50;height:50"><v:imagedata src="${attribute(png)}"/></v:shape></v:group></w:pict></w:r></w:p>`,
    }),
  "an SVG by link beside a picture": ({ png }) =>
    docx({
      body: picture("p").replace(
        '<a:blip r:embed="p"/>',
        '<a:blip r:embed="p"><a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" r:link="x"/></a:ext></a:extLst></a:blip>',
      ),
      relationships: [{ id: "p", type: "image", target: "media/a.png" }, out("image", png)],
      parts: { "word/media/a.png": PIXEL },
    }),
  "a layer of effects by link": ({ png }) =>
    docx({
      body: picture("p").replace(
        '<a:blip r:embed="p"/>',
        '<a:blip r:embed="p"><a:extLst><a:ext uri="{BEBA8EAE-BF5A-486C-A8C5-ECC9F3942E4B}"><a14:imgProps xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"><a14:imgLayer r:embed="x" r:link="x"><a14:imgEffect><a14:artisticBlur/></a14:imgEffect></a14:imgLayer></a14:imgProps></a:ext></a:extLst></a:blip>',
      ),
      relationships: [{ id: "p", type: "image", target: "media/a.png" }, out("hdphoto", png)],
      parts: { "word/media/a.png": PIXEL },
    }),
  "media by the relationship of a hyperlink": ({ png, html }) =>
    docx({
      body:
        picture("h", "link") +
        vml('<v:imagedata r:id="h" o:relid="h"/>') +
        picture("p").replace(
          "<pic:cNvPicPr/>",
          '<pic:cNvPicPr/><pic:nvPr><a:audioFile r:link="g"/><a:extLst><a:ext uri="{DAA4B4D4-6D71-4841-9C94-3DE7FCFB9230}"><p14:media xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" r:link="g" r:embed="g"/></a:ext></a:extLst></pic:nvPr>',
        ),
      relationships: [
        { id: "p", type: "image", target: "media/a.png" },
        out("hyperlink", png, "h"),
        out("hyperlink", html, "g"),
      ],
      parts: { "word/media/a.png": PIXEL },
    }),
  "an object by the relationship of a hyperlink": ({ txt }) =>
    linked(
      '<w:p><w:r><w:object><v:shape id="o" style="width:50pt;height:50pt"/><o:OLEObject Type="Link" ProgID="Word.Document.12" ShapeID="o" DrawAspect="Content" UpdateMode="Always" r:id="x"/></w:object></w:r></w:p>',
      out("hyperlink", txt),
    ),
  "the drawing of a list": ({ png }) =>
    withPart(
      "numbering",
      "numbering.xml",
      `<w:numbering ${NAMESPACES}><w:numPicBullet w:numPicBulletId="0">${picture("x", "link").replace(/<\/?w:p>|<\/?w:r>/g, "")}</w:numPicBullet><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="*"/><w:lvlPicBulletId w:val="0"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
      '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>i</w:t></w:r></w:p>',
      png,
    ),
  "a bullet of a shape": ({ png }) =>
    linked(
      graphic(
        LOCKED,
        `<lc:lockedCanvas xmlns:lc="${LOCKED}"><a:nvGrpSpPr><a:cNvPr id="0" name=""/><a:cNvGrpSpPr/></a:nvGrpSpPr><a:grpSpPr>${XFRM}</a:grpSpPr><a:sp><a:nvSpPr><a:cNvPr id="1" name="s"/><a:cNvSpPr/></a:nvSpPr><a:spPr>${XFRM}<a:prstGeom prst="rect"/>${FILL}</a:spPr><a:txSp><a:txBody><a:bodyPr/><a:p><a:pPr><a:buBlip><a:blip r:link="x"/></a:buBlip></a:pPr><a:r><a:t>b</a:t></a:r></a:p></a:txBody></a:txSp></a:sp></lc:lockedCanvas>`,
      ),
      out("image", png),
    ),
  "building blocks with a picture": ({ png, txt }) =>
    withPart(
      "glossaryDocument",
      "glossary/document.xml",
      `<w:glossaryDocument ${NAMESPACES}><w:docParts><w:docPart><w:docPartPr><w:name w:val="b"/></w:docPartPr><w:docPartBody>${picture("x", "link")}${field(code(`INCLUDETEXT "${txt}"`))}</w:docPartBody></w:docPart></w:docParts></w:glossaryDocument>`,
      field(code('AUTOTEXT "b"')),
      png,
    ),
  "an endnote in UTF-16": ({ png }) =>
    withPart(
      "endnotes",
      "endnotes.xml",
      inUtf16(
        `<w:endnotes ${NAMESPACES}><w:endnote w:id="2">${picture("x", "link")}</w:endnote></w:endnotes>`,
        "swapped",
      ),
      '<w:p><w:r><w:endnoteReference w:id="2"/></w:r></w:p>',
      png,
    ),
  "shapes of the settings": ({ png }) =>
    withPart(
      "settings",
      "settings.xml",
      `<w:settings ${NAMESPACES}><w:hdrShapeDefaults><o:shapedefaults v:ext="edit" spidmax="2049"><v:fill type="frame" r:id="x" src="${attribute(png)}"/><v:stroke src="${attribute(png)}"/></o:shapedefaults></w:hdrShapeDefaults><w:mailMerge><w:mainDocumentType w:val="formLetters"/><w:dataType w:val="native"/><w:headerSource r:id="x"/><w:odso><w:udl w:val="Provider=x;Data Source=${attribute(png)}"/><w:src r:id="x"/><w:recipientData r:id="x"/></w:odso></w:mailMerge></w:settings>`,
      vml(""),
      png,
    ),
  "a document of the strict form": ({ png }) => {
    const strict = (xml: string): string =>
      xml
        .replaceAll(
          "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
          "http://purl.oclc.org/ooxml/wordprocessingml/main",
        )
        .replaceAll(
          "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
          "http://purl.oclc.org/ooxml/officeDocument/relationships",
        )
        .replaceAll(
          /http:\/\/schemas\.openxmlformats\.org\/drawingml\/2006\/(\w+)/g,
          "http://purl.oclc.org/ooxml/drawingml/$1",
        );
    return docx({
      body: "",
      parts: {
        "_rels/.rels": strict(
          relationshipsXml([{ id: "m", type: "officeDocument", target: "word/document.xml" }]),
        ),
        "word/document.xml": strict(
          `<w:document ${NAMESPACES} w:conformance="strict"><w:body>${picture("x", "link")}${vml('<v:imagedata r:id="x"/>')}</w:body></w:document>`,
        ),
        "word/_rels/document.xml.rels": strict(relationshipsXml([out("image", png)])),
      },
    });
  },
  "a bound text that asks for a document": ({ txt }) =>
    docx({
      body: `<w:sdt><w:sdtPr><w:dataBinding w:prefixMappings="xmlns:n='${attribute(txt)}'" w:xpath="document('${attribute(txt)}')/n:a[1] | unparsed-text('${attribute(txt)}')" w:storeItemID="{00000000-0000-0000-0000-000000000001}"/><w:text/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>x</w:t></w:r></w:p></w:sdtContent></w:sdt>`,
      relationships: [{ id: "s", type: "customXml", target: "../customXml/item1.xml" }],
      parts: {
        "customXml/item1.xml": "<a>b</a>",
        "customXml/itemProps1.xml": `<ds:datastoreItem ds:itemID="{00000000-0000-0000-0000-000000000001}" xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"><ds:schemaRefs><ds:schemaRef ds:uri="${attribute(txt)}"/></ds:schemaRefs></ds:datastoreItem>`,
        "customXml/_rels/item1.xml.rels": relationshipsXml([
          { id: "p", type: "customXmlProps", target: "itemProps1.xml" },
        ]),
      },
    }),
  "a field in CDATA": ({ png }) =>
    docx({
      body: field(run(`<w:instrText><![CDATA[INCLUDEPICTURE "${png}" \\d]]></w:instrText>`)),
    }),
  "a field in numbers": ({ png }) =>
    docx({
      body: field(
        run(
          `<w:instrText>${[...`INCLUDEPICTURE "${png}" \\d`].map((c) => `&#x${c.charCodeAt(0).toString(16)};`).join("")}</w:instrText>`,
        ),
      ),
    }),
  "a field one letter at a time": ({ txt }) =>
    docx({
      body: field(
        [..."INCLUDETEXT"].map((c) => `<w:proofErr w:type="spellStart"/>${code(c)}`).join("") +
          code(` "${txt}"`),
      ),
    }),
  "a field in two alternatives": ({ png }) =>
    docx({
      body: field(
        `<mc:AlternateContent xmlns:mc="${MC}"><mc:Choice Requires="u" xmlns:u="urn:unknown">${code("PAGE ")}</mc:Choice><mc:Fallback>${code("INCLUDE")}</mc:Fallback></mc:AlternateContent>${code(`PICTURE "${png}" \\d`)}`,
      ),
    }),
  "a field over paragraphs and cells": ({ png }) =>
    docx({
      body: `<w:p>${mark("begin")}${code("INCLUDE")}</w:p><w:tbl><w:tr><w:tc><w:p>${code(`PICTURE "${png}" \\d`)}${mark("separate")}</w:p></w:tc></w:tr></w:tbl><w:p>${run("<w:t>r</w:t>")}${mark("end")}</w:p>`,
    }),
  "a field with its name in quotes and capitals": ({ png, txt }) =>
    docx({
      body:
        field(code(` "includepicture" "${png}" \\d`)) +
        field(code(`\t\u00a0includeText\t"${txt}" b \\c HTML`)),
    }),
  "a field within a result": ({ png }) =>
    docx({
      body: `<w:p>${mark("begin")}${code('IF 1 = 1 "')}${mark("begin")}${code(`INCLUDEPICTURE "${png}"`)}${mark("separate")}${mark("begin")}${code(`INCLUDEPICTURE "${png}" \\d`)}${mark("separate")}${run("<w:t>r</w:t>")}${mark("end")}${mark("end")}${code('"')}${mark("separate")}${run("<w:t>r</w:t>")}${mark("end")}</w:p>`,
    }),
  "a deleted field": ({ png }) =>
    docx({
      body: `<w:p><w:del w:id="1" w:author="a">${mark("begin")}${run(`<w:delInstrText>INCLUDEPICTURE "${png}" \\d</w:delInstrText>`)}${mark("separate")}${run("<w:delText>r</w:delText>")}${mark("end")}</w:del></w:p><w:p><w:moveFrom w:id="2" w:author="a"><w:fldSimple w:instr='INCLUDEPICTURE "${attribute(png).replaceAll("&quot;", "")}" \\d'/></w:moveFrom></w:p>`,
    }),
  "a customization of the web": ({ html }) =>
    docx({
      body: paragraph("properties"),
      packageRelationships: [{ id: "c", type: "custom-properties", target: "docProps/custom.xml" }],
      parts: {
        "docProps/custom.xml": `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="_AssemblyName"><vt:lpwstr>*</vt:lpwstr></property><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="3" name="_AssemblyLocation" linkTarget="${attribute(html)}"><vt:lpwstr>${attribute(html)}|00000000-0000-0000-0000-000000000000</vt:lpwstr></property></Properties>`,
      },
      types: {
        "docProps/custom.xml":
          "application/vnd.openxmlformats-officedocument.custom-properties+xml",
      },
    }),
  "a chart whose workbook refers to a file": ({ txt, png }) =>
    docx({
      body: graphic(
        "http://schemas.openxmlformats.org/drawingml/2006/chart",
        '<c:chart r:id="chart"/>',
      ),
      relationships: [{ id: "chart", type: "chart", target: "charts/chart1.xml" }],
      parts: {
        "word/charts/chart1.xml": `<c:chartSpace ${NAMESPACES}><c:clrMapOvr/><c:chart><c:plotArea><c:barChart><c:barDir val="col"/><c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numRef><c:f>'[${attribute(txt)}]S'!A1</c:f></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart><c:spPr>${FILL}</c:spPr><c:externalData r:id="w"><c:autoUpdate val="1"/></c:externalData></c:chartSpace>`,
        "word/charts/_rels/chart1.xml.rels": relationshipsXml([
          { id: "w", type: "package", target: "../embeddings/w.docx" },
          { id: "t", type: "themeOverride", target: "../theme/themeOverride1.xml" },
          out("image", png),
        ]),
        "word/theme/themeOverride1.xml": `<a:themeOverride ${NAMESPACES}><a:fmtScheme name="f"><a:fillStyleLst>${FILL}</a:fillStyleLst><a:bgFillStyleLst>${FILL}</a:bgFillStyleLst></a:fmtScheme></a:themeOverride>`,
        "word/theme/_rels/themeOverride1.xml.rels": relationshipsXml([out("image", png)]),
        "word/embeddings/w.docx": linked(picture("x", "link"), out("image", png)),
      },
      types: {
        "word/charts/chart1.xml":
          "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
      },
    }),
  "a fill of a shape of an unknown kind": ({ png }) =>
    linked(
      graphic(
        WPG,
        `<wpg:wgp xmlns:wpg="${WPG}"><wpg:cNvGrpSpPr/><wpg:grpSpPr>${FILL}</wpg:grpSpPr><wpg:grpSp><wpg:grpSpPr>${FILL}</wpg:grpSpPr>${shapeOf("<a:grpFill/>")}</wpg:grpSp></wpg:wgp>`,
      ),
      out("image", png),
    ),
};
