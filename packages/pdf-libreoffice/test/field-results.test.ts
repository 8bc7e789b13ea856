/** Tests that the PDF shows the saved results of fields whose results LibreOffice would lose. */
import { findText } from "@quire/core";
import { openDocx } from "@quire/ooxml";
import { describe, expect, test } from "vitest";
import { keepFieldResults } from "../src/process/field-results.ts";
import { docx } from "./docx.ts";
import { sharedOffice, slowTest } from "./laboratory.ts";

const office = sharedOffice();

const run = (content: string): string => `<w:r>${content}</w:r>`;
const mark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`);
const code = (text: string): string =>
  run(`<w:instrText xml:space="preserve">${text}</w:instrText>`);
const field = (instruction: string, result = "last"): string =>
  mark("begin") + instruction + mark("separate") + run(`<w:t>${result}</w:t>`) + mark("end");

/** Returns the body that LibreOffice gets, and the warnings. */
function kept(content: string) {
  const opened = openDocx(docx({ body: `<w:p>${content}</w:p>` }));
  const { docx: changed, warnings } = keepFieldResults(opened, null);
  const body = /<w:body>.*?<\/w:p>/s.exec(changed.readText(changed.mainPart))?.[0] ?? "";
  return { body, warnings, isSame: changed === opened };
}

/** Returns the field instructions of the body. */
const instructions = (body: string): string[] =>
  [...body.matchAll(/<w:instrText[^>]*>([^<]*)|w:instr="([^"]*)"/g)].map(([, a, b]) =>
    (a ?? b ?? "").trim(),
  );

test("a condition keeps its result, also with a nested field and as a simple field", () => {
  const nested = code(" IF ") + field(code(" MERGEFIELD sex "), "m") + code(' = "m" "Mr" "Ms" ');
  const simple = '<w:fldSimple w:instr=" if 1 = 1 yes no"><w:r><w:t>yes</w:t></w:r></w:fldSimple>';
  const { body, warnings } = kept(field(code(' IF "a" = "a" "yes" ')) + field(nested) + simple);
  expect(instructions(body)).toEqual([
    'QUOTE  "a" = "a" "yes"',
    "QUOTE",
    "MERGEFIELD sex",
    '= "m" "Mr" "Ms"',
    "QUOTE  1 = 1 yes no",
  ]);
  expect(warnings).toEqual([]);
});

test("a formula keeps the result that Word computed", () => {
  const formulas = field(code(" =SUM(ABOVE) ")) + field(code("= a * 2 "));
  expect(instructions(kept(formulas).body)).toEqual(["QUOTE SUM(ABOVE)", "QUOTE  a * 2"]);
});

test("the document's name and counts keep their results, with a warning", () => {
  const names = field(code(" FILENAME \\p ")) + field(code("NUMWORDS")) + field(code(" filename "));
  const { body, warnings } = kept(names);
  expect(instructions(body)).toEqual(["QUOTE  \\p", "QUOTE", "QUOTE"]);
  expect(warnings).toEqual([
    expect.objectContaining({
      code: "field_result_kept",
      message: expect.stringContaining("FILENAME, NUMWORDS in word/document.xml"),
    }),
  ]);
});

test("a header with the chapter of its page is reported if there are several chapters", () => {
  const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const style =
    '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>';
  const told = (chapters: number, instruction: string, version: string | null): string[] => {
    const chapter = '<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr></w:p>';
    const opened = openDocx(
      docx({
        body: chapter.repeat(chapters) + field(code(" STYLEREF 1 ")),
        relationships: [
          { id: "styles", type: "styles", target: "styles.xml" },
          { id: "header", type: "header", target: "header1.xml" },
        ],
        parts: {
          "word/styles.xml": `<w:styles ${word}>${style}</w:styles>`,
          "word/header1.xml": `<w:hdr ${word}><w:p>${field(code(instruction))}</w:p></w:hdr>`,
        },
      }),
    );
    return keepFieldResults(opened, version).warnings.map(({ message }) => message);
  };
  const wanted = [expect.stringContaining("STYLEREF in word/header1.xml")];
  for (const instruction of [' STYLEREF "Heading 1" ', " STYLEREF 1 \\* MERGEFORMAT "]) {
    expect(told(2, instruction, null)).toEqual(wanted);
    expect(told(2, instruction, "7.4.7.2")).toEqual(wanted);
    expect(told(2, instruction, "24.2.0.3")).toEqual([]);
    expect(told(1, instruction, "7.4.7.2")).toEqual([]);
  }
  expect(told(2, " STYLEREF Title ", "7.4.7.2")).toEqual([]);
});

describe("the number of pages of a section", () => {
  const simple = '<w:fldSimple w:instr=" sectionpages "><w:r><w:t>9</w:t></w:r></w:fldSimple>';
  const fields = field(code(" SECTIONPAGES  \\* MERGEFORMAT ")) + simple;

  test("is the number of pages of the document if it has one section", () => {
    const { body, warnings } = kept(fields);
    expect(instructions(body)).toEqual(["NUMPAGES   \\* MERGEFORMAT", "NUMPAGES"]);
    expect(warnings).toEqual([]);
  });

  test("is the saved result if the document has several sections, with a warning for each part", () => {
    const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const opened = openDocx(
      docx({
        body: `<w:p><w:pPr><w:sectPr/></w:pPr>${field(code(" SECTIONPAGES "))}</w:p><w:p/><w:sectPr/>`,
        relationships: [
          { id: "header", type: "header", target: "header1.xml" },
          { id: "footer", type: "footer", target: "footer1.xml" },
        ],
        parts: {
          "word/header1.xml": `<w:hdr ${word}><w:p>${simple}</w:p></w:hdr>`,
          "word/footer1.xml": `<w:ftr ${word}><w:p>${field(code("NUMWORDS"))}${simple}</w:p></w:ftr>`,
        },
      }),
    );
    const { warnings } = keepFieldResults(opened, null);
    expect(warnings.map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      expect.stringMatching(/SECTIONPAGES in word\/document.xml.* --packet/),
      expect.stringMatching(/SECTIONPAGES in word\/header1.xml.* --packet/),
      expect.stringMatching(/SECTIONPAGES in word\/footer1.xml.* --packet/),
      expect.stringMatching(/NUMWORDS in word\/footer1.xml.* tag/),
    ]);
  });

  slowTest("is right in the PDF of a document with one section", async () => {
    const page = '<w:p><w:r><w:br w:type="page"/><w:t>x</w:t></w:r></w:p>';
    const shown = `<w:p>${field(code(" SECTIONPAGES "), "9")}</w:p>`;
    const { bytes, warnings } = await office.convert(docx({ body: shown + page + page }));
    const found = await findText(bytes, ["3", "9"]);
    expect(found.map(({ sentinel }) => sentinel)).toEqual(["3"]);
    expect(warnings).toEqual([]);
  });
});

test("other fields and texts do not change", () => {
  const others = field(code(" PAGE ")) + field(code(" REF IF ")) + field(code(" IFFY "));
  const { body, isSame } = kept(`${others}${run("<w:t>IF FILENAME</w:t>")}`);
  expect(isSame).toBe(true);
  expect(instructions(body)).toEqual(["PAGE", "REF IF", "IFFY"]);
});

slowTest("a PDF shows the saved results, also across several paragraphs", async () => {
  const long =
    mark("begin") + code(' IF 2 &gt; 1 "" ') + mark("separate") + run("<w:t>opening</w:t>");
  const rows = [run("<w:t>1,200.50</w:t>"), field(code(" =SUM(ABOVE) "), "3,500.75")];
  const cells = rows.map((cell) => `<w:tr><w:tc><w:p>${cell}</w:p></w:tc></w:tr>`);
  const table = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid>${cells.join("")}</w:tbl><w:p/>`;
  const body =
    `<w:p>${field(code(' IF "a" = "a" "b" '), "shown")}</w:p><w:p>${field(code(" FILENAME "), "letter")}</w:p>` +
    `<w:p>${long}</w:p><w:p>${run("<w:t>closing</w:t>")}${mark("end")}</w:p>`;
  const { bytes, warnings } = await office.convert(docx({ body: body + table }));
  const wanted = ["shown", "letter", "opening", "closing", "3,500.75"];
  const found = await findText(bytes, wanted);
  expect(found.map(({ sentinel }) => sentinel).toSorted()).toEqual(wanted.toSorted());
  expect(warnings.map(({ code: each }) => each)).toContain("field_result_kept");
});
