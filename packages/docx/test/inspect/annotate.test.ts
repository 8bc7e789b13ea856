import { type Diagnostic, isQuireError } from "@quire/contracts";
import fc from "fast-check";
import PizZip from "pizzip";
import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { docx, p, partOf, r, type TestDocument, table } from "../../../ooxml/test/support/docx.ts";
import { annotateTemplate } from "../../src/annotate/annotate.ts";
import { placeInWords } from "../../src/annotate/words.ts";
import { compileTemplate } from "../../src/index.ts";
import { seenIn } from "../support/seen.ts";

type Delimiters = { readonly start: string; readonly end: string };

/** Returns the problems of a template. */
async function problemsOf(
  bytes: Uint8Array,
  delimiters?: Delimiters | "auto",
): Promise<readonly Diagnostic[]> {
  try {
    await compileTemplate(bytes, { delimiters });
    return [];
  } catch (error) {
    if (!isQuireError(error)) throw error;
    return error.diagnostics;
  }
}

/** Annotates a document and checks that the copy has the same problems. */
async function annotated(source: TestDocument | string | Uint8Array): Promise<Uint8Array> {
  const document = typeof source === "string" ? { body: source } : source;
  const bytes = document instanceof Uint8Array ? document : docx(document);
  const problems = await problemsOf(bytes);
  expect(problems).not.toEqual([]);
  const copy = await annotateTemplate(bytes, problems);
  expect(await problemsOf(copy)).toEqual(problems);
  return copy;
}

/** Returns the comments of a part, each with the text of its paragraphs. */
function commentsOf(
  bytes: Uint8Array,
  part = "word/comments.xml",
): { id: string; text: string[] }[] {
  return [...partOf(bytes, part).matchAll(/<w:comment [^>]*?w:id="(\d+)".*?<\/w:comment>/gs)].map(
    ([xml, id = ""]) => ({ id, text: textsIn(xml) }),
  );
}

function textsIn(xml: string): string[] {
  return [...xml.matchAll(/<w:p>.*?<\/w:p>/gs)].map(([paragraph]) =>
    paragraph
      .replace(/<[^>]*>/g, "")
      .replaceAll("&gt;", ">")
      .replaceAll("&lt;", "<")
      .replaceAll("&amp;", "&"),
  );
}

/** Returns the text of each comment's range, in order. Checks that a reference follows each range. */
function anchorsOf(bytes: Uint8Array): string[] {
  const xml = partOf(bytes);
  return commentsOf(bytes).map(({ id }) => {
    const start = `<w:commentRangeStart w:id="${id}"/>`;
    const end = `<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`;
    expect(xml.split(start)).toHaveLength(2);
    expect(xml.split(end)).toHaveLength(2);
    const range = xml.slice(xml.indexOf(start), xml.indexOf(end));
    return range.replaceAll("</w:p>", "¶").replace(/<[^>]*>/g, "");
  });
}

/** Returns the XML without the marks that annotating adds. */
function withoutComments(xml: string): string {
  return xml.replace(
    /<w:commentRange(?:Start|End)[^>]*\/>|<w:r(?: [^>]*)?><w:commentReference [^>]*\/><\/w:r>/g,
    "",
  );
}

describe("an annotated template", () => {
  test("has comments on tags that are too long to quote in full", async () => {
    const long = (name: string): string => `{{${name}.${"b".repeat(300)} ?}}`;
    const near = `{{a.${"b".repeat(170)} ?}}`;
    const words = "some words of text that are beside it";
    const [first, second] = [long("a"), long("c")];
    const runs = (...texts: readonly string[]): string =>
      `<w:p>${texts.map((text) => r(text)).join("")}</w:p>`;
    const bytes = await annotated(
      runs("x ", first, " y ", second, " z") + runs(words, near, words, near, words),
    );
    expect(anchorsOf(bytes)).toEqual([first, second, near, near]);
  });

  test("has a comment on the run of each wrong tag that explains the problem and its fix", async () => {
    const body =
      p("fine {{a}}") +
      `<w:p>${r("Dear ")}${r("{{nme :: upercase}}")}${r(", hello")}</w:p>` +
      table([p("{{if}}"), p("x {{endif}}")]);
    const copy = await annotated(body);
    expect(anchorsOf(copy)[0]).toBe("{{nme :: upercase}}");
    expect(commentsOf(copy)[0]?.text).toEqual([
      expect.stringContaining("upercase"),
      "Did you mean 'uppercase'?",
    ]);
    expect(anchorsOf(copy)).toContain("{{if}}");
    expect(partOf(copy, "word/comments.xml")).toContain('w:author="Quire" w:initials="Q">');
    expect(withoutComments(partOf(copy))).toBe(partOf(docx({ body })));
  });

  test("names the comments in its relationships and content types", async () => {
    const copy = await annotated(p("{{if}}"));
    expect(partOf(copy, "word/_rels/document.xml.rels")).toContain(
      '<Relationship Id="rIdQuire1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="/word/comments.xml"/></Relationships>',
    );
    expect(partOf(copy, "[Content_Types].xml")).toContain(
      '<Override PartName="/word/comments.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"/></Types>',
    );
  });

  test("has the same bytes each time, and without problems equals the template", async () => {
    const bytes = docx({ body: p("{{if}}") });
    const problems = await problemsOf(bytes);
    expect(await annotateTemplate(bytes, problems)).toEqual(
      await annotateTemplate(bytes, problems),
    );
    expect(partOf(await annotateTemplate(bytes, []))).toBe(partOf(bytes));
    expect(commentsOf(await annotateTemplate(bytes, []))).toEqual([]);
  });

  test("has comments on all the runs over which a tag is split", async () => {
    const split = ["a ", "{", "{x ", "y", "}", "} b"].map((text) => r(text, "<w:b/>"));
    const copy = await annotated(`<w:p><w:pPr><w:jc w:val="left"/></w:pPr>${split.join("")}</w:p>`);
    expect(anchorsOf(copy)).toEqual(["{{x y}} b"]);
    expect(partOf(copy)).toContain(
      '</w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">a ',
    );
  });

  test("has no comment that starts or ends within another tag", async () => {
    const copy = await annotated(
      `<w:p>${r("{{a b}} {{c")}${r(" d}} {{")}${r("e}} f ")}${r("{{g h}}")}</w:p>`,
    );
    expect(anchorsOf(copy)).toEqual([
      "{{a b}} {{c d}} {{e}} f ",
      "{{a b}} {{c d}} {{e}} f ",
      "{{g h}}",
    ]);
  });

  test("distinguishes equal tags by the text around them, or else by their order", async () => {
    const filler = "Lorem ipsum ".repeat(8);
    const runs = [`{{if a}}x{{endif}}${filler}`, "{{if a}}", `${filler}end`];
    expect(
      anchorsOf(await annotated(`<w:p>${runs.map((text) => r(text)).join("")}</w:p>`)),
    ).toEqual(["{{if a}}"]);
    const twice = `<w:p>${r("1 {{a b}}")}${r("2 {{a b}}")}</w:p>`;
    expect(anchorsOf(await annotated(twice))).toEqual(["1 {{a b}}", "2 {{a b}}"]);
  });

  test("has a comment on the whole paragraph when the tag is not in its text", async () => {
    expect(
      anchorsOf(await annotated(`<w:p>${r("open ")}${r("{{a and ")}${r("on")}</w:p>`)),
    ).toEqual(["open {{a and on"]);
    const link = `<w:p>${r("see ")}<w:fldSimple w:instr="INCLUDETEXT {{f}}">${r("here")}</w:fldSimple></w:p>`;
    const problem = { severity: "error", code: "x", message: "No." } as const;
    const place = { part: "word/document.xml", paragraph: 1, tag: "{{f}}" };
    const copy = await annotateTemplate(docx({ body: link }), [{ ...problem, template: place }]);
    expect(anchorsOf(copy)).toEqual(["see here"]);
  });

  test("has comments around fields, not in their instructions", async () => {
    const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const code = `<w:r><w:instrText> MERGEFIELD {{a b}} </w:instrText></w:r>`;
    const copy = await annotated(
      `<w:p>${r("before")}${mark("begin")}${code}${mark("separate")}${r("shown")}${mark("end")}${r("after")}</w:p>`,
    );
    expect(anchorsOf(copy)).toEqual([" MERGEFIELD {{a b}} shown"]);
  });

  test("keeps the comments of the template and uses new ids for its own", async () => {
    const old = (id: number, text: string): string =>
      `<w:comment w:id="${id}" w:author="Ann">${p(text)}</w:comment>`;
    const copy = await annotated({
      body: `<w:p><w:commentRangeStart w:id="0"/>${r("{{if}}")}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>${p("{{c d}}")}`,
      stories: { "comments.xml": old(0, "mine") + old(2, "{{e f}}") },
    });
    const xml = partOf(copy, "word/comments.xml");
    expect(xml).toContain(old(0, "mine") + old(2, "{{e f}}"));
    const ids = [...xml.matchAll(/<w:comment [^>]*?w:id="(\d+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["0", "2", "1", ...ids.slice(3)]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(xml).toContain("In the comments, paragraph 2");
    expect(partOf(copy, "word/_rels/document.xml.rels").match(/\/comments"/g)).toHaveLength(1);
  });

  test("reports problems of headers, notes and properties at the first paragraph, with their place", async () => {
    const copy = await annotated({
      body: table([p("first")]) + p("second"),
      stories: {
        "header1.xml": p("x") + p("to {{a b}}"),
        "footnotes.xml": `<w:footnote w:id="1">${p("{{c d}}")}</w:footnote>`,
      },
    });
    expect(anchorsOf(copy)).toEqual(["first", "first"]);
    expect(commentsOf(copy).map(({ text }) => text[0])).toEqual([
      expect.stringMatching(
        /^In the header header1\.xml, paragraph 2, near 'to \{\{a b\}\}': .*\.$/,
      ),
      expect.stringMatching(/^In the footnotes, paragraph 1, near '\{\{c d\}\}': .*\.$/),
    ]);
  });

  test("reports problems at the first paragraph if their place or paragraph is missing", async () => {
    const problem = { severity: "warning", code: "x", message: "It is so." } as const;
    const place = { part: "word/document.xml", paragraph: 99, heading: "Terms" };
    const copy = await annotateTemplate(docx({ body: "<w:p/>" }), [
      problem,
      { ...problem, template: place },
    ]);
    expect(anchorsOf(copy)).toEqual(["", ""]);
    expect(commentsOf(copy).map(({ text }) => text)).toEqual([
      ["It is so."],
      ["Under 'Terms', paragraph 99: It is so."],
    ]);
    seenIn(partOf(await annotateTemplate(docx({ body: "<w:p/>" }), [problem])));
  });

  test("gets a paragraph if its body is empty", async () => {
    const header = { "header1.xml": p("{{a b}}") };
    const copy = await annotated({ body: "", stories: header });
    expect(partOf(copy)).toMatch(
      /<w:body><w:p><w:commentRangeStart .*<\/w:p><w:sectPr\/><\/w:body>/,
    );
  });

  test("has the comments of a text box at the run that holds it, once for both copies of the box", async () => {
    const box = `<w:txbxContent>${p("in a {{b c}}")}${p("{{b c}}")}</w:txbxContent>`;
    const both = `<w:r><mc:AlternateContent><mc:Choice Requires="wps">${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r>`;
    const copy = await annotated(
      `${p("x")}<w:p>${r("{{d e}} ")}${both}${r("after")}</w:p>${p("{{f g}}")}`,
    );
    const content = "in a {{b c}}¶{{b c}}¶";
    expect(anchorsOf(copy).toSorted()).toEqual(
      [content + content, content + content, "{{d e}} ", "{{f g}}"].toSorted(),
    );
    expect(partOf(copy)).not.toMatch(/<w:txbxContent>(?:(?!<\/w:txbxContent>).)*commentRange/s);
  });

  test("quotes tags as users type them, and rendering ignores the quotes with any delimiters", async () => {
    for (const [start, end] of [
      ["{{", "}}"],
      ["{", "}"],
      ["[[", "]]"],
      ["%%%", "###"],
      ["«", "»"],
    ] as const) {
      const delimiters = { start, end };
      const bytes = docx({
        body: p(`${start}a :: nope${end}`) + p(`x ${start}if a${end} ${start}${start}`),
        stories: { "header1.xml": p(`${start}c :: nope${end}`) },
      });
      const problems = await problemsOf(bytes, delimiters);
      const copy = await annotateTemplate(bytes, problems, { delimiters });
      expect(await problemsOf(copy, delimiters)).toEqual(problems);
      expect(anchorsOf(copy)).toContain(`${start}a :: nope${end}`);
      expect(
        commentsOf(copy)
          .flatMap(({ text }) => text)
          .join("\n"),
      ).toContain(`near '${start}c :: nope${end}'`);
    }
    const single = docx({ body: p("{a b :: nope}"), stories: { "header1.xml": p("{#x}") } });
    const problems = await problemsOf(single, "auto");
    const copy = await annotateTemplate(single, problems, { delimiters: "auto" });
    expect(await problemsOf(copy, "auto")).toEqual(problems);
  });

  test("keeps its comments unchanged when rendered, including tags and backslashes in them", async () => {
    const bytes = docx({
      body: p("{{a}} \\{{b}}"),
      stories: { "comments.xml": `<w:comment w:id="7" w:author="Ann">${p("{{a}}")}</w:comment>` },
    });
    const message = "Write {{endif}}, \\{{ or {name}.";
    const copy = await annotateTemplate(bytes, [{ severity: "warning", code: "x", message }]);
    const template = await compileTemplate(copy);
    expect(template.warnings).toEqual([]);
    const rendered = template.render({ a: "A" }).bytes;
    expect(commentsOf(rendered).map(({ text }) => text)).toEqual([["A"], [message]]);
    expect(
      partOf(rendered)
        .replace(/<[^>]*>/g, "")
        .trim(),
    ).toBe("A {{b}}");
  });

  test("replaces the comments of an earlier annotation", async () => {
    const ann = `<w:comment w:id="3" w:author="Ann">${p("mine")}</w:comment>`;
    const bytes = docx({
      body: `<w:p><w:commentRangeStart w:id="3"/>${r("{{if}}")}<w:commentRangeEnd w:id="3"/><w:r><w:commentReference w:id="3"/></w:r></w:p>${p("{{a b}}")}`,
      stories: { "comments.xml": ann },
    });
    const once = await annotateTemplate(bytes, await problemsOf(bytes));
    expect(await annotateTemplate(once, await problemsOf(once))).toEqual(once);
    expect(commentsOf(once)).toHaveLength(3);
    const cleared = await annotateTemplate(once, []);
    expect(partOf(cleared)).toBe(partOf(bytes));
    expect(partOf(cleared, "word/comments.xml")).toBe(partOf(bytes, "word/comments.xml"));
  });

  test("recognizes earlier comments after Word has saved them, and keeps comments with a reply", async () => {
    const w14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"';
    const comment = (id: number, author: string, paraId: string): string =>
      `<w:comment ${w14} w:id="${id}" w:initials="Q" w:author="${author}"><w:p w14:paraId="${paraId}">${r(`comment ${id}`)}</w:p></w:comment>`;
    const mark = (id: number): string =>
      `<w:commentRangeStart w:id="${id}"/>${r(`text ${id}`)}<w:commentRangeEnd w:id="${id}"/><w:r><w:rPr><w:b/></w:rPr><w:commentReference w:id="${id}"/></w:r>`;
    const bytes = docx({
      body: `<w:p>${mark(0)}${mark(1)}${mark(2)}<w:r><w:t>kept</w:t><w:commentReference w:id="0"></w:commentReference></w:r></w:p>`,
      stories: {
        "comments.xml":
          comment(0, "Quire", "0000000A") +
          comment(1, "Quire", "0000000b") +
          comment(2, "Ann", "0000000C"),
        "commentsExtended.xml":
          '<w15:commentEx xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml" w15:paraId="0000000C" w15:paraIdParent="0000000B"/>',
      },
    });
    const copy = await annotateTemplate(bytes, []);
    expect(commentsOf(copy).map(({ id }) => id)).toEqual(["1", "2"]);
    expect(partOf(copy)).toContain(
      `<w:p>${r("text 0")}${mark(1)}${mark(2)}<w:r><w:t>kept</w:t></w:r></w:p>`,
    );
  });

  test("has the first comment of a content control at its start, because LibreOffice drops text otherwise", async () => {
    const control = (content: string): string =>
      `<w:sdt><w:sdtPr/><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const tags = `<w:p>${r("a ")}${r("{{a b}}")}${r("{{c d}}")}</w:p>`;
    expect(anchorsOf(await annotated(control(tags + tags)))).toEqual([
      "",
      "{{c d}}",
      "{{a b}}",
      "{{c d}}",
    ]);
    const copy = await annotated(control(`<w:p><w:pPr/>${r("a ")}${r("{{a b}}")}</w:p>`));
    expect(partOf(copy)).toContain(
      `<w:pPr/><w:commentRangeStart w:id="0"/><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>${r("a ")}`,
    );
    const cell = `<w:tbl><w:tr>${control(`<w:tc>${tags}</w:tc>`)}</w:tr></w:tbl>`;
    const row = `<w:tbl>${control(`<w:tr><w:tc>${tags}</w:tc></w:tr>`)}</w:tbl>`;
    expect(anchorsOf(await annotated(cell + row + control("") + tags))).toEqual([
      ...["", "{{c d}}"],
      ...["{{a b}}", "{{c d}}"],
      ...["{{a b}}", "{{c d}}"],
    ]);
  });

  test("reports the problems of an included template at its include tag", async () => {
    const host = docx({ body: p("{{a}}") + p("{{ include “terms.docx” }}") + p("after") });
    const problem = { severity: "error", code: "x", message: "It is so." } as const;
    const place = (part: string) => ({ ...problem, template: { part, paragraph: 1, near: "x y" } });
    const copy = await annotateTemplate(host, [
      place("terms.docx:word/document.xml"),
      place("other.docx:word/document.xml"),
    ]);
    expect(anchorsOf(copy)).toEqual(["{{ include “terms.docx” }}", "{{a}}"]);
    expect(commentsOf(copy)[0]?.text).toEqual([
      "In the body of terms.docx, paragraph 1, near 'x y': It is so.",
    ]);
  });

  test.each([
    ["looks_like_tag", "{name}"],
    ["escaped_tag", "\\\\{{name}}"],
    ["escaped_tag", "\\{{name}}"],
  ])("has a comment on text that is not a tag, over all its runs: %s, %s", async (code, tag) => {
    const [first = "", rest = ""] = [tag.slice(0, 3), tag.slice(3)];
    const bytes = docx({ body: `<w:p>${r("{{a}} ")}${r("x ")}${r(first)}${r(rest)}</w:p>` });
    const warning = { severity: "warning", code, message: "It is so." } as const;
    const place = { part: "word/document.xml", paragraph: 1, tag };
    const copy = await annotateTemplate(bytes, [{ ...warning, template: place }]);
    expect(anchorsOf(copy)).toEqual([tag]);
  });

  test("counts paragraphs and finds tags in XML with unusual syntax, and keeps this syntax", async () => {
    const w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    const main = `<?xml version="1.0" encoding="ISO-8859-1"?>\n<document xmlns='${w}' xmlns:x="${w}"><!-- <w:p> --><body>\n<x:p />\n<p\n><r><t>é {{a <![CDATA[b}}]]></t></r ></p ><sectPr/></body></document>`;
    const zip = new PizZip(docx({ body: "" }));
    zip.file("word/document.xml", Buffer.from(main, "latin1"));
    zip.file(
      "word/_rels/Document.xml.rels",
      zip.file("word/_rels/document.xml.rels")?.asText() ?? "",
    );
    zip.remove("word/_rels/document.xml.rels");
    const copy = await annotated(zip.generate({ type: "uint8array" }));
    const xml = partOf(copy);
    expect(xml).toContain(
      `<p\n><w:commentRangeStart xmlns:w="${w}" w:id="0"/><r><t>é {{a <![CDATA[b}}]]></t></r ><w:commentRangeEnd xmlns:w="${w}" w:id="0"/>`,
    );
    const root = (text: string): string => text.slice(text.indexOf("<document"));
    expect(root(withoutComments(xml))).toBe(root(main));
    expect(xml).not.toContain("ISO-8859-1");
    expect(Object.keys(new PizZip(copy).files).filter((name) => /rels$/.test(name))).toHaveLength(
      2,
    );
  });

  test("is strict if the template is strict", async () => {
    const zip = new PizZip(docx({ body: p("{{a b}}") }));
    for (const part of ["word/document.xml", "_rels/.rels"]) {
      zip.file(
        part,
        partOf(docx({ body: p("{{a b}}") }), part)
          .replaceAll(
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
            "http://purl.oclc.org/ooxml/wordprocessingml/main",
          )
          .replaceAll(
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            "http://purl.oclc.org/ooxml/officeDocument/relationships",
          ),
      );
    }
    const copy = await annotated(zip.generate({ type: "uint8array" }));
    expect(partOf(copy, "word/comments.xml")).toContain(
      'xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"',
    );
    expect(partOf(copy, "word/_rels/document.xml.rels")).toContain(
      "http://purl.oclc.org/ooxml/officeDocument/relationships/comments",
    );
  });

  test("has comments for thousands of problems, in one paragraph or in many", async () => {
    const count = manyRuns(1_000, 10_000);
    const tags = Array.from({ length: count }, (_, index) => `{{a b${index % 100}}}`);
    for (const body of [
      `<w:p>${tags.map((tag) => r(tag)).join("")}</w:p>`,
      tags.map((tag) => p(tag)).join(""),
    ]) {
      const bytes = docx({ body });
      const problems = await problemsOf(bytes);
      expect(problems).toHaveLength(count);
      const copy = await annotateTemplate(bytes, problems);
      const anchors = [
        ...partOf(copy).matchAll(
          /<w:commentRangeStart w:id="(\d+)"\/><w:r>.*?<w:commentRangeEnd w:id="(\d+)"\/>/g,
        ),
      ];
      expect(anchors.map(([xml]) => xml.replace(/<[^>]*>/g, ""))).toEqual(tags);
      expect(anchors.every(([, start, end]) => start === end)).toBe(true);
    }
  }, 60_000);

  test("has the same problems as the template, for random content", async () => {
    const piece = fc.constantFrom(
      ...["{{", "}}", "{", "}", "\\", " ", "a", "a b", "if a", "if", "endif", "else", "for x in y"],
      ...["endfor", "tablerow x in y", "endtablerow", "#s", "/s", ":: nope", "{{x}}", "{{x y}}"],
      ...[
        "{{if a}}",
        "{{endif}}",
        "{{for x in y}}",
        "{{endfor}}",
        "{{tablerow x in y}}",
        "{{endtablerow}}",
      ],
    );
    const run = fc.oneof(
      { weight: 6, arbitrary: fc.array(piece, { maxLength: 4 }).map((texts) => r(texts.join(""))) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          "<w:r><w:tab/></w:r>",
          "<w:r><w:br/></w:r>",
          '<w:bookmarkEnd w:id="7"/>',
        ),
      },
    );
    const paragraph = fc
      .array(run, { maxLength: 5 })
      .chain((runs) =>
        fc.constantFrom(
          `<w:p>${runs.join("")}</w:p>`,
          `<w:p><w:pPr><w:jc w:val="left"/></w:pPr>${runs.join("")}</w:p>`,
          `<w:p><w:ins w:id="9" w:author="A">${runs.join("")}</w:ins></w:p>`,
          `<w:p>${runs.slice(1).join("")}<w:r><w:pict><v:textbox xmlns:v="urn:schemas-microsoft-com:vml"><w:txbxContent><w:p>${runs.join("")}</w:p></w:txbxContent></v:textbox></w:pict></w:r>${runs[0] ?? ""}</w:p>`,
        ),
      );
    const block = fc.oneof(
      paragraph,
      fc.tuple(paragraph, paragraph, paragraph).map(([a, b, c]) => table([a, b], [c])),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 5 }), paragraph, async (body, header) => {
        const bytes = docx({ body: body.join(""), stories: { "header1.xml": header } });
        const problems = await problemsOf(bytes);
        const copy = await annotateTemplate(bytes, problems);
        // Comments are visible content, so a block's tag may no longer be at the edge of its row.
        const told = (await problemsOf(copy)).filter(({ code }) => code !== "block_crosses_cells");
        expect(told).toEqual(problems.filter(({ code }) => code !== "block_crosses_cells"));
        expect(withoutComments(partOf(copy)).replace("<w:p></w:p>", "")).toBe(
          partOf(bytes).replace("<w:p></w:p>", ""),
        );
        expect(anchorsOf(copy).length).toBeLessThanOrEqual(problems.length);
      }),
      { numRuns: manyRuns(25, 400) },
    );
  }, 60_000);
});

describe("the place of a problem in words", () => {
  const words = (template: Diagnostic["template"]): string =>
    placeInWords({
      severity: "error",
      code: "x",
      message: "y",
      ...(template === undefined ? {} : { template }),
    });

  test.each([
    [{ part: "word/document.xml" }, "In the body"],
    [
      { part: "word/document.xml", heading: "Terms", table: 2, row: 3, cell: 1, paragraph: 14 },
      "Under 'Terms', table 2, row 3, cell 1, paragraph 14",
    ],
    [{ part: "word/document2.xml", paragraph: 3 }, "Paragraph 3"],
    [{ part: "word/header1.xml", paragraph: 2 }, "In the header header1.xml, paragraph 2"],
    [{ part: "word/footer.xml", heading: "A" }, "In the footer footer.xml, under 'A'"],
    [{ part: "word/footnotes.xml", paragraph: 3 }, "In the footnotes, paragraph 3"],
    [{ part: "word/endnotes.xml", paragraph: 3 }, "In the endnotes, paragraph 3"],
    [{ part: "word/comments2.xml", paragraph: 1 }, "In the comments, paragraph 1"],
    [{ part: "docProps/core.xml" }, "In the document properties"],
    [{ part: "word/glossary/a.b.xml" }, "In the part word/glossary/a.b.xml"],
  ])("%j is %s", (template, expected) => {
    expect(words(template)).toBe(expected);
  });

  test("is empty without a place in the template", () => {
    expect(placeInWords({ severity: "error", code: "x", message: "y", pointer: "/a" })).toBe("");
  });
});
