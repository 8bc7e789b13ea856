/** Documents that get external references from their data. */
import { compileTemplate } from "@quire/core";
import { attribute, docx, paragraph, picture } from "./docx.ts";
import type { Bait, Vector } from "./link-vectors.ts";
import { PIXEL } from "./pixel.ts";

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

const svg = (png: string): string =>
  `<svg ${SVG} width="50" height="50"><image xlink:href="${attribute(png)}" width="50" height="50"/></svg>`;

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** Creates a document by rendering a template with this body and the result of `value` for the bait. */
function filled(body: string, value: (bait: Bait) => unknown): Vector {
  return async (bait) => {
    const template = await compileTemplate(docx({ body: paragraph("values") + body }));
    return (await template.render({ v: value(bait) })).bytes;
  };
}

/** Creates a template with a picture, fill or object whose target is an address with a tag. */
function leading(type: string, body: string): Vector {
  return async ({ png }) => {
    const given = docx({
      body: paragraph("target") + body,
      relationships: [{ id: "x", type, target: "{{v}}", external: true }],
      parts: { "word/media/a.png": PIXEL },
    });
    return (await (await compileTemplate(given)).render({ v: png })).bytes;
  };
}

const html = ({ png, html: page, txt }: Bait): string =>
  `<p>x<img src="${attribute(png)}" srcset="${attribute(png)} 2x"><iframe src="${attribute(page)}"></iframe>` +
  `<object data="${attribute(page)}"></object><embed src="${attribute(page)}"><link rel="stylesheet" href="${attribute(txt)}">` +
  `<style>@import "${attribute(txt)}"; p{background:url(${attribute(png)})}</style><base href="${attribute(page)}">` +
  `<video src="${attribute(page)}" poster="${attribute(png)}"></video><a href="${attribute(page)}">a</a>` +
  `<img src="data:image/svg+xml;base64,${base64(svg(png))}"></p>`;

/** Keys describe the documents. */
export const VALUE_VECTORS: Readonly<Record<string, Vector>> = {
  "a value of HTML": filled(paragraph("{{v :: html}}"), html),
  "a value of Markdown": filled(
    paragraph("{{v :: markdown}}"),
    ({ png, html: page }) => `![a](${png}) [b](${page})\n\n<img src="${png}">\n\n[c]: ${page}`,
  ),
  "a value that is a link": filled(paragraph('{{v :: link("a")}}'), ({ html: page }) => page),
  "a value that is an address of a picture": filled(paragraph("{{v}}"), ({ png }) => png),
  "a value that is XML": filled(
    paragraph("{{v}}"),
    ({ png }) => `</w:t></w:r>${picture("x", "link")}<w:r><w:t>${png}`,
  ),
  "a value in the field HYPERLINK": filled(
    `<w:p><w:fldSimple w:instr="${attribute('HYPERLINK "{{v}}"')}"><w:r><w:t>r</w:t></w:r></w:fldSimple></w:p>`,
    ({ png }) => `x" \\d INCLUDEPICTURE "${png}" \\d`,
  ),
  "a picture whose address is a value": leading("image", picture("x", "link")),
  "an object whose address is a value": leading(
    "oleObject",
    '<w:p><w:r><w:object><v:shape id="o" style="width:50pt;height:50pt"/><o:OLEObject Type="Link" ProgID="Word.Document.12" ShapeID="o" DrawAspect="Content" UpdateMode="Always" r:id="x"/></w:object></w:r></w:p>',
  ),
  "a link whose address is a value": leading(
    "hyperlink",
    `<w:p><w:hyperlink r:id="x"><w:r><w:t>l</w:t></w:r></w:hyperlink></w:p>${picture("x", "link")}`,
  ),
};
