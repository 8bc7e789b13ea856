import { expect, test } from "vitest";
import { compileTemplate, isQuireError } from "../src/index.ts";
import { docx, linesOf, p, partOf, r } from "./support/docx.ts";
import { lines, render } from "./support/render.ts";

/** What files of other programs, and templates of other engines, have taught. */

test("braces of a document without tags are text", async () => {
  expect(await lines(p("b}} c } d"), {})).toEqual(["b}} c } d"]);
});

test("the instructions of citation managers are left alone, braces and all", async () => {
  const field = (instruction: string): string =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve">${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const citation = ' ADDIN ZOTERO_ITEM CSL_CITATION {"a":{"b":{{"c":1}}} ';
  const { bytes } = await render(`<w:p>${r("{{x}}")}${field(citation)}</w:p>`, { x: 1 });
  expect(partOf(bytes)).toContain(`<w:instrText xml:space="preserve">${citation}</w:instrText>`);
  expect(linesOf(bytes)).toEqual(["1"]);
});

test("spaces that only lay out the XML are no content", async () => {
  const section = (text: string): string =>
    `<w:p>\n<w:pPr>\n<w:jc w:val="right"/><w:sectPr/></w:pPr>\n${r(text)}\n</w:p>`;
  const body = `<w:p>${r("{{#c}}")}</w:p>\n${section("in")}\n<w:p>${r("{{/c}}")}\n</w:p>`;
  const { bytes } = await render(body, { c: true });
  expect(partOf(bytes).match(/<w:sectPr\/>/g)).toHaveLength(2);
  const rich = `<w:p>\n<w:pPr><w:jc w:val="right"/></w:pPr><w:r>\n<w:rPr><w:b/></w:rPr><w:t>{{h}}</w:t></w:r></w:p>`;
  const html = partOf((await render(rich, { h: "<p>a</p><p>b</p>" })).bytes);
  expect(html.match(/<w:jc w:val="right"\/>/g)).toHaveLength(2);
  expect(html.match(/<w:b\/>/g)?.length).toBeGreaterThanOrEqual(2);
});

test("delimiters are judged before anything is read with them", async () => {
  for (const delimiters of [{}, { start: null, end: null }, "single"]) {
    const error: unknown = await compileTemplate(docx({ body: p("x") }), {
      delimiters: delimiters as never,
    }).catch((reason: unknown) => reason);
    expect(isQuireError(error) && error.code).toBe("invalid_request");
  }
});

test("a key may have dots in it", async () => {
  const { bytes, warnings } = await render(p("{{client.court}}"), { "client.court": "X" });
  expect(linesOf(bytes)).toEqual(["X"]);
  expect(warnings).toEqual([]);
});

test("who asks a list for its length is told how to count it", async () => {
  const { warnings } = await render(p("{{#x.length > 0}}a{{/}}"), { x: [1] });
  expect(warnings[0]).toMatchObject({
    code: "missing_in_condition",
    hint: "Did you mean '$count(x)'?",
  });
});
