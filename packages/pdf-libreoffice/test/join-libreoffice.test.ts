/** Joined conversion with LibreOffice: nobody can tell its PDFs from those of single conversion. */
import { expect } from "vitest";
import { joinDocuments } from "../src/join/join-documents.ts";
import { differenceBetween } from "../src/join/same-document.ts";
import { type Beside, docxOf, field, lists, paragraph, table } from "./join-kit.ts";
import { sharedOffice, slowTest } from "./laboratory.ts";

const DOCUMENTS = 24;

const joining = sharedOffice({ lanes: 1 });
const single = sharedOffice({ lanes: 1, join: "off" });

const FOOTER: Beside = { footer: `<w:p>${field("PAGE")}${field("NUMPAGES")}</w:p>` };

function words(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${(index * 7) % 11}`).join(" ");
}

/** Converts documents both ways; gives the differences, and tells how many pages there were. */
async function compared(
  group: string,
  documents: readonly Uint8Array[],
): Promise<(string | null)[]> {
  const joined = joinDocuments(documents.map((bytes) => ({ bytes })));
  expect(joined).not.toHaveProperty("reason");
  const options = { rendered: true };
  const grouped = documents.map((each) => joining.convert(each, { ...options, group }));
  const alone = documents.map((each) => single.convert(each, options));
  const [theirs, ours] = [await Promise.all(alone), await Promise.all(grouped)];
  // What LibreOffice writes itself holds a checksum.
  const isJoined = (bytes: Uint8Array): boolean => !Buffer.from(bytes).includes("/DocChecksum");
  expect(ours.filter(({ bytes }) => isJoined(bytes)).length).toBeGreaterThan(documents.length / 3);
  return theirs.map(({ bytes, pages }, index) => {
    const other = ours[index];
    if (other === undefined || other.pages !== pages) return "another number of pages";
    return differenceBetween(bytes, other.bytes);
  });
}

function nothing(count: number): null[] {
  return Array.from({ length: count }, () => null);
}

slowTest("letters of different lengths count their own pages", async () => {
  const letters = Array.from({ length: DOCUMENTS }, (_, index) => {
    const body = Array.from({ length: 1 + (index % 5) * 6 }, () => paragraph(words(60)));
    return docxOf(`${paragraph(`Letter ${index}`)}${body.join("")}`, FOOTER);
  });
  expect(await compared("letters", letters)).toEqual(nothing(DOCUMENTS));
});

slowTest(
  "tables at the start, in the middle and at the end stand where they stand alone",
  async () => {
    const documents = Array.from({ length: DOCUMENTS }, (_, index) => {
      const rows = Array.from({ length: 2 + index * 3 }, (_row, row) => [`${row}`, words(row % 9)]);
      const parts = [table(...rows), paragraph(words(20))];
      return docxOf((index % 2 === 0 ? parts : parts.toReversed()).join(""), FOOTER);
    });
    expect(await compared("tables", documents)).toEqual(nothing(DOCUMENTS));
  },
);

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
  expect(await compared("lists", documents)).toEqual(nothing(DOCUMENTS));
});
