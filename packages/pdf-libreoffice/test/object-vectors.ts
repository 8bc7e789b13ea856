/** Documents with embedded files that try to make LibreOffice fetch something or read a file. */
import {
  attribute,
  docx,
  NAMESPACES,
  paragraph,
  picture,
  type Relationship,
  relationshipsXml,
  zip,
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

function graphic(uri: string, inner: string): string {
  const size = 'cx="1000000" cy="1000000"';
  return `<w:p><w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="9" name="g"/><a:graphic><a:graphicData uri="${uri}">${inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
}

const XFRM = '<a:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm>';

const PIC = (blip: string): string =>
  `<pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>${blip}<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr>${XFRM}<a:prstGeom prst="rect"/></pic:spPr></pic:pic>`;

/** Creates a document with an object without a preview picture, and the file of the object. */
function embedded(file: Uint8Array, name: string, prog: string, type = "package"): Uint8Array {
  return docx({
    body:
      '<w:p><w:r><w:object w:dxaOrig="2000" w:dyaOrig="2000"><v:shape id="o" type="#_x0000_t75" style="width:100pt;height:100pt" o:ole=""><v:imagedata r:id="y" o:title=""/></v:shape>' +
      `<o:OLEObject Type="Embed" ProgID="${prog}" ShapeID="o" DrawAspect="Content" ObjectID="_1" r:id="x"/></w:object></w:r></w:p>`,
    relationships: [
      { id: "x", type, target: `embeddings/${name}` },
      { id: "y", type: "image", target: "media/y.png" },
    ],
    parts: { [`word/embeddings/${name}`]: file, "word/media/y.png": PIXEL },
  });
}

function odf(kind: string, content: string): Uint8Array {
  const ns = ["office", "text", "table", "draw", "style", "form", "script"]
    .map(
      (n) =>
        `xmlns:${n}="urn:oasis:names:tc:opendocument:xmlns:${n === "draw" ? "drawing" : n}:1.0"`,
    )
    .join(" ");
  const type = `application/vnd.oasis.opendocument.${kind}`;
  return zip({
    mimetype: type,
    "content.xml": `<office:document-content ${ns} xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2"><office:body><office:${kind}>${content}</office:${kind}></office:body></office:document-content>`,
    "META-INF/manifest.xml": `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
  });
}

function xlsx(target: string): Uint8Array {
  const M = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const P = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  return zip({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${P}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${P}.worksheet+xml"/><Override PartName="/xl/externalLinks/externalLink1.xml" ContentType="${P}.externalLink+xml"/></Types>`,
    "_rels/.rels": relationshipsXml([
      { id: "a", type: "officeDocument", target: "xl/workbook.xml" },
    ]),
    "xl/workbook.xml": `<workbook xmlns="${M}" xmlns:r="${R}"><sheets><sheet name="S" sheetId="1" r:id="a"/></sheets><externalReferences><externalReference r:id="b"/></externalReferences><calcPr calcId="0" fullCalcOnLoad="1"/></workbook>`,
    "xl/_rels/workbook.xml.rels": relationshipsXml([
      { id: "a", type: "worksheet", target: "worksheets/sheet1.xml" },
      { id: "b", type: "externalLink", target: "externalLinks/externalLink1.xml" },
    ]),
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${M}"><sheetData><row r="1"><c r="A1"><f>_xlfn.WEBSERVICE("${attribute(target)}")</f><v>0</v></c><c r="B1"><f>[1]Sheet1!A1</f><v>0</v></c></row></sheetData></worksheet>`,
    "xl/externalLinks/externalLink1.xml": `<externalLink xmlns="${M}" xmlns:r="${R}"><externalBook r:id="a"><sheetNames><sheetName val="Sheet1"/></sheetNames></externalBook></externalLink>`,
    "xl/externalLinks/_rels/externalLink1.xml.rels": relationshipsXml([
      out("externalLinkPath", target, "a"),
    ]),
  });
}

function pptx(target: string): Uint8Array {
  const P = "application/vnd.openxmlformats-officedocument.presentationml";
  const N = `${NAMESPACES} xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;
  const tree = (inner: string): string =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${inner}</p:spTree></p:cSld>`;
  return zip({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" ContentType="${P}.presentation.main+xml"/><Override PartName="/ppt/slides/slide1.xml" ContentType="${P}.slide+xml"/><Override PartName="/ppt/slideMasters/m.xml" ContentType="${P}.slideMaster+xml"/><Override PartName="/ppt/slideLayouts/l.xml" ContentType="${P}.slideLayout+xml"/></Types>`,
    "_rels/.rels": relationshipsXml([
      { id: "a", type: "officeDocument", target: "ppt/presentation.xml" },
    ]),
    "ppt/presentation.xml": `<p:presentation ${N}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="m"/></p:sldMasterIdLst><p:sldIdLst><p:sldId id="256" r:id="a"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationshipsXml([
      { id: "a", type: "slide", target: "slides/slide1.xml" },
      { id: "m", type: "slideMaster", target: "slideMasters/m.xml" },
    ]),
    "ppt/slideMasters/m.xml": `<p:sldMaster ${N}>${tree("")}<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="l"/></p:sldLayoutIdLst></p:sldMaster>`,
    "ppt/slideMasters/_rels/m.xml.rels": relationshipsXml([
      { id: "l", type: "slideLayout", target: "../slideLayouts/l.xml" },
    ]),
    "ppt/slideLayouts/l.xml": `<p:sldLayout ${N}>${tree("")}</p:sldLayout>`,
    "ppt/slideLayouts/_rels/l.xml.rels": relationshipsXml([
      { id: "m", type: "slideMaster", target: "../slideMasters/m.xml" },
    ]),
    "ppt/slides/slide1.xml": `<p:sld ${N}>${tree(`<p:pic><p:nvPicPr><p:cNvPr id="4" name="i"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:link="x"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>${XFRM}<a:prstGeom prst="rect"/></p:spPr></p:pic>`)}</p:sld>`,
    "ppt/slides/_rels/slide1.xml.rels": relationshipsXml([
      { id: "l", type: "slideLayout", target: "../slideLayouts/l.xml" },
      out("image", target),
    ]),
  });
}

const rtf = (png: string, txt: string): string =>
  `{\\rtf1{\\*\\template ${txt}}{\\field{\\*\\fldinst INCLUDEPICTURE "${png}" \\\\d}{\\fldrslt x}}{\\field{\\*\\fldinst INCLUDETEXT "${txt}"}{\\fldrslt y}}}`;

const innerDocx = (png: string): Uint8Array => linked(picture("x", "link"), out("image", png));

const OFFICE_WORD = "http://schemas.microsoft.com/office/word/2010";
const WPG = `${OFFICE_WORD}/wordprocessingGroup`;
const WPC = `${OFFICE_WORD}/wordprocessingCanvas`;
const LOCKED = "http://schemas.openxmlformats.org/drawingml/2006/lockedCanvas";
const MC = "http://schemas.openxmlformats.org/markup-compatibility/2006";
const P = "http://schemas.openxmlformats.org/presentationml/2006/main";

/** Creates a document with an object inside custom markup. */
function withObject(body: string, png: string): Uint8Array {
  return docx({
    body: paragraph("object") + body,
    relationships: [
      { id: "x", type: "package", target: "embeddings/a.docx" },
      { id: "y", type: "image", target: "media/y.png" },
    ],
    parts: {
      "word/embeddings/a.docx": linked(picture("x", "link"), out("image", png)),
      "word/media/y.png": PIXEL,
    },
  });
}

const OBJECT = `<p:oleObj xmlns:p="${P}" progId="Word.Document.12" r:id="x" imgW="1000000" imgH="1000000" name="o"><p:embed/></p:oleObj>`;

const OBJECT_FRAME =
  '<wpg:graphicFrame xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup"><wpg:cNvPr id="7" name="o"/><wpg:cNvFrPr/>' +
  '<wpg:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></wpg:xfrm>' +
  `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">${OBJECT}</a:graphicData></a:graphic></wpg:graphicFrame>`;

/**
 * Creates a document with an embedded document in its header. `name` and `write` determine the header's name and bytes.
 */
function inHeader(name: string, png: string, write: (xml: string) => string | Buffer): Uint8Array {
  return docx({
    body: '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>',
    relationships: [{ id: "h", type: "header", target: name }],
    parts: {
      [`word/${name}`]: write(
        `<w:hdr ${NAMESPACES}><w:p><w:r><w:object><v:shape id="o" style="width:99pt;height:99pt" o:ole=""><v:imagedata r:id="y"/></v:shape><o:OLEObject Type="Embed" ProgID="Word.Document.12" ShapeID="o" DrawAspect="Content" ObjectID="_1" r:id="x"/></w:object></w:r></w:p></w:hdr>`,
      ),
      [`word/_rels/${name}.rels`]: relationshipsXml([
        { id: "x", type: "package", target: "embeddings/a.docx" },
        { id: "y", type: "image", target: "media/y.png" },
      ]),
      "word/embeddings/a.docx": innerDocx(png),
      "word/media/y.png": PIXEL,
    },
    types: name.endsWith(".xml") ? { [`word/${name}`]: `${WORD}.header+xml` } : {},
  });
}

const utf16 = (xml: string): Buffer =>
  Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${xml}`, "utf16le");

/** Keys describe the documents. */
export const OBJECT_VECTORS: Readonly<Record<string, Vector>> = {
  "a document in a document": ({ png }) => embedded(innerDocx(png), "a.docx", "Word.Document.12"),
  "a document in a document in a document": ({ png }) =>
    embedded(embedded(innerDocx(png), "a.docx", "Word.Document.12"), "b.docx", "Word.Document.12"),
  "a document in a document, in a header": ({ png }) => {
    return docx({
      body: '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>',
      relationships: [{ id: "h", type: "header", target: "header1.xml" }],
      parts: {
        "word/header1.xml": `<w:hdr ${NAMESPACES}><w:p><w:r><w:object><v:shape id="o" type="#_x0000_t75" style="width:100pt;height:100pt" o:ole=""><v:imagedata r:id="y" o:title=""/></v:shape><o:OLEObject Type="Embed" ProgID="Word.Document.12" ShapeID="o" DrawAspect="Content" ObjectID="_1" r:id="x"/></w:object></w:r></w:p></w:hdr>`,
        "word/_rels/header1.xml.rels": relationshipsXml([
          { id: "x", type: "package", target: "embeddings/a.docx" },
          { id: "y", type: "image", target: "media/y.png" },
        ]),
        "word/embeddings/a.docx": innerDocx(png),
        "word/media/y.png": PIXEL,
      },
      types: { "word/header1.xml": `${WORD}.header+xml` },
    });
  },
  "a document in a document, in a header of no type": ({ png }) =>
    inHeader("header.foo", png, (xml) => xml),
  "a document in a document, in a header of another type": ({ png }) =>
    inHeader("header.bin", png, (xml) => xml),
  "a document in a document, in a header in UTF-16": ({ png }) =>
    inHeader("header1.xml", png, utf16),
  "a document in a document under another prefix": ({ png }) =>
    docx({
      body: '<w:p><w:r><w:object><v:shape id="o" type="#_x0000_t75" style="width:100pt;height:100pt"><v:imagedata r:id="y"/></v:shape><q:OLEObject xmlns:q="urn:schemas-microsoft-com:office:office" Type="Embed" ProgID="Word.Document.12" ShapeID="o" DrawAspect="Content" ObjectID="_1" r:id="x"></q:OLEObject></w:object></w:r></w:p>',
      relationships: [
        { id: "x", type: "customXmlX", target: "embeddings/a.docx" },
        { id: "y", type: "image", target: "media/y.png" },
      ],
      parts: { "word/embeddings/a.docx": innerDocx(png), "word/media/y.png": PIXEL },
    }),
  "a document in a document, as an icon": ({ png }) =>
    docx({
      body: '<w:p><w:r><w:object><v:shape id="o" type="#_x0000_t75" style="width:100pt;height:100pt"><v:imagedata r:id="y"/></v:shape><o:OLEObject Type="Embed" ProgID="Word.Document.12" ShapeID="o" DrawAspect="Icon" ObjectID="_1" r:id="x"/></w:object></w:r></w:p>',
      relationships: [
        { id: "x", type: "package", target: "embeddings/a.docx" },
        { id: "y", type: "image", target: "media/y.png" },
      ],
      parts: { "word/embeddings/a.docx": innerDocx(png), "word/media/y.png": PIXEL },
    }),
  "a document in a document in a picture": ({ png }) =>
    docx({
      body: '<w:p><w:r><w:pict><v:shape id="o" type="#_x0000_t75" style="width:100pt;height:100pt" o:ole=""><v:imagedata r:id="y"/></v:shape><o:OLEObject Type="Embed" ProgID="Word.Document.12" ShapeID="o" DrawAspect="Content" ObjectID="_1" r:id="x"/></w:pict></w:r></w:p>',
      relationships: [
        { id: "x", type: "package", target: "embeddings/a.docx" },
        { id: "y", type: "image", target: "media/y.png" },
      ],
      parts: { "word/embeddings/a.docx": innerDocx(png), "word/media/y.png": PIXEL },
    }),
  "an object of a drawing": ({ png }) =>
    docx({
      body: graphic(
        "http://schemas.openxmlformats.org/presentationml/2006/ole",
        `<p:oleObj xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" progId="Word.Document.12" r:id="x" imgW="1000000" imgH="1000000" name="o"><p:embed/>${PIC('<a:blip r:embed="y"/>')}</p:oleObj>`,
      ),
      relationships: [
        { id: "x", type: "package", target: "embeddings/a.docx" },
        { id: "y", type: "image", target: "media/y.png" },
      ],
      parts: { "word/embeddings/a.docx": innerDocx(png), "word/media/y.png": PIXEL },
    }),
  "a workbook that refers to another": ({ txt }) => embedded(xlsx(txt), "a.xlsx", "Excel.Sheet.12"),
  "a presentation with a picture by link": ({ png }) =>
    embedded(pptx(png), "a.pptx", "PowerPoint.Show.12"),
  "a text of ODF in a document": ({ png, txt }) =>
    embedded(
      odf(
        "text",
        `<text:p>x<draw:frame svg:width="2cm" svg:height="2cm"><draw:image xlink:href="${attribute(png)}" xlink:type="simple" xlink:actuate="onLoad"/></draw:frame></text:p><text:section text:name="s"><text:section-source xlink:href="${attribute(txt)}"/></text:section>`,
      ),
      "a.odt",
      "LibreOffice.WriterDocument.1",
    ),
  "a sheet of ODF in a document": ({ png, html }) =>
    embedded(
      odf(
        "spreadsheet",
        `<table:table table:name="S"><table:table-source xlink:href="${attribute(html)}" table:filter-name="HTML (StarCalc)"/><table:shapes><draw:frame svg:width="2cm" svg:height="2cm"><draw:image xlink:href="${attribute(png)}" xlink:type="simple"/></draw:frame></table:shapes><table:table-row><table:table-cell table:formula="of:=WEBSERVICE(&quot;${attribute(html)}&quot;)"/><table:table-cell table:formula="of:='${attribute(html)}'#$S.A1"/></table:table-row></table:table>`,
      ),
      "a.ods",
      "LibreOffice.CalcDocument.1",
    ),
  "RTF as an object's bytes": ({ png, txt }) =>
    embedded(Buffer.from(rtf(png, txt)), "oleObject1.bin", "Word.Document.8", "oleObject"),
  "an object of Word 2010": ({ png }) =>
    withObject(
      '<w:p><w:r><w:object w:dxaOrig="2000" w:dyaOrig="2000"><w:drawing/><w:objectEmbed w:drawAspect="content" r:id="x" w:progId="Word.Document.12" w:shapeId="o"/></w:object></w:r></w:p>',
      png,
    ),
  "an object in a group": ({ png }) =>
    withObject(
      graphic(
        WPG,
        `<wpg:wgp xmlns:wpg="${WPG}"><wpg:cNvGrpSpPr/><wpg:grpSpPr/>${OBJECT_FRAME}</wpg:wgp>`,
      ),
      png,
    ),
  "an object in a canvas": ({ png }) =>
    withObject(
      graphic(WPC, `<wpc:wpc xmlns:wpc="${WPC}"><wpc:bg/><wpc:whole/>${OBJECT_FRAME}</wpc:wpc>`),
      png,
    ),
  "an object in a locked canvas": ({ png }) =>
    withObject(
      graphic(
        LOCKED,
        `<lc:lockedCanvas xmlns:lc="${LOCKED}"><a:nvGrpSpPr><a:cNvPr id="0" name=""/><a:cNvGrpSpPr/></a:nvGrpSpPr><a:grpSpPr/><a:graphicFrame><a:nvGraphicFramePr><a:cNvPr id="1" name="o"/><a:cNvGraphicFramePr/></a:nvGraphicFramePr>${XFRM}<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">${OBJECT}</a:graphicData></a:graphic></a:graphicFrame></lc:lockedCanvas>`,
      ),
      png,
    ),
  "an object in an unknown alternative": ({ png }) =>
    withObject(
      `<w:p><w:r><mc:AlternateContent xmlns:mc="${MC}"><mc:Choice Requires="u" xmlns:u="urn:unknown"><w:t>x</w:t></mc:Choice><mc:Fallback><w:object><v:shape id="o" style="width:99pt;height:99pt"><v:imagedata r:id="y"/></v:shape><o:OLEObject Type="Embed" ProgID="Word.Document.12" ShapeID="o" DrawAspect="Content" ObjectID="_1" r:id="x"/></w:object></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
      png,
    ),
};
