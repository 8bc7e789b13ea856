/** Documents whose parts refer to external targets in rarer ways than in link-vectors.ts. */
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

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";

const out = (type: string, target: string, id = "x"): Relationship => ({
  id,
  type,
  target,
  external: true,
});

const linked = (body: string, ...relationships: Relationship[]): Uint8Array =>
  docx({ body: paragraph("linked") + body, relationships });

/** Creates a document whose main part refers to an external part. */
const partOutside = (type: string, target: string, body = ""): Uint8Array =>
  linked(body, out(type, target));

function vml(inner: string, shape = ""): string {
  return `<w:p><w:r><w:pict><v:shape id="s" ${shape} style="width:100pt;height:100pt">${inner}</v:shape></w:pict></w:r></w:p>`;
}

function field(code: string[]): string {
  const run = (inner: string): string => `<w:r>${inner}</w:r>`;
  const mark = (kind: string, more = ""): string =>
    run(`<w:fldChar w:fldCharType="${kind}"${more}/>`);
  return `<w:p>${mark("begin", ' w:dirty="true"')}${code.map((c) => run(`<w:instrText xml:space="preserve">${attribute(c)}</w:instrText>`)).join("")}${mark("separate")}${run("<w:t>r</w:t>")}${mark("end")}</w:p>`;
}

function graphic(uri: string, inner: string): string {
  const size = 'cx="1000000" cy="1000000"';
  return `<w:p><w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="9" name="g"/><a:graphic><a:graphicData uri="${uri}">${inner}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
}

const WPG = "http://schemas.microsoft.com/office/word/2010/wordprocessingGroup";

const WPC = "http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas";

const WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape";

const XFRM = '<a:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm>';

const PIC = (blip: string): string =>
  `<pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>${blip}<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr>${XFRM}<a:prstGeom prst="rect"/></pic:spPr></pic:pic>`;

const shape = (fill: string, text = ""): string =>
  `<wps:wsp xmlns:wps="${WPS}"><wps:cNvSpPr/><wps:spPr>${XFRM}<a:prstGeom prst="rect"/>${fill}</wps:spPr>${text}<wps:bodyPr/></wps:wsp>`;

function properties(
  inner: string,
  parts: Record<string, string> = {},
  more: Partial<Parameters<typeof docx>[0]> = {},
): Uint8Array {
  return docx({
    body: paragraph("properties"),
    packageRelationships: [{ id: "p", type: "extended-properties", target: "docProps/app.xml" }],
    ...more,
    parts: {
      "docProps/app.xml": `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">${inner}</Properties>`,
      ...parts,
      ...more.parts,
    },
    types: {
      "docProps/app.xml": "application/vnd.openxmlformats-officedocument.extended-properties+xml",
    },
  });
}

const pathOf = (address: string): string => address.slice(0, address.lastIndexOf("/") + 1);

const fileOf = (address: string): string => address.slice(address.lastIndexOf("/") + 1);

function chartWith(
  parts: Record<string, string>,
  inner: string,
  relationships: Relationship[],
): Uint8Array {
  return docx({
    body: graphic(
      "http://schemas.openxmlformats.org/drawingml/2006/chart",
      '<c:chart r:id="chart"/>',
    ),
    relationships: [{ id: "chart", type: "chart", target: "charts/chart1.xml" }],
    parts: {
      "word/charts/chart1.xml": `<c:chartSpace ${NAMESPACES}><c:chart><c:plotArea><c:barChart><c:barDir val="col"/><c:ser><c:idx val="0"/><c:order val="0"/>${inner}</c:ser></c:barChart></c:plotArea></c:chart>${relationships.some(({ id }) => id === "u") ? '<c:userShapes r:id="u"/>' : ""}</c:chartSpace>`,
      "word/charts/_rels/chart1.xml.rels": relationshipsXml(relationships),
      ...parts,
    },
    types: {
      "word/charts/chart1.xml": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
      "word/drawings/d.xml":
        "application/vnd.openxmlformats-officedocument.drawingml.chartshapes+xml",
    },
  });
}

const VAL =
  '<c:val><c:numRef><c:f>S!A1</c:f><c:numCache><c:ptCount val="1"/><c:pt idx="0"><c:v>1</c:v></c:pt></c:numCache></c:numRef></c:val>';

function diagram(drawing: string, target: string): Uint8Array {
  const D = "http://schemas.openxmlformats.org/drawingml/2006/diagram";
  const T = "application/vnd.openxmlformats-officedocument.drawingml.diagram";
  return docx({
    body: graphic(D, `<dgm:relIds xmlns:dgm="${D}" r:dm="d" r:lo="l" r:qs="q" r:cs="c"/>`),
    relationships: [
      { id: "d", type: "diagramData", target: "diagrams/data1.xml" },
      { id: "l", type: "diagramLayout", target: "diagrams/layout1.xml" },
      { id: "q", type: "diagramQuickStyle", target: "diagrams/q.xml" },
      { id: "c", type: "diagramColors", target: "diagrams/c.xml" },
      {
        id: "w",
        type: "http://schemas.microsoft.com/office/2007/relationships/diagramDrawing".replace(
          "http://schemas.openxmlformats.org/",
          "",
        ),
        target: "diagrams/drawing1.xml",
      },
    ],
    parts: {
      "word/diagrams/data1.xml": `<dgm:dataModel xmlns:dgm="${D}" ${NAMESPACES}><dgm:ptLst><dgm:pt modelId="1" type="doc"><dgm:prSet/><dgm:spPr><a:blipFill><a:blip r:link="x"/></a:blipFill></dgm:spPr></dgm:pt></dgm:ptLst><dgm:cxnLst/><dgm:bg><a:blipFill><a:blip r:link="x"/><a:stretch/></a:blipFill></dgm:bg><dgm:whole/><dgm:extLst><a:ext uri="http://schemas.microsoft.com/office/drawing/2008/diagram"><dsp:dataModelExt xmlns:dsp="http://schemas.microsoft.com/office/drawing/2008/diagram" relId="w" minVer="http://schemas.openxmlformats.org/drawingml/2006/diagram"/></a:ext></dgm:extLst></dgm:dataModel>`,
      "word/diagrams/_rels/data1.xml.rels": relationshipsXml([out("image", target)]),
      "word/diagrams/layout1.xml": `<dgm:layoutDef xmlns:dgm="${D}"><dgm:layoutNode/></dgm:layoutDef>`,
      "word/diagrams/q.xml": `<dgm:styleDef xmlns:dgm="${D}"/>`,
      "word/diagrams/c.xml": `<dgm:colorsDef xmlns:dgm="${D}"/>`,
      "word/diagrams/drawing1.xml": drawing,
      "word/diagrams/_rels/drawing1.xml.rels": relationshipsXml([out("image", target)]),
    },
    types: {
      "word/diagrams/data1.xml": `${T}Data+xml`,
      "word/diagrams/layout1.xml": `${T}Layout+xml`,
      "word/diagrams/q.xml": `${T}Style+xml`,
      "word/diagrams/c.xml": `${T}Colors+xml`,
      "word/diagrams/drawing1.xml": "application/vnd.ms-office.drawingml.diagramDrawing+xml",
    },
  });
}

const rtf = (png: string, txt: string): string =>
  `{\\rtf1{\\*\\template ${txt}}{\\field{\\*\\fldinst INCLUDEPICTURE "${png}" \\\\d}{\\fldrslt x}}{\\field{\\*\\fldinst INCLUDETEXT "${txt}"}{\\fldrslt y}}}`;

const innerDocx = (png: string): Uint8Array => linked(picture("x", "link"), out("image", png));

/** Keys describe the documents. */
export const PART_VECTORS: Readonly<Record<string, Vector>> = {
  "a header elsewhere": ({ html }) =>
    partOutside(
      "header",
      html,
      '<w:sectPr><w:headerReference w:type="default" r:id="x"/></w:sectPr>',
    ),
  "a chart elsewhere": ({ html }) =>
    partOutside(
      "chart",
      html,
      graphic("http://schemas.openxmlformats.org/drawingml/2006/chart", '<c:chart r:id="x"/>'),
    ),
  "an embedded object elsewhere": ({ html }) =>
    partOutside(
      "package",
      html,
      '<w:p><w:r><w:object><v:shape id="o" style="width:50pt;height:50pt"/><o:OLEObject Type="Embed" ProgID="Word.Document.12" ShapeID="o" DrawAspect="Content" ObjectID="_1" r:id="x"/></w:object></w:r></w:p>',
    ),
  "the document elsewhere": ({ html }) =>
    docx({ body: paragraph("d"), packageRelationships: [out("officeDocument", html)] }),
  "a thumbnail elsewhere": ({ png }) =>
    docx({
      body: paragraph("d"),
      packageRelationships: [out("package/2006/relationships/metadata/thumbnail", png)],
    }),
  "a control elsewhere": ({ html }) =>
    partOutside(
      "control",
      html,
      '<w:p><w:r><w:object><v:shape id="c" style="width:50pt;height:50pt"/><w:control r:id="x" w:name="C" w:shapeid="c"/></w:object></w:r></w:p>',
    ),
  "a picture in a group": ({ png }) =>
    linked(
      graphic(
        WPG,
        `<wpg:wgp xmlns:wpg="${WPG}"><wpg:cNvGrpSpPr/><wpg:grpSpPr/>${PIC('<a:blip r:link="x"/>')}</wpg:wgp>`,
      ),
      out("image", png),
    ),
  "the background of a canvas": ({ png }) =>
    linked(
      graphic(
        WPC,
        `<wpc:wpc xmlns:wpc="${WPC}"><wpc:bg><a:blipFill><a:blip r:link="x"/></a:blipFill></wpc:bg><wpc:whole/>${shape('<a:blipFill><a:blip r:link="x"/><a:stretch/></a:blipFill>')}</wpc:wpc>`,
      ),
      out("image", png),
    ),
  "a picture in a text box": ({ png }) =>
    linked(
      graphic(
        WPS,
        shape("", `<wps:txbx><w:txbxContent>${picture("x", "link")}</w:txbxContent></wps:txbx>`),
      ),
      out("image", png),
    ),
  "a picture in an alternative": ({ png }) =>
    linked(
      `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps" xmlns:wps="${WPS}">${picture("x", "link")}</mc:Choice><mc:Fallback>${vml('<v:imagedata r:id="x"/>')}</mc:Fallback></mc:AlternateContent>`,
      out("image", png),
    ),
  "a three-dimensional model": ({ png }) =>
    linked(
      graphic(
        "http://schemas.microsoft.com/office/drawing/2017/model3d",
        `<am3d:model3d xmlns:am3d="http://schemas.microsoft.com/office/drawing/2017/model3d" r:embed="x" r:link="x"><am3d:spPr>${XFRM}</am3d:spPr><am3d:raster rName="a"><am3d:blip r:embed="x" r:link="x"/></am3d:raster></am3d:model3d>`,
      ),
      out("image", png),
    ),
  "a video of the web": ({ html, png }) =>
    linked(
      picture("x", "link")
        .replace("<pic:cNvPicPr/>", `<pic:cNvPicPr/>`)
        .replace(
          '<a:blip r:link="x"/>',
          `<a:blip r:link="x"><a:extLst><a:ext uri="{C809E66F-F1BF-436E-b5F7-EEA9579F0CBA}"><wp15:webVideoPr xmlns:wp15="http://schemas.microsoft.com/office/word/2012/wordprocessingDrawing" embeddedHtml="&lt;iframe src=&quot;${attribute(html)}&quot;/&gt;"/></a:ext></a:extLst></a:blip>`,
        ),
      out("image", png),
    ),
  "a stroke of VML": ({ png }) =>
    linked(
      vml(
        `<v:stroke filltype="frame" r:id="x" o:relid="x" src="${attribute(png)}" o:href="${attribute(png)}"/>`,
      ),
      out("image", png),
    ),
  "an image of VML": ({ png }) =>
    docx({
      body: `<w:p><w:r><w:pict><v:image id="i" src="${attribute(png)}" style="width:50pt;height:50pt"/></w:pict></w:r></w:p>`,
    }),
  "a watermark in a header": ({ png }) =>
    docx({
      body: '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>',
      relationships: [{ id: "h", type: "header", target: "header1.xml" }],
      parts: {
        "word/header1.xml": `<w:hdr ${NAMESPACES}>${vml(`<v:imagedata r:id="x" src="${attribute(png)}" gain="19661f"/>`, 'o:spid="_x0000_s2049" type="#_x0000_t75"')}</w:hdr>`,
        "word/_rels/header1.xml.rels": relationshipsXml([out("image", png)]),
      },
      types: { "word/header1.xml": `${WORD}.header+xml` },
    }),
  "a field in two pieces": ({ png }) => docx({ body: field(["INCLUDE", `PICTURE "${png}" \\d`]) }),
  "a field within a field's name": ({ png }) =>
    docx({
      body: `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> </w:instrText></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>QUOTE INCLUDEPICTURE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>INCLUDEPICTURE</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:instrText> "${attribute(png)}" \\d </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>r</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
    }),
  "a chunk of RTF": ({ png, txt }) =>
    docx({
      body: `${paragraph("b")}<w:altChunk r:id="x"/>`,
      relationships: [{ id: "x", type: "aFChunk", target: "c.rtf" }],
      parts: { "word/c.rtf": rtf(png, txt) },
      types: { "word/c.rtf": "application/rtf" },
    }),
  "a chunk of a document": ({ png }) =>
    docx({
      body: `${paragraph("b")}<w:altChunk r:id="x"/>`,
      relationships: [{ id: "x", type: "aFChunk", target: "c.docx" }],
      parts: { "word/c.docx": innerDocx(png) },
      types: { "word/c.docx": `${WORD}.document.main+xml` },
    }),
  "a chart with shapes of its own": ({ png }) =>
    chartWith(
      {
        "word/drawings/d.xml": `<c:userShapes ${NAMESPACES} xmlns:cdr="http://schemas.openxmlformats.org/drawingml/2006/chartDrawing"><cdr:relSizeAnchor><cdr:from><cdr:x>0</cdr:x><cdr:y>0</cdr:y></cdr:from><cdr:to><cdr:x>1</cdr:x><cdr:y>1</cdr:y></cdr:to><cdr:pic><cdr:nvPicPr><cdr:cNvPr id="2" name="p"/><cdr:cNvPicPr/></cdr:nvPicPr><cdr:blipFill><a:blip r:link="x"/><a:stretch><a:fillRect/></a:stretch></cdr:blipFill><cdr:spPr>${XFRM}<a:prstGeom prst="rect"/></cdr:spPr></cdr:pic></cdr:relSizeAnchor></c:userShapes>`,
        "word/drawings/_rels/d.xml.rels": relationshipsXml([out("image", png)]),
      },
      VAL,
      [{ id: "u", type: "chartUserShapes", target: "../drawings/d.xml" }],
    ),
  "a chart with a picture for a bar": ({ png }) =>
    chartWith(
      {},
      `<c:spPr><a:blipFill><a:blip r:embed="x"/><a:stretch/></a:blipFill></c:spPr><c:pictureOptions><c:pictureFormat val="stretch"/></c:pictureOptions>${VAL}`,
      [out("image", png)],
    ),
  "a diagram with a picture by link": ({ png }) =>
    diagram(
      `<dsp:drawing xmlns:dsp="http://schemas.microsoft.com/office/drawing/2008/diagram" ${NAMESPACES}><dsp:spTree><dsp:nvGrpSpPr><dsp:cNvPr id="0" name=""/><dsp:cNvGrpSpPr/></dsp:nvGrpSpPr><dsp:grpSpPr/><dsp:sp modelId="{1}"><dsp:nvSpPr><dsp:cNvPr id="0" name=""/><dsp:cNvSpPr/></dsp:nvSpPr><dsp:spPr>${XFRM}<a:prstGeom prst="rect"/><a:blipFill><a:blip r:link="x"/><a:stretch/></a:blipFill></dsp:spPr></dsp:sp></dsp:spTree></dsp:drawing>`,
      png,
    ),
  "a base for links, and a picture beside it": ({ png }) =>
    properties(
      `<HyperlinkBase>${attribute(pathOf(png))}</HyperlinkBase>`,
      {},
      { body: paragraph("p") + picture("x", "link"), relationships: [out("image", fileOf(png))] },
    ),
  "a template in the properties": ({ html, txt }) =>
    properties(
      `<Template>${attribute(html)}</Template><TemplateURL>${attribute(txt)}</TemplateURL>`,
    ),
  "a document type of the relationships": ({ txt }) =>
    docx({
      body: paragraph("p"),
      parts: {
        "word/_rels/document.xml.rels": `<!DOCTYPE p SYSTEM "${txt}"><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>`,
      },
    }),
  "a document type of a custom XML": ({ txt }) =>
    docx({
      body: paragraph("p"),
      relationships: [{ id: "s", type: "customXml", target: "../customXml/item1.xml" }],
      parts: {
        "customXml/item1.xml": `<?xml-stylesheet type="text/xsl" href="${txt}"?><!DOCTYPE a [<!ENTITY e SYSTEM "${txt}">]><a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a ${txt}" xsi:noNamespaceSchemaLocation="${txt}"><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${txt}" parse="text"/>&e;</a>`,
      },
    }),
  "a custom XML with schemas and inclusions": ({ txt, html }) =>
    docx({
      prolog: `<?xml-stylesheet type="text/xsl" href="${attribute(html)}"?>`,
      body: `<w:p xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a ${attribute(txt)}"><w:r><w:t>x</w:t></w:r><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${attribute(txt)}" parse="text"/></w:p>`,
      relationships: [{ id: "s", type: "customXml", target: "../customXml/item1.xml" }],
      parts: {
        "customXml/item1.xml": `<?xml-stylesheet type="text/xsl" href="${attribute(html)}"?><a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:a ${attribute(txt)}"><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${attribute(txt)}" parse="text"/></a>`,
      },
    }),
  "a signature over a file": ({ txt }) =>
    docx({
      body: paragraph("p"),
      packageRelationships: [
        {
          id: "o",
          type: "package/2006/relationships/digital-signature/origin",
          target: "_xmlsignatures/origin.sigs",
        },
      ],
      parts: {
        "_xmlsignatures/origin.sigs": "",
        "_xmlsignatures/_rels/origin.sigs.rels": relationshipsXml([
          {
            id: "a",
            type: "package/2006/relationships/digital-signature/signature",
            target: "sig1.xml",
          },
        ]),
        "_xmlsignatures/sig1.xml": `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#" Id="idPackageSignature"><SignedInfo><CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/><SignatureMethod Algorithm="http://www.w3.org/2000/09/xmldsig#rsa-sha1"/><Reference URI="${attribute(txt)}"><DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/><DigestValue>AAAA</DigestValue></Reference></SignedInfo><SignatureValue>AAAA</SignatureValue><KeyInfo><RetrievalMethod URI="${attribute(txt)}"/></KeyInfo></Signature>`,
      },
      types: {
        "_xmlsignatures/sig1.xml":
          "application/vnd.openxmlformats-package.digital-signature-xmlsignature+xml",
      },
    }),
  "a font named as a path": ({ txt }) =>
    docx({
      body: '<w:p><w:r><w:rPr><w:rFonts w:ascii="F" w:hAnsi="F"/></w:rPr><w:t>f</w:t></w:r></w:p>',
      relationships: [{ id: "f", type: "fontTable", target: "fontTable.xml" }],
      parts: {
        "word/fontTable.xml": `<w:fonts ${NAMESPACES}><w:font w:name="${attribute(txt)}"><w:altName w:val="${attribute(txt)}"/><w:embedRegular r:id="x" w:fontKey="{00000000-0000-0000-0000-000000000000}"/></w:font></w:fonts>`,
        "word/_rels/fontTable.xml.rels": relationshipsXml([{ id: "x", type: "font", target: txt }]),
      },
      types: { "word/fontTable.xml": `${WORD}.fontTable+xml` },
    }),
  "a data-bound picture": ({ png }) =>
    docx({
      body: `<w:sdt><w:sdtPr><w:picture/><w:dataBinding w:xpath="/a" w:storeItemID="{1}"/></w:sdtPr><w:sdtContent>${picture("x", "link")}</w:sdtContent></w:sdt><w:p><w:r><w:pict><w:binData w:name="${attribute(png)}">AAAA</w:binData><v:shape style="width:50pt;height:50pt"><v:imagedata src="${attribute(png)}"/></v:shape></w:pict></w:r></w:p>`,
      relationships: [out("image", png)],
    }),
};
