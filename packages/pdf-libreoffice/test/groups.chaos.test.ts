/** Tests tables and lists in joined documents. `groups.test.ts` tests letters. */
import { expect } from "vitest";
import { bothWays, compared, DOCUMENTS, FOOTER, nothing, words } from "./grouped.ts";
import { docxOf, lists, paragraph, table } from "./join-kit.ts";
import { slowTest } from "./laboratory.ts";

const both = bothWays();

function tableOf(index: number): string {
  const rows = Array.from({ length: 2 + index * 3 }, (_, row) => [`${row}`, words(row % 9)]);
  return table(...rows);
}

slowTest("tables at the start and at the end have the same positions as alone", async () => {
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => {
    const parts = [tableOf(index), paragraph(words(20))];
    return docxOf((index % 2 === 0 ? parts : parts.toReversed()).join(""), FOOTER);
  });
  // LibreOffice 25.2 gives them other page numbers and positions, so they are converted one by one.
  const found = await compared(both, "outer tables", documents, { joins: false });
  expect(found).toEqual(nothing(DOCUMENTS));
});

slowTest("tables in the middle have the same positions as alone", async () => {
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => {
    const text = paragraph(words(20));
    return docxOf(text + tableOf(index) + text, FOOTER);
  });
  expect(await compared(both, "tables", documents)).toEqual(nothing(DOCUMENTS));
});

slowTest("lists are numbered from the start in each document", async () => {
  const item = (text: string): string =>
    paragraph(text, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
  const numbering = lists("decimal", '<w:lvlText w:val="%1."/>');
  const documents = Array.from({ length: DOCUMENTS }, (_, index) => {
    const items = Array.from({ length: 1 + (index % 6) }, (_item, place) =>
      item(`Item ${place} of ${index}`),
    );
    return docxOf(items.join("") + paragraph("End"), { numbering });
  });
  expect(await compared(both, "lists", documents)).toEqual(nothing(DOCUMENTS));
});
