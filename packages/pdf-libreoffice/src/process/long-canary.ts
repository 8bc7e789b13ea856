import { openDocx } from "@quire/core/docx";
import { CANARY } from "./canary.ts";

/**
 * With fewer pages LibreOffice would lay out the first long document a little differently from the same one later:
 * lines that are justified, above all of Arabic.
 */
const PAGES = 60;
const PAGE = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';

/** The canary with many pages. A lane converts it before it reports that it is ready. */
export function longCanary(): Uint8Array {
  const docx = openDocx(CANARY, { rendered: true });
  const text = docx
    .readText(docx.mainPart)
    .replace("</w:body>", `${PAGE.repeat(PAGES - 1)}</w:body>`);
  return docx.write(new Map([[docx.mainPart, text]]));
}
