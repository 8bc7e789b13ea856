/** The cells, text boxes and fonts that `shrink` knows. */
import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import {
  cell,
  codes,
  exactly,
  problems,
  rendered,
  run,
  runs,
  runsIn,
  sized,
  TEN_WIDE,
} from "../support/shrink.ts";
import { wordFile } from "../support/word-file.ts";

const TAG = sized("{{name :: shrink(4)}}");

/** The size in half points that makes text in Arial 100 points wide. */
const WIDE = `${TEN_WIDE} 21`;

interface Drawn {
  readonly size?: string;
  readonly form?: string;
  readonly body?: string;
  readonly around?: (shape: string) => string;
  readonly old?: string;
}

/** A text box with room for 100 by 50 points, as DrawingML and as VML. */
function textBox(
  content: string,
  {
    size = 'cx="1452880" cy="726440"',
    form = '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>',
    body = "<wps:bodyPr/>",
    around = (shape) => shape,
    old = '<v:rect style="width:9pt;height:9pt"><v:textbox>',
  }: Drawn = {},
): string {
  const inner = `<w:txbxContent>${content}</w:txbxContent>`;
  const shape = `<wps:wsp><wps:cNvSpPr/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm>${form}</wps:spPr><wps:txbx>${inner}</wps:txbx>${body}</wps:wsp>`;
  return `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="1" name="b"/><a:graphic><a:graphicData uri="u">${around(shape)}</a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict>${old}${inner}</v:textbox></v:rect></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`;
}

/** A text box of VML only. */
const oldBox = (content: string, style = "", inset = ""): string =>
  `<w:p><w:r><w:pict><v:rect style="position:absolute;width:114.4pt;height:57.2pt;${style}"><v:textbox${inset}><w:txbxContent>${content}</w:txbxContent></v:textbox></v:rect></w:pict></w:r></w:p>`;

describe("a text box", () => {
  test("has room within its margins, and both of its forms get the same size", async () => {
    const { xml, warnings } = await rendered(textBox(TAG), { name: TEN_WIDE });
    expect(warnings).toEqual([]);
    expect(xml.match(/<w:sz w:val="21"\/>/g)).toHaveLength(2);
  });

  test("breaks lines up to its height", async () => {
    const name = "seven words that need three whole lines here";
    const { xml } = await rendered(textBox(sized("{{name :: shrink(4)}}", 60)), { name });
    const [size] = /(?<=<w:sz w:val=")\d+/.exec(xml) ?? [];
    expect(size).toBe("27");
  });

  test("reports text that does not fit once", async () => {
    const { warnings } = await rendered(textBox(sized("{{name :: shrink}}")), {
      name: "W".repeat(99),
    });
    expect(warnings).toMatchObject([
      { code: "does_not_fit", hint: expect.stringMatching(/^Enlarge the cell or the text box/) },
    ]);
  });

  test.each([
    ["with other margins", { body: '<wps:bodyPr lIns="0" rIns="182880"/>' }],
    [
      "with rounded corners",
      {
        size: 'cx="1523900" cy="726440"',
        form: '<a:prstGeom prst="roundRect"><a:avLst><a:gd name="adj" fmla="val 16667"/></a:avLst></a:prstGeom>',
      },
    ],
    [
      "in a group that is drawn at half of its size",
      {
        size: 'cx="2905760" cy="1452880"',
        around: (shape: string) =>
          `<wpg:wgp xmlns:wpg="g"><wpg:grpSpPr><a:xfrm><a:ext cx="500" cy="500"/><a:chExt cx="1000" cy="1000"/></a:xfrm></wpg:grpSpPr>${shape}</wpg:wgp>`,
      },
    ],
  ])("%s leaves the same room", async (_name, drawn) => {
    const { xml } = await rendered(textBox(TAG, drawn), { name: TEN_WIDE });
    expect(xml.match(/<w:sz w:val="21"\/>/g)).toHaveLength(2);
  });

  test("of VML has the size of its style", async () => {
    for (const box of [oldBox(TAG), oldBox(TAG, "", ' inset="0,0,14.4pt,1mm"')]) {
      expect(runsIn((await rendered(box, { name: TEN_WIDE })).xml)).toContain(WIDE);
    }
  });

  test("in a cell has its own room, which does not count for the cell", async () => {
    const body = cell(`${sized("{{name :: shrink(4)}}")}${textBox(TAG)}`);
    const { xml } = await rendered(body, { name: TEN_WIDE });
    expect(xml.match(/<w:sz w:val="21"\/>/g)).toHaveLength(3);
  });

  test("in a cell may have a tag for the cell, which does not change the text box", async () => {
    const inBox = sized("{{cell :: shrink(4)}}b");
    const { xml, warnings } = await rendered(cell(sized("{{name}}") + textBox(inBox)), {
      name: TEN_WIDE,
    });
    expect(warnings).toEqual([]);
    expect(runsIn(xml)[0]).toBe(WIDE);
    expect(xml.match(/<w:sz w:val="40"\/><\/w:rPr><w:t[^>]*>b</g)).toHaveLength(2);
  });

  test("shrinks all of its text with a tag for the shape, which may also fill it", async () => {
    const content = sized('{{shape :: shrink(4), fill("red")}}{{name}}') + sized("b", 20);
    const { xml, warnings } = await rendered(textBox(content), { name: TEN_WIDE });
    expect(warnings).toEqual([]);
    expect(xml.match(/<w:sz w:val="21"\/>/g)).toHaveLength(2);
    // The mark of the second paragraph is as small as its text.
    expect(xml.match(/<w:sz w:val="10"\/>/g)).toHaveLength(4);
    expect(xml).toContain('<a:srgbClr val="FF0000"/>');
  });

  test("of another form has a warning if the text nearly fills it", async () => {
    const form = '<a:prstGeom prst="cloud"><a:avLst/></a:prstGeom>';
    const { warnings } = await rendered(textBox(TAG, { form }), { name: TEN_WIDE });
    expect(warnings).toMatchObject([
      { code: "size_estimated", message: expect.stringContaining("the form of its text box") },
    ]);
    expect(await codes(textBox(TAG, { form }), { name: "a" })).toEqual([]);
  });
});

describe("a box without a known size", () => {
  const AUTO = '<w:tcW w:w="0" w:type="auto"/>';
  const FIXED = '<w:tblLayout w:type="fixed"/>';

  test.each([
    ["auto", AUTO],
    ["no", ""],
  ])(
    "a cell with %s width is an error, unless the columns of its table are fixed",
    async (_name, width) => {
      expect(await problems(cell(TAG, { width }))).toEqual([
        "shrink_without_size: {{name :: shrink(4)}} makes text smaller until it fits, but its cell has no known width. Give the cell a width: in Word, Table Properties, Cell, Preferred width, measured in centimeters or inches.",
      ]);
      expect(await runs(cell(TAG, { width, table: FIXED }), { name: TEN_WIDE })).toEqual([WIDE]);
    },
  );

  test("a width in percent is the one of the column", async () => {
    const width = '<w:tcW w:w="5000" w:type="pct"/>';
    expect(await runs(cell(TAG, { width }), { name: TEN_WIDE })).toEqual([WIDE]);
  });

  test.each([
    ["grows with its text", textBox(TAG, { body: "<wps:bodyPr><a:spAutoFit/></wps:bodyPr>" })],
    ["grows with its text", oldBox(TAG, "", ' style="mso-fit-shape-to-text:t"')],
    ["from left to right", textBox(TAG, { body: '<wps:bodyPr vert="vert270"/>' })],
    ["from left to right", oldBox(TAG, "", ' style="layout-flow:vertical"')],
    ["from left to right", cell(TAG, { properties: '<w:textDirection w:val="btLr"/>' })],
    ["size of its text box is not known", textBox(TAG, { size: 'cx="0" cy="0"' })],
    ["size of its text box is not known", oldBox(TAG).replaceAll("pt;", ";")],
  ])("that %s is an error", async (what, body) => {
    const found = await problems(body);
    expect(found).not.toHaveLength(0);
    for (const each of found) expect(each).toMatch(new RegExp(`^shrink_without_size: .*${what}`));
  });

  test("a cell that covers others is an error", async () => {
    const body = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="900"/><w:gridCol w:w="900"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="900" w:type="dxa"/></w:tcPr>${p("{{cell :: span(2)}}{{name :: shrink}}")}</w:tc><w:tc><w:tcPr><w:tcW w:w="900" w:type="dxa"/></w:tcPr>${p("b")}</w:tc></w:tr></w:tbl><w:p/>`;
    expect(await problems(body)).toEqual([
      expect.stringMatching(/^shrink_without_size: .* the cells that it covers/),
    ]);
  });

  test("a cell in a column whose width a tag sets is an error, and one beside it is not", async () => {
    const size = '<w:tcPr><w:tcW w:w="900" w:type="dxa"/></w:tcPr>';
    const row = (...texts: string[]): string =>
      `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="900"/><w:gridCol w:w="900"/></w:tblGrid><w:tr>${texts.map((text) => `<w:tc>${size}${p(text)}</w:tc>`).join("")}</w:tr></w:tbl><w:p/>`;
    const given = '{{column :: width("3cm")}}';
    expect(await problems(row(`${given}{{name :: shrink}}`, "b"))).toEqual([
      expect.stringMatching(/^shrink_without_size: .* a tag sets the width of its column/),
    ]);
    expect(await problems(row(given, "{{name :: shrink}}"))).toEqual([]);
  });

  test("outside of cells and text boxes, or for a paragraph or a row, is an error", async () => {
    expect(await problems(p("{{name :: shrink}}"))).toEqual([
      "look_outside: {{name :: shrink}} makes text smaller until it fits, but it is not in a cell of a table or in a text box. Put it into a cell with a width, or into a text box.",
    ]);
    for (const target of ["paragraph", "row"]) {
      expect(await problems(cell(p(`{{${target} :: shrink}}`)))).toEqual([
        expect.stringMatching(
          `^look_outside: .*not in a ${target}\\. Write {{cell :: shrink}} for`,
        ),
      ]);
    }
    expect(await problems(p("{{cell :: shrink}}"))).toEqual([
      "look_outside: {{cell :: shrink}} is not in a cell. Put it into a cell of a table.",
    ]);
  });

  test("a tag in a block that begins in the cell is an error for the cell, not for a value", async () => {
    const block = (tag: string): string => cell(p(`{{if a}}${tag}{{endif}}x`));
    expect(await problems(block("{{cell :: shrink}}"))).toEqual([
      expect.stringMatching(/^look_in_block/),
    ]);
    expect(await problems(block("{{name :: shrink}}"))).toEqual([]);
  });
});

describe("the room in a cell", () => {
  const wide = '<w:tcW w:w="2316" w:type="dxa"/>';

  test("is without the margins of the cell, the table, or the style of the table", async () => {
    const margins = '<w:left w:w="116" w:type="dxa"/><w:right w:w="200" w:type="dxa"/>';
    const own = cell(TAG, { width: wide, properties: `<w:tcMar>${margins}</w:tcMar>` });
    const ofTable = cell(TAG, { width: wide, table: `<w:tblCellMar>${margins}</w:tblCellMar>` });
    const ofStyle = {
      body: cell(TAG, { width: wide, table: '<w:tblStyle w:val="t"/>' }),
      parts: {
        "styles.xml": `<w:style w:type="table" w:styleId="b"><w:tblPr><w:tblCellMar>${margins}</w:tblCellMar></w:tblPr></w:style><w:style w:type="table" w:styleId="t"><w:basedOn w:val="b"/></w:style>`,
      },
    };
    for (const body of [own, ofTable, ofStyle]) {
      expect(await runs(body, { name: TEN_WIDE })).toEqual([WIDE]);
    }
  });

  test("is without the indents of the paragraph", async () => {
    const indented = TAG.replace(
      "<w:p>",
      '<w:p><w:pPr><w:ind w:left="50" w:right="25" w:firstLine="25"/></w:pPr>',
    );
    expect(await runs(cell(indented, { width: wide }), { name: TEN_WIDE })).toEqual([WIDE]);
  });

  test("is without the top and bottom margins of the cell", async () => {
    const margins =
      '<w:tcMar><w:top w:w="100" w:type="dxa"/><w:bottom w:w="100" w:type="dxa"/></w:tcMar>';
    const body = (row: number, properties = ""): string =>
      cell(TAG, { row: exactly(row), properties });
    expect(await runs(body(500, margins), { name: "a" })).toEqual(
      await runs(body(300), { name: "a" }),
    );
  });
});

describe("the size and the width of text", () => {
  const bare = (properties: string, style = ""): string =>
    `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:rPr>${properties}</w:rPr><w:t>{{name :: shrink(4)}}</w:t></w:r></w:p>`;
  const ARIAL = '<w:rFonts w:ascii="Arial" w:hAnsi="Arial"/>';
  const defaults = (properties: string): string =>
    `<w:docDefaults><w:rPrDefault><w:rPr>${properties}</w:rPr></w:rPrDefault></w:docDefaults>`;

  test.each([
    ["the defaults", defaults(`${ARIAL}<w:sz w:val="40"/>`), bare("")],
    [
      "a paragraph style, which is based on another",
      `${defaults('<w:sz w:val="2"/>')}<w:style w:type="paragraph" w:styleId="a"><w:rPr>${ARIAL}<w:sz w:val="40"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="b"><w:basedOn w:val="a"/></w:style>`,
      bare("", "b"),
    ],
    [
      "the default paragraph style",
      `<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:rPr>${ARIAL}<w:sz w:val="40"/></w:rPr></w:style>`,
      bare(""),
    ],
    [
      "a character style",
      `<w:style w:type="character" w:styleId="c"><w:rPr>${ARIAL}<w:sz w:val="40"/></w:rPr></w:style>`,
      bare('<w:rStyle w:val="c"/>'),
    ],
    [
      "styles that are based on each other",
      `${defaults(`${ARIAL}<w:sz w:val="40"/>`)}<w:style w:type="paragraph" w:styleId="a"><w:basedOn w:val="b"/></w:style><w:style w:type="paragraph" w:styleId="b"><w:basedOn w:val="a"/></w:style>`,
      bare("", "a"),
    ],
  ])("come from %s", async (_name, styles, paragraph) => {
    const file = { body: cell(paragraph), parts: { "styles.xml": styles } };
    expect(await runs(file, { name: TEN_WIDE })).toEqual([WIDE]);
    expect((await runs(file, { name: "W" }))[0]).toBe("W -");
  });

  test("come from the first row of a table style", async () => {
    const styles = `<w:style w:type="table" w:styleId="t"><w:tblStylePr w:type="firstRow"><w:rPr>${ARIAL}<w:sz w:val="40"/></w:rPr></w:tblStylePr></w:style>`;
    const table = '<w:tblStyle w:val="t"/><w:tblLook w:val="0020"/>';
    const file = { body: cell(bare(""), { table }), parts: { "styles.xml": styles } };
    expect(await runs(file, { name: TEN_WIDE })).toEqual([WIDE]);
  });

  test("come from a font of the theme", async () => {
    const parts = {
      "styles.xml": defaults('<w:rFonts w:asciiTheme="minorHAnsi"/><w:sz w:val="40"/>'),
      "theme1.xml":
        '<a:themeElements><a:fontScheme name="f"><a:majorFont><a:latin typeface="Courier New"/></a:majorFont><a:minorFont><a:latin typeface="Arial"/></a:minorFont></a:fontScheme></a:themeElements>',
    };
    expect(await runs({ body: cell(bare("")), parts }, { name: TEN_WIDE })).toEqual([WIDE]);
  });

  test.each([
    ["<w:caps/>", "w".repeat(10), 21],
    ["<w:smallCaps/>", "w".repeat(10), 26],
    ['<w:spacing w:val="20"/>', TEN_WIDE, 18],
    ['<w:w w:val="50"/>', TEN_WIDE, 40],
    ['<w:vertAlign w:val="superscript"/>', TEN_WIDE, 32],
    ["<w:vanish/>", "W".repeat(50), 40],
  ])("depend on %s", async (properties, name, size) => {
    const [found] = await runs(cell(sized("{{name :: shrink(4)}}", 40, properties)), { name });
    expect(found).toBe(`${name} ${size}`);
  });

  test("of an unknown font are estimates, with a warning where they matter", async () => {
    const body = cell(TAG.replaceAll("Arial", "Papyrus"));
    const { xml, warnings } = await rendered(body, { name: TEN_WIDE });
    expect(runsIn(xml)).toEqual([`${TEN_WIDE} 19`]);
    expect(warnings).toMatchObject([
      {
        code: "size_estimated",
        message:
          "The size of the text at the tag {{name :: shrink(4)}} is an estimate, because the widths of the font 'Papyrus' are not known.",
      },
    ]);
    expect(await codes(body, { name: "a" })).toEqual([]);
  });

  test("of characters of other scripts are known for East Asia, and otherwise estimates", async () => {
    expect(await runs(cell(TAG), { name: "漢".repeat(10) })).toEqual([`${"漢".repeat(10)} 19`]);
    expect(await codes(cell(TAG), { name: "ع".repeat(20) })).toEqual(["size_estimated"]);
  });

  test("of pictures, lists, tables and tab stops in the box are considered or reported", async () => {
    const inline =
      '<w:r><w:drawing><wp:inline><wp:extent cx="635000" cy="100"/></wp:inline></w:drawing></w:r>';
    const pictured = cell(`<w:p>${inline}${run("{{name :: shrink(4)}}")}</w:p>`);
    expect(await runs(pictured, { name: TEN_WIDE })).toContain(`${TEN_WIDE} 10`);
    const listed = TAG.replace(
      "<w:p>",
      '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>',
    );
    const nested = cell(p("a"), { width: "" }).replace("<w:p/>", "");
    for (const content of [listed, nested + TAG]) {
      expect(await codes(cell(content), { name: TEN_WIDE })).toEqual(["size_estimated"]);
    }
  });
});

test("names of other languages are hints", async () => {
  for (const name of ["autofit", "shrinkToFit", "shrink_to_fit", "fitText", "tcFitText"]) {
    expect(await problems(cell(p(`{{name :: ${name}}}`)))).toEqual([
      `tag_syntax: There is no modifier '${name}'. Did you mean 'shrink'?`,
    ]);
  }
  const template = await compileTemplate(wordFile({ body: p("{{name :: fit}}") }));
  expect(() => template.render({ name: "Ann" })).toThrow(
    expect.objectContaining({
      diagnostics: [expect.objectContaining({ hint: expect.stringContaining(":: shrink") })],
    }),
  );
});

test("a wrong argument is an error", async () => {
  const wrong = { "0": "not a size", "2000": "not a size", "8.5": "whole number" };
  for (const [argument, what] of Object.entries(wrong)) {
    expect((await problems(cell(p(`{{name :: shrink(${argument})}}`)))).join()).toContain(what);
  }
  const template = await compileTemplate(wordFile({ body: cell(p("{{name :: shrink(x)}}")) }));
  expect(() => template.render({ name: "a", x: "b" })).toThrow(/the argument of 'shrink'/);
});

test("HTML keeps its own size, with a warning that names the tag for the cell", async () => {
  const template = await compileTemplate(wordFile({ body: cell(p("{{t :: html, shrink}}")) }));
  expect(template.warnings).toMatchObject([
    { code: "modifier_without_effect", hint: expect.stringContaining("{{cell :: shrink}}") },
  ]);
});

test("the schema of the data knows the smallest size", async () => {
  const template = await compileTemplate(wordFile({ body: cell(p("{{name :: shrink(least)}}")) }));
  expect(template.render(template.sample()).warnings).toEqual([]);
  expect(JSON.stringify(template.schema())).toContain('"least"');
});

test("a long text takes time in proportion to its length, and text beyond the limit is not measured", async () => {
  const template = await compileTemplate(wordFile({ body: cell(TAG, { row: exactly(5_000) }) }));
  const steps = (name: string): number => {
    let [low, high] = [1, 1_000_000];
    while (high - low > 1) {
      const limits = { steps: Math.round((low + high) / 2) };
      try {
        template.render({ name }, { limits });
        high = limits.steps;
      } catch {
        low = limits.steps;
      }
    }
    return high;
  };
  const word = "word ";
  const [short, long] = [steps(word.repeat(1_000)), steps(word.repeat(10_000))];
  expect(long / short).toBeLessThan(12);
  const { bytes, warnings } = template.render({ name: "W".repeat(1_000_000) });
  expect(bytes.length).toBeGreaterThan(0);
  expect(warnings).toMatchObject([{ code: "does_not_fit" }]);
});
