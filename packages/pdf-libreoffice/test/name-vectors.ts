/** Documents with names of parts and targets that readers may interpret differently, or that are not docx files. */
import { gzipSync } from "node:zlib";
import { attribute, docx, NAMESPACES, paragraph, picture, relationshipsXml, zip } from "./docx.ts";
import type { Bait, Vector } from "./link-vectors.ts";
import { PIXEL } from "./pixel.ts";

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

const svg = (png: string): Buffer =>
  Buffer.from(
    `<svg ${SVG} width="50" height="50"><image xlink:href="${attribute(png)}" width="50" height="50"/></svg>`,
  );

/** Names a valid picture as most readers would find it, and an SVG as some readers may find it. */
function twoPictures(target: string, name: string): (bait: Bait) => Uint8Array {
  return ({ png }) =>
    docx({
      body: paragraph("two") + picture("x"),
      relationships: [{ id: "x", type: "image", target }],
      parts: { "word/media/a.png": PIXEL, [`word/${name}`]: gzipSync(svg(png)) },
    });
}

/** Creates a main part with a linked picture, and an alternative main part. */
function twoMains(target: string, name: string): Vector {
  return ({ png }) =>
    docx({
      body: paragraph("main"),
      packageRelationships: [],
      parts: {
        "_rels/.rels": relationshipsXml([{ id: "main", type: "officeDocument", target }]),
        [name]: `<w:document ${NAMESPACES}><w:body>${paragraph("other")}${picture("x", "link")}</w:body></w:document>`,
        [name.replace(/([^/]+)$/, "_rels/$1.rels")]: relationshipsXml([
          { id: "x", type: "image", target: png, external: true },
        ]),
      },
      types: { [name]: `${WORD}.document.main+xml` },
    });
}

const ODF = "urn:oasis:names:tc:opendocument:xmlns";

function odfText({ png, txt }: Bait, root: "document" | "document-content"): string {
  const attributes =
    `xmlns:office="${ODF}:office:1.0" xmlns:text="${ODF}:text:1.0" xmlns:draw="${ODF}:drawing:1.0" ` +
    `xmlns:svg="${ODF}:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2" ` +
    'office:mimetype="application/vnd.oasis.opendocument.text"';
  return (
    `<office:${root} ${attributes}><office:body><office:text><text:p>x<draw:frame svg:width="2cm" svg:height="2cm">` +
    `<draw:image xlink:href="${attribute(png)}" xlink:type="simple" xlink:actuate="onLoad"/></draw:frame></text:p>` +
    `<text:section text:name="s"><text:section-source xlink:href="${attribute(txt)}"/></text:section>` +
    `</office:text></office:body></office:${root}>`
  );
}

const ODF_TYPE = "application/vnd.oasis.opendocument.text";

const odfParts = (bait: Bait): Record<string, string> => ({
  mimetype: ODF_TYPE,
  "content.xml": odfText(bait, "document-content"),
  "META-INF/manifest.xml":
    `<manifest:manifest xmlns:manifest="${ODF}:manifest:1.0"><manifest:file-entry manifest:full-path="/" ` +
    `manifest:media-type="${ODF_TYPE}"/><manifest:file-entry manifest:full-path="content.xml" ` +
    'manifest:media-type="text/xml"/></manifest:manifest>',
});

const page = ({ png, html }: Bait): string =>
  `<html><body><img src="${attribute(png)}"><iframe src="${attribute(html)}"></iframe></body></html>`;

const rtf = ({ png, txt }: Bait): string =>
  `{\\rtf1{\\field{\\*\\fldinst INCLUDEPICTURE "${png}" \\\\d}{\\fldrslt x}}` +
  `{\\field{\\*\\fldinst INCLUDETEXT "${txt}"}{\\fldrslt y}}}`;

const linked = (png: string): Uint8Array =>
  docx({
    body: paragraph("linked") + picture("x", "link"),
    relationships: [{ id: "x", type: "image", target: png, external: true }],
  });

/** Creates one XML file with all parts of a document. */
function flat({ png }: Bait): string {
  const P = "http://schemas.microsoft.com/office/2006/xmlPackage";
  const part = (name: string, type: string, xml: string): string =>
    `<pkg:part pkg:name="${name}" pkg:contentType="${type}"><pkg:xmlData>${xml}</pkg:xmlData></pkg:part>`;
  const RELATIONSHIPS = "application/vnd.openxmlformats-package.relationships+xml";
  const main = relationshipsXml([{ id: "m", type: "officeDocument", target: "word/document.xml" }]);
  const image = relationshipsXml([{ id: "x", type: "image", target: png, external: true }]);
  const document = `<w:document ${NAMESPACES}><w:body>${picture("x", "link")}</w:body></w:document>`;
  return (
    `<?xml version="1.0"?><?mso-application progid="Word.Document"?><pkg:package xmlns:pkg="${P}">` +
    part("/_rels/.rels", RELATIONSHIPS, main) +
    part("/word/document.xml", `${WORD}.document.main+xml`, document) +
    part("/word/_rels/document.xml.rels", RELATIONSHIPS, image) +
    "</pkg:package>"
  );
}

/** Keys describe the documents. */
export const NAME_VECTORS: Readonly<Record<string, Vector>> = {
  "a picture behind a question mark": twoPictures("media/a.png?b", "media/a.png?b"),
  "a picture behind a number sign": twoPictures("media/a.png#b", "media/a.png#b"),
  "a picture behind an encoded question mark": twoPictures("media/a.png%3Fb", "media/a.png?b"),
  "a picture whose name ends in a space": twoPictures("media/a.png ", "media/a.png "),
  "a picture whose name ends in a space that does not break": twoPictures(
    "media/a.png\u00a0",
    "media/a.png\u00a0",
  ),
  "a picture whose folder begins with a space": twoPictures(" media/a.png", " media/a.png"),
  "a picture behind a backslash": twoPictures("media\\b.png", "media\\b.png"),
  "a picture in a folder of dots": twoPictures("media/.../b.png", "media/.../b.png"),
  "a picture with a name in no encoding": twoPictures("media/\u00e9.foo", "media/\u00e9.foo"),
  "a picture with a name in a wrong encoding": ({ png }) => {
    const name = "media/b.foo";
    const given = Buffer.from(twoPictures("media/\ufffd.foo", name)({ png, txt: "", html: "" }));
    for (let at = given.indexOf(name); at >= 0; at = given.indexOf(name, at + 1)) {
      given[at + "media/".length] = 0xe9;
    }
    return given;
  },
  "a picture in capitals": twoPictures("MEDIA/B.PNG", "media/b.png"),
  "a picture with an encoded name": twoPictures("media/%C3%A9%20b.png", "media/\u00e9 b.png"),
  "a picture with a name in pieces": twoPictures("media/e\u0301.png", "media/\u00e9.png"),
  "a picture with a name encoded twice": twoPictures("media/%2541.png", "media/%2541.png"),
  "a picture from the root": twoPictures("/word/./media/../media/b.png", "media/b.png"),
  "a document behind a question mark": twoMains("word/document.xml?b", "word/document.xml?b"),
  "a document behind a number sign": twoMains("word/document.xml#b", "word/document.xml#b"),
  "a document whose name ends in a space": twoMains("word/document.xml ", "word/document.xml "),
  "a document in capitals": twoMains("WORD/OTHER.XML", "word/other.xml"),
  "relationships in capitals": ({ png }) =>
    docx({
      body: paragraph("linked") + picture("x", "link"),
      parts: {
        "WORD/_RELS/DOCUMENT.XML.RELS": relationshipsXml([
          { id: "x", type: "image", target: png, external: true },
        ]),
      },
    }),
  "relationships of relationships": ({ png }) =>
    docx({
      body: paragraph("linked") + picture("x", "link"),
      relationships: [{ id: "y", type: "image", target: png, external: true }],
      parts: {
        "word/_rels/_rels/document.xml.rels.rels": relationshipsXml([
          { id: "x", type: "image", target: png, external: true },
        ]),
        "_rels/_rels/.rels.rels": relationshipsXml([
          { id: "x", type: "officeDocument", target: png, external: true },
        ]),
      },
    }),
  "relationships in UTF-16": ({ png }) =>
    docx({
      body: paragraph("linked") + picture("x", "link"),
      parts: {
        "word/_rels/document.xml.rels": Buffer.from(
          `\ufeff<?xml version="1.0" encoding="UTF-16"?>${relationshipsXml([{ id: "x", type: "image", target: png, external: true }])}`,
          "utf16le",
        ),
      },
    }),
  "a text of ODF among the parts": (bait) =>
    docx({ body: paragraph("docx"), parts: odfParts(bait) }),
  "a text of ODF among the parts, at the beginning": (bait) => {
    const { mimetype = "", ...parts } = odfParts(bait);
    return zip({
      mimetype,
      "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/></Types>`,
      "_rels/.rels": relationshipsXml([
        { id: "m", type: "officeDocument", target: "word/document.xml" },
      ]),
      "word/document.xml": `<w:document ${NAMESPACES}><w:body>${paragraph("docx")}</w:body></w:document>`,
      "content.xml": parts["content.xml"] ?? "",
      "META-INF/manifest.xml": parts["META-INF/manifest.xml"] ?? "",
    });
  },
  "a text of ODF under the name": (bait) => zip(odfParts(bait)),
  "a flat text of ODF under the name": (bait) => Buffer.from(odfText(bait, "document")),
  "RTF under the name": (bait) => Buffer.from(rtf(bait)),
  "HTML under the name": (bait) => Buffer.from(page(bait)),
  "MHTML under the name": (bait) =>
    Buffer.from(`MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n${page(bait)}`),
  "a flat package under the name": (bait) => Buffer.from(flat(bait)),
  "a compound file under the name": ({ png }) =>
    Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(1_016), Buffer.from(png)]),
  "RTF before the zip": (bait) => Buffer.concat([Buffer.from(rtf(bait)), linked(bait.png)]),
  "HTML before the zip": (bait) => Buffer.concat([Buffer.from(page(bait)), linked(bait.png)]),
  "HTML behind the zip": (bait) => Buffer.concat([linked(bait.png), Buffer.from(page(bait))]),
};
