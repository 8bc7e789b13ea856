/** Documents that try to make LibreOffice fetch something or read a file. */
import {
  attribute,
  docx,
  NAMESPACES,
  paragraph,
  picture,
  type Relationship,
  relationshipsXml,
} from "./docx.ts";
import { PIXEL } from "./pixel.ts";

/** The addresses of the bait: a picture, a text file and a page, over the network or on this machine. */
export interface Bait {
  readonly png: string;
  readonly txt: string;
  readonly html: string;
}

/** Creates a document that addresses the bait in one way. */
export type Vector = (bait: Bait) => Uint8Array | Promise<Uint8Array>;

const WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml";
function external(type: string, target: string, id = "x"): Relationship {
  return { id, type, target, external: true };
}

function field(instruction: string, result = "result"): string {
  const run = (inner: string): string => `<w:r>${inner}</w:r>`;
  const mark = (kind: string): string => run(`<w:fldChar w:fldCharType="${kind}"/>`);
  const code = run(`<w:instrText xml:space="preserve"> ${attribute(instruction)} </w:instrText>`);
  return `<w:p>${mark("begin")}${code}${mark("separate")}${run(`<w:t>${result}</w:t>`)}${mark("end")}</w:p>`;
}

function simpleField(instruction: string): string {
  return `<w:p><w:fldSimple w:instr="${attribute(instruction)}"><w:r><w:t>result</w:t></w:r></w:fldSimple></w:p>`;
}

function vml(inner: string): string {
  return `<w:p><w:r><w:pict><v:shape id="s" type="#_x0000_t75" style="width:100pt;height:100pt">${inner}</v:shape></w:pict></w:r></w:p>`;
}

/** Creates a document whose body uses a relationship. */
function linked(body: string, relationship: Relationship): Uint8Array {
  return docx({ body: paragraph("linked") + body, relationships: [relationship] });
}

/** Creates a document with an additional part that has the relationship. */
function withPart(
  part: {
    readonly name: string;
    readonly type: string;
    readonly xml: string;
    readonly body?: string;
  },
  relationship: Relationship,
): Uint8Array {
  const { name, type, xml, body = "" } = part;
  return docx({
    body: paragraph("with a part") + body,
    relationships: [{ id: "part", type, target: `${name}.xml` }],
    parts: {
      [`word/${name}.xml`]: xml,
      [`word/_rels/${name}.xml.rels`]: relationshipsXml([relationship]),
    },
    types: { [`word/${name}.xml`]: `${WORD_TYPE}.${type}+xml` },
  });
}

function settings(inner: string, relationship: Relationship): Uint8Array {
  const xml = `<w:settings ${NAMESPACES}>${inner}</w:settings>`;
  return withPart({ name: "settings", type: "settings", xml }, relationship);
}

/** Creates a DrawingML shape that is filled with a picture. */
function filledShape(blip: string): string {
  const wps = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape";
  const size = 'cx="1000000" cy="1000000"';
  return (
    `<w:p><w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="2" name="s"/><a:graphic>` +
    `<a:graphicData uri="${wps}"><wps:wsp xmlns:wps="${wps}"><wps:cNvSpPr/><wps:spPr><a:xfrm>` +
    `<a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"/>` +
    `<a:blipFill>${blip}<a:stretch><a:fillRect/></a:stretch></a:blipFill></wps:spPr><wps:bodyPr/>` +
    "</wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
  );
}

function chart(more: string, relationship: Relationship): Uint8Array {
  const size = 'cx="2000000" cy="2000000"';
  const uri = "http://schemas.openxmlformats.org/drawingml/2006/chart";
  return docx({
    body:
      `<w:p><w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="3" name="c"/><a:graphic>` +
      `<a:graphicData uri="${uri}"><c:chart r:id="chart"/></a:graphicData></a:graphic>` +
      "</wp:inline></w:drawing></w:r></w:p>",
    relationships: [{ id: "chart", type: "chart", target: "charts/chart1.xml" }],
    parts: {
      "word/charts/chart1.xml":
        `<c:chartSpace ${NAMESPACES}><c:chart><c:plotArea><c:barChart><c:barDir val="col"/><c:ser>` +
        '<c:idx val="0"/><c:order val="0"/><c:val><c:numRef><c:f>[0]Sheet1!A1</c:f><c:numCache>' +
        '<c:ptCount val="1"/><c:pt idx="0"><c:v>1</c:v></c:pt></c:numCache></c:numRef></c:val>' +
        `</c:ser></c:barChart></c:plotArea></c:chart>${more}</c:chartSpace>`,
      "word/charts/_rels/chart1.xml.rels": relationshipsXml([relationship]),
    },
    types: {
      "word/charts/chart1.xml": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
    },
  });
}

function svgPicture(svg: string): Uint8Array {
  const asvg = "http://schemas.microsoft.com/office/drawing/2016/SVG/main";
  const extension = `<a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip xmlns:asvg="${asvg}" r:embed="svg"/></a:ext></a:extLst>`;
  const body = picture("png").replace(
    '<a:blip r:embed="png"/>',
    `<a:blip r:embed="png">${extension}</a:blip>`,
  );
  return docx({
    body: body + picture("svg"),
    relationships: [
      { id: "png", type: "image", target: "media/a.png" },
      { id: "svg", type: "image", target: "media/a.svg" },
    ],
    parts: { "word/media/a.png": PIXEL, "word/media/a.svg": svg },
  });
}

function chunk(html: string, name = "chunk.html"): Uint8Array {
  return docx({
    body: `${paragraph("before")}<w:altChunk r:id="c"/>`,
    relationships: [{ id: "c", type: "aFChunk", target: name }],
    parts: { [`word/${name}`]: html },
  });
}

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

/** Keys describe the documents. */
export const VECTORS: Readonly<Record<string, Vector>> = {
  "a picture by link": ({ png }) => linked(picture("x", "link"), external("image", png)),
  "a picture by link, embedded by the same": ({ png }) =>
    linked(picture("x"), external("image", png)),
  "a picture whose relationship does not say that it leads out": ({ png }) =>
    linked(picture("x"), { id: "x", type: "image", target: png }),
  "a picture behind a way up out of the package": ({ png }) =>
    linked(picture("x"), { id: "x", type: "image", target: `../../../../../../..${png}` }),
  "a picture of VML": ({ png }) => linked(vml('<v:imagedata r:id="x"/>'), external("image", png)),
  "a picture of VML by reference": ({ png }) =>
    linked(vml(`<v:imagedata r:href="x" o:href="${attribute(png)}"/>`), external("image", png)),
  "a picture of VML by source": ({ png }) =>
    docx({ body: paragraph("vml") + vml(`<v:imagedata src="${attribute(png)}"/>`) }),
  "a fill of VML": ({ png }) =>
    linked(vml('<v:fill type="frame" r:id="x"/>'), external("image", png)),
  "a fill of a shape": ({ png }) =>
    linked(filledShape('<a:blip r:link="x"/>'), external("image", png)),
  "the background of the page": ({ png }) =>
    docx({
      beforeBody:
        '<w:background w:color="FFFFFF"><v:background fillcolor="white"><v:fill type="frame" r:id="x"/>' +
        "</v:background></w:background>",
      body: paragraph("background"),
      relationships: [
        external("image", png),
        { id: "settings", type: "settings", target: "settings.xml" },
      ],
      parts: {
        "word/settings.xml": `<w:settings ${NAMESPACES}><w:displayBackgroundShape/></w:settings>`,
      },
      types: { "word/settings.xml": `${WORD_TYPE}.settings+xml` },
    }),
  "the field INCLUDEPICTURE": ({ png }) =>
    docx({ body: field(`INCLUDEPICTURE "${png}" \\* MERGEFORMAT \\d`) }),
  "the simple field INCLUDEPICTURE": ({ png }) =>
    docx({ body: simpleField(`INCLUDEPICTURE "${png}" \\d`) }),
  "the field INCLUDETEXT": ({ txt }) => docx({ body: field(`INCLUDETEXT "${txt}"`) }),
  "the field INCLUDETEXT of a page": ({ html }) => docx({ body: field(`INCLUDETEXT "${html}"`) }),
  "the field LINK": ({ txt }) => docx({ body: field(`LINK Word.Document.8 "${txt}" "" \\a \\r`) }),
  "the field DDE": ({ txt }) => docx({ body: field(`DDE soffice "${txt}" all`) }),
  "the field DDEAUTO": ({ txt }) => docx({ body: field(`DDEAUTO soffice "${txt}" all`) }),
  "the field DATABASE": ({ txt }) => docx({ body: field(`DATABASE \\d "${txt}" \\c "DSN=x"`) }),
  "the field RD": ({ txt }) => docx({ body: field(`RD "${txt}"`) + field('TOC \\o "1-3"') }),
  "a chunk from outside": ({ html }) => linked('<w:altChunk r:id="x"/>', external("aFChunk", html)),
  "a chunk of HTML with a picture": ({ png, html }) =>
    chunk(
      `<html><head><link rel="stylesheet" href="${html}"></head><body><img src="${png}">` +
        `<iframe src="${html}"></iframe><object data="${html}"></object></body></html>`,
    ),
  "a subdocument": ({ txt }) => linked('<w:subDoc r:id="x"/>', external("subDocument", txt)),
  "a linked object": ({ txt }) =>
    linked(
      '<w:p><w:r><w:object><v:shape id="o" style="width:50pt;height:50pt"/>' +
        '<o:OLEObject Type="Link" ProgID="Word.Document.12" ShapeID="o" DrawAspect="Content" ' +
        'UpdateMode="Always" r:id="x"/></w:object></w:r></w:p>',
      external("oleObject", txt),
    ),
  "the attached template": ({ txt }) =>
    settings('<w:attachedTemplate r:id="x"/><w:linkStyles/>', external("attachedTemplate", txt)),
  "the source of a mail merge": ({ txt }) =>
    settings(
      '<w:mailMerge><w:mainDocumentType w:val="formLetters"/><w:linkToQuery/>' +
        '<w:dataType w:val="textFile"/><w:connectString w:val=""/><w:dataSource r:id="x"/></w:mailMerge>',
      external("mailMergeSource", txt),
    ),
  "a transformation": ({ html }) =>
    settings('<w:saveThroughXslt r:id="x"/>', external("transform", html)),
  "the header's picture": ({ png }) =>
    withPart(
      {
        name: "header1",
        type: "header",
        xml: `<w:hdr ${NAMESPACES}>${picture("x", "link")}</w:hdr>`,
        body: '<w:sectPr><w:headerReference w:type="default" r:id="part"/></w:sectPr>',
      },
      external("image", png),
    ),
  "a picture in a footnote": ({ png }) =>
    withPart(
      {
        name: "footnotes",
        type: "footnotes",
        xml: `<w:footnotes ${NAMESPACES}><w:footnote w:id="2">${picture("x", "link")}</w:footnote></w:footnotes>`,
        body: '<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
      },
      external("image", png),
    ),
  "a picture in a comment": ({ png }) =>
    withPart(
      {
        name: "comments",
        type: "comments",
        xml: `<w:comments ${NAMESPACES}><w:comment w:id="1" w:author="a">${picture("x", "link")}</w:comment></w:comments>`,
        body: '<w:p><w:r><w:commentReference w:id="1"/></w:r></w:p>',
      },
      external("image", png),
    ),
  "the picture of a list": ({ png }) =>
    withPart(
      {
        name: "numbering",
        type: "numbering",
        xml:
          `<w:numbering ${NAMESPACES}><w:numPicBullet w:numPicBulletId="0"><w:pict><v:shape id="b" style="width:9pt;height:9pt">` +
          '<v:imagedata r:id="x"/></v:shape></w:pict></w:numPicBullet><w:abstractNum w:abstractNumId="0">' +
          '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="*"/><w:lvlPicBulletId w:val="0"/></w:lvl>' +
          '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
        body: '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>item</w:t></w:r></w:p>',
      },
      external("image", png),
    ),
  "a font by link": ({ txt }) =>
    withPart(
      {
        name: "fontTable",
        type: "fontTable",
        xml: `<w:fonts ${NAMESPACES}><w:font w:name="Bait"><w:embedRegular r:id="x"/></w:font></w:fonts>`,
        body: '<w:p><w:r><w:rPr><w:rFonts w:ascii="Bait" w:hAnsi="Bait"/></w:rPr><w:t>Bait</w:t></w:r></w:p>',
      },
      external("font", txt),
    ),
  "the frames of a web page": ({ html }) =>
    withPart(
      {
        name: "webSettings",
        type: "webSettings",
        xml: `<w:webSettings ${NAMESPACES}><w:frameset><w:frame><w:sourceFileName r:id="x"/></w:frame></w:frameset></w:webSettings>`,
      },
      external("frame", html),
    ),
  "a theme with a picture": ({ png }) =>
    withPart(
      {
        name: "theme1",
        type: "theme",
        xml:
          `<a:theme ${NAMESPACES} name="t"><a:themeElements><a:fmtScheme name="f"><a:bgFillStyleLst>` +
          '<a:blipFill><a:blip r:link="x"/></a:blipFill></a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>',
      },
      external("image", png),
    ),
  "a link with a picture for hovering": ({ png, html }) =>
    docx({
      body:
        paragraph("hover") +
        picture(
          "p",
          "embed",
          '<a:hlinkClick r:id="h"/><a:hlinkHover r:id="x"><a:snd r:embed="x" name="s"/></a:hlinkHover>',
        ),
      relationships: [
        { id: "p", type: "image", target: "media/a.png" },
        external("hyperlink", html, "h"),
        external("image", png),
      ],
      parts: { "word/media/a.png": PIXEL },
    }),
  "a link to click on": ({ html }) =>
    linked(
      '<w:p><w:hyperlink r:id="x"><w:r><w:t>click</w:t></w:r></w:hyperlink></w:p>',
      external("hyperlink", html),
    ),
  "a picture of SVG with a picture": ({ png }) =>
    svgPicture(
      `<svg ${SVG} width="50" height="50"><image xlink:href="${png}" href="${png}" width="50" height="50"/></svg>`,
    ),
  "a picture of SVG with a style and an entity": ({ png, txt }) =>
    svgPicture(
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e SYSTEM "${txt}">]><svg ${SVG} width="50" height="50">` +
        `<style>@import url("${txt}"); rect { fill: url("${png}") }</style><rect width="50" height="50"/>` +
        `<text y="20">&e;</text><use xlink:href="${png}#a"/></svg>`,
    ),
  "a chart over a linked workbook": ({ txt }) =>
    chart(
      '<c:externalData r:id="x"><c:autoUpdate val="1"/></c:externalData>',
      external("oleObject", txt),
    ),
  "a chart with a picture by link": ({ png }) =>
    chart(
      '<c:spPr><a:blipFill><a:blip r:link="x"/><a:stretch/></a:blipFill></c:spPr>',
      external("image", png),
    ),
  "a video": ({ html }) =>
    docx({
      body: picture("p", "embed").replace(
        "<pic:cNvPicPr/>",
        '<pic:cNvPicPr/><pic:nvPr><a:videoFile r:link="x"/></pic:nvPr>',
      ),
      relationships: [{ id: "p", type: "image", target: "media/a.png" }, external("video", html)],
      parts: { "word/media/a.png": PIXEL },
    }),
  "an external entity": ({ txt }) =>
    docx({
      prolog: `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e SYSTEM "${txt}"><!ENTITY % p SYSTEM "${txt}"> %p;]>`,
      body: paragraph("&e;"),
    }),
};
