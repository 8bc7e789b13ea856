/** Tests that the sizes of text with `shrink` fit in LibreOffice, and that larger sizes would not. */
import { compileTemplate } from "@quire/core";
import { getDocumentProxy } from "unpdf";
import { expect } from "vitest";
import { docx, zip } from "./docx.ts";
import { partsOf } from "./join-kit.ts";
import { sharedOffice, slowTest } from "./laboratory.ts";

const office = sharedOffice({ lanes: 1 });

const FONTS = ["Calibri", "Cambria", "Arial", "Times New Roman", "Courier New"];

const NAMES = [
  "Maximilian Mustermann",
  "Dr. Wolfgang-Amadeus von Hohenstein",
  "José María Fernández de Córdoba",
  "Łukasz Żółć-Wiśniewski",
  "Ingrid Bergström-Lindqvist",
  "MÜLLER & SÖHNE GMBH & CO. KG",
  "Illinois, fillet, little William",
];

const ADDRESSES = [
  "Max Mustermann\nMusterstraße 12a\n12345 Musterhausen an der Donau\nGermany",
  "The Honourable Company of Master Mariners of the City of London, Wellington Buildings, 221b Baker Street, London",
  "Albertus-Magnus-Universität, Institut für Angewandte Sprachwissenschaft, Albertus-Magnus-Platz 1, 50923 Köln",
];

const WIDTH = 2_700;
const HEIGHT = 1_000;

/** A mark above and below each box. */
const MARK =
  '<w:p><w:pPr><w:spacing w:line="200" w:lineRule="exact"/></w:pPr><w:r><w:t>@@</w:t></w:r></w:p>';

const text = (font: string): string =>
  `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:cs="${font}"/><w:sz w:val="36"/></w:rPr><w:t>{{t :: shrink(1)}}</w:t></w:r></w:p>`;

function table(content: string, height = ""): string {
  return `<w:tbl><w:tblPr><w:tblW w:w="${WIDTH}" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="${WIDTH}"/></w:tblGrid><w:tr><w:trPr>${height}</w:trPr><w:tc><w:tcPr><w:tcW w:w="${WIDTH}" w:type="dxa"/></w:tcPr>${content}</w:tc></w:tr></w:tbl>`;
}

const SHAPES =
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';

function textBox(content: string): string {
  const size = `cx="${WIDTH * 635}" cy="${HEIGHT * 635}"`;
  return `<w:p><w:r><mc:AlternateContent ${SHAPES}><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="1" name="b"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice></mc:AlternateContent></w:r></w:p>`;
}

const EXACT = `<w:trHeight w:val="${HEIGHT}" w:hRule="exact"/>`;

/** A body with a page for each text of a list, on which it is in a box in each font. */
function bodyOf(box: (content: string) => string): string {
  const boxes = FONTS.map((font) => MARK + box(text(font)) + MARK);
  return `<w:p><w:r><w:t>{{for t in texts}}</w:t></w:r></w:p>${boxes.join("")}<w:p><w:r><w:br w:type="page"/></w:r></w:p><w:p><w:r><w:t>{{endfor}}</w:t></w:r></w:p>`;
}

/** The distances between the marks before and after each box, in points, and the text between them. */
async function boxesIn(pdf: Uint8Array): Promise<{ height: number; lines: number }[]> {
  const document = await getDocumentProxy(pdf);
  const boxes: { height: number; lines: number }[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    let from: number | null = null;
    let lines = new Set<number>();
    for (const item of items) {
      if (!("str" in item) || item.str.trim() === "") continue;
      const y = Math.round(item.transform[5]);
      if (!item.str.startsWith("@")) lines.add(y);
      else if (from === null) [from, lines] = [y, new Set()];
      else {
        boxes.push({ height: from - y, lines: lines.size });
        from = null;
      }
    }
  }
  return boxes;
}

/**
 * Renders a body, makes the text of its boxes larger by a number of half points, and lets all boxes grow. Returns the
 * boxes in the PDF.
 */
async function rendered(body: string, texts: readonly string[], larger = 0) {
  const section = "<w:sectPr/>";
  const template = await compileTemplate(docx({ body: body + section }));
  const { bytes, warnings } = template.render({ texts });
  expect(warnings).toEqual([]);
  const parts = partsOf(bytes);
  const xml = (parts.get("word/document.xml") ?? "")
    .replaceAll(/(?<=<w:sz w:val=")\d+(?=")/g, (size) => String(Number(size) + larger))
    .replaceAll('w:hRule="exact"', 'w:hRule="atLeast"')
    .replaceAll("<wps:bodyPr/>", "<wps:bodyPr><a:spAutoFit/></wps:bodyPr>");
  const grown = zip(Object.fromEntries(parts.set("word/document.xml", xml)));
  return boxesIn((await office.convert(grown)).bytes);
}

/** A step is half a point. */
const STEPS = [0, 1, 2];

slowTest("a name fits on one line, and would not with a size two steps larger", async () => {
  const [chosen = [], ...larger] = await Promise.all(
    STEPS.map((step) => rendered(bodyOf(table), NAMES, step)),
  );
  expect(chosen.map(({ lines }) => lines)).toEqual(chosen.map(() => 1));
  expect(chosen).toHaveLength(NAMES.length * FONTS.length);
  const tooLong = larger.map((boxes) => boxes.filter(({ lines }) => lines > 1).length);
  expect(tooLong[1]).toBe(chosen.length);
  expect(tooLong[0]).toBeGreaterThan(chosen.length * 0.7);
});

/** The distance of the marks around a box that has not grown, in points. */
const ROOM = 60;

for (const [name, box] of [
  ["a row of an exact height", (content: string) => table(content, EXACT)],
  ["a text box", textBox],
] as const) {
  slowTest(`an address fits in ${name}, and would not with a size two steps larger`, async () => {
    const [chosen = [], ...larger] = await Promise.all(
      STEPS.map((step) => rendered(bodyOf(box), ADDRESSES, step)),
    );
    const tooHigh = (boxes: typeof chosen) => boxes.filter(({ height }) => height > ROOM).length;
    expect(chosen).toHaveLength(ADDRESSES.length * FONTS.length);
    expect(tooHigh(chosen)).toBe(0);
    expect(tooHigh(larger[1] ?? [])).toBe(chosen.length);
    expect(tooHigh(larger[0] ?? [])).toBeGreaterThan(chosen.length * 0.7);
  });
}
