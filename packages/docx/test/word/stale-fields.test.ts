import { describe, expect, test } from "vitest";
import { p, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { complex, marked, simple } from "../support/fields.ts";
import { render } from "../support/render.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, type WordFile, wordFile } from "../support/word-file.ts";

type Data = Readonly<Record<string, unknown>>;

/**
 * Returns the parts of the document. Expects a `stale_field` warning for each field in `told`, and no other warnings.
 */
async function rendered(file: WordFile | string, data: Data, told: readonly string[] = []) {
  const { bytes, warnings } = await render(
    wordFile(typeof file === "string" ? { body: file } : file),
    data,
  );
  assertSound(bytes);
  const wanted = told.map((tag) => ({ code: "stale_field", template: { tag } }));
  expect(warnings).toMatchObject(wanted);
  expect(warnings).toHaveLength(told.length);
  return partsOf(bytes);
}

const xmlOf = (parts: ReadonlyMap<string, string>, part = "document"): string =>
  parts.get(`word/${part}.xml`) ?? "";

const para = (...runs: readonly string[]): string => `<w:p>${runs.join("")}</w:p>`;

/** Returns the instructions of the fields that Word should update. */
function dirty(xml: string): string[] {
  return [
    ...xml.matchAll(
      /w:dirty="true"\/><\/w:r><w:r><w:instrText[^>]*> *([^<]*?) *<|w:instr="([^"]*?)" w:dirty="true"/g,
    ),
  ].map(([, complexField, simpleField]) => (complexField ?? simpleField ?? "").trim());
}

describe("the numbers of a sequence", () => {
  /** Returns a caption whose number in the template is always 7. */
  const caption = (switches = "\\* ARABIC", name = "Figure"): string =>
    para(r("No "), complex(` SEQ ${name} ${switches} `, "7"));
  const loop = (...content: readonly string[]): string =>
    p("{{for i in l}}") + content.join("") + p("{{endfor}}");

  async function numbers(body: string, data: Data): Promise<string[]> {
    const xml = xmlOf(await rendered(body, data));
    expect(xml).not.toContain("w:dirty");
    return [...xml.matchAll(/<w:p>(.*?)<\/w:p>/g)]
      .map(([, paragraph = ""]) =>
        [...paragraph.matchAll(/<w:t[^>]*>([^<]*)/g)].map(([, text]) => text).join(""),
      )
      .filter((text) => text.startsWith("No "))
      .map((text) => text.slice(3));
  }

  test("count up in a loop and after it", async () => {
    const body = loop(caption()) + caption();
    expect(await numbers(body, { l: [1, 2, 3] })).toEqual(["1", "2", "3", "4"]);
    expect(await numbers(body, { l: [] })).toEqual(["1"]);
  });

  test("skip captions that a condition hides, in a row, inline and in a simple field", async () => {
    const row = table([p("{{tablerow i in l}}") + caption() + p("{{endtablerow}}")]) + p("");
    const inline = para(r("No {{if x}}"), complex(" SEQ Figure ", "7"), r("{{endif}}"));
    const field = para(r("No "), simple(" SEQ figure ", "7"));
    const data = { l: [1, 2] };
    expect(await numbers(row + inline + field, { ...data, x: true })).toEqual(["1", "2", "3", "4"]);
    expect(await numbers(row + inline + field, data)).toEqual(["1", "2", "", "3"]);
  });

  test("continue the numbers before the first block, which do not change", async () => {
    const body = caption() + caption("\\r 5") + loop(caption());
    expect(await numbers(body, { l: [1, 2] })).toEqual(["7", "7", "6", "7"]);
  });

  test("do not change if no block contains a number of their sequence", async () => {
    const body = loop(caption("", "Table")) + caption();
    expect(await numbers(body, { l: [1, 2] })).toEqual(["1", "2", "7"]);
    expect(await numbers(caption() + p("{{x}}"), { x: 1 })).toEqual(["7"]);
  });

  test.each([
    ["\\* roman", ["i", "ii", "iii", "iv"]],
    ["\\* ROMAN \\* MERGEFORMAT", ["I", "II", "III", "IV"]],
    ["\\* alphabetic", ["a", "b", "c", "d"]],
    ["\\*ALPHABETIC", ["A", "B", "C", "D"]],
    ["\\* ArabicDash", ["- 1 -", "- 2 -", "- 3 -", "- 4 -"]],
    ["\\n", ["1", "2", "3", "4"]],
    ["\\r 3", ["3", "3", "3", "3"]],
    ["\\h", ["", "", "", ""]],
    ["\\h \\* Arabic", ["1", "2", "3", "4"]],
    ["\\c", ["0", "0", "0", "0"]],
  ])("follow the switches %s", async (switches, expected) => {
    const body = loop(caption(switches)).replace(switches === "\\h" ? r("7") : "\0", "");
    expect(await numbers(body, { l: [1, 2, 3, 4] })).toEqual(expected);
  });

  test("may be repeated, hidden and set within one sequence", async () => {
    const hidden = para(r("No "), complex(" SEQ Figure \\h ", ""));
    const body = loop(caption(), caption("\\c"), hidden) + caption("\\r 10") + caption();
    expect(await numbers(body, { l: [1, 2] })).toEqual(["1", "1", "", "3", "3", "", "10", "11"]);
  });

  test("replace all text of the result, in its formatting", async () => {
    const result = `<w:r><w:rPr><w:b/></w:rPr><w:t>1</w:t></w:r>${r("7")}`;
    const xml = xmlOf(await rendered(loop(para(complex(" SEQ Figure ", result))), { l: [1] }));
    expect(xml.replaceAll(/<w:fldChar.*?<w:fldChar w:fldCharType="separate"\/>/g, "")).toContain(
      "<w:r><w:rPr><w:b/></w:rPr><w:t>1</w:t></w:r>",
    );
    expect(xml).not.toContain("7");
  });

  test.each([
    ["that restart at headings", caption("\\* ARABIC \\s 1"), ""],
    ["with a pattern", caption("\\# 00"), ""],
    ["in words", caption("\\* CardText"), ""],
    [
      "with a tab in the result",
      para(complex(" SEQ Figure ", "<w:r><w:tab/><w:t>7</w:t></w:r>")),
      "",
    ],
    ["without a result", para(complex(" SEQ Figure ", "")), ""],
    ["of a bookmark", caption("fig"), para(marked("fig", "x"))],
    [
      "in a text box",
      `<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>${caption()}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
      "",
    ],
  ])("%s are left to Word", async (_name, content, before) => {
    const bytes = wordFile({ body: caption() + before + loop(content) + caption() });
    const document = await render(bytes, { l: [1, 2] });
    assertSound(document.bytes);
    expect(document.warnings).toMatchObject([{ code: "stale_field" }, { code: "stale_field" }]);
    const xml = xmlOf(partsOf(document.bytes));
    expect(dirty(xml)).toHaveLength(3);
    expect(xml.match(/SEQ Figure/g)).toHaveLength(4);
    const first = xml.slice(0, xml.indexOf("SEQ Figure"));
    expect(first).not.toContain("w:dirty");
  });
});

describe("a number in another field", () => {
  const seq = complex(" SEQ Figure ", "1");
  const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const code = (text: string): string => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
  /** Returns a field whose instruction has several runs. */
  const around = (instruction: string, result: string): string =>
    mark("begin") + instruction + mark("separate") + result + mark("end");
  const loop = (content: string): string => p("{{for i in l}}") + para(content) + p("{{endfor}}");

  test.each([
    ["compared", around(code(" IF ") + seq + code(' = 1 "a" "b"'), r("a")), ["IF", "SEQ Figure"]],
    ["computed with", around(code("= ") + seq + code(" - 1"), r("0")), ["=", "SEQ Figure"]],
    [
      "shown under a condition",
      around(code('IF 1 = 1 "') + seq + code('" ""'), seq),
      ['IF 1 = 1 "', "SEQ Figure", "SEQ Figure"],
    ],
  ])("makes Word update both fields if it is %s", async (_name, content, expected) => {
    const { bytes, warnings } = await render(wordFile({ body: loop(content) }), { l: [1] });
    expect(dirty(xmlOf(partsOf(bytes)))).toEqual(expected);
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(["stale_field"]));
    expect(warnings).toHaveLength(new Set(expected).size);
  });

  test("is computed in a link", async () => {
    const link = around(code('HYPERLINK "https://example.com/"'), complex(" SEQ Figure ", "7"));
    const xml = xmlOf(await rendered(loop(link), { l: [1, 2] }));
    expect([...xml.matchAll(/<w:t[^>]*>(\d)/g)].map(([, text]) => text)).toEqual(["1", "2"]);
  });
});

describe("Word updates a field whose result blocks may change", () => {
  const target = para(marked("b", "text"));
  const data = para(marked("d", "{{x}}"));
  const block = p("{{if x}}") + p("more") + p("{{endif}}");
  const fields = [
    "REF b",
    "REF b \\r",
    "PAGEREF b",
    "NOTEREF b",
    "REF d",
    "= d * 2",
    "HYPERLINK \\l b",
  ];
  const all = fields.map((each) => para(complex(` ${each} `, "1"))).join("");

  test.each([
    ["nothing moves its bookmark", all + target + data + block, ["REF d", "= d * 2"]],
    [
      "a block is before it",
      all + block + target + data,
      ["REF b \\r", "PAGEREF b", "REF d", "= d * 2"],
    ],
    [
      "a block within a paragraph is before it",
      all + p("{{if x}}a{{endif}}") + target + data,
      ["REF d", "= d * 2"],
    ],
    [
      "a note in a block is before it",
      all +
        para(r("{{if x}}"), '<w:r><w:footnoteReference w:id="1"/></w:r>', r("{{endif}}")) +
        target +
        data,
      ["NOTEREF b", "REF d", "= d * 2"],
    ],
  ])("when %s", async (_name, body, expected) => {
    const notes = `<w:footnote w:id="1">${p("note")}</w:footnote>`;
    const file = { body, parts: { "footnotes.xml": notes } };
    const told = expected.filter((each) => /^(?:NOTEREF|=)/.test(each));
    const parts = await rendered(file, { x: 1 }, told);
    expect(dirty(xmlOf(parts))).toEqual(expected);
  });

  test.each([
    ["= d * 2", true],
    ["= SUM(d, 1)", true],
    ["IF d > 1 a b", true],
    ["= b * 2", false],
    ["REF d", false],
    ["PAGEREF b", false],
  ])("and %s is reported if a PDF shows the old result: %s", async (instruction, isReported) => {
    const field = para(r("Sum: "), complex(` ${instruction} `, "1"));
    for (const file of [
      { body: block + target + data + field },
      { body: block + target + data, parts: { "footer1.xml": field } },
    ]) {
      const { warnings } = await compileTemplate(wordFile(file));
      expect(warnings).toMatchObject(
        isReported
          ? [
              {
                severity: "warning",
                code: "stale_field",
                message: `The field ${instruction} shows the result from the template, but its value depends on the data. Word offers to update it when the document is opened. A PDF shows the old result.`,
                template: { tag: instruction, near: "Sum: 1" },
              },
            ]
          : [],
      );
    }
  });

  test("and the field whose instruction contains it", async () => {
    const field = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> IF </w:instrText></w:r>${complex(" REF d ", "x")}<w:r><w:instrText> = "y" "a" "b"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${r("b")}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const { bytes, warnings } = await render(wordFile({ body: data + para(field) }), { x: 1 });
    expect(dirty(xmlOf(partsOf(bytes)))).toEqual(["IF", "REF d"]);
    expect(warnings).toMatchObject([{ code: "stale_field", template: { near: "xb" } }]);
  });

  test("in a simple field, in a header without tags, or with an existing mark", async () => {
    const marks = simple(" PAGEREF b ", "1").replace(">", ' w:dirty="false">');
    const parts = await rendered(
      { body: block + target, parts: { "header1.xml": para(marks) } },
      { x: 1 },
    );
    expect(dirty(xmlOf(parts, "header1"))).toEqual(["PAGEREF b"]);
    expect(xmlOf(parts, "header1").match(/w:dirty/g)).toHaveLength(1);
  });

  test("but not in a header if nothing changes its reference", async () => {
    const header = para(simple(" PAGEREF b ", "1"));
    const file = { body: target + block, parts: { "header1.xml": header } };
    const before = xmlOf(partsOf(wordFile(file)), "header1");
    expect(xmlOf(await rendered(file, { x: 1 }), "header1")).toBe(before);
  });

  test("with the number of a figure, whether Quire or Word counts it", async () => {
    for (const [switches, ...told] of [[""], ["\\s 1", "SEQ Figure", "SEQ Figure \\s 1"]]) {
      const figure = para(
        '<w:bookmarkStart w:id="5" w:name="f"/>',
        complex(` SEQ Figure ${switches} `, "1"),
        '<w:bookmarkEnd w:id="5"/>',
      );
      const body =
        p("{{for i in l}}") + para(complex(" SEQ Figure ", "1")) + p("{{endfor}}") + figure;
      const all = body + para(complex(" REF f \\h ", "1"));
      const xml = xmlOf(await rendered(all, { l: [1] }, told));
      expect(dirty(xml)).toContain("REF f \\h");
    }
  });

  test("that shows the heading above it, if blocks repeat headings", async () => {
    const number = para(complex(" STYLEREF 1 \\s ", "1"));
    const heading = p("{{for i in l}}") + p("{{i}}") + number + p("{{endfor}}");
    const xml = xmlOf(await rendered(heading, { l: [1, 2] }, ["STYLEREF 1 \\s"]));
    expect(dirty(xml)).toEqual(["STYLEREF 1 \\s", "STYLEREF 1 \\s"]);
    const header = { body: p("{{i}}"), parts: { "header1.xml": number } };
    expect(xmlOf(await rendered(header, { i: 1 }), "header1")).not.toContain("w:dirty");
    expect(dirty(xmlOf(await rendered(p("{{i}}") + number, { i: 1 })))).toEqual([]);
  });

  test("that computes in a table with tags, with a warning", async () => {
    const sum = para(complex(" =SUM(ABOVE) ", "0"));
    const looped = table([p("{{tablerow i in l}}{{i}}{{endtablerow}}")], [sum]);
    const fixed = table([p("1")], [sum]);
    const body = looped + p("") + fixed + p("");
    const xml = xmlOf(await rendered(body, { l: [1, 2] }, ["=SUM(ABOVE)"]));
    expect(dirty(xml)).toEqual(["=SUM(ABOVE)"]);
  });
});

describe("a field with a tag in its instruction", () => {
  const nested = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    .concat('<w:r><w:instrText xml:space="preserve"> IF </w:instrText></w:r>')
    .concat(complex(" DOCPROPERTY {{x}} ", "old"))
    .concat('<w:r><w:instrText xml:space="preserve"> = "m" "Mr" "Ms" </w:instrText></w:r>')
    .concat('<w:r><w:fldChar w:fldCharType="separate"/></w:r>', r("Mr"))
    .concat('<w:r><w:fldChar w:fldCharType="end"/></w:r>');

  async function told(content: string) {
    const bytes = wordFile({ body: para(content) });
    const template = await compileTemplate(bytes);
    const { bytes: document, warnings } = template.render({ x: "m" });
    assertSound(document);
    expect(template.warnings).toEqual(warnings);
    return { warnings, dirty: xmlOf(partsOf(document)).includes('w:dirty="true"') };
  }

  test.each([
    ["a condition", complex(' IF "{{x}}" = "m" "Mr" "Ms" ', "Mr"), 'IF "…" = "m" "Mr" "Ms"'],
    ["a formula", complex(" = {{x}} * 2 ", "10"), "= … * 2"],
    ["a simple field", simple(" = {{x}} * 2 ", "10"), "= … * 2"],
    ["a property", complex(" DOCPROPERTY {{x}} ", "old"), "DOCPROPERTY …"],
  ])("is updated by Word and reported: %s", async (_name, content, text) => {
    const { warnings, dirty: isDirty } = await told(content);
    expect(isDirty).toBe(true);
    expect(warnings).toEqual([
      expect.objectContaining({ code: "stale_field", severity: "warning" }),
    ]);
    expect(warnings[0]?.message).toContain(`The field ${text} shows`);
    expect(warnings[0]?.template).toMatchObject({ part: "word/document.xml", paragraph: 1 });
  });

  test("is reported together with the field around it", async () => {
    const { warnings } = await told(nested);
    const fields = warnings.map(({ template }) => template?.tag);
    expect(fields).toEqual(["DOCPROPERTY …", 'IF … = "m" "Mr" "Ms"']);
  });

  test("is reported once if a text box has a copy for older programs", async () => {
    const field = complex(" = {{x}} * 2 ", "10");
    const box = (content: string) =>
      `<v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>${para(content)}</w:txbxContent></v:textbox></v:shape>`;
    const copies = `<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps"><w:pict>${box(field)}</w:pict></mc:Choice><mc:Fallback><w:pict>${box(field)}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
    expect((await told(copies)).warnings).toHaveLength(1);
  });

  test.each([
    ["it has the tag in its result only", complex(" QUOTE x ", "{{x}}")],
    ["Word computes it on opening", complex(' DATE \\@ "{{x}}" ', "2026")],
    ["it shows nothing", complex(" TC {{x}} ", "")],
    ["it is a link", complex(' HYPERLINK "https://e.test/{{x}}" ', "here")],
  ])("is not reported where %s", async (_name, content) => {
    expect(await told(content)).toEqual({ warnings: [], dirty: false });
  });

  test.each([
    ["the text", complex(" REF b{{x}} ", "text")],
    ["the page", complex(" PAGEREF b{{x}} \\h ", "1")],
    ["the page, as a simple field", simple(" PAGEREF b{{x}} ", "1")],
  ])(
    "is updated without a warning if it shows %s of a bookmark, as in a PDF",
    async (_name, content) => {
      const target = `</w:p>${para(marked("bm", "text"))}<w:p>`;
      expect(await told(content + target)).toEqual({ warnings: [], dirty: true });
    },
  );
});

describe("a reference to the number of a note gives a warning if blocks may change the number:", () => {
  const note = '<w:r><w:footnoteReference w:id="1"/></w:r>';
  const target = `<w:bookmarkStart w:id="7" w:name="n"/>${note}<w:bookmarkEnd w:id="7"/>`;
  const number = complex(" NOTEREF n \\h ", "1");
  const notes = { "footnotes.xml": `<w:footnote w:id="1">${p("note")}</w:footnote>` };

  test.each([
    ["in a loop", p("{{for i in l}}") + para(target, number) + p("{{endfor}}"), 1],
    [
      "after a note in a block",
      para(r("{{if l}}"), note, r("{{endif}}")) + para(target, number),
      1,
    ],
    ["not in a condition", p("{{if l}}") + para(target, number) + p("{{endif}}"), 0],
    ["not after blocks without notes", p("{{for i in l}}x{{endfor}}") + para(target, number), 0],
  ])("%s", async (_where, body, count) => {
    const { bytes, warnings } = await render(wordFile({ body, parts: notes }), { l: [1] });
    const found = warnings.filter(({ code }) => code === "stale_field");
    expect(found.map(({ template }) => template?.tag)).toEqual(Array(count).fill("NOTEREF n \\h"));
    for (const { hint } of found) {
      expect(hint).toBe(
        "For PDFs, refer to the note without its number, such as 'see the note on page 3' with a page reference.",
      );
    }
    expect(dirty(xmlOf(partsOf(bytes)))).toHaveLength(count);
  });
});

describe("a cross-reference whose result has tags of a loop", () => {
  const heading = para(marked("_Ref1", "About {{a.title}}"));
  const loop = p("{{for a in args}}") + heading + p("{{a.text}}") + p("{{endfor}}");
  const ref = (result: string): string => para(r("See "), complex(" REF _Ref1 \\h ", result));
  const data = { args: [{ title: "One", text: "x" }] };
  const texts = (xml: string): string =>
    [...xml.matchAll(/<w:t(?: [^>]*)?>([^<]*)/g)].map(([, text]) => text).join("|");

  test("is updated by Word if it is outside of the loop, and needs no data", async () => {
    const body = loop + ref("About {{a.title}}");
    const xml = xmlOf(await rendered(body, data, ["REF _Ref1 \\h"]));
    expect(texts(xml)).toBe("About One|x|See |About ");
    expect(dirty(xml)).toEqual(["REF _Ref1 \\h"]);
    const template = await compileTemplate(wordFile({ body }));
    expect(template.tags).toHaveLength(3);
    expect(Object.keys(template.sample())).toEqual(["args"]);
    expect(template.warnings).toMatchObject([
      {
        code: "stale_field",
        message:
          "The field REF _Ref1 \\h was updated in the template, so Word copied {{a.title}} into its result, but this tag has a value only in another block. Documents leave it out until the field is updated. Word offers this when the document is opened. A PDF may lack the text.",
        hint: "Move the field into that block, or replace the field with a tag that has a value at this place.",
      },
    ]);
    expect(template.check(data)).toEqual(template.warnings);
  });

  test("is updated by Word if it is in another loop or outside of a section", async () => {
    const other = p("{{for a in others}}") + ref("{{a.title}}") + p("{{endfor}}");
    const { bytes, warnings } = await render(wordFile({ body: loop + other }), {
      ...data,
      others: [{ title: "No" }],
    });
    expect(warnings.map(({ code }) => code)).toEqual(["stale_field", "same_for_all_items"]);
    expect(xmlOf(partsOf(bytes))).not.toContain("No");
    const section = p("{{#args}}") + para(marked("_Ref1", "{{title}}")) + p("{{/args}}");
    const field = para(simple(" REF _Ref1 ", "- {{title}}"));
    const body = section + p("{{title}}") + field;
    const xml = xmlOf(
      await rendered(body, { args: [{ title: "One" }], title: "Top" }, ["REF _Ref1"]),
    );
    expect(texts(xml)).toBe("One|Top|- ");
  });

  test("is filled in the loop, in a condition and wherever its tags are known", async () => {
    const inLoop =
      p("{{for a in args}}") + heading + ref("About {{a.title}}") + p("{{a.text}}{{endfor}}");
    expect(texts(xmlOf(await rendered(inLoop, data)))).toContain("See |About One");
    const known =
      p("{{for a in args}}") + para(marked("_Ref1", "{{firm}}")) + p("{{a.text}}{{a.title}}");
    const xml = xmlOf(
      await rendered(`${known}${p("{{endfor}}")}${ref("{{firm}}")}`, { ...data, firm: "F" }),
    );
    expect(texts(xml)).toContain("See |F");
    const when = p("{{if args}}") + para(marked("_Ref1", "{{v}}")) + p("{{endif}}") + ref("{{v}}");
    expect(texts(xmlOf(await rendered(when, { args: true, v: "V" })))).toBe("V|See |V");
  });

  test("is filled if its bookmark does not contain the tag", async () => {
    const { warnings } = await render(wordFile({ body: loop + ref("{{a.other}}") }), data);
    expect(warnings.map(({ code }) => code)).toEqual(["missing_value"]);
  });

  test("is updated by Word if it shows a heading in a page header", async () => {
    const header = (result: string): string => para(complex(" STYLEREF 1 ", result));
    const parts = { "header1.xml": header("About {{a.title}}") };
    const written = await rendered({ body: loop, parts }, data, ["STYLEREF 1"]);
    expect(texts(xmlOf(written, "header1"))).toBe("About ");
    const known = { "header1.xml": header("{{v}}") };
    const filled = await rendered({ body: p("{{v}}") + loop, parts: known }, { ...data, v: "V" });
    expect(texts(xmlOf(filled, "header1"))).toBe("V");
  });
});
