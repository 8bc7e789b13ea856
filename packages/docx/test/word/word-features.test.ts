import PizZip from "pizzip";
import { describe, expect, test } from "vitest";
import { bodyOf, docx, linesOf, p, partOf, r, table } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { lines, refused } from "../support/render.ts";

async function body(xml: string, data: Record<string, unknown>): Promise<string> {
  return bodyOf((await compileTemplate(docx({ body: xml }))).render(data).bytes);
}

async function codes(xml: string): Promise<string[]> {
  return (await refused(xml)).diagnostics.map(({ code }) => code);
}

const l = [1, 2];
const box = (content: string): string =>
  `<w:r><w:pict><w:txbxContent>${content}</w:txbxContent></w:pict></w:r>`;
const field = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;

describe("runs", () => {
  test("a block in one run may be in a block over several runs", async () => {
    const inner = `<w:p>${r("{{for i in l}}{{if i == 1}}A{{endif}}")}${r("{{i}}{{endfor}}.")}</w:p>`;
    expect(await lines(inner, { l })).toEqual(["A12."]);
    const after = `<w:p>${r("{{for i in l}}")}${r("{{i}}{{endfor}} {{if l}}x{{endif}}")}</w:p>`;
    expect(await lines(after, { l })).toEqual(["12 x"]);
  });

  test("a tag that begins before a link and ends in it is printed before the link", async () => {
    const link = `<w:hyperlink w:anchor="_top">${r("x}} and {{for i in l}}{{i}}")}</w:hyperlink>`;
    expect(await body(`<w:p>${r("{{")}${link}${r("{{endfor}}")}</w:p>`, { x: "X", l })).toBe(
      `<w:p>${r("X")}${["", "", ""].map((_, index) => `<w:hyperlink w:anchor="_top">${r([" and ", "1", "2"][index] ?? "")}</w:hyperlink>`).join("")}</w:p>`,
    );
  });

  test("deleted text is ignored: tags are found around it but not in it", async () => {
    const deleted = '<w:del w:id="1"><w:r><w:delText>{{old}}</w:delText></w:r></w:del>';
    const xml = await body(`<w:p>${r("{{na")}${deleted}${r("me}}!")}</w:p>`, { name: "N" });
    expect(xml).toBe(`<w:p>${r("N")}${deleted}${r("!")}</w:p>`);
  });

  test("text that was moved away is not searched for tags, and is kept as in Word", async () => {
    const moved =
      '<w:moveFrom w:id="1"><w:r><w:t xml:space="preserve"> {{old}} </w:t></w:r><w:r><w:delText>x</w:delText></w:r></w:moveFrom>';
    const xml = await body(`<w:p>${r("{{na")}${moved}${r("me}}!")}</w:p>`, { name: "N" });
    expect(xml).toBe(`<w:p>${r("N")}${moved}${r("!")}</w:p>`);
    const looped = p("{{for i in l}}") + `<w:p>${moved}${r("{{i}}")}</w:p>` + p("{{endfor}}");
    expect(
      (await body(looped, { l })).match(/<w:t xml:space="preserve"> \{\{old\}\} /g),
    ).toHaveLength(2);
  });

  test("a tag that contains the beginning or end of a field is a mistake, for every kind of field", async () => {
    const page = `${field("begin")}<w:r><w:instrText> PAGE </w:instrText></w:r>${field("separate")}${r("1")}${field("end")}`;
    const link = page.replace(" PAGE ", ' HYPERLINK "https://v.w" ').replace(">1<", ">v<");
    for (const inside of [page, link, `<w:fldSimple w:instr=" PAGE ">${r("1")}</w:fldSimple>`]) {
      const xml = `<w:p>${r("{{a}} {{v")}${inside}${r("}} {{b}}")}</w:p>`;
      const { diagnostics } = await refused(xml);
      expect(diagnostics).toMatchObject([
        {
          code: "tag_crosses_field",
          hint: "Delete the tag and the field, and type the tag again before or after the field.",
          template: { paragraph: 1 },
        },
      ]);
      expect(diagnostics[0]?.template?.near).toContain("{{v");
    }
    const half = `<w:p>${r("{{v")}<w:fldSimple w:instr=" PAGE ">${r("}}1")}</w:fldSimple></w:p>`;
    expect(await codes(half)).toEqual(["tag_crosses_field"]);
    expect(await body(`<w:p>${r("{{v}}")}${page}${r("{{v}}")}</w:p>`, { v: "V" })).toBe(
      `<w:p>${r("V")}${page}${r("V")}</w:p>`,
    );
    const open = `<w:p>${r("{{v")}</w:p><w:p>${page}${r("}}")}</w:p>`;
    expect(await codes(open)).not.toContain("tag_crosses_field");
  });

  test("a break in a tag is reported if the document loses it", async () => {
    const told = async (before: string, inside: string, after: string): Promise<unknown[]> => {
      const xml = `<w:p>${r(before)}<w:r>${inside}</w:r>${r(after)}</w:p>`;
      const { warnings } = await compileTemplate(docx({ body: xml }));
      return warnings.map(({ code, severity, message }) => `${severity} ${code} ${message}`);
    };
    const warning = (kind: string): unknown =>
      expect.stringMatching(
        new RegExp(`^warning break_in_tag The tag \\{\\{v \\}\\} has a ${kind} break`),
      );
    expect(await told("{{v", "<w:br/>", "}}")).toEqual([warning("line")]);
    expect(await told("{{", "<w:cr/>", "v}}")).toHaveLength(1);
    expect(await told("{{v", '<w:br w:type="page"/>', "}}")).toEqual([warning("page")]);
    expect(await told("{{v ::", '<w:br w:type="column"/>', "uppercase}}")).toHaveLength(1);
    expect(await told("{{v ::", "<w:br/>", "uppercase}}")).toEqual([]);
    expect(await told("{{v", "<w:tab/>", "}}")).toEqual([]);
    expect(await told("{{if v", "<w:br/>", "}}{{endif}}")).toEqual([]);
    expect(await told("{{if v", '<w:br w:type="page"/>', "}}{{endif}}")).toHaveLength(1);
    expect(await lines(`<w:p>${r("{{v")}<w:r><w:br/></w:r>${r("}}!")}</w:p>`, { v: "V" })).toEqual([
      "V!",
    ]);
  });

  test("a block may contain a field but not a part of one", async () => {
    const whole = `${field("begin")}${field("separate")}${r("{{x}}")}${field("end")}`;
    const shown = await body(`<w:p>${r("{{if x}}")}${whole}${r("{{endif}}")}</w:p>`, { x: "X" });
    expect(shown).toBe(`<w:p>${whole.replace("{{x}}", "X")}</w:p>`);
    const cut = `${field("begin")}${field("separate")}${r("{{if x}}X")}${field("end")}${r("{{endif}}")}`;
    expect(await codes(`<w:p>${cut}</w:p>`)).toEqual(["block_crosses_element"]);
    const simple = `<w:fldSimple w:instr="REF a">${r("{{if x}}")}</w:fldSimple>${r("{{endif}}")}`;
    expect(await codes(`<w:p>${simple}</w:p>`)).toEqual(["block_crosses_element"]);
  });
});

describe("paragraphs", () => {
  test("with tab stops disappear like others if their blocks show nothing", async () => {
    const stops = '<w:pPr><w:tabs><w:tab w:val="left" w:pos="9"/></w:tabs></w:pPr>';
    const xml = `${p("a")}<w:p>${stops}${r("{{if x}}b{{endif}}")}</w:p>`;
    expect(await lines(xml, {})).toEqual(["a"]);
  });

  test("with bookmarks disappear, too, but keep their bookmarks", async () => {
    const marks = '<w:bookmarkStart w:id="0" w:name="_GoBack"/><w:bookmarkEnd w:id="0"/>';
    const xml = `${p("a")}<w:p>${r("{{if x}}b")}${r("{{endif}}")}${marks}</w:p>`;
    expect(await body(xml, {})).toBe(p("a") + marks);
  });

  test("that are alone in a loop disappear if they show nothing", async () => {
    const cell = p("{{for i in l}}") + p("{{if i == 2}}{{i}}{{endif}}") + p("{{endfor}}");
    expect(await lines(table([cell]), { l: [1, 2, 3] })).toEqual(["2"]);
  });

  test("with a page break before a block tag are kept outside of the block", async () => {
    const page = (text: string, val = ""): string =>
      `<w:p><w:pPr><w:pageBreakBefore${val}/></w:pPr>${text === "" ? "" : r(text)}</w:p>`;
    const loop = page("{{for i in l}}") + p("{{i}}") + p("{{endfor}}");
    expect(await body(loop + p("a"), { l })).toBe(page("") + p("1") + p("2") + p("a"));
    expect(await body(loop + p("a"), { l: [] })).toBe(page("") + p("a"));
    const condition = p("{{if x}}") + p("b") + page("{{else}}") + p("c") + p("{{endif}}");
    expect(await body(condition + p("a"), { x: true })).toBe(p("b") + p("a"));
    expect(await body(condition + p("a"), {})).toBe(page("") + p("c") + p("a"));
    const off = page("{{for i in l}}", ' w:val="0"') + p("{{i}}") + p("{{endfor}}");
    expect(await body(off + p("a"), { l })).toBe(p("1") + p("2") + p("a"));
    expect(await body(page("{{! note }}") + p("a"), {})).toBe(page("") + p("a"));
  });

  test("with a page break before an 'if' belong to its block, so that a false condition leaves no blank page", async () => {
    const page = (text: string): string =>
      `<w:p><w:pPr><w:pageBreakBefore/></w:pPr>${text === "" ? "" : r(text)}</w:p>`;
    const part = page("{{if x}}") + p("b") + p("{{endif}}") + p("c");
    expect(await body(part, { x: true })).toBe(page("") + p("b") + p("c"));
    expect(await body(part, {})).toBe(p("c"));
    const noted = page("{{! part }}{{if x}}") + p("b") + p("{{endif}}") + p("c");
    expect(await body(noted, {})).toBe(p("c"));
    // The loop before it keeps the page outside of both.
    const second = page("{{for i in l}}{{if i == 1}}") + p("{{i}}") + p("{{endif}}{{endfor}}");
    expect(await body(second + p("c"), { l })).toBe(page("") + p("1") + p("c"));
  });

  test("that end a section at the beginning of a loop end the section once, before the loop", async () => {
    const section = `<w:p><w:pPr><w:sectPr/></w:pPr>${r("{{for i in l}}")}</w:p>`;
    const break_ = "<w:p><w:pPr><w:sectPr/></w:pPr></w:p>";
    const xml = p("a") + section + p("{{i}}") + p("{{endfor}}");
    expect(await body(xml, { l })).toBe(p("a") + break_ + p("1") + p("2"));
    expect(await body(xml, { l: [] })).toBe(p("a") + break_);
  });
});

describe("content controls", () => {
  const control = (content: string): string =>
    `<w:sdt><w:sdtPr/><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

  test("that contain only a tag disappear with their paragraph or row", async () => {
    const paragraphs = `<w:p>${control(r("{{for i in l}}"))}</w:p>${p("{{i}}")}${p("{{endfor}}")}`;
    expect(await body(p("a") + paragraphs, { l })).toBe(p("a") + p("1") + p("2"));
    const row = `<w:tr>${control(`<w:tc>${p("{{for i in l}}")}</w:tc>`)}</w:tr>`;
    const rows = table([p("{{i}}")], [p("{{endfor}}")]).replace("<w:tr>", `${row}<w:tr>`);
    expect(await lines(rows, { l })).toEqual(["1", "2"]);
  });

  test("may contain a block, inline or over paragraphs", async () => {
    const inline = control(r("{{for i in l}}{{i}}{{endfor}}"));
    const whole = control(p("{{for i in l}}") + p("{{i}}") + p("{{endfor}}"));
    expect(await body(`<w:p>${inline}</w:p>${whole}`, { l })).toBe(
      `<w:p>${control(r("12"))}</w:p>${control(p("1") + p("2"))}`,
    );
  });
});

describe("text boxes", () => {
  test("may contain blocks, also within a repeated paragraph", async () => {
    const inner = box(p("{{if i == 1}}") + p("one") + p("{{else}}") + p("{{i}}") + p("{{endif}}"));
    const xml = `<w:p>${r("{{for i in l}}{{i}}")}${inner}</w:p>${p("{{endfor}}")}`;
    expect(await body(xml, { l })).toBe(
      `<w:p>${r("1")}${box(p("one"))}</w:p><w:p>${r("2")}${box(p("2"))}</w:p>`,
    );
    const inline = `<w:p>${r("{{for i in l}}")}${inner}${r("{{endfor}}")}</w:p>`;
    expect(await body(inline, { l })).toBe(`<w:p>${box(p("one"))}${box(p("2"))}</w:p>`);
  });

  test("do not share a block with the text around them", async () => {
    const open = `<w:p>${box(p("{{for i in l}}"))}</w:p>`;
    expect(await codes(open + p("x") + p("{{endfor}}"))).toEqual(["block_crosses_element"]);
    const close = `<w:p>${r("{{for i in l}}")}${box(p("{{endfor}}"))}</w:p>`;
    expect(await codes(close)).toEqual(["block_crosses_element"]);
  });
});

describe("tables", () => {
  const row = `<w:tr><w:tc>${p("{{tablerow i in l}}{{i}}{{endtablerow}}")}</w:tc></w:tr>`;
  const control = (content: string): string =>
    `<w:sdt><w:sdtPr/><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

  test.each([
    ["whose rows are in a content control", `<w:tbl><w:tblPr/>${control(row)}</w:tbl>`],
    ["with a bookmark", `<w:tbl><w:tblPr/>${row}<w:bookmarkEnd w:id="1"/></w:tbl>`],
    ["with spaces between its elements", `<w:tbl>\n <w:tblPr/>\n ${row}\n</w:tbl>`],
  ])("%s disappear if no row remains", async (_name, xml) => {
    expect(await lines(xml, { l })).toEqual(["1", "2"]);
    expect(await body(p("a") + xml, { l: [] })).toBe(p("a"));
  });

  test("add no paragraph to a cell that ends in one", async () => {
    const cells = [
      control(p("in")),
      `${p("{{if x}}")}${p("b")}${p("{{endif}}")}<w:bookmarkEnd w:id="1"/>`,
      `\n${p("{{if x}}")}\n${p("c")}\n${p("{{endif}}")}\n`,
    ];
    expect(await body(table(cells), { x: 1 })).not.toContain("<w:p/>");
    expect(await lines(table(cells), {})).toEqual(["in |  | "]);
  });

  test("may be nested, each with its repeated rows", async () => {
    const inner = table([p("{{tablerow j in i}}{{j}}{{endtablerow}}")]);
    const xml = table([p("{{tablerow i in l}}") + inner + p("{{endtablerow}}")]);
    const rendered = await body(xml, { l: [[1, 2], [], [3]] });
    expect(rendered.replace(/<w:(tbl|tr)>/g, "[").replace(/<\/w:(tbl|tr)>/g, "]")).toMatch(
      /^\[.*\[.*\[.*1.*\]\[.*2.*\]\].*\]\[.*\]\[.*\[.*3.*\]\].*\]\]$/,
    );
    expect(rendered.match(/<w:tbl>/g)).toHaveLength(3);
    expect(rendered.match(/<w:p\/><\/w:tc>/g)).toHaveLength(3);
  });

  test("are rejected if a row repeats across the border of another block", async () => {
    const crossed = table(
      [p("{{if x}}")],
      [p("a{{else}}{{tablerow i in l}}")],
      [p("b{{endtablerow}}")],
      [p("{{endif}}")],
    );
    expect(await codes(crossed)).toEqual(["crossed_block"]);
    const silent = table(
      [p("a{{for j in l}}{{tablerow i in l}}")],
      [p("b{{endtablerow}}{{endfor}}")],
    );
    expect(await codes(silent)).toEqual(["crossed_block"]);
  });
});

describe("XML in another spelling", () => {
  function withMain(xml: string | Uint8Array): Uint8Array {
    const zip = new PizZip(docx({ body: "" }));
    zip.file("word/document.xml", xml);
    return zip.generate({ type: "uint8array" });
  }
  const document = (content: string): string =>
    `<?xml version="1.0"?>\n<!-- c -->\n<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${content}<w:sectPr/></w:body></w:document>\n`;

  test("is read: CDATA, comments, references, attributes with '>' and line breaks", async () => {
    const text = "a<![CDATA[{{x]]><!-- c -->}} &#123;&#x7b;x}} {<?pi?>{x}}";
    const xml = document(`<w:p\n w:a='>"'\t><w:r><w:t >${text}</w:t></w:r></w:p >`);
    const { bytes } = (await compileTemplate(withMain(xml))).render({ x: "]]>" });
    expect(linesOf(bytes)).toEqual(["a]]> ]]> ]]>"]);
    expect(partOf(bytes)).toContain('<w:p w:a="&gt;&quot;">');
  });

  test("is read when it is UTF-16, and written as UTF-8", async () => {
    const utf16 = Buffer.from(`\ufeff${document(p("{{x}} é日"))}`, "utf16le");
    const { bytes } = (await compileTemplate(withMain(utf16))).render({ x: "ü" });
    expect(linesOf(bytes)).toEqual(["ü é日"]);
  });

  test.each(["ns0:", ""])("is read with the prefix '%s' like with 'w:'", async (prefix) => {
    const xml = document(p("{{x}}"))
      .replace("xmlns:w", prefix === "" ? "xmlns" : "xmlns:ns0")
      .replace(/(<\/?)w:/g, `$1${prefix}`);
    const { bytes } = (await compileTemplate(withMain(xml))).render({ x: "ü" });
    expect(linesOf(bytes)).toEqual(["ü"]);
  });

  test("is decoded once: an entity in a tag is the character that it represents", async () => {
    const xml = p(
      '{{if x == "&lt;"}}entity{{elseif x == "<"}}less{{endif}}{{y :: default("&amp;\u00a0")}}',
    );
    expect(await lines(xml, { x: "<" })).toEqual(["less&amp;\u00a0"]);
    expect(await lines(xml, { x: "&lt;" })).toEqual(["entity&amp;\u00a0"]);
  });
});

describe("limits", () => {
  test("blocks nest up to 256 levels deep", async () => {
    const nested = (levels: number): string =>
      p(`${"{{if x}}".repeat(levels)}a${"{{endif}}".repeat(levels)}`);
    expect(await lines(nested(256), { x: 1 })).toEqual(["a"]);
    expect(await codes(nested(5_000))).toEqual(["nested_too_deep"]);
  });

  test("a condition of 20,000 parts is rejected without evaluation", async () => {
    expect(await codes(p(`{{if x${" and x".repeat(20_000)}}}a{{endif}}`))).toEqual(["tag_syntax"]);
  });

  test("4,000 invalid tags in one paragraph are reported as fast as in many paragraphs", async () => {
    const error = await refused(p("{{a b}} ".repeat(4_000)));
    expect(error.diagnostics).toHaveLength(4_000);
    expect(error.diagnostics[2_000]?.template?.near).toHaveLength("…".length * 2 + 40 * 2 + 7);
  }, 20_000);

  test("200 blocks may begin in one paragraph and end in another", async () => {
    const blocks = Array.from({ length: 200 }, (_, index) => index);
    const xml =
      p(blocks.map(() => "{{if x}}").join("")) + p("a") + p(blocks.map(() => "{{endif}}").join(""));
    expect(await lines(xml, { x: 1 })).toEqual(["a"]);
  });
});

describe("a delimiter", () => {
  test("is printed between the elements of a list or the iterations of a loop, not both", async () => {
    const xml = p("{{for i in l}}{{i.t :: delimiter('; ')}}/{{endfor}}");
    expect(await lines(xml, { l: [{ t: ["a", "b"] }, { t: ["c"] }] })).toEqual(["a; b/c/"]);
    expect(await lines(xml, { l: [{ t: "a" }, { t: "c" }] })).toEqual(["a; /c/"]);
  });
});

test("spaces between elements, and after the last section, change nothing", async () => {
  const spaced = `\n  ${p("{{x}}")}\n  `;
  const zip = new PizZip(docx({ body: spaced }));
  const xml = zip.file("word/document.xml")?.asText() ?? "";
  zip.file("word/document.xml", xml.replace("</w:body>", "\n  </w:body>\n"));
  const { bytes } = (await compileTemplate(zip.generate({ type: "uint8array" }))).render({ x: 1 });
  expect(linesOf(bytes)).toEqual(["1"]);
  expect(partOf(bytes)).toMatch(/<w:sectPr\/>\s*<\/w:body>/);
});
