import { describe, expect, test } from "vitest";
import { bodyOf, docx, linesOf, p, r, table } from "../../../ooxml/test/support/docx.ts";
import { exif, png, pngChunk } from "../../../ooxml/test/support/pictures.ts";
import { compileTemplate, type RenderOptions } from "../../src/index.ts";
import { outcome, printed, told } from "../support/language.ts";
import { assertSound } from "../support/sound.ts";
import { partsOf, type WordFile, wordFile } from "../support/word-file.ts";

type Data = Readonly<Record<string, unknown>>;

const IMAGE = png(20, 10).toString("base64");
const TURNED = png(240, 60, pngChunk("eXIf", exif(6))).toString("base64");

/** Renders a Word file with parts other than its body, and checks that Word would open the result. */
async function render(
  file: WordFile,
  data: Data,
  options: RenderOptions = {},
): Promise<{ xml: string; parts: Map<string, string>; lines: string[]; told: string[] }> {
  const { bytes, warnings } = (await compileTemplate(wordFile(file))).render(data, options);
  assertSound(bytes);
  const parts = partsOf(bytes);
  return {
    xml: bodyOf(bytes),
    parts,
    lines: linesOf(bytes),
    told: warnings.map(({ severity, code }) => `${severity} ${code}`),
  };
}

describe("a delimiter is printed between iterations", () => {
  test.each([
    ["of a computed value", "{{i.a * 2 :: M}}", "2, 4"],
    ["of a number of the loop", "{{$number :: M}}", "1, 2"],
    ["of a function", "{{$round(i.a, 0) :: M}}", "1, 2"],
    ["of links", '{{i.u :: link("L"), M}}', "L, L"],
    ["of check boxes", "{{i.l :: checkbox, M}}", "☒, ☐"],
    ["of rich text", "{{i.h :: html, M}}", "one, two"],
    ["of defaults", '{{i.x * 2 :: default("-"), M}}', "-, 8"],
  ])("%s", async (_name, tag, expected) => {
    const l = [
      { a: 1, u: "https://a.example/", h: "<b>one</b>", l: ["x"] },
      { a: 2, u: "https://b.example/", h: "<i>two</i>", l: [], x: 4 },
    ];
    const text = `{{for i in l}}${tag.replace("M", 'delimiter(", ")')}{{endfor}}`;
    expect(await printed(text, { l })).toBe(expected);
  });

  test("of pictures and codes, after each except the last", async () => {
    for (const tag of ["i", "i :: qrcode"]) {
      const text = `{{for i in l}}{{${tag}${tag === "i" ? " ::" : ","} delimiter("; ")}}{{endfor}}`;
      const { bytes } = await outcome(p(text), { l: [IMAGE, IMAGE, IMAGE] });
      const shown = bodyOf(bytes)
        .replace(/<w:drawing>.*?<\/w:drawing>/g, "[picture]")
        .replace(/<[^>]*>/g, "");
      expect(shown).toBe("[picture]; [picture]; [picture]");
    }
  });

  test("in attributes and in properties, too", async () => {
    const body = `<w:p><w:hyperlink w:anchor="_top" w:tooltip="{{$join(l)}}">${r("{{for i in l}}{{i :: delimiter('+')}}{{endfor}}")}</w:hyperlink></w:p>`;
    expect((await render({ body }, { l: ["a", "b"] })).lines).toEqual(["a+b"]);
  });

  const tag = '{{i.v :: optional, delimiter(", "), lastdelimiter(" and ")}}';
  test.each([
    [["a", "b", "c"], "a, b and c"],
    [["a", "b", null], "a and b"],
    [[null, "b", "c"], "b and c"],
    [["a", null, null, "d"], "a and d"],
    [["a", null, null], "a"],
    [[null, null], ""],
    [["a", "", "c"], "a,  and c"],
  ])("that have a value: %j", async (values, expected) => {
    const l = values.map((v) => ({ v }));
    expect(await printed(`[{{for i in l}}${tag}{{endfor}}]`, { l })).toBe(`[${expected}]`);
    expect(await printed(`[{{#l}}${tag.replace("i.", "")}{{/l}}]`, { l })).toBe(`[${expected}]`);
  });

  test("that print the tag", async () => {
    const text = `{{for i in l}}{{if i.ok}}${tag}{{endif}};{{endfor}}`;
    const l = [
      { v: "a", ok: true },
      { v: "b", ok: false },
      { v: "c", ok: true },
      { v: "d", ok: false },
    ];
    expect(await printed(text, { l })).toBe("a and ;;c;;");
  });

  test("of one run of an inner loop, and of an outer loop after it", async () => {
    const text =
      '{{for g in l}}{{for x in g.x}}{{x :: delimiter(",")}}{{endfor}}{{g.n :: delimiter(" | ")}}{{endfor}}';
    const l = [
      { n: 1, x: ["a", "b"] },
      { n: 2, x: [] },
      { n: 3, x: ["c", "d"] },
    ];
    expect(await printed(text, { l })).toBe("a,b1 | 2 | c,d3");
  });

  test("in rows of a table and in paragraphs", async () => {
    const rows = table([p("{{tablerow i in l}}{{i :: delimiter(',')}}{{endtablerow}}")]);
    expect((await outcome(rows, { l: ["a", "b"] })).lines).toEqual(["a,", "b"]);
    const paragraphs = p("{{for i in l}}") + p("{{i :: delimiter(';')}}") + p("{{endfor}}");
    expect((await outcome(paragraphs, { l: ["a", "b", "c"] })).lines).toEqual(["a;", "b;", "c"]);
  });

  test("of a note, in each copy of the note", async () => {
    const reference = '<w:r><w:footnoteReference w:id="2"/></w:r>';
    const note = p("{{for i in l}}{{i :: delimiter(', ')}}{{endfor}}");
    const { parts } = await render(
      {
        body: `<w:p>${r("{{x}}")}${reference}${reference}</w:p>`,
        parts: { "footnotes.xml": `<w:footnote w:id="2">${note}</w:footnote>` },
      },
      { x: 1, l: ["a", "b"] },
    );
    const text = parts.get("word/footnotes.xml")?.replace(/<[^>]*>/g, "");
    expect(text?.trim()).toBe("a, ba, b");
  });

  test("but a list in an iteration has its delimiter only between its elements", async () => {
    const text = '{{for i in l}}{{i.n}}:{{i.t :: optional, delimiter("/")}};{{endfor}}';
    const l = [{ n: "a" }, { n: "b", t: ["x", "y"] }, { n: "c", t: [] }];
    expect(await printed(text, { l })).toBe("a:;b:x/y;c:;");
  });

  test("after a tag that is kept because its value is missing", async () => {
    const text = '{{for i in l}}{{i.v :: delimiter(", ")}}{{endfor}}';
    expect(await printed(text, { l: [{ v: 1 }, {}] })).toBe('1, {{i.v :: delimiter(", ")}}');
    expect(await printed(text, { l: [{ v: 1 }, {}] }, { onMissing: "blank" })).toBe("1");
  });
});

describe("a delimiter after an empty string is kept in its paragraph", () => {
  const tag = '{{x :: delimiter(", ")}}';
  const turns = (...inner: string[]): string =>
    [p("{{for x in l}}"), ...inner, p("{{endfor}}")].join("");

  test.each([
    ["a condition", turns(p(`{{if ok}}${tag}{{endif}}`)), ["", "b"], [", ", "b"]],
    ["a section", turns(p(`{{^no}}${tag}{{/no}}`)), ["", "b"], [", ", "b"]],
    ["a loop in one line", p(`{{for x in l}}${tag}{{endfor}}`), ["", ""], [", "]],
    [
      "a condition, where all texts are empty",
      turns(p(`{{if ok}}${tag}{{endif}}`)),
      ["", "", ""],
      [", ", ", "],
    ],
    [
      "a condition, with nothing but a last delimiter",
      turns(p(`{{if ok}}{{x :: lastdelimiter(" and ")}}{{endif}}`)),
      ["", "", ""],
      [" and "],
    ],
  ])("that contains only %s", async (_name, body, l, expected) => {
    const { lines } = await outcome(body + p("end"), { l, ok: true });
    expect(lines).toEqual([...expected, "end"]);
  });

  test("in a cell, without an additional paragraph", async () => {
    const cell = turns(p(`{{if ok}}${tag}{{endif}}`));
    const { lines } = await outcome(table([cell]), { l: ["", ""], ok: true });
    expect(lines).toEqual([", "]);
  });

  test("in the part of a paragraph before or after a table from the data", async () => {
    const value = '{{i.x :: delimiter(", ")}}';
    const h = "<table><tr><td>T</td></tr></table>";
    const l = [
      { x: "", h },
      { x: "b", h },
    ];
    const linesFor = async (text: string): Promise<readonly string[]> =>
      (await outcome(p("{{for i in l}}") + p(text) + p("{{endfor}}") + p("end"), { l })).lines;
    expect(await linesFor(`${value}{{i.h}}`)).toEqual([", ", "T", "b", "T", "end"]);
    expect(await linesFor(`{{i.h}}${value}`)).toEqual(["T", ", ", "T", "b", "end"]);
  });

  test("in a header and in a note", async () => {
    const story = turns(p(`{{if ok}}${tag}{{endif}}`)) + p("end");
    const file = {
      body: `<w:p>${r("{{ok}}")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
      stories: {
        "header1.xml": story,
        "footnotes.xml": `<w:footnote w:id="2">${story}</w:footnote>`,
      },
    };
    const { bytes } = (await compileTemplate(docx(file))).render({ l: ["", "b"], ok: true });
    expect(linesOf(bytes, "word/header1.xml")).toEqual([", ", "b", "end"]);
    expect(linesOf(bytes, "word/footnotes.xml")).toEqual([", ", "b", "end"]);
  });

  test("except for the last paragraph, which has no delimiter and is removed", async () => {
    const optional = tag.replace("::", ":: optional,");
    for (const l of [
      ["a", ""],
      ["a", "", null],
      ["a", "", []],
    ]) {
      const { lines } = await outcome(turns(p(`{{if ok}}${optional}{{endif}}`)), { l, ok: true });
      expect(lines).toEqual(["a, "]);
    }
  });

  test("and marks of the template there occur once", async () => {
    const mark = '<w:bookmarkStart w:id="7" w:name="x"/><w:bookmarkEnd w:id="7"/>';
    const paragraph = `<w:p>${mark}${r(`{{if ok}}${tag}{{endif}}`)}</w:p>`;
    const { xml, lines } = await render({ body: turns(paragraph) }, { l: ["", "b"], ok: true });
    expect(lines).toEqual([", ", "b"]);
    expect(xml.match(/<w:bookmarkStart /g)).toHaveLength(2);
  });
});

describe("modifiers of a list", () => {
  test.each([
    ['delimiter(" and "), uppercase', "AA and BB"],
    ['uppercase, delimiter(" and ")', "AA and BB"],
    ["capitalize", "Aa, Bb"],
    ['delimiter("  "), trim', "aa  bb"],
    ['delimiter("+"), truncate(4, "")', "aa+b"],
    ['lastdelimiter(" or "), capitalize', "Aa or Bb"],
  ])("change its elements and not its delimiters: %s", async (modifiers, expected) => {
    expect(await printed(`{{l :: ${modifiers}}}`, { l: ["aa", "bb"] })).toBe(expected);
  });
});

describe("a tag in the address of a HYPERLINK field", () => {
  const run = (xml: string): string => `<w:r>${xml}</w:r>`;
  const field = (...instruction: string[]): string =>
    `<w:p>${run('<w:fldChar w:fldCharType="begin"/>')}${instruction
      .map((text) => run(`<w:instrText xml:space="preserve">${text}</w:instrText>`))
      .join("")}${run('<w:fldChar w:fldCharType="end"/>')}</w:p>`;
  const simple = (instruction: string): string =>
    `<w:p><w:fldSimple w:instr="${instruction.replaceAll('"', "&quot;")}">${r("x")}</w:fldSimple></w:p>`;
  const instructionOf = (xml: string): string =>
    (/w:instr="([^"]*)"/.exec(xml)?.[1] ?? xml)
      .replace(/<[^>]*>/g, "")
      .replaceAll("&quot;", '"')
      .trim();

  test.each([
    [field(' HYPERLINK "mailto:{{v}}" '), "a@b.example", 'HYPERLINK "mailto:a@b.example"'],
    [field(' HYPERLINK "tel:{{v}}" '), "+49 30", 'HYPERLINK "tel:+49%2030"'],
    [field(" HYPERLINK mailto:{{v}} "), "a@b.example", "HYPERLINK mailto:a@b.example"],
    [field(' HYPERLINK "mailto:', "{{v}}", '" '), "a@b.example", 'HYPERLINK "mailto:a@b.example"'],
    [
      field(' HYPERLINK "mailto:{{v}}?subject={{v}}" '),
      "a@b&c",
      'HYPERLINK "mailto:a@b%26c?subject=a@b%26c"',
    ],
    [field(' HYPERLINK "https://{{v}}.example/" '), "a@b", 'HYPERLINK "https://a%40b.example/"'],
    [
      field(' HYPERLINK "https://x.example/mailto:{{v}}" '),
      "a@b",
      'HYPERLINK "https://x.example/mailto:a%40b"',
    ],
  ])("is written as in the address of any other link: %#", async (body, v, expected) => {
    const { xml, told: warnings } = await render({ body }, { v });
    expect(instructionOf(xml)).toBe(expected);
    expect(warnings).toEqual([]);
  });

  test("also in the attribute of a simple field", async () => {
    const { xml } = await render({ body: simple(' HYPERLINK "mailto:{{v}}" ') }, { v: "a@b.c" });
    expect(instructionOf(xml)).toBe('HYPERLINK "mailto:a@b.c"');
  });

  test("leads nowhere if its value is missing, and is not reported as unsafe", async () => {
    const body = field(' HYPERLINK "{{v :: optional}}" ');
    const { xml, told: warnings } = await render({ body }, {});
    expect(instructionOf(xml)).toBe('HYPERLINK "about:blank"');
    expect(warnings).toEqual([]);
  });
});

describe("the address of a link", () => {
  const link = (target: string): WordFile => ({
    body: `<w:p><w:hyperlink r:id="l1">${r("x")}</w:hyperlink></w:p>`,
    links: { l1: target },
  });

  test.each(["{{u :: optional}}", "mailto:{{u :: optional}}", "tel:{{u :: optional}}"])(
    "that is missing and optional makes no link and no warning: %s",
    async (target) => {
      const { xml, told: warnings } = await render(link(target), {});
      expect(xml).not.toContain("r:id");
      expect(warnings).toEqual([]);
    },
  );

  test("is used without a missing part that is optional", async () => {
    const { parts, told: warnings } = await render(link("https://a.example/{{u :: optional}}"), {});
    expect(parts.get("word/_rels/document.xml.rels")).toContain('"https://a.example/"');
    expect(warnings).toEqual([]);
  });

  test("that is missing and not optional is reported as missing, not as unsafe", async () => {
    expect((await render(link("{{u}}"), {})).told).toEqual(["error missing_value"]);
    const blank = await render(link("{{u}}"), {}, { onMissing: "blank" });
    expect(blank.told).toEqual(["warning missing_value"]);
  });
});

describe("a tag with the size of a picture", () => {
  test.each([
    ["a URL", "https://x.example/z.png"],
    ["base64 of something else", "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ="],
    ["a number", 5],
    ["a list of texts", ["a", "b"]],
  ])("does not print %s as text", async (_name, v) => {
    for (const modifier of ['width("2cm")', 'height("1cm")', 'fit("cover")']) {
      expect(await printed(`{{v :: ${modifier}}}`, { v })).toBe("invalid_data: invalid_value");
    }
  });

  test("prints nothing for an empty value, and its default for a missing value", async () => {
    expect(await printed('[{{v :: width("2cm")}}]', { v: "" })).toBe("[]");
    const text = '{{v :: width("2cm"), default("no photo")}}';
    expect(await printed(text, {})).toBe("no photo");
  });
});

describe("a list of pictures", () => {
  const drawings = (bytes: Uint8Array): number => bodyOf(bytes).split("<w:drawing>").length - 1;

  test("prints all pictures", async () => {
    const items = [{ im: IMAGE }, { im: null }, { im: IMAGE }];
    const { bytes, lines } = await outcome(p('{{items.im :: width("1cm"), delimiter(" ")}}'), {
      items,
    });
    expect(drawings(bytes)).toBe(2);
    expect(lines).toEqual([" "]);
  });

  test("with another value in it is reported", async () => {
    expect(await printed("{{l}}", { l: [IMAGE, "x"] })).toBe("invalid_data: invalid_value");
  });

  test("is rejected in an attribute", async () => {
    const body = `<w:p><w:hyperlink w:anchor="_top" w:tooltip="{{l}}">${r("x")}</w:hyperlink></w:p>`;
    expect((await outcome(body, { l: [IMAGE] })).error).toBe("invalid_data");
  });
});

test("a check box shows whether there is a picture", async () => {
  expect(await printed("{{v :: checkbox}}", { v: IMAGE })).toBe("☒");
});

describe("a default", () => {
  test.each([
    ['default("<b>none</b>"), html', "none"],
    ['default("<b>none</b>")', "none"],
    ['default("<b>none</b>"), text', "<b>none</b>"],
    ['default("**none**"), markdown', "none"],
    ['default("https://d.example/"), link("L")', "L"],
    ['default("false"), checkbox', "☐"],
    ["default(0), checkbox", "☐"],
    ['default("yes"), checkbox', "☒"],
    ['default("n/a"), number("0.00")', "n/a"],
    ['default("n/a"), format("dd-mm-yyyy"), uppercase', "N/A"],
    ['default("")', ""],
  ])("is printed like a value, but without formats: %s", async (modifiers, expected) => {
    expect(await printed(`{{v :: ${modifiers}}}`, {})).toBe(expected);
    expect(await told(`{{v :: ${modifiers}}}`, {})).toEqual([]);
  });

  test("of a link is a link, and of a code is a code", async () => {
    const link = await render({ body: p('{{v :: default("https://d.example/"), link}}') }, {});
    expect(link.xml).toContain("<w:hyperlink r:id=");
    const code = await render({ body: p('{{v :: default("x"), qrcode}}') }, {});
    expect(code.xml).toContain("<w:drawing>");
  });
});

describe("a backslash in a string", () => {
  test.each([
    ['default("C:\\temp")', "C:\\temp"],
    ['default("x\\ny")', "x\\ny"],
    ['default("a\\\\b")', "a\\b"],
    ['default("a\\"b")', 'a"b'],
    ["default('a\\'b')", "a'b"],
    ["default(“a\\”b”)", "a”b"],
  ])(
    "is a plain character, except before a quote or a backslash: %s",
    async (modifier, expected) => {
      expect(await printed(`{{v :: ${modifier}}}`, {})).toBe(expected);
    },
  );
});

describe("a placeholder picture", () => {
  const pic = (attributes: string, more = ""): string =>
    `<w:r><w:drawing><wp:inline><wp:extent cx="914400" cy="1828800"/><wp:docPr id="1" name="P" ${attributes}>${more}</wp:docPr><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill><pic:spPr><a:xfrm ROT><a:off x="0" y="0"/><a:ext cx="914400" cy="1828800"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  const file = (drawing: string, rot = ""): WordFile => ({
    body: `<w:p>${drawing.replace(" ROT", rot)}</w:p>`,
    parts: { "image1.xml": "" },
    links: { l1: "https://a.example/{{name}}" },
  });
  const docPr = (xml: string): string => /<wp:docPr [^>]*>/.exec(xml)?.[0] ?? "";
  const isFilled = (xml: string): boolean => xml.includes('r:embed="rIdQuire');
  const data = { photo: IMAGE, name: "N & M" };

  test("keeps its other texts, with the values of their tags", async () => {
    const drawing = pic('descr="{{photo}}" title="about {{name}}"', '<a:hlinkClick r:id="l1"/>');
    const { xml, parts } = await render(file(drawing), data);
    expect(isFilled(xml)).toBe(true);
    expect(docPr(xml)).toContain('descr="photo" title="about N &amp; M"');
    const id = /<a:hlinkClick r:id="(\w+)"/.exec(xml)?.[1];
    expect(parts.get("word/_rels/document.xml.rels")).toContain(
      `Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://a.example/N%20%26%20M"`,
    );
  });

  test("may also have the tag as its title", async () => {
    const { xml } = await render(file(pic('descr="{{photo}}" title="{{photo}}"')), data);
    expect(docPr(xml)).toContain('descr="photo" title="photo"');
  });

  test.each(["{{photo}}&#10;", " {{photo}} ", "&#10;{{ photo }}&#10;&#10;", "{{photo}}\u00a0"])(
    "may have white space around the tag in its alternative text: %j",
    async (text) => {
      const { xml } = await render(file(pic(`descr="${text}"`)), data);
      expect(isFilled(xml)).toBe(true);
      expect(docPr(xml)).toContain('descr="photo"');
    },
  );

  const described = 'descr="{{photo}}&#10;&#10;Description of {{name}} automatically generated"';

  test("keeps the lines that Word writes after the tag", async () => {
    const { xml } = await render(file(pic(described)), data);
    expect(isFilled(xml)).toBe(true);
    expect(docPr(xml)).toContain('descr="Description of N &amp; M automatically generated"');
  });

  test("with further lines is kept if its value is text, and removed if an optional value is missing", async () => {
    const text = await render(file(pic(described)), { photo: "A house", name: "N" });
    expect(isFilled(text.xml)).toBe(false);
    expect(docPr(text.xml)).toContain(
      'descr="A house&#10;&#10;Description of N automatically generated"',
    );
    const optional = described.replace("photo", "photo :: optional");
    expect((await render(file(pic(optional)), { name: "N" })).xml).not.toContain("<w:drawing>");
    const kept = await render(file(pic(described)), { name: "N" });
    expect(docPr(kept.xml)).toContain('descr="{{photo}}&#10;');
    expect(kept.told).toContain("error missing_value");
  });

  test("needs a line that contains only the tag", async () => {
    const { xml } = await render(file(pic('descr="A picture of {{name}}"')), { name: "N" });
    expect(isFilled(xml)).toBe(false);
    expect(docPr(xml)).toContain('descr="A picture of N"');
  });

  test("that EXIF turns by a quarter is in a group, with the author's rotation", async () => {
    const { xml } = await render(file(pic('descr="{{photo}}"'), ' rot="600000"'), {
      photo: TURNED,
    });
    expect(xml).toContain("<wpg:wgp ");
    expect(xml).toContain('<wp:extent cx="457200" cy="1828800"/>');
    const frames = [...xml.matchAll(/<a:xfrm([^>]*)>/g)].map(([, attributes]) => attributes);
    expect(frames).toEqual([' rot="600000"', ' rot="5400000"']);
  });

  test("in a comment or a note is turned without a group, like pictures from values", async () => {
    const content = `${p("{{photo}}")}<w:p>${pic('descr="{{photo}}"').replace(" ROT", "")}</w:p>`;
    const { parts } = await render(
      {
        body: `<w:p>${r("{{name}}")}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
        parts: {
          "comments.xml": `<w:comment w:id="1" w:author="a">${content}</w:comment>`,
          "footnotes.xml": `<w:footnote w:id="2">${content}</w:footnote>`,
        },
      },
      { name: "N", photo: TURNED },
    );
    for (const name of ["comments", "footnotes"]) {
      const xml = parts.get(`word/${name}.xml`) ?? "";
      expect(xml.split("<w:drawing>")).toHaveLength(3);
      expect(xml).not.toContain("wpg:wgp");
    }
  });
});

describe("bookmarks with rich text in their paragraph", () => {
  const start = (id: number): string => `<w:bookmarkStart w:id="${id}" w:name="b${id}"/>`;
  const end = (id: number): string => `<w:bookmarkEnd w:id="${id}"/>`;
  const LIST = "<h1>T</h1><ul><li>a</li></ul>";
  const cell = (content: string): string =>
    `<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc><w:tcPr/>${content}</w:tc></w:tr></w:tbl>`;

  test.each([
    ["around the tag", `<w:p>${start(1)}${r("{{h}}")}${end(1)}</w:p>`],
    ["around it after a text", `<w:p>${r("Text ")}${start(1)}${r("{{h}}")}${end(1)}</w:p>`],
    [
      "from it to the next paragraph",
      `<w:p>${start(1)}${r("{{h}}")}</w:p><w:p>${r("x")}${end(1)}</w:p>`,
    ],
    ["that ends there", `<w:p>${start(1)}${r("x")}</w:p><w:p>${r("{{h}}")}${end(1)}</w:p>`],
    ["in a cell", cell(`<w:p>${start(1)}${r("{{h}}")}${end(1)}</w:p>`)],
    ["in a block", `<w:p>${r("{{if h}}")}${start(1)}${r("{{h}}")}${end(1)}${r("{{endif}}")}</w:p>`],
    ["between two tags", `<w:p>${r("{{h}}")}${start(1)}${end(1)}${r("{{h}}")}</w:p>`],
  ])("remain complete: %s", async (_name, body) => {
    for (const h of [LIST, "<table><tr><td>1</td></tr></table>", "<p>x</p><p>y</p>", "text"]) {
      const { xml } = await render({ body: `${body}<w:p/>` }, { h });
      expect(xml.split("<w:bookmarkStart ")).toHaveLength(2);
      expect(xml.split("<w:bookmarkEnd ")).toHaveLength(2);
      expect(xml.indexOf("<w:bookmarkStart ")).toBeLessThan(xml.indexOf("<w:bookmarkEnd "));
    }
  });

  test("contain what the tag prints", async () => {
    const { xml } = await render(
      { body: `<w:p>${start(1)}${r("{{h}}")}${end(1)}</w:p>` },
      { h: LIST },
    );
    const held = xml.slice(xml.indexOf("<w:bookmarkStart "), xml.indexOf("<w:bookmarkEnd "));
    expect(held.replace(/<[^>]*>/g, "")).toBe("Ta");
  });

  test("and comments in a loop occur once in each iteration", async () => {
    const body = `${p("{{for i in l}}")}<w:p>${start(1)}${r("{{i}}")}${end(1)}</w:p>${p("{{endfor}}")}`;
    const { xml } = await render({ body }, { l: [LIST, LIST, "x"] });
    const names = [...xml.matchAll(/w:name="([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(3);
    expect(xml.split("<w:bookmarkEnd ")).toHaveLength(4);
  });
});

describe("lists of many values", () => {
  const body = p("{{for i in l}}") + p("{{i :: html}}") + p("{{endfor}}");
  const count = (xml: string | undefined, name: string): number =>
    (xml?.split(`<${name} `).length ?? 0) - 1;

  test("share one definition of bullets and one instance of it", async () => {
    const l = Array.from({ length: 300 }, () => "<ul><li>a<ul><li>b</li></ul></li></ul>");
    const { parts, told: warnings } = await render({ body }, { l });
    const numbering = parts.get("word/numbering.xml");
    expect(count(numbering, "w:abstractNum")).toBe(1);
    expect(count(numbering, "w:num")).toBe(1);
    expect(warnings).toEqual([]);
  });

  test("share definitions of numbers, and each restarts with a separate instance", async () => {
    const l = Array.from(
      { length: 30 },
      (_, index) => `<ol start="${index}"><li>a</li></ol><p>x</p><ol><li>b</li></ol>`,
    );
    const { parts } = await render({ body }, { l });
    const numbering = parts.get("word/numbering.xml") ?? "";
    expect(count(numbering, "w:abstractNum")).toBe(2);
    expect(count(numbering, "w:num")).toBe(60);
    expect(numbering).toContain(
      '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>',
    );
  });

  test("that are nested have separate definitions", async () => {
    const inner = "<table><tr><td><ol><li>in</li></ol></td></tr></table>";
    const l = [`<ol><li>a${inner}</li><li>b</li></ol>`, `<ol><li>a${inner}</li><li>b</li></ol>`];
    const { parts } = await render({ body }, { l });
    const ids = [
      ...(parts.get("word/numbering.xml") ?? "").matchAll(/<w:abstractNumId w:val="(\d+)"/g),
    ];
    expect(ids.map(([, id]) => Number(id))).toEqual([0, 1, 0, 1]);
  });

  test("have their numbers as text above Word's limit, with a warning", async () => {
    const l = Array.from({ length: 2_002 }, () => "<ol><li>a</li><li>b</li></ol>");
    const { parts, lines, told: warnings } = await render({ body }, { l });
    expect(count(parts.get("word/numbering.xml"), "w:num")).toBe(2_000);
    expect(lines.slice(3_999, 4_002)).toEqual(["b", "1.⇥a", "2.⇥b"]);
    expect(warnings).toEqual(["warning markup_limit"]);
  });
});
