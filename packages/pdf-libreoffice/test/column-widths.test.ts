/** Tests that LibreOffice shows the widths of columns that tags set. */
import { compileTemplate } from "@quire/core";
import { getDocumentProxy } from "unpdf";
import { expect } from "vitest";
import { docx } from "./docx.ts";
import { sharedOffice, slowTest } from "./laboratory.ts";

const office = sharedOffice();

const TWIPS_PER_POINT = 20;

const cell = (text: string): string =>
  `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
const row = (...texts: readonly string[]): string => `<w:tr>${texts.map(cell).join("")}</w:tr>`;

/** A table over the whole width of the page, whose columns adapt to their content. */
const TEMPLATE = docx({
  body: `<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2000"/>'.repeat(3)}</w:tblGrid>${row(
    'A{{column :: width("1in")}}',
    "{{tablecolumn m in months}}{{m.name}}{{column :: width(m.width)}}{{endtablecolumn}}",
    "Z",
  )}${row("a", "{{m.word}}", "z")}</w:tbl><w:p/>`,
});

/** Returns the left edges of the texts with this height, in twentieths of a point from the first. */
async function edges(pdf: Uint8Array, texts: readonly string[]): Promise<number[]> {
  const page = await (await getDocumentProxy(Uint8Array.from(pdf))).getPage(1);
  const { items } = await page.getTextContent();
  const found = new Map<string, number>();
  for (const item of items) {
    if ("str" in item) found.set(item.str, Number(item.transform[4]) * TWIPS_PER_POINT);
  }
  const start = found.get(texts[0] ?? "") ?? Number.NaN;
  return texts.map((text) => Math.round((found.get(text) ?? Number.NaN) - start));
}

slowTest("columns have the widths from the data, also in a row with a long word", async () => {
  const template = await compileTemplate(TEMPLATE);
  const { bytes } = template.render({
    months: [
      { name: "Jan", width: "3cm", word: "Donaudampfschifffahrtsgesellschaft" },
      { name: "Feb", width: "50pt", word: "f" },
      { name: "Mar", width: "50%", word: "m" },
    ],
  });
  const { bytes: pdf } = await office.convert(bytes);
  const wanted = [0, 1440, 1440 + 1701, 1440 + 1701 + 1000, 1440 + 1701 + 1000 + 3000];
  const shown = await edges(pdf, ["A", "Jan", "Feb", "Mar", "Z"]);
  for (const [index, edge] of shown.entries()) {
    // A pixel of the layout has 15 twentieths of a point.
    expect(Math.abs(edge - (wanted[index] ?? 0))).toBeLessThan(15);
  }
});
