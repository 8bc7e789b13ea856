import { isQuireError } from "@quire/contracts";
import { expect, test } from "vitest";
import { docx, linesOf, p, partOf, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { lines, render } from "../support/render.ts";

/** Cases found with files of other programs and with templates of other engines. */

test("braces of a document without tags are text", async () => {
  expect(await lines(p("b}} c } d"), {})).toEqual(["b}} c } d"]);
});

test("the instructions of citation managers do not change, including their braces", async () => {
  const field = (instruction: string): string =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve">${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  const citation = ' ADDIN ZOTERO_ITEM CSL_CITATION {"a":{"b":{{"c":1}}} ';
  const { bytes } = await render(`<w:p>${r("{{x}}")}${field(citation)}</w:p>`, { x: 1 });
  expect(partOf(bytes)).toContain(`<w:instrText xml:space="preserve">${citation}</w:instrText>`);
  expect(linesOf(bytes)).toEqual(["1"]);
});

test("spaces that only format the XML are ignored", async () => {
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

test("delimiters are validated before the template is read", async () => {
  for (const delimiters of [{}, { start: null, end: null }, "single"]) {
    const error: unknown = await compileTemplate(docx({ body: p("x") }), {
      delimiters: delimiters as never,
    }).catch((reason: unknown) => reason);
    expect(isQuireError(error) && error.code).toBe("invalid_request");
  }
});

test("a key may contain dots", async () => {
  const { bytes, warnings } = await render(p("{{client.court}}"), { "client.court": "X" });
  expect(linesOf(bytes)).toEqual(["X"]);
  expect(warnings).toEqual([]);
});

test("the hint for the length of a list names $count", async () => {
  const { warnings } = await render(p("{{#x.length > 0}}a{{/}}"), { x: [1] });
  expect(warnings[0]).toMatchObject({
    code: "missing_in_condition",
    hint: "Did you mean '$count(x)'?",
  });
});

const reference = (id: number): string => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
const note = (id: number, text: string): string =>
  `<w:footnote w:id="${id}">${p(text)}</w:footnote>`;

test("notes follow the order of their references, and references in a false condition have no notes", async () => {
  const special = (kind: string, id: number): string =>
    `<w:footnote w:type="${kind}" w:id="${id}"><w:p/></w:footnote>`;
  const notes = `${special("separator", -1)}${special("continuationNotice", 2)}${note(1, "a {{x}}")}${note(3, "secret {{s}} {{gone}}")}${note(4, "tail")}`;
  const body = `${p("{{for x in l}}")}<w:p>${r("t")}${reference(1)}</w:p>${p("{{endfor}}")}${p("{{if no}}")}<w:p>${reference(3)}</w:p>${p("{{endif}}")}<w:p>${reference(4)}${reference(1)}</w:p>`;
  const { bytes, warnings } = await render(
    { body, stories: { "footnotes.xml": notes } },
    { l: [1, 2], x: "root", s: "TOP", no: false },
  );
  const xml = partOf(bytes, "word/footnotes.xml");
  expect(linesOf(bytes, "word/footnotes.xml")).toEqual(["", "", "a 1", "a 2", "tail", "a root"]);
  expect(xml).not.toContain("TOP");
  const ids = [...partOf(bytes).matchAll(/footnoteReference w:id="(\d+)"/g)].map(([, id]) => id);
  const written = [...xml.matchAll(/<w:footnote w:id="(\d+)"/g)].map(([, id]) => id);
  expect(ids).toEqual(["1", "3", "4", "5"]);
  expect(written).toEqual(ids);
  expect(warnings).toEqual([]);
});

test("an included template without tags is included, also in a part without other tags", async () => {
  const template = await compileTemplate(docx({ body: p('{{include "s"}}') }), {
    readTemplate: async () => docx({ body: p("plain") }),
  });
  expect(linesOf(template.render({}).bytes)).toEqual(["plain"]);
});

test("modifiers change the text of rich values and not their markup", async () => {
  const html = '<a href="https://ex.com/Path?q=aB">caf&eacute; <b>x</b></a>';
  const { bytes } = await render(p("{{h :: uppercase}}"), { h: html });
  expect(linesOf(bytes)).toEqual(["CAFÉ X"]);
  expect(partOf(bytes, "word/_rels/document.xml.rels")).toContain("https://ex.com/Path?q=aB");
});

test("an address in a field is checked and encoded in every position", async () => {
  const field = (instruction: string): string =>
    `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve">${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
  const body =
    field(' HYPERLINK \\o "tip" "{{b}}" ') + field(' HYPERLINK "https://e.com/?q={{q}}" ');
  const xml = partOf((await render(body, { b: "file:///c:/x.exe", q: 'ü&"x' })).bytes);
  expect(xml).toContain('"about:blank"');
  expect(xml).toContain("?q=%C3%BC%26%22x");
});

test("work without output also counts toward the limits", async () => {
  for (const tag of ["{{v}}", "{{for x in v}}{{x}}{{endfor}}", "{{#v}}a{{/v}}"]) {
    const error: unknown = await render(p(tag), { v: new Array(4294967295) }).catch(
      (e: unknown) => e,
    );
    expect(isQuireError(error) && error.code, tag).toBe("limit_exceeded");
  }
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  await render(p("{{$max(v.a) :: optional}}"), { v: deep });
  const cells = `|${"a|".repeat(4000)}\n|${"-|".repeat(4000)}\n${"|\n".repeat(4000)}`;
  expect((await render(p("{{v :: markdown}}"), { v: cells })).warnings[0]?.code).toBe(
    "markup_limit",
  );
});
