import { openDocx } from "@quire/ooxml";
import { CANARY } from "./canary.ts";

/**
 * The number of pages. With fewer pages, LibreOffice would lay out the first long document slightly differently from
 * the same document later. The difference affects justified lines, mainly in Arabic.
 */
const PAGES = 60;
const PAGE = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";
const DRAWING = "http://schemas.openxmlformats.org/drawingml/2006";
const PICTURE = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="${DRAWING}/wordprocessingDrawing"><wp:extent
cx="1000000" cy="1000000"/><wp:docPr id="1" name="p"/><a:graphic xmlns:a="${DRAWING}/main"><a:graphicData
uri="${DRAWING}/picture"><pic:pic xmlns:pic="${DRAWING}/picture"><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/>
</pic:nvPicPr><pic:blipFill><a:blip xmlns:r="${OFFICE}" r:link="bait"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>
<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr>
</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

/** A picture with a width that none of LibreOffice's own pictures has. */
export const BAIT: Uint8Array = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACUAAAAlCAIAAABK/LdUAAAAG0lEQVR42u3BMQEAAADCoPVP7W0HoAAAAADeABAwAAFhQy2MAAAAAElFTkSuQmCC",
  "base64",
);
const BAIT_WIDTH = /\/Width 37\b/;

/**
 * Returns the canary with many pages. A lane converts it before the lane reports that it is ready. `bait` is the
 * address of a picture that the document links to. LibreOffice can read the picture but must not.
 */
export function longCanary(bait: string): Uint8Array {
  const docx = openDocx(CANARY, { rendered: true });
  const text = docx
    .readText(docx.mainPart)
    .replace("</w:body>", `${PICTURE}${PAGE.repeat(PAGES - 1)}</w:body>`);
  const relationships =
    `<Relationships xmlns="${PACKAGE}"><Relationship Id="bait" Type="${OFFICE}/image" Target="${bait}" ` +
    'TargetMode="External"/></Relationships>';
  return docx.write(
    new Map([
      [docx.mainPart, text],
      ["word/_rels/document.xml.rels", relationships],
    ]),
  );
}

/** Whether a PDF shows the bait. */
export function showsBait(pdf: Uint8Array): boolean {
  return BAIT_WIDTH.test(Buffer.from(pdf).toString("latin1"));
}

/** Whether cleaning removes the link from the document. */
export function losesBait(document: Uint8Array): boolean {
  const docx = openDocx(document);
  return docx.relationshipsOf(docx.mainPart).every(({ external }) => !external);
}
