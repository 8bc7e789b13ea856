import type { Diagnostic } from "@quire/contracts";
import PizZip from "pizzip";
import { describe, expect, test } from "vitest";
import { p, partOf, r } from "../../../ooxml/test/support/docx.ts";
import { annotateTemplate, compileTemplate } from "../../src/index.ts";
import { edited, from, include } from "../support/including.ts";
import { wordFile } from "../support/word-file.ts";

const A4 = '<w:pgSz w:w="11906" w:h="16838"/>';
const MARGINS = '<w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417"/>';
const section = (content: string): string => `<w:sectPr>${content}</w:sectPr>`;
const reference = (kind: string, id: number, type = "default"): string =>
  `<w:${kind}Reference w:type="${type}" r:id="rId${id}"/>`;

async function warningsOf(
  host: Uint8Array,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<readonly Diagnostic[]> {
  const { warnings } = await compileTemplate(host, from(files));
  return warnings.filter(({ code }) => code === "include_left_out");
}

/** Returns the left-out content that the warning names, or an empty string. */
async function leftOut(
  t: Uint8Array,
  host: Uint8Array = wordFile({ body: include }),
): Promise<string> {
  const [warning] = await warningsOf(host, { t });
  return /Left out: (.*)\.$/.exec(warning?.message ?? "")?.[1] ?? "";
}

/** Adds settings to a file. */
function withSettings(bytes: Uint8Array, settings: string): Uint8Array {
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml";
  return edited(bytes, {
    "word/settings.xml": `<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${settings}</w:settings>`,
    "[Content_Types].xml": (xml) =>
      xml.replace(
        "</Types>",
        `<Override PartName="/word/settings.xml" ContentType="${type}"/></Types>`,
      ),
    "word/_rels/document.xml.rels": (xml) =>
      xml.replace(
        "</Relationships>",
        '<Relationship Id="rIdSettings" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/settings" Target="settings.xml"/></Relationships>',
      ),
  });
}

describe("the warning about content that an include leaves out", () => {
  const letter = wordFile({
    body: p("a"),
    section: section(reference("header", 1) + reference("footer", 2)),
    parts: { "header1.xml": p("Head {{x}}"), "footer1.xml": p("Foot") },
  });

  test("has the place of the tag, once for each file", async () => {
    const t = wordFile({ body: p('{{include "u"}}') });
    const host = wordFile({
      body: p("x") + p('{{include "letter"}}') + p('{{include "letter"}}') + include,
    });
    expect(await warningsOf(host, { letter, t, u: letter })).toMatchObject([
      {
        severity: "warning",
        code: "include_left_out",
        message:
          '{{include "letter"}} includes only the body of that file. Left out: its header, its footer.',
        hint: expect.any(String),
        template: { part: "word/document.xml", paragraph: 2, tag: '{{include "letter"}}' },
      },
      { template: { part: "t:word/document.xml", paragraph: 1, tag: '{{include "u"}}' } },
    ]);
  });

  test("is part of each document's warnings, of a check, and of an annotated copy", async () => {
    const host = wordFile({ body: p('{{include "letter"}}') });
    const template = await compileTemplate(host, from({ letter }));
    const code = "include_left_out";
    expect(template.check({})).toMatchObject([{ code }]);
    const { bytes, warnings } = template.render({});
    expect(warnings).toMatchObject([{ code }]);
    // The header is not in the package either.
    expect(Object.keys(new PizZip(bytes).files).filter((name) => /header/.test(name))).toEqual([]);
    const annotated = await annotateTemplate(host, template.warnings);
    expect(partOf(annotated, "word/comments.xml")).toContain("Left out: its header, its footer.");
  });

  test("names headers that are visible, unless the including template has the same", async () => {
    const withHeader = (content: string, type = "default", more = ""): Uint8Array =>
      wordFile({
        body: p("a"),
        section: section(reference("header", 1, type) + more),
        parts: { "header1.xml": content },
      });
    const titled = "<w:titlePg/>";
    expect(await leftOut(withHeader("<w:p/>"))).toBe("");
    expect(await leftOut(withHeader(`<w:p><w:r><w:delText>x</w:delText></w:r></w:p>`))).toBe("");
    expect(await leftOut(withHeader(p("x")))).toBe("its header");
    expect(await leftOut(withHeader("<w:p><w:r><w:drawing/></w:r></w:p>"))).toBe("its header");
    expect(await leftOut(withHeader(p("x"), "first"))).toBe("");
    expect(await leftOut(withHeader(p("x"), "first", '<w:titlePg w:val="0"/>'))).toBe("");
    expect(await leftOut(withHeader(p("x"), "first", titled))).toBe("its header");
    expect(await leftOut(withHeader(p("x"), "even"))).toBe("");
    const even = withSettings(withHeader(p("x"), "even"), "<w:evenAndOddHeaders/>");
    expect(await leftOut(even)).toBe("its header");
    const host = wordFile({
      body: include,
      section: section(reference("header", 1)),
      parts: { "header1.xml": `<w:p><w:pPr><w:jc w:val="right"/></w:pPr>${r("x")}</w:p>` },
    });
    expect(await leftOut(withHeader(p("x")), host)).toBe("");
    expect(await leftOut(withHeader(p("y")), host)).toBe("its header");
  });

  test("is also reported for hostile headers and settings that are slow to search", async () => {
    const busy = (root: string, text: string): string =>
      `<w:${root} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:t><![CDATA[${text}]]></w:t></w:${root}>`;
    const file = wordFile({
      body: `<w:p><w:r><w:tab/><w:commentReference w:id="1"/></w:r></w:p>`,
      section: section(reference("header", 1)),
      parts: { "header1.xml": "", "comments.xml": "" },
    });
    const hostile = edited(withSettings(file, ""), {
      "word/header1.xml": busy("hdr", "<!--".repeat(500_000)),
      "word/settings.xml": busy("settings", "<w:defaultTabStop ".repeat(100_000)),
      "word/comments.xml": busy("comments", "<w:comment ".repeat(200_000)),
    });
    expect(await leftOut(hostile)).toBe("its header, its comments");
  });

  test("reads a header once, even if 10,000 sections show it", async () => {
    const header = `<w:headerReference w:type="default" r:id="rId1"/>`;
    const break_ = `<w:p><w:pPr><w:sectPr>${header}</w:sectPr></w:pPr></w:p>`;
    const t = wordFile({
      body: break_.repeat(10_000),
      parts: { "header1.xml": p("the same").repeat(2_000) },
    });
    const host = wordFile({
      body: include,
      parts: { "header1.xml": p("the same").repeat(2_000) },
    });
    expect(await leftOut(t, host)).toBe("its section breaks");
  });

  test("names visible differences between pages", async () => {
    const file = (content: string): Uint8Array =>
      wordFile({ body: p("a"), section: section(content) });
    const host = wordFile({ body: include, section: section(A4 + MARGINS) });
    const margins = (left: number): string => MARGINS.replace('left="1417"', `left="${left}"`);
    for (const [content, expected] of [
      [A4 + MARGINS, ""],
      // The difference comes from rounding centimeters and inches.
      ['<w:pgSz w:w="11907" w:h="16839"/>' + margins(1440), ""],
      [margins(850), "its margins"],
      ['<w:pgSz w:w="12240" w:h="15840"/>', "its page size"],
      ['<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>', "its page orientation"],
      ['<w:cols w:num="2"/>', "its columns"],
      ['<w:cols w:space="708"/>', ""],
      ["<w:pgBorders/><w:lnNumType/>", "its page borders, its line numbers"],
    ] as const) {
      expect(await leftOut(file(content), host)).toBe(expected);
    }
    const wide = file('<w:pgSz w:w="16838" w:h="11906"/>');
    expect(await leftOut(wide, wordFile({ body: include, section: null }))).toBe("");
    const inHeader = wordFile({ body: p("{{x}}"), parts: { "header1.xml": include } });
    expect(await leftOut(wide, inHeader)).toBe("");
  });

  test("compares pages with the receiving section, also for nested includes", async () => {
    const wide = '<w:pgSz w:w="16838" w:h="11906"/>';
    const ending = (content: string): string => `<w:p><w:pPr>${section(content)}</w:pPr></w:p>`;
    const landscape = wordFile({ body: p("a"), section: section(wide) });
    const before = wordFile({ body: `${include}${ending(wide)}<w:p/>`, section: section(A4) });
    const after = wordFile({ body: `${ending(wide)}${include}<w:p/>`, section: section(A4) });
    const inTable = wordFile({
      body: `<w:tbl><w:tr><w:tc>${include}<w:p/></w:tc></w:tr></w:tbl>${ending(wide)}<w:p/>`,
      section: section(A4),
    });
    expect(await leftOut(landscape, before)).toBe("");
    expect(await leftOut(landscape, after)).toBe("its page orientation");
    expect(await leftOut(landscape, inTable)).toBe("");
    const t = wordFile({ body: p('{{include "u"}}') });
    expect(await warningsOf(before, { t, u: landscape })).toEqual([]);
    expect(await warningsOf(after, { t, u: landscape })).toHaveLength(1);
    const several = wordFile({ body: `${p("a")}${ending(A4)}${p("b")}`, section: section(wide) });
    expect(await leftOut(several, after)).toBe("its section breaks, its page orientation");
  });

  test("names comments, except the ones that annotating adds", async () => {
    const comment = (id: number, author: string): string =>
      `<w:comment w:id="${id}" ${author}>${p("c")}</w:comment>`;
    const file = (id: number): Uint8Array =>
      wordFile({
        body: `<w:p>${r("a")}<w:r><w:commentReference w:id="${id}"/></w:r></w:p>`,
        parts: {
          "comments.xml":
            comment(1, 'w:author="Ann" w:initials="A"') +
            comment(2, 'w:author="Quire" w:initials="Q"'),
        },
      });
    expect(await leftOut(file(1))).toBe("its comments");
    expect(await leftOut(file(2))).toBe("");
  });

  test("names document properties that fields show", async () => {
    const field = (instruction: string): Uint8Array =>
      wordFile({
        body: `<w:p><w:fldSimple w:instr="${instruction}">${r("a")}</w:fldSimple></w:p>`,
      });
    const words = "the document properties that its fields show";
    expect(await leftOut(field(" TITLE \\* MERGEFORMAT "))).toBe(words);
    expect(await leftOut(field(" DOCPROPERTY Client "))).toBe(words);
    expect(await leftOut(field(" PAGE "))).toBe("");
    const complex = `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> AUTHOR </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
    expect(await leftOut(wordFile({ body: complex }))).toBe(words);
  });

  test("names settings that change the look", async () => {
    const tabbed = wordFile({ body: `<w:p><w:r><w:tab/></w:r>${r("a")}</w:p>` });
    const plain = wordFile({ body: p("a") });
    const wide = '<w:defaultTabStop w:val="1134"/>';
    const on = "<w:autoHyphenation/>";
    const host = wordFile({ body: include });
    expect(await leftOut(withSettings(tabbed, wide))).toBe("its default tab stops");
    expect(await leftOut(withSettings(plain, wide))).toBe("");
    expect(await leftOut(withSettings(tabbed, '<w:defaultTabStop w:val="708"/>'))).toBe("");
    expect(await leftOut(withSettings(tabbed, wide), withSettings(host, wide))).toBe("");
    expect(await leftOut(withSettings(plain, on))).toBe("its hyphenation");
    expect(await leftOut(withSettings(plain, '<w:autoHyphenation w:val="0"/>'))).toBe("");
    expect(await leftOut(withSettings(plain, on), withSettings(host, on))).toBe("");
  });

  test("names a visible page colour", async () => {
    const coloured = edited(wordFile({ body: p("a") }), {
      "word/document.xml": (xml) =>
        xml.replace("<w:body>", '<w:background w:color="FF0000"/><w:body>'),
    });
    const shown = withSettings(coloured, "<w:displayBackgroundShape/>");
    expect(await leftOut(coloured)).toBe("");
    expect(await leftOut(shown)).toBe("its page color");
  });

  test("names numbered headings that the including template does not number", async () => {
    const heading = (id: string, numbering: string): string =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="heading 1"/><w:pPr>${numbering}</w:pPr></w:style>`;
    const t = wordFile({
      body: p("a", "H"),
      parts: {
        "styles.xml": heading("H", '<w:numPr><w:numId w:val="1"/></w:numPr>'),
        "numbering.xml":
          '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
      },
    });
    const host = wordFile({ body: include, parts: { "styles.xml": heading("Heading1", "") } });
    expect(await leftOut(t, host)).toBe(
      'the numbers of the style "heading 1", which the including template does not number',
    );
    expect(await leftOut(t)).toBe("");
  });
});

describe("a content control of an included template", () => {
  test("keeps its text, because the document lacks its file's data", async () => {
    const bound =
      '<w:sdt><w:sdtPr><w:dataBinding w:xpath="/title" w:storeItemID="{1}"/><w:text/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>a</w:t></w:r></w:p></w:sdtContent></w:sdt>';
    const host = wordFile({ body: include + bound });
    const { bytes } = (await compileTemplate(host, from({ t: wordFile({ body: bound }) }))).render(
      {},
    );
    expect(partOf(bytes).match(/<w:sdtPr>.*?<\/w:sdtPr>/g)).toEqual([
      "<w:sdtPr><w:text/></w:sdtPr>",
      expect.stringContaining("w:dataBinding"),
    ]);
  });
});
