/** Documents whose pictures try to make LibreOffice fetch something, read a file or run a program. */
import { gzipSync } from "node:zlib";
import {
  emf,
  emfPlus,
  plusBitmap,
  plusImage,
  plusImageInPieces,
  plusMetafile,
  wmfWithEmf,
} from "../../ooxml/test/support/metafiles.ts";
import { attribute, docx, NAMESPACES, paragraph, picture } from "./docx.ts";
import type { Bait, Vector } from "./link-vectors.ts";

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

const svg = (inner: string): Buffer =>
  Buffer.from(`<svg ${SVG} width="50" height="50" viewBox="0 0 50 50">${inner}</svg>`);

/** Creates an SVG that shows an external picture. */
const outside = ({ png }: Bait): Buffer =>
  svg(`<image xlink:href="${attribute(png)}" width="50" height="50"/>`);

/** Creates an SVG that contains a file as a data URL. */
const within = (file: Buffer, type = "image/png"): Buffer =>
  svg(
    `<image width="50" height="50" xlink:href="data:${type};base64,${file.toString("base64")}"/>`,
  );

/** Creates a document that shows a part as a picture. */
function shown(
  content: Buffer | string,
  {
    name = "media/a.png",
    type = "image",
    body = picture("x"),
  }: { readonly name?: string; readonly type?: string; readonly body?: string } = {},
): Uint8Array {
  return docx({
    body: paragraph("shown") + body,
    relationships: [{ id: "x", type, target: name }],
    parts: { [`word/${name}`]: content },
  });
}

const VML =
  '<w:p><w:r><w:pict><v:shape id="s" type="#_x0000_t75" style="width:100pt;height:100pt">' +
  '<v:imagedata r:id="x"/></v:shape></w:pict></w:r></w:p>';

const drawing = (image: Buffer): Buffer => emfPlus(plusImage(image));

/** Returns PostScript that reads a file and draws as many lines as the value of its first byte. */
const eps = ({ png }: Bait): string =>
  "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 50 50\n%%EndComments\n" +
  `(${png}) (r) file read pop { 0 0 moveto 50 50 lineto stroke } repeat showpage\n%%EOF\n`;

/** Keys describe the documents. */
export const PICTURE_VECTORS: Readonly<Record<string, Vector>> = {
  "a compressed SVG under the name of a PNG": (bait) => shown(gzipSync(outside(bait))),
  "a compressed SVG under the name of an EMF": (bait) =>
    shown(gzipSync(outside(bait)), { name: "media/a.emf" }),
  "a compressed SVG in VML": (bait) => shown(gzipSync(outside(bait)), { body: VML }),
  "an SVG under the name of a PNG": (bait) => shown(outside(bait)),
  "an SVG behind a long comment": (bait) =>
    shown(Buffer.concat([Buffer.from(`<!-- ${"x".repeat(1_500)} -->`), outside(bait)])),
  "an SVG in an address of an SVG": (bait) => shown(within(outside(bait))),
  "an SVG in an address of an SVG, in VML": (bait) => shown(within(outside(bait)), { body: VML }),
  "an SVG in an address of an SVG, as SVG": (bait) =>
    shown(within(outside(bait), "image/svg+xml"), { name: "media/a.svg" }),
  "a compressed SVG in an address of an SVG": (bait) => shown(within(gzipSync(outside(bait)))),
  "an SVG three deep": (bait) => shown(within(within(within(outside(bait))))),
  "an SVG in an EMF": (bait) => shown(drawing(plusBitmap(outside(bait))), { name: "media/a.emf" }),
  "a compressed SVG in an EMF": (bait) =>
    shown(drawing(plusBitmap(gzipSync(outside(bait)))), { name: "media/a.emf" }),
  "an SVG in an EMF, in pieces": (bait) =>
    shown(emfPlus(plusImageInPieces(plusBitmap(outside(bait)), 64)), { name: "media/a.emf" }),
  "an SVG in an EMF as a metafile": (bait) =>
    shown(drawing(plusMetafile(outside(bait))), { name: "media/a.emf" }),
  "an SVG in an EMF in an EMF": (bait) =>
    shown(drawing(plusMetafile(drawing(plusBitmap(outside(bait))))), { name: "media/a.emf" }),
  "an SVG in an EMF in an address of an SVG": (bait) =>
    shown(within(drawing(plusBitmap(outside(bait))), "image/x-emf")),
  "an SVG in an EMF in a WMF": (bait) =>
    shown(wmfWithEmf(drawing(plusBitmap(outside(bait)))), { name: "media/a.wmf" }),
  "an SVG in a compressed EMF": (bait) =>
    shown(gzipSync(drawing(plusBitmap(outside(bait)))), { name: "media/a.emz" }),
  "an SVG behind a whole EMF": (bait) =>
    shown(Buffer.concat([emf(), outside(bait)]), { name: "media/a.emf" }),
  "an SVG by the relationship of an object": (bait) =>
    shown(gzipSync(outside(bait)), { name: "embeddings/a.bin", type: "oleObject" }),
  "an SVG within another XML": (bait) =>
    shown(`<x><!-- <svg -->${outside(bait)}</x>`, { name: "custom.xml", type: "customXml" }),
  "an SVG within the document itself": (bait) =>
    docx({
      prolog: "<!-- <svg -->",
      body: `${paragraph("itself")}${picture("x")}<w:p>${outside(bait)}</w:p>`,
      relationships: [{ id: "x", type: "image", target: "document.xml" }],
    }),
  "an SVG within a header": (bait) =>
    docx({
      body: paragraph("header") + picture("x"),
      relationships: [{ id: "x", type: "header", target: "header1.xml" }],
      parts: {
        "word/header1.xml": `<w:hdr ${NAMESPACES}><!-- <svg --><w:p>${outside(bait)}</w:p></w:hdr>`,
      },
      types: {
        "word/header1.xml":
          "application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml",
      },
    }),
  "an EPS picture that reads": (bait) => shown(eps(bait), { name: "media/a.eps" }),
  "an EPS picture under the name of a PNG": (bait) => shown(eps(bait)),
};
