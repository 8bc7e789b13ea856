import { describe, expect, test } from "vitest";
import { manyRuns } from "../../../contracts/test/support/runs.ts";
import { p, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { complex, marked, simple } from "../support/fields.ts";
import { render } from "../support/render.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, type WordFile, wordFile } from "../support/word-file.ts";

type Data = Readonly<Record<string, unknown>>;

/** Returns the parts and the warnings of a document, which is checked for errors. */
async function rendered(file: WordFile | string, data: Data) {
  const { bytes, warnings } = await render(
    wordFile(typeof file === "string" ? { body: file } : file),
    data,
  );
  assertSound(bytes);
  return { parts: partsOf(bytes), warnings, codes: warnings.map(({ code }) => code) };
}

const para = (...runs: readonly string[]): string => `<w:p>${runs.join("")}</w:p>`;
const IF = p("{{if x}}");
const END = p("{{endif}}");
/** A clause that a condition shows. */
const clause = IF + para(marked("_Ref1", "The clause")) + END;

const xmlOf = (parts: ReadonlyMap<string, string>, part = "document"): string =>
  parts.get(`word/${part}.xml`) ?? "";

describe("a field whose bookmark a condition removed is plain text, with a warning", () => {
  test.each([
    ["a number", complex(" REF _Ref1 \\r \\h ", "2")],
    ["a text", complex(" REF _Ref1 ", "2")],
    ["a name in quotes", complex(' REF "_Ref1" \\h ', "2")],
    ["a name in another case", complex(" ref _REF1 \\n \\w \\p ", "2")],
    ["a page", complex(" PAGEREF _Ref1 \\h ", "2")],
    ["a note's number", complex(" NOTEREF _Ref1 \\f \\h ", "2")],
    ["an old note's number", complex(" FTNREF _Ref1 ", "2")],
    ["a simple field", simple(" REF _Ref1 \\d &quot;-&quot; \\h ", "2")],
    ["a name alone", complex(" _Ref1 \\h ", "2")],
    ["a link", complex(' HYPERLINK \\l "_Ref1" \\o "tip" ', "2")],
    ["a link with its switches before", complex(' HYPERLINK \\o "tip" \\l _Ref1', "2")],
    ["a button", complex(" GOTOBUTTON _Ref1 ", "2")],
    ["a formula", complex(" =SUM(_Ref1)*2 \\# 0 ", "2")],
    ["a comparison", complex(' IF _Ref1 = "a" "b" "c" ', "2")],
    ["an instruction over several runs", complex([" RE", "F _Re", "f1 ", "\\h "], "2")],
    [
      "a field in one run",
      '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText> REF _Ref1 </w:instrText><w:fldChar w:fldCharType="separate"/><w:t>2</w:t><w:fldChar w:fldCharType="end"/></w:r>',
    ],
    ["a field with a nested field in its instruction", complex(` REF _Ref1 \\* ${"\u0000"} `, "2")],
  ])("%s", async (_name, field) => {
    const see = para(r("See "), field, r("."));
    for (const [whole, paragraph] of [
      [see + clause, 1],
      [clause + see, 4],
    ] as const) {
      const without = await rendered(whole, { x: false });
      expect(xmlOf(without.parts)).not.toMatch(/_Ref1|fldChar|fldSimple|instrText/i);
      expect(
        xmlOf(without.parts)
          .replaceAll(/<[^>]*>/g, "")
          .trim(),
      ).toBe("See 2.");
      expect(without.codes).toEqual(["reference_removed"]);
      const [warning] = without.warnings;
      expect(warning).toMatchObject({ severity: "warning", template: { paragraph } });
      expect(warning?.message).toContain("'_Ref1'");
      const shown = await rendered(whole, { x: true });
      expect(shown.codes).toEqual([]);
      expect(xmlOf(shown.parts)).toMatch(/_Ref1/i);
      expect(xmlOf(shown.parts)).toContain("The clause");
    }
  });

  test("a link within the document loses its anchor", async () => {
    const link = `<w:p><w:hyperlink w:anchor="_Ref1">${r("go")}</w:hyperlink></w:p>`;
    const { parts, codes, warnings } = await rendered(link + clause, { x: false });
    expect(xmlOf(parts)).not.toContain("hyperlink");
    expect(xmlOf(parts)).toContain(r("go"));
    expect(codes).toEqual(["reference_removed"]);
    expect(warnings[0]?.message).toMatch(/^The link refers to the bookmark '_Ref1'/);
    expect(xmlOf((await rendered(link + clause, { x: 1 })).parts)).toContain('w:anchor="_Ref1"');
  });

  test("a field without a result shows nothing", async () => {
    const field =
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> REF _Ref1 </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
    const { parts, codes } = await rendered(`<w:p>${r("a")}${field}</w:p>${clause}`, {});
    expect(xmlOf(parts)).toContain(`<w:p>${r("a")}</w:p>`);
    expect(codes).toEqual(["reference_removed"]);
  });

  test("a field keeps the formatting, the tags and the fields of its result", async () => {
    const result = `<w:r><w:rPr><w:b/></w:rPr><w:t>{{n}}</w:t></w:r>${complex(" PAGE ", "7")}`;
    const body = `<w:p>${complex(" REF _Ref1 ", result)}</w:p>${clause}`;
    const { parts } = await rendered(body, { n: "N" });
    const page = complex(" PAGE ", "7");
    const bold = '<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">N</w:t></w:r>';
    expect(xmlOf(parts)).toContain(`<w:p>${bold}${page}</w:p>`);
  });
});

describe("the places of a field and its bookmark", () => {
  const field = `<w:p>${r("See ")}${complex(" REF _Ref1 \\r ", "2")}</w:p>`;

  test("may be in different parts", async () => {
    const notes = (content: string): string => `<w:footnote w:id="2">${content}</w:footnote>`;
    const reference = '<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>';
    const files: [string, WordFile][] = [
      ["header1", { body: clause, parts: { "header1.xml": field } }],
      ["footnotes", { body: reference + clause, parts: { "footnotes.xml": notes(field) } }],
      ["document", { body: field, parts: { "header1.xml": clause } }],
      [
        "document",
        {
          body: field + IF + reference + END,
          parts: { "footnotes.xml": notes(para(marked("_Ref1", "n"))) },
        },
      ],
    ];
    for (const [part, file] of files) {
      const { parts, warnings } = await rendered(file, {});
      expect(xmlOf(parts, part)).not.toContain("_Ref1");
      expect(xmlOf(parts, part)).toContain(r("2"));
      expect(warnings).toMatchObject([
        { code: "reference_removed", template: { part: `word/${part}.xml`, tag: "REF _Ref1 \\r" } },
      ]);
      const shown = await rendered(file, { x: 1 });
      expect(shown.codes).toEqual([]);
      expect(xmlOf(shown.parts, part)).toContain("REF _Ref1");
    }
  });

  test("may be in a table, a text box with its copy for older programs, or a control", async () => {
    const box = `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:docPr id="1" name="b"/><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${field}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${field}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    const control = `<w:sdt><w:sdtPr/><w:sdtContent>${field}</w:sdtContent></w:sdt>`;
    for (const place of [table([field]), box, control]) {
      const { parts, warnings } = await rendered(place + clause, {});
      expect(xmlOf(parts)).not.toContain("_Ref1");
      expect(warnings.map(({ code }) => code)).toEqual(["reference_removed"]);
    }
    const { warnings } = await rendered(table([field]) + clause, {});
    expect(warnings[0]?.template).toMatchObject({ table: 1, row: 1, cell: 1, near: "See 2" });
  });

  test("may be in the same condition, without a warning for any data", async () => {
    const body = IF + field + para(marked("_Ref1", "c")) + END;
    expect((await rendered(body, {})).codes).toEqual([]);
    const shown = await rendered(body, { x: 1 });
    expect(shown.codes).toEqual([]);
    expect(xmlOf(shown.parts)).toContain("REF _Ref1");
  });

  test("may be in different branches, with a warning if the field is shown", async () => {
    const body = IF + para(marked("_Ref1", "c")) + p("{{else}}") + field + END;
    expect((await rendered(body, {})).codes).toEqual(["reference_removed"]);
    expect((await rendered(body, { x: 1 })).codes).toEqual([]);
  });

  test("may be inside a table that disappears with its rows", async () => {
    const vanishing = table([p(`{{tablerow i in l}}`) + p("{{endtablerow}}")]).replace(
      "<w:tr>",
      '<w:bookmarkStart w:id="4" w:name="_Ref1"/><w:bookmarkEnd w:id="4"/><w:tr>',
    );
    const { parts, codes } = await rendered(field + vanishing + p(""), { l: [] });
    expect(codes).toEqual(["reference_removed"]);
    expect(xmlOf(parts)).not.toContain("_Ref1");
    expect((await rendered(field + vanishing + p(""), { l: [1] })).codes).toEqual([]);
  });

  test("may be far apart: output that is already written is replaced", async () => {
    const rows = table([p("{{tablerow i in l}}{{i}}{{endtablerow}}")]);
    const l = Array.from({ length: 3_000 }, (_, index) => `row ${index}`);
    const { bytes, warnings } = await render(wordFile({ body: field + rows + clause }), { l });
    const parts = partsOf(bytes);
    expect(warnings.map(({ code }) => code)).toEqual(["reference_removed"]);
    expect(xmlOf(parts)).not.toContain("_Ref1");
    expect(xmlOf(parts)).toContain("row 2999");
  });
});

describe("in a loop", () => {
  const FOR = p("{{for i in l}}");
  const ENDFOR = p("{{endfor}}");
  const link = `<w:p><w:hyperlink w:anchor="b">${r("{{i.t}}")}</w:hyperlink></w:p>`;
  const target = p("{{if i.x}}") + para(marked("b", "{{i.t}}!")) + END;

  test("an iteration without the bookmark has plain text, and never the bookmark of another iteration", async () => {
    for (const content of [link + target, target + link]) {
      for (const shown of [[], [0], [1], [2], [0, 2], [1, 2]]) {
        const l = ["a", "b", "c"].map((t, index) => ({ t, x: shown.includes(index) }));
        const { parts, warnings } = await rendered(FOR + content + ENDFOR, { l });
        const xml = xmlOf(parts);
        const named = new Map(
          [...xml.matchAll(/w:name="(b\w*)"\/><w:r><w:t[^>]*>(\w)!/g)].map(([, name, t]) => [
            name,
            t,
          ]),
        );
        const links = [...xml.matchAll(/w:anchor="(b\w*)"><w:r><w:t[^>]*>(\w)</g)];
        expect(links.map(([, name]) => named.get(name))).toEqual(links.map(([, , t]) => t));
        expect(links).toHaveLength(shown.length);
        const lost = ["/l/0", "/l/1", "/l/2"].filter((_, index) => !shown.includes(index));
        expect(warnings.map(({ code }) => code)).toEqual(["reference_removed"]);
        expect(warnings[0]?.pointers ?? [warnings[0]?.pointer]).toEqual(lost);
      }
    }
  });

  test("a reference from outside refers to the first iteration with the bookmark", async () => {
    const outside = `<w:p>${complex(" REF b \\h ", "old")}</w:p>`;
    const l = ["a", "b", "c"].map((t, index) => ({ t, x: index > 0 }));
    for (const body of [
      outside + FOR + link + target + ENDFOR,
      FOR + link + target + ENDFOR + outside,
    ]) {
      const { parts, codes } = await rendered(body, { l });
      const xml = xmlOf(parts);
      const [name] = /REF (b\w*)/.exec(xml)?.slice(1) ?? [];
      expect(xml).toMatch(new RegExp(`w:name="${name}"/><w:r><w:t[^>]*>b!`));
      expect(codes).toEqual(["reference_removed"]);
      expect((await rendered(body, { l: [] })).codes).toEqual(["reference_removed"]);
    }
  });

  test("a link into another document keeps its anchor", async () => {
    const away = `<w:p><w:hyperlink r:id="rIdA" w:anchor="b">${r("go")}</w:hyperlink></w:p>`;
    const file = { body: FOR + away + target + ENDFOR, links: { rIdA: "https://a.example/" } };
    const l = [{ x: 1 }, { x: 1 }, {}];
    const { parts, codes } = await rendered(file, { l });
    expect(xmlOf(parts).match(/w:anchor="b"/g)).toHaveLength(3);
    expect(codes).not.toContain("reference_removed");
  });

  test("each iteration of a formula computes with its own bookmark", async () => {
    const body =
      FOR + para(marked("b", "{{i.t}}")) + `<w:p>${complex(" = b * 2 ", "2")}</w:p>` + ENDFOR;
    const { parts } = await rendered(body, { l: [{ t: 1 }, { t: 2 }] });
    expect(xmlOf(parts)).toMatch(/= b \* 2 .*= b_2 \* 2 /s);
  });
});

describe("a reference to a bookmark that the template does not have", () => {
  const file = (body: string): Uint8Array => wordFile({ body: p("{{v}}") + body });

  test("is reported without data, and becomes plain text in documents", async () => {
    const body = `<w:p>${r("See ")}${complex(" REF gone \\h ", "3")}</w:p><w:p><w:hyperlink w:anchor="lost">${r("go")}</w:hyperlink></w:p><w:p>${simple(" PAGEREF gone ", "4")}</w:p>`;
    const template = await compileTemplate(file(body));
    expect(template.warnings).toMatchObject([
      { code: "reference_broken", template: { paragraph: 2, tag: "REF gone \\h", near: "See 3" } },
      { code: "reference_broken", template: { paragraph: 3, tag: "lost" } },
      { code: "reference_broken", template: { paragraph: 4 } },
    ]);
    const { bytes } = template.render({ v: 1 });
    assertSound(bytes);
    const xml = xmlOf(partsOf(bytes));
    expect(xml).not.toMatch(/fldChar|fldSimple|hyperlink|gone|lost/);
    expect(xml).toContain(
      `<w:p>${r("See ")}${r("3")}</w:p><w:p>${r("go")}</w:p><w:p>${r("4")}</w:p>`,
    );
  });

  test.each([
    [
      "the beginning of the document",
      `<w:p><w:hyperlink w:anchor="_top">${r("up")}</w:hyperlink></w:p>`,
    ],
    [
      "a text that a field defines",
      `<w:p>${complex(' SET Fee "5" ', "")}${complex(" REF Fee ", "5")}</w:p>`,
    ],
    [
      "a form field",
      `<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="Text1"/></w:ffData></w:fldChar></w:r><w:r><w:instrText> FORMTEXT </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>${complex(" REF Text1 ", "5")}</w:p>`,
    ],
    ["a bookmark in another case", `<w:p>${marked("Fee", "5")}${complex(" REF FEE ", "5")}</w:p>`],
    [
      "words of a formula or a comparison",
      `<w:p>${complex(" =SUM(ABOVE) ", "5")}${complex(' IF a = b "c" "d" ', "5")}</w:p>`,
    ],
    [
      "a name with a tag in it",
      `<w:p>${complex(" REF Fee{{v}} ", "5")}${simple(" REF {{v}} ", "5")}</w:p>`,
    ],
    ["an address", `<w:p>${complex(' HYPERLINK "https://a.example" \\l "part" ', "5")}</w:p>`],
  ])("is not a reference to %s", async (_name, body) => {
    const template = await compileTemplate(file(body));
    expect(template.warnings.map(({ code }) => code)).not.toContain("reference_broken");
    expect(xmlOf(partsOf(template.render({ v: 1 }).bytes))).toMatch(/fldChar|hyperlink/);
  });

  test("is reported if only a table of contents has tags", async () => {
    const contents = `<w:p>${complex(" TOC ", "{{v}}")}</w:p>`;
    const body = `${contents}<w:p>${complex(" REF gone ", "3")}</w:p>`;
    const { warnings } = await compileTemplate(wordFile({ body }));
    expect(warnings.map(({ code }) => code)).toEqual(["stale_index", "reference_broken"]);
  });

  test("is not reported in a document without tags, which does not change", async () => {
    const template = await compileTemplate(
      wordFile({ body: `<w:p>${complex(" REF gone ", "3")}</w:p>` }),
    );
    expect(template.warnings).toEqual([]);
    expect(xmlOf(partsOf(template.render({}).bytes))).toContain("REF gone");
  });
});

test("checking reports the same as rendering", async () => {
  const body = `<w:p>${complex(" REF _Ref1 ", "2")}${complex(" REF gone ", "2")}</w:p>${clause}`;
  const template = await compileTemplate(wordFile({ body }));
  for (const data of [{}, { x: true }]) {
    expect(template.check(data)).toEqual(template.render(data).warnings);
  }
  expect(template.check({}).map(({ code }) => code)).toEqual([
    "reference_broken",
    "reference_removed",
  ]);
});

test("thousands of links find a bookmark that occurs thousands of times in a file", async () => {
  const numbers = Array.from({ length: manyRuns(4_000, 15_000) }, (_, index) => index);
  const marks = numbers.map((id) => `<w:bookmarkStart w:id="${id}" w:name="n"/>`);
  const links = '<w:hyperlink w:anchor="n"/>'.repeat(numbers.length);
  const body = IF + para(...marks) + END + para(links);
  const { warnings } = (await compileTemplate(wordFile({ body }))).render({ x: true });
  expect(warnings).toEqual([]);
});
