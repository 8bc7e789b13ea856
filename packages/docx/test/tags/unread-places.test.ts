import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { docx, p, partOf } from "../../../ooxml/test/support/docx.ts";
import { annotateTemplate, type CompileOptions, compileTemplate } from "../../src/index.ts";
import { withParts } from "../support/add-parts.ts";
import { CHART, chart } from "../support/figures.ts";

describe("a tag in an unread place", () => {
  const named = (tag: string): string =>
    `<w:p><w:bookmarkStart w:id="1" w:name="${tag}"/><w:bookmarkEnd w:id="1"/></w:p>`;
  const codes = async (file: Uint8Array, options: CompileOptions = {}): Promise<string[]> =>
    (await compileTemplate(file, options)).warnings.map(({ code }) => code);

  test("is reported with its paragraph, also next to other tags", async () => {
    const body = p("{{v}}") + named("a {{name}} b");
    const { warnings } = await compileTemplate(docx({ body }));
    expect(warnings[0]?.template).toEqual({
      part: "word/document.xml",
      paragraph: 2,
      tag: "{{name}}",
      near: "a {{name}} b",
    });
  });

  test("is a comment in an annotated copy, and compiling the copy reports the same", async () => {
    const file = docx({ body: p("{{v}}") + named("{{name}}"), coreProperties: OTHERS });
    const { warnings } = await compileTemplate(file);
    const annotated = await annotateTemplate(file, warnings);
    expect(
      partOf(annotated, "word/comments.xml").match(/is in the name of a bookmark/g),
    ).toHaveLength(1);
    expect(partOf(annotated, "word/comments.xml")).toContain(
      "In the document properties, near '{{x}}': ",
    );
    expect((await compileTemplate(annotated)).warnings).toEqual(warnings);
  });

  test("is reported without data, with data and by a check", async () => {
    const template = await compileTemplate(docx({ body: named("{{name}}") }));
    expect(template.check({ name: "x" }).map(({ code }) => code)).toEqual([
      "tag_in_unread_place",
      "unused_value",
    ]);
  });

  test("is reported once for the same text in the same paragraph, and at most 100 times", async () => {
    const many = Array.from({ length: 150 }, (_, index) => named(`{{n${index}}}`)).join("");
    const twice = `<w:p><w:hyperlink w:anchor="{{x}}"/><w:hyperlink w:anchor="{{x}}"/></w:p>`;
    expect(await codes(docx({ body: twice }))).toEqual(["tag_in_unread_place"]);
    const { warnings } = await compileTemplate(docx({ body: many }));
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)?.message).toContain("50 more of this kind");
  });

  test.each([
    ["a preceding backslash", String.raw`\{{name}}`, undefined],
    ["no name", "{{1}} {{&quot;a&quot;}} {{}} {{ }}", undefined],
    ["code", "{{ foo(bar) }} {{a b}} {{x => y}}", undefined],
    ["a beginning alone", "{{name} {{ {{", undefined],
    [
      "an id",
      "{6C3C8BC8-F283-45AE-878A-BAB7291924A1} {ABCDEF12-F283-45AE-878A-BAB7291924A1}",
      "auto",
    ],
    ["a sum of names", "{a-b} {1} {2026}", "auto"],
    ["JSON", "{&quot;a&quot;:{&quot;b&quot;:1}}", "auto"],
  ] as const)("is not reported for %s", async (_, text, delimiters) => {
    expect(await codes(docx({ body: named(text) }), { delimiters })).toEqual([]);
  });

  test("is not reported in an instruction that contains data, or in a deleted one", async () => {
    const body = `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ADDIN X {{v}} </w:instrText></w:r><w:del w:id="1" w:author="a"><w:r><w:delInstrText>{{v}}</w:delInstrText></w:r></w:del><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
    expect(await codes(docx({ body }))).toEqual([]);
  });

  test("is reported with the name of the included template", async () => {
    const numbering =
      '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:lvlText w:val="{{v}} %1."/></w:lvl></w:abstractNum>';
    const files = new Map([
      ["list.docx", docx({ body: p("x"), numbering })],
      ["chart.docx", withParts(docx({ body: CHART }), [chart("<c:f>{{v}}</c:f>")])],
      ["names.docx", docx({ body: named("{{v}}") })],
    ]);
    const body = [...files.keys()].map((name) => p(`{{include "${name}"}}`)).join("");
    const { warnings } = await compileTemplate(docx({ body }), {
      readTemplate: async (name) => files.get(name) ?? new Uint8Array(),
    });
    expect(warnings.map(({ code, template }) => [code, template?.part])).toEqual([
      ["tag_in_unread_place", "list.docx:word/numbering.xml"],
      ["tag_in_unread_place", "chart.docx:word/charts/chart1.xml"],
      ["tag_in_unread_place", "names.docx:word/document.xml"],
    ]);
  });

  test("in full-width braces is reported as text that looks like a tag", async () => {
    const { warnings } = await compileTemplate(docx({ body: p("｛｛name｝｝") }));
    expect(warnings.map(({ code, hint }) => [code, hint])).toEqual([
      ["looks_like_tag", "Write {{name}}."],
    ]);
    expect(await codes(docx({ body: p("｛注｝ and ｛｛") }))).toEqual([]);
  });

  test("is found within limits in a part that is full of braces", async () => {
    const hostile = `<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:docVars><w:docVar w:name="a" w:val="${"{".repeat(1_000_000)}"/><w:docVar w:name="b" w:val="{{late}}"/></w:docVars></w:settings>`;
    const file = withParts(docx({ body: p("x") }), [
      {
        name: "word/settings.xml",
        xml: hostile,
        type: "application/xml",
        kind: "settings",
        id: "rId9",
      },
    ]);
    expect(await codes(file)).toEqual([]);
    const long = `${p("x {{v}} ".repeat(9_000))}${named("{{late}}")}`;
    expect(await codes(docx({ body: long }))).toEqual(["tag_in_unread_place"]);
  });

  test("does not occur in the example templates and golden documents", async () => {
    const folders = [
      join(import.meta.dirname, "../golden"),
      join(import.meta.dirname, "../../../../examples/templates"),
    ];
    const files = folders.flatMap((cwd) =>
      globSync("*.docx", { cwd }).map((name) => join(cwd, name)),
    );
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      for (const delimiters of [undefined, "auto", { start: "[[", end: "]]" }] as const) {
        const found = await codes(readFileSync(file), { delimiters });
        expect(found.filter((code) => code === "tag_in_unread_place")).toEqual([]);
      }
    }
  });
});

describe("tags in text that was deleted as a tracked change", () => {
  const del = (...texts: string[]): string =>
    `<w:del w:id="1" w:author="a">${texts.map((text) => `<w:r><w:delText>${text}</w:delText></w:r>`).join("")}</w:del>`;
  const changed = (...parts: string[]): string => `<w:p>${parts.join("")}</w:p>`;
  const live = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;

  test("give one warning at the first place, with their number", async () => {
    const body =
      p("{{v}}") +
      changed(live("a "), del("x {{", "gone}} y")) +
      changed(del("{{if v}}", " {{v}}")) +
      changed(del("no tag"), live("{{v}}"));
    const template = await compileTemplate(docx({ body }));
    expect(template.warnings).toEqual([
      {
        severity: "warning",
        code: "tag_in_unread_place",
        message:
          "{{gone}} is in text that was deleted or moved away as a tracked change, where tags are not read. It remains in the document as text, struck through. The template has 3 such tags; this is the first.",
        hint: "Accept or reject the tracked changes in Word, and save the template.",
        template: {
          part: "word/document.xml",
          paragraph: 2,
          tag: "{{gone}}",
          near: "x {{gone}} y",
        },
      },
    ]);
    expect(template.render({ v: 1 }).warnings).toEqual(template.warnings);
    expect(template.check({ v: 1 })).toEqual(template.warnings);
  });

  test("are reported where text was moved away, but not at its new place", async () => {
    const run = "<w:r><w:t>{{v}}</w:t></w:r>";
    const from = `<w:p><w:moveFrom w:id="1">${run}</w:moveFrom></w:p>`;
    const to = `<w:p><w:moveTo w:id="2">${run}</w:moveTo></w:p>`;
    const { warnings } = await compileTemplate(docx({ body: to + from }));
    expect(warnings.map(({ code, template }) => [code, template?.paragraph])).toEqual([
      ["tag_in_unread_place", 2],
    ]);
    const included = await compileTemplate(docx({ body: p('{{include "a"}}') }), {
      readTemplate: async () => docx({ body: to + from }),
    });
    expect(included.warnings.map(({ template }) => template)).toMatchObject([
      { part: "a:word/document.xml", paragraph: 2 },
    ]);
  });

  test("are reported in a template without other tags, in every part, and once for a text box", async () => {
    const box = `<mc:AlternateContent><mc:Choice Requires="wps">${changed(del("{{a}}"))}</mc:Choice><mc:Fallback>${changed(del("{{a}}"))}</mc:Fallback></mc:AlternateContent>`;
    const file = docx({
      body: `<w:p><w:r>${box}</w:r></w:p>`,
      stories: { "header1.xml": changed(del("{{b}}")) },
    });
    const { warnings } = await compileTemplate(file);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toContain("The template has 2 such tags");
  });

  test("are a comment in an annotated copy", async () => {
    const file = docx({ body: p("{{v}}") + changed(del("{{gone}}")) });
    const { warnings } = await compileTemplate(file);
    const annotated = await annotateTemplate(file, warnings);
    expect(partOf(annotated, "word/comments.xml")).toContain("deleted or moved away");
    expect((await compileTemplate(annotated)).warnings).toEqual(warnings);
  });

  test("are not reported for text that is not a tag", async () => {
    const body = p("{{v}}") + changed(del("{{na"), live("{{v}}"), del("{{ a b }} {{"));
    expect((await compileTemplate(docx({ body }))).warnings).toEqual([]);
  });
});

const OTHERS = "<cp:lastModifiedBy>{{x}}</cp:lastModifiedBy>";
