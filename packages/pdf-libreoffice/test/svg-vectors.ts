/** Documents whose pictures refer to other pictures with SVG features, or contain a hidden SVG that does so. */
import { gzipSync } from "node:zlib";
import { emf, emfComment, wmf, wmfRecord } from "../../ooxml/test/support/metafiles.ts";
import { pngChunk } from "../../ooxml/test/support/pictures.ts";
import { docx, NAMESPACES, paragraph, picture, relationshipsXml } from "./docx.ts";
import type { Vector } from "./link-vectors.ts";
import { PIXEL } from "./pixel.ts";

const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml";

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

const svg = (inner: string, before = ""): string =>
  `${before}<svg ${SVG} width="50" height="50" viewBox="0 0 50 50">${inner}</svg>`;

function shown(content: Buffer | string, name = "media/a.svg", body = picture("x")): Uint8Array {
  return docx({
    body: paragraph("shown") + body,
    relationships: [{ id: "x", type: "image", target: name }],
    parts: { [`word/${name}`]: content },
  });
}

function vml(inner: string, shape = ""): string {
  return `<w:p><w:r><w:pict><v:shape id="s" ${shape} style="width:100pt;height:100pt">${inner}</v:shape></w:pict></w:r></w:p>`;
}

const pathOf = (address: string): string => address.slice(0, address.lastIndexOf("/") + 1);

const fileOf = (address: string): string => address.slice(address.lastIndexOf("/") + 1);

const base64 = (file: string | Uint8Array): string => Buffer.from(file).toString("base64");

const withEntity = (png: string, reference: string): string =>
  svg(
    reference,
    `<!DOCTYPE svg [<!ENTITY a "${png}"><!ENTITY e '<image width="50" height="50" xlink:href="${png}"/>'>]>`,
  );

/** Keys describe the documents. */
export const SVG_VECTORS: Readonly<Record<string, Vector>> = {
  "a use of another SVG": ({ png, html }) =>
    shown(svg(`<use xlink:href="${png}#a"/><use href="${html}#a"/>`)),
  "a filter's picture of SVG": ({ png }) =>
    shown(
      svg(
        `<filter id="f"><feImage xlink:href="${png}" href="${png}"/></filter><rect width="50" height="50" filter="url(#f)"/>`,
      ),
    ),
  "a pattern of another SVG": ({ png }) =>
    shown(
      svg(
        `<pattern id="p" width="9" height="9" xlink:href="${png}#a"><image width="9" height="9" xlink:href="${png}"/></pattern><linearGradient id="g" href="${png}#a"/><rect width="50" height="50" fill="url(#p)"/><rect width="50" height="50" fill="url(${png}#a)" mask="url('${png}#m')" clip-path="url(${png}#m)" marker-end="url(${png}#m)"/>`,
      ),
    ),
  "a text along a path of another SVG": ({ txt }) =>
    shown(
      svg(`<text><textPath xlink:href="${txt}#a">t</textPath><tref xlink:href="${txt}#a"/></text>`),
    ),
  "a style in an attribute of SVG": ({ png }) =>
    shown(
      svg(
        `<rect width="50" height="50" style="fill:url(${png});background-image:url('${png}');cursor:url(${png})"/>`,
      ),
    ),
  "a font of SVG": ({ txt }) =>
    shown(
      svg(
        `<style>@font-face{font-family:B;src:url("${txt}")} @import "${txt}"; text{font-family:B}</style><defs><font-face font-family="C"><font-face-src><font-face-uri xlink:href="${txt}"/></font-face-src></font-face><color-profile xlink:href="${txt}" name="c"/></defs><text y="20" font-family="C">t</text>`,
      ),
    ),
  "a script of SVG": ({ html }) =>
    shown(
      svg(
        `<script xlink:href="${html}"/><script href="${html}"/><foreignObject width="50" height="50"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${html}"/></foreignObject>`,
      ),
    ),
  "a picture of SVG within other elements": ({ png }) =>
    shown(
      svg(
        `<switch><g><symbol id="s"><image width="50" height="50" xlink:href="${png}"/></symbol><use xlink:href="#s"/></g></switch><svg><image width="50" height="50" xlink:href="${png}"/></svg><marker id="m"><image width="5" height="5" xlink:href="${png}"/></marker><path d="M0 0L9 9" marker-end="url(#m)"/>`,
      ),
    ),
  "an SVG with another prefix": ({ png }) =>
    shown(
      `<s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink" width="50" height="50"><s:image width="50" height="50" l:href="${png}"/></s:svg>`,
    ),
  "an SVG without a namespace": ({ png }) =>
    shown(
      `<svg width="50" height="50"><image width="50" height="50" href="${png}" xlink:href="${png}" xmlns:xlink="http://www.w3.org/1999/xlink"/></svg>`,
    ),
  "an SVG with an address from an entity": ({ png }) =>
    shown(withEntity(png, '<image width="50" height="50" xlink:href="&a;"/>')),
  "an SVG with a picture from an entity": ({ png }) => shown(withEntity(png, "&e;")),
  "an SVG with a base": ({ png }) =>
    shown(
      `<svg ${SVG} xml:base="${pathOf(png)}" width="50" height="50"><g xml:base="${pathOf(png)}"><image width="50" height="50" xlink:href="${fileOf(png)}"/></g></svg>`,
    ),
  "an SVG in UTF-16": ({ png }) =>
    shown(
      Buffer.from(
        `\ufeff${svg(`<image width="50" height="50" xlink:href="${png}"/>`, '<?xml version="1.0" encoding="UTF-16"?>')}`,
        "utf16le",
      ),
    ),
  "an SVG in Latin 1": ({ png }) =>
    shown(
      Buffer.from(
        svg(
          `<image width="50" height="50" xlink:href="${png}"/>`,
          '<?xml version="1.0" encoding="ISO-8859-1"?>',
        ),
        "latin1",
      ),
    ),
  "an SVG in an address without base64": ({ png }) =>
    shown(
      svg(
        `<image width="50" height="50" xlink:href="data:image/svg+xml,${encodeURIComponent(svg(`<image width="50" height="50" xlink:href="${png}"/>`))}"/>`,
      ),
    ),
  "an SVG in an address of another type": ({ png }) =>
    shown(
      svg(
        `<image width="50" height="50" xlink:href="data:;base64,${base64(svg(`<image width="50" height="50" xlink:href="${png}"/>`))}"/><image width="50" height="50" xlink:href=" DATA:application/octet-stream;base64,${base64(svg(`<image width="50" height="50" xlink:href="${png}"/>`))}"/>`,
      ),
    ),
  "an SVG moved by an animation": ({ png }) =>
    shown(
      svg(
        `<image width="50" height="50"><set attributeName="xlink:href" to="${png}"/><animate attributeName="href" values="${png};${png}" dur="1s"/></image>`,
      ),
    ),
  "an SVG with an escaped address": ({ png }) =>
    shown(
      svg(
        `<image width="50" height="50" xlink:href="${[...png].map((c) => `&#${c.charCodeAt(0)};`).join("")}"/>`,
      ),
    ),
  "an SVG as a fill of VML": ({ png }) =>
    shown(
      svg(`<image width="50" height="50" xlink:href="${png}"/>`),
      "media/a.svg",
      vml('<v:fill type="frame" r:id="x"/>', 'filled="t"'),
    ),
  "an SVG as the picture of a list": ({ png }) =>
    docx({
      body: '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>i</w:t></w:r></w:p>',
      relationships: [{ id: "n", type: "numbering", target: "numbering.xml" }],
      parts: {
        "word/numbering.xml": `<w:numbering ${NAMESPACES}><w:numPicBullet w:numPicBulletId="0"><w:pict><v:shape id="b" style="width:9pt;height:9pt"><v:imagedata r:id="x"/></v:shape></w:pict></w:numPicBullet><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="*"/><w:lvlPicBulletId w:val="0"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
        "word/_rels/numbering.xml.rels": relationshipsXml([
          { id: "x", type: "image", target: "media/b.gif" },
        ]),
        "word/media/b.gif": gzipSync(svg(`<image width="50" height="50" xlink:href="${png}"/>`)),
      },
      types: { "word/numbering.xml": `${WORD}.numbering+xml` },
    }),
  "an SVG in a PNG": ({ png }) =>
    shown(
      Buffer.concat([
        PIXEL.subarray(0, 33),
        pngChunk(
          "msOG",
          Buffer.concat([
            Buffer.from("MSOFFICE9.0"),
            Buffer.from(svg(`<image width="50" height="50" xlink:href="${png}"/>`)),
          ]),
        ),
        PIXEL.subarray(33),
      ]),
      "media/a.png",
    ),
  "an SVG behind a TIFF's head": ({ png }) =>
    shown(
      Buffer.concat([
        Buffer.from("II*\0\x08\0\0\0"),
        Buffer.from(svg(`<image width="50" height="50" xlink:href="${png}"/>`)),
      ]),
      "media/a.tif",
    ),
  "an SVG in a WMF on a disk": ({ png }) =>
    shown(
      Buffer.concat([
        Buffer.from([2, 0]),
        wmf(
          wmfRecord(
            0x0626,
            Buffer.from(svg(`<image width="50" height="50" xlink:href="${png}"/>`)),
          ),
        ).subarray(24),
      ]),
      "media/a.wmf",
    ),
  "PostScript in an EMF": ({ png }) =>
    shown(
      emf(
        emfComment(
          Buffer.concat([
            Buffer.from("GDIC"),
            Buffer.from([4, 0, 0, 0x40]),
            Buffer.alloc(16),
            Buffer.from([1, 0, 0, 0]),
            Buffer.from("EPSF"),
            Buffer.alloc(12),
            Buffer.from(
              `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 50 50\n(${png}) (r) file pop showpage\n%%EOF\n`,
            ),
          ]),
        ),
      ),
      "media/a.emf",
    ),
  "a PDF as a picture": ({ png, html }) =>
    shown(
      `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/URI/URI(${html})>>>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 50 50]/Resources<</XObject<</X 4 0 R>>>>/Contents 5 0 R>>endobj\n4 0 obj<</Type/XObject/Subtype/Image/Width 38/Height 38/BitsPerComponent 8/ColorSpace/DeviceRGB/F(${png})/Length 0>>stream\nendstream endobj\n5 0 obj<</Length 5>>stream\n/X Do\nendstream endobj\ntrailer<</Root 1 0 R>>\n`,
      "media/a.pdf",
    ),
  "HTML as a picture": ({ png }) =>
    shown(
      `<html><body><svg ${SVG} width="50" height="50"><image width="50" height="50" xlink:href="${png}"/></svg></body></html>`,
      "media/a.png",
    ),
  "an SVG with an address in escapes of CSS": ({ png }) =>
    shown(
      svg(
        `<style><![CDATA[rect{fill:u\\72l("${png}#a")} @\\69mport "${png}"; svg{background:image-set("${png}" 1x)}]]></style><rect width="50" height="50" style="fill:\\75rl(${png});filter:url(/**/'${png}')"/>`,
      ),
    ),
  "an SVG that includes another": ({ png, txt }) =>
    shown(
      svg(
        `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${txt}" parse="text"/><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${png}"/><text y="20">t</text>`,
        `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="${txt}"?>`,
      ),
    ),
  "an SVG with the picture of an entity's parameter": ({ png, txt }) =>
    shown(
      svg(
        `<image width="50" height="50" xlink:href="&b;"/>&c;`,
        `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "${txt}" [<!ENTITY % a SYSTEM "${txt}"> %a; <!ENTITY b "${png}"><!ENTITY c SYSTEM "${png}"><!ATTLIST image xlink:href CDATA "${png}">]>`,
      ),
    ),
  "an SVG with a picture under other names": ({ png }) =>
    shown(
      svg(
        `<image width="50" height="50" src="${png}" xlink:src="${png}" data-href="${png}" HREF="${png}" XLINK:HREF="${png}"/><IMAGE width="50" height="50" xlink:href="${png}"/><image width="50" height="50" l:href="${png}" xmlns:l="http://www.w3.org/1999/xlink"/><img xmlns="http://www.w3.org/1999/xhtml" src="${png}" srcset="${png} 2x"/>`,
      ),
    ),
  "an SVG with line ends in its address": ({ png }) =>
    shown(
      svg(
        `<image width="50" height="50" xlink:href="&#10; ${[...png].join("&#9;")}"/><image width="50" height="50" xlink:href=" ${png}&#13;"/>`,
      ),
    ),
  "a BMP whose profile of colours is a file": ({ txt }) => {
    const name = Buffer.from(`${txt}\0`, "latin1");
    const head = Buffer.alloc(14 + 124);
    head.write("BM");
    head.writeUInt32LE(142 + name.length, 2);
    head.writeUInt32LE(138, 10);
    head.writeUInt32LE(124, 14);
    head.writeInt32LE(1, 18);
    head.writeInt32LE(1, 22);
    head.writeUInt16LE(1, 26);
    head.writeUInt16LE(24, 28);
    head.writeUInt32LE(4, 34);
    head.write("KNIL", 14 + 56);
    head.writeUInt32LE(128, 14 + 112);
    head.writeUInt32LE(name.length, 14 + 116);
    return shown(Buffer.concat([head, Buffer.alloc(4), name]), "media/a.bmp");
  },
  "an EMF whose colours are those of a file": ({ txt }) => {
    const record = Buffer.alloc(12 + 68 + 520 + 12);
    record.writeUInt32LE(122, 0);
    record.writeUInt32LE(record.length, 4);
    record.writeUInt32LE(1, 8);
    record.write("PSOC", 12);
    record.writeUInt32LE(0x400, 16);
    record.writeUInt32LE(588, 20);
    record.write(txt.slice(0, 259), 80, "utf16le");
    return shown(emf(record), "media/a.emf");
  },
  "a picture of StarView, of Photoshop and of a Macintosh": (bait) => {
    const names = ["a.svm", "a.psd", "a.pct", "a.webp"];
    const heads = ["VCLMTF", "8BPS\0\x01", "\0".repeat(522), "RIFF\0\0\0\0WEBP"];
    return docx({
      body: names.map((_, index) => picture(`x${index}`)).join(""),
      relationships: names.map((name, index) => ({
        id: `x${index}`,
        type: "image",
        target: `media/${name}`,
      })),
      parts: Object.fromEntries(
        names.map((name, index) => [
          `word/media/${name}`,
          Buffer.concat([
            Buffer.from(heads[index] ?? "", "latin1"),
            Buffer.from(svg(`<image width="50" height="50" xlink:href="${bait.png}"/>`)),
          ]),
        ]),
      ),
    });
  },
  "a DXF that refers to another": ({ png }) =>
    shown(
      `  0\nSECTION\n  2\nBLOCKS\n  0\nBLOCK\n  2\nX\n 70\n4\n  1\n${png}\n  0\nENDBLK\n  0\nENDSEC\n  0\nSECTION\n  2\nENTITIES\n  0\nINSERT\n  2\nX\n  0\nENDSEC\n  0\nEOF\n`,
      "media/a.dxf",
    ),
};
