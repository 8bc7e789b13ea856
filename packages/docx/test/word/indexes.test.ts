import { describe, expect, test } from "vitest";
import { linesOf, p, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { complex, marked } from "../support/fields.ts";
import { render } from "../support/render.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, type WordFile, wordFile } from "../support/word-file.ts";

type Data = Readonly<Record<string, unknown>>;

async function rendered(file: WordFile | string, data: Data) {
  const { bytes, warnings } = await render(
    wordFile(typeof file === "string" ? { body: file } : file),
    data,
  );
  assertSound(bytes);
  const xml = partsOf(bytes).get("word/document.xml") ?? "";
  const lines = [...xml.matchAll(/<w:p[ >].*?<\/w:p>|<w:p\/>/gs)].map(([paragraph]) =>
    [...paragraph.matchAll(/<w:t(?: [^>]*)?>([^<]*)|<w:tab\/>/g)].map(([, t = "·"]) => t).join(""),
  );
  return { xml, lines, warnings, codes: warnings.map(({ code }) => code) };
}

const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const code = (text: string): string =>
  `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const begins = (instruction: string): string =>
  `${mark("begin")}${code(instruction)}${mark("separate")}`;
const para = (...runs: readonly string[]): string => `<w:p>${runs.join("")}</w:p>`;

/** Returns an entry as Word writes it, with a link to a heading. */
const entry = (bookmark: string, text: string, page: string): string =>
  `<w:hyperlink w:anchor="${bookmark}" w:history="1">${text.startsWith("<") ? text : r(text)}<w:r><w:tab/></w:r>${complex(` PAGEREF ${bookmark} \\h `, page)}</w:hyperlink>`;

/**
 * Returns a table of contents as Word writes it. It starts in the paragraph of the first entry and ends in a separate
 * paragraph.
 */
function contents(entries: readonly string[], instruction = ' TOC \\o "1-3" \\h \\z \\u '): string {
  const [first = "", ...others] = entries;
  return (
    para(begins(instruction), first) + others.map((each) => para(each)).join("") + para(mark("end"))
  );
}

const heading = (bookmark: string, text: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>${marked(bookmark, text)}</w:p>`;

const LOOP = p("{{for c in clauses}}") + heading("_Toc2", "{{c.title}}") + p("{{endfor}}");
const clauses = [{ title: "Fees" }, { title: "Terms" }];

describe("tags in the entries of a table of contents", () => {
  test("are not evaluated: their entries are removed, and Word updates the table", async () => {
    const body =
      contents([entry("_Toc1", "1. Scope", "1"), entry("_Toc2", "2. {{c.title}}", "2")]) +
      heading("_Toc1", "Scope") +
      LOOP;
    const { xml, lines, warnings } = await rendered(body, { clauses });
    expect(lines).toEqual(["1. Scope·1", "", "Scope", "Fees", "Terms"]);
    expect(xml).toContain('<w:fldChar w:fldCharType="begin" w:dirty="true"/>');
    expect(xml.match(/w:dirty/g)).toHaveLength(1);
    expect(warnings).toMatchObject([
      {
        severity: "warning",
        code: "stale_index",
        template: { paragraph: 1, tag: 'TOC \\o "1-3" \\h \\z \\u' },
      },
    ]);
    expect(warnings[0]?.message).toContain("{{c.title}}");
    expect(warnings[0]?.hint).toContain("--update-indexes");
  });

  test.each([
    ["in the first entry", ["{{t}}", "b", "c"], ["", "b·2", "c·3", ""]],
    ["in the last entry", ["a", "b", "{{t}}"], ["a·1", "b·2", ""]],
    ["in all entries", ["{{t}}", "{{t}}", "{{t}}"], ["", ""]],
    ["over several runs", ["a", `${r("{{")}${r("t")}${r("}}")}`, "c"], ["a·1", "c·3", ""]],
    ["escaped", ["a", "\\{{t}}", "c"], ["a·1", "c·3", ""]],
    ["an incomplete tag", ["a", "{{t", "c"], ["a·1", "c·3", ""]],
  ])("are removed with their entries: %s", async (_name, texts, lines) => {
    const entries = texts.map((text, index) => entry(`_Toc${index}`, text, String(index + 1)));
    const headings = texts.map((_, index) => heading(`_Toc${index}`, "x"));
    const result = await rendered(contents(entries) + headings.join(""), { t: "T" });
    expect(result.lines).toEqual([...lines, ...headings.map(() => "x")]);
    expect(result.codes).toEqual(["stale_index", "unused_value"]);
    expect(result.xml).not.toContain("{{");
  });

  test("do not open blocks, even if one half of a block is missing", async () => {
    for (const text of ["{{if a}}Fees{{endif}}", "{{for c in clauses}}", "{{endif}}", "{{/x}}"]) {
      const body = contents([entry("_Toc1", text, "1"), entry("_Toc1", "end", "1")]);
      const { lines } = await rendered(body + heading("_Toc1", "{{if a}}Fees{{endif}}"), { a: 1 });
      expect(lines).toEqual(["", "end·1", "", "Fees"]);
    }
  });

  test("can be in a table of figures, an index, a table of authorities, a control, a single paragraph", async () => {
    const one = para(begins(" TOC "), r("{{t}}"), mark("end"), r(" {{u}}"));
    expect((await rendered(one, { u: "U" })).lines).toEqual([" U"]);
    const control = `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${p("Contents")}${contents([r("a"), r("{{t}}")])}</w:sdtContent></w:sdt>`;
    expect((await rendered(control + p("{{u}}"), { u: "U" })).lines).toEqual([
      "Contents",
      "a",
      "",
      "U",
    ]);
    for (const [instruction, name] of [
      [' TOC \\h \\z \\c "Figure" ', "table of figures"],
      [' INDEX \\c "2" ', "index"],
      [" TOA \\c 1 ", "table of authorities"],
      [" BIBLIOGRAPHY ", "bibliography"],
    ] as const) {
      const body = contents([r("a"), r("{{t}}"), r("c")], instruction);
      const { lines, warnings } = await rendered(body + p("{{u}}"), { u: "U" });
      expect(lines).toEqual(["a", "c", "", "U"]);
      expect(warnings.map(({ code: each }) => each)).toEqual(["stale_index"]);
      expect(warnings[0]?.message).toContain(`The ${name} was updated in the template`);
    }
  });

  test("do not count as tags of the template", async () => {
    const body = contents([entry("_Toc1", "{{gone}}", "1")]) + heading("_Toc1", "{{t}}");
    const template = await compileTemplate(wordFile({ body }));
    expect(template.tags.map(({ tag_content }) => tag_content)).toEqual(["{{t}}"]);
    expect(template.warnings.map(({ code: each }) => each)).toEqual(["stale_index"]);
  });

  test("do not affect the other halves of ranges and fields", async () => {
    const range = '<w:bookmarkStart w:id="7" w:name="all"/>';
    const half = `${mark("begin")}${code(" PAGEREF _Toc1 ")}${mark("separate")}`;
    const body =
      para(begins(" TOC "), r("a")) +
      para(range, r("{{t}}")) +
      para(r("{{t}}"), half) +
      para(r("b"), mark("end")) +
      para(mark("end"), '<w:bookmarkEnd w:id="7"/>') +
      heading("_Toc1", "x");
    const { lines, xml } = await rendered(body, {});
    expect(lines).toEqual(["a", "", "b", "", "x"]);
    expect(xml).toContain(range);
  });

  test("are evaluated if the table is unclosed", async () => {
    const body = para(begins(" TOC "), r("{{t}}")) + p("{{u}}");
    const { bytes } = await render(wordFile({ body }), { t: "T", u: "U" });
    expect(linesOf(bytes)).toEqual(["T", "U"]);
  });
});

describe("an entry whose heading a block removes", () => {
  const optional = (bookmark: string, text: string): string =>
    p(`{{if ${text}}}`) + heading(bookmark, text) + p("{{endif}}");
  const body = (instruction?: string): string =>
    contents(
      ["a", "b", "c"].map((text, index) => entry(`_Toc${index}`, text, "1")),
      instruction,
    ) + ["a", "b", "c"].map((text, index) => optional(`_Toc${index}`, text)).join("");

  test.each([
    ["the first", "bc", ["", "b·1", "c·1", ""]],
    ["the second", "ac", ["a·1", "c·1", ""]],
    ["the last", "ab", ["a·1", "b·1", ""]],
    ["all", "", ["", ""]],
    ["none", "abc", ["a·1", "b·1", "c·1", ""]],
  ])("is also removed: %s", async (_name, shown, lines) => {
    const data = Object.fromEntries([...shown].map((letter) => [letter, true]));
    const result = await rendered(body(), data);
    expect(result.lines).toEqual([...lines, ...shown]);
    expect(result.codes).toEqual(["stale_index"]);
    expect(result.xml).toContain('w:dirty="true"');
    const names = [...result.xml.matchAll(/w:name="(_Toc\d)"/g)].map(([, name]) => name);
    for (const [, name] of result.xml.matchAll(/(?:PAGEREF |w:anchor=")(_Toc\d)/g)) {
      expect(names).toContain(name);
    }
  });

  test("is kept if the loop has an iteration", async () => {
    const file =
      contents([entry("_Toc1", "x", "1"), entry("_Toc2", "Clause", "2")]) +
      heading("_Toc1", "x") +
      LOOP;
    expect((await rendered(file, { clauses })).lines[1]).toBe("Clause·2");
    expect((await rendered(file, { clauses: [] })).lines).toEqual(["x·1", "", "x"]);
  });
});

describe("a table of contents of a template", () => {
  test("without blocks and without tags in its entries does not change", async () => {
    const body =
      contents([entry("_Toc1", "x", "1"), entry("_Gone", "y", "1")]) + heading("_Toc1", "x");
    const { xml, codes } = await rendered(body + p("{{t}} {{if t}}y{{endif}}"), { t: "T" });
    expect(xml).toContain(body);
    expect(codes).toEqual([]);
  });

  test("with blocks around paragraphs is reported once and updated by Word, also if it is empty", async () => {
    for (const table of [contents([entry("_Toc1", "x", "1")]), contents([])]) {
      const body =
        table + heading("_Toc1", "x") + p("{{for c in clauses}}") + p("c") + p("{{endfor}}");
      const { xml, codes } = await rendered(body, { clauses });
      expect(codes).toEqual(["stale_index"]);
      expect(xml.match(/w:dirty="true"/g)).toHaveLength(1);
    }
  });

  test("in an included template is reported", async () => {
    const included = wordFile({
      body: contents([entry("_Toc1", "{{t}}", "1")]) + heading("_Toc1", "{{t}}"),
    });
    const template = await compileTemplate(wordFile({ body: p('{{include "a"}}') }), {
      readTemplate: async () => included,
    });
    expect(template.warnings).toMatchObject([
      { code: "stale_index", template: { part: "a:word/document.xml", paragraph: 1 } },
    ]);
    const { bytes, warnings } = template.render({ t: "T" });
    assertSound(bytes);
    expect(warnings).toEqual(template.warnings);
  });
});
