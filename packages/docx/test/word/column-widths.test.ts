/** Widths of table columns from the data: `{{column :: width(c.width)}}`. */
import { describe, expect, test } from "vitest";
import { bodyOf, docx, p, partOf } from "../../../ooxml/test/support/docx.ts";
import { png } from "../../../ooxml/test/support/pictures.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome, type TestOptions } from "../support/language.ts";
import { assertSound } from "../support/sound.ts";

const WIDTH = 2000;
/** A picture of 200 × 100 pixels. */
const PNG = Buffer.from(png(200, 100)).toString("base64");

/** A cell of one column. */
function cell(text: string, width = `<w:tcW w:w="${WIDTH}" w:type="dxa"/>`): string {
  return `<w:tc><w:tcPr>${width}</w:tcPr>${p(text)}</w:tc>`;
}

/** A cell of several columns. */
function wide(text: string, columns: number): string {
  return cell(
    text,
    `<w:tcW w:w="${WIDTH * columns}" w:type="dxa"/><w:gridSpan w:val="${columns}"/>`,
  );
}

/** A row; cells given as text have one column. */
function row(...cells: readonly string[]): string {
  return `<w:tr>${cells.map((each) => (each.startsWith("<") ? each : cell(each))).join("")}</w:tr>`;
}

function table(
  columns: number,
  rows: readonly string[],
  properties = '<w:tblW w:w="5000" w:type="pct"/>',
): string {
  const grid = `<w:gridCol w:w="${WIDTH}"/>`.repeat(columns);
  return `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.join("")}</w:tbl>${p("")}`;
}

/** The width of the table, the layout, and the widths of the grid and of the cells in each row. */
function widthsIn(xml: string): string[] {
  const [, whole, unit] = /<w:tblW w:w="(\d+)" w:type="(\w+)"\/>/.exec(xml) ?? [];
  const layout = xml.includes('<w:tblLayout w:type="fixed"/>') ? " fixed" : "";
  const grid = [...xml.matchAll(/<w:gridCol(?: w:w="(\d+)")?\/>/g)].map(([, width]) => width);
  const rows = [...xml.matchAll(/<w:tr>(.*?)<\/w:tr>/gs)].map(([, cells = ""]) =>
    [...cells.matchAll(/<w:tcPr>(.*?)<\/w:tcPr>/gs)]
      .map(([, each = ""]) => {
        const [, width, type] = /<w:tcW w:w="(\d+)" w:type="(\w+)"\/>/.exec(each) ?? [];
        return type === "dxa" ? width : (type ?? "-");
      })
      .join(" "),
  );
  return [`${whole} ${unit}${layout}`, grid.join(" "), ...rows];
}

async function widths(
  body: string,
  data: Record<string, unknown>,
  options: TestOptions = {},
): Promise<string[]> {
  const { bytes, error, warnings } = await outcome(body, data, options);
  expect([error, warnings]).toEqual([null, []]);
  assertSound(bytes);
  return widthsIn(bodyOf(bytes));
}

async function problem(body: string, data: Record<string, unknown> = {}) {
  const { error, warnings } = await outcome(body, data);
  return { error, code: warnings[0]?.code, ...warnings[0] };
}

/** A table with a column for each month. */
const MONTHS = table(2, [
  row(
    "City",
    "{{tablecolumn m in months}}{{m.name}}{{column :: width(m.width)}}{{endtablecolumn}}",
  ),
  row("{{tablerow c in cities}}{{c.name}}", "{{c.sold[$index]}}{{endtablerow}}"),
]);
const CITIES = [
  { name: "Bern", sold: [1, 2, 3] },
  { name: "Ulm", sold: [4, 5, 6] },
];

describe("a column that repeats", () => {
  test("has the width of each item, in every row", async () => {
    const months = [
      { name: "Jan", width: "3cm" },
      { name: "Feb", width: "25mm" },
      { name: "Mar", width: "1.5in" },
    ];
    expect(await widths(MONTHS, { months, cities: CITIES })).toEqual([
      "7278 dxa fixed",
      "2000 1701 1417 2160",
      "2000 1701 1417 2160",
      "2000 1701 1417 2160",
      "2000 1701 1417 2160",
    ]);
  });

  test("keeps its share of the width if an item has an empty width", async () => {
    const months = [
      { name: "Jan", width: "" },
      { name: "Feb", width: " " },
      { name: "M", width: "90pt" },
    ];
    expect((await widths(MONTHS, { months, cities: [] })).slice(0, 2)).toEqual([
      "5132 dxa fixed",
      "2000 666 666 1800",
    ]);
  });

  test("changes nothing without items", async () => {
    expect(await widths(MONTHS, { months: [], cities: [] })).toEqual(["5000 pct", "2000", "2000"]);
  });

  test("may be several columns, each with its own width", async () => {
    const pairs = table(3, [
      row(
        "x",
        "{{tablecolumn m in months}}plan{{column :: width(m.plan)}}",
        'actual{{column :: width("2cm"), when(m.name == "Feb")}}{{endtablecolumn}}',
      ),
      row("x", wide("{{m.name}}", 2)),
    ]);
    const months = [
      { name: "Jan", plan: "1cm" },
      { name: "Feb", plan: "3cm" },
    ];
    expect(await widths(pairs, { months })).toEqual([
      "6402 dxa fixed",
      "2000 567 1000 1701 1134",
      "2000 567 1000 1701 1134",
      "2000 1567 2835",
    ]);
  });

  test("may be within a column that repeats, and a cell below covers all of its repetitions", async () => {
    const nested = table(3, [
      row(
        "{{tablecolumn y in years}}{{y.name}}{{column :: width(y.width)}}",
        "{{tablecolumn q in quarters}}{{q}}{{column :: width(widths[$index])}}{{endtablecolumn}}",
        "x{{endtablecolumn}}",
      ),
      row(wide("{{y.name}}", 3)),
    ]);
    const data = {
      years: [
        { name: 2025, width: "1cm" },
        { name: 2026, width: "2cm" },
      ],
      quarters: ["Q1", "Q2"],
      widths: ["3cm", "4cm"],
    };
    const columns = "567 1701 2268 1000 1134 1701 2268 1000";
    expect(await widths(nested, data)).toEqual([
      ...["11639 dxa fixed", columns, columns, "5536 6103"],
    ]);
  });

  test.each([
    [true, ["3701 dxa fixed", "2000 1701", "2000 1701"]],
    [false, ["5000 pct", "2000", "2000"]],
  ])("may be shown by a condition: %s", async (shown, expected) => {
    const body = table(2, [
      row("x", '{{tablecolumn if shown}}{{column :: width("3cm")}}y{{endtablecolumn}}'),
    ]);
    expect(await widths(body, { shown })).toEqual(expected);
  });

  test("has the position of the column, also in a row that repeats", async () => {
    const body = table(2, [
      row(
        "{{tablerow r in rows}}{{r}}",
        '{{tablecolumn m in months}}{{column :: width($if($first, "4cm", "1cm"))}}{{m}}{{endtablecolumn}}{{endtablerow}}',
      ),
    ]);
    expect(await widths(body, { rows: ["a", "b"], months: [1, 2, 3] })).toEqual([
      "5402 dxa fixed",
      "2000 2268 567 567",
      "2000 2268 567 567",
      "2000 2268 567 567",
    ]);
  });

  test("is merged across with the sum of its widths", async () => {
    const body = table(1, [
      row("{{tablecolumn m in months}}{{m.quarter :: mergeAcross}}"),
      row("{{m.name}}{{column :: width(m.width)}}{{endtablecolumn}}"),
    ]);
    const months = [
      { quarter: "Q1", name: "Jan", width: "1cm" },
      { quarter: "Q1", name: "Feb", width: "2cm" },
      { quarter: "Q2", name: "Apr", width: "3cm" },
    ];
    expect(await widths(body, { months })).toEqual([
      "3402 dxa fixed",
      "567 1134 1701",
      "1701 1701",
      "567 1134 1701",
    ]);
    const whole = table(1, [
      row("{{tablecolumn m in months}}{{m.quarter}}{{cell :: span(2), when($first)}}"),
      row("{{m.name}}{{column :: width(m.width)}}{{endtablecolumn}}"),
    ]);
    const { bytes } = await outcome(whole, { months });
    expect(widthsIn(bodyOf(bytes))[2]).toBe("1701 1701");
  });
});

describe("a column that does not repeat", () => {
  const one = (tag: string): string => table(3, [row("a", `${tag}b`, "c"), row(wide("all", 3))]);

  test.each([
    ['{{column :: width("1cm")}}', {}],
    ["{{column :: width(w)}}", { w: "10mm" }],
    ['{{column :: width("1cm"), when(x > 1)}}', { x: 2 }],
    ['{{column :: width($concat(n, "cm"))}}', { n: 1 }],
    ['{{column :: width(w ?? "1cm")}}', {}],
    ['{{["column"]}}{{column :: width("1cm")}}', { column: "text" }],
  ])("has the width of %s, and merged cells the sum", async (tag, data) => {
    expect(await widths(one(tag), data)).toEqual([
      "4567 dxa fixed",
      "2000 567 2000",
      "2000 567 2000",
      "4567",
    ]);
  });

  test.each([
    ['{{column :: width("1cm"), when(x > 1)}}', { x: 1 }],
    ['{{column :: width("")}}', {}],
    ["{{column :: width(w)}}", { w: "" }],
    ["{{column :: width(w), optional}}", {}],
  ])("remains as it is with %s and %j", async (tag, data) => {
    expect(await widths(one(tag), data)).toEqual([
      "5000 pct",
      "2000 2000 2000",
      "2000 2000 2000",
      "6000",
    ]);
  });

  test("may have a share of the table's width in the template", async () => {
    const both = table(2, [row('{{column :: width("25%")}}a', "{{column :: width(w)}}b")]);
    expect(await widths(both, { w: "75 %" })).toEqual(["4000 dxa fixed", "1000 3000", "1000 3000"]);
  });

  test("has the width of the last tag that applies", async () => {
    const body = table(1, [
      row('{{column :: width("1cm")}}{{column :: width("2cm"), when(a)}}'),
      row('{{column :: width("3cm"), when(b)}}{{column :: width("")}}'),
    ]);
    const grid = async (a: boolean, b: boolean) => (await widths(body, { a, b }))[1];
    expect(await Promise.all([grid(true, true), grid(true, false), grid(false, false)])).toEqual([
      "1701",
      "1134",
      "567",
    ]);
  });

  test("may have its tag in a row that repeats, if the width is the same for all rows", async () => {
    const body = table(2, [
      row(
        "{{tablerow r in rows}}{{column :: width(first)}}{{r}}",
        '{{column :: width("2cm")}}{{endtablerow}}',
      ),
    ]);
    expect((await widths(body, { rows: ["a"], first: "1cm" }))[1]).toBe("567 1134");
  });

  test("has the values of a loop around the table, for each table", async () => {
    const inner = table(1, [row("{{column :: width(t.width)}}{{t.name}}")]);
    const body = `${p("{{for t in tables}}")}${inner}${p("{{endfor}}")}`;
    const tables = [
      { name: "a", width: "1cm" },
      { name: "b", width: "" },
      { name: "c", width: "3cm" },
    ];
    const { bytes } = await outcome(body, { tables });
    const found = bodyOf(bytes).split("</w:tbl>").slice(0, 3);
    expect(found.map((each) => widthsIn(each).join(", "))).toEqual([
      "567 dxa fixed, 567, 567",
      "5000 pct, 2000, 2000",
      "1701 dxa fixed, 1701, 1701",
    ]);
  });
});

test("a tag in a table within a cell sets a width of the inner table", async () => {
  const inner = table(1, [row('{{column :: width("1cm")}}inner')], "");
  const body = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="5000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="5000" w:type="dxa"/></w:tcPr>${inner}${p("after")}</w:tc></w:tr></w:tbl>`;
  const { bytes } = await outcome(body, {});
  expect(bodyOf(bytes).match(/(?<=<w:(?:gridCol|tcW|tblW) w:w=")\d+/g)).toEqual([
    ...["5000", "5000", "567", "567", "567"],
  ]);
});

test("a tag in a header sets a width there", async () => {
  const { bytes } = await outcome(
    { body: p("x"), stories: { "header1.xml": table(1, [row('{{column :: width("1cm")}}x')]) } },
    {},
  );
  expect(widthsIn(partOf(bytes, "word/header1.xml"))).toEqual(["567 dxa fixed", "567", "567"]);
});

test("a table without rows vanishes, and its tags are reported once", async () => {
  const body = table(2, [
    row("{{tablerow r in rows}}{{r}}", "{{column :: width(w)}}x{{endtablerow}}"),
  ]);
  const { bytes, warnings } = await outcome(body, { rows: [], w: "1cm" });
  expect([bodyOf(bytes).includes("w:tbl"), warnings]).toEqual([false, []]);
  const { warnings: missing } = await outcome(body, { rows: [] });
  expect(missing.map(({ code }) => code)).toEqual(["missing_value"]);
});

test("a tag in an included template sets a width there", async () => {
  const { bytes } = await outcome(
    p('{{include "a.docx"}}'),
    {},
    {
      readTemplate: async () => docx({ body: table(1, [row('{{column :: width("1cm")}}x')]) }),
    },
  );
  expect(widthsIn(bodyOf(bytes))).toEqual(["567 dxa fixed", "567", "567"]);
});

describe("the other widths of a table", () => {
  test("become the ones of the grid if they are in percent, automatic or missing", async () => {
    const body = table(4, [
      row(
        '{{column :: width("1cm")}}a',
        cell("b", '<w:tcW w:w="1000" w:type="pct"/>'),
        cell("c", '<w:tcW w:w="0" w:type="auto"/>'),
        cell("d", ""),
      ),
    ]);
    expect((await widths(body, {}))[2]).toBe("567 2000 2000 2000");
  });

  test("of cells beside the column remain as they are", async () => {
    const body = table(2, [
      row('{{column :: width("1cm")}}a', cell("b", '<w:tcW w:w="1234" w:type="dxa"/>')),
    ]);
    expect((await widths(body, {}))[2]).toBe("567 1234");
  });

  test("include the space before and after the cells of a row, and exceptions of rows", async () => {
    const exceptions = '<w:tblPrEx><w:tblW w:w="9000" w:type="dxa"/></w:tblPrEx>';
    const space =
      '<w:trPr><w:gridBefore w:val="1"/><w:wBefore w:w="2000" w:type="dxa"/><w:gridAfter w:val="1"/></w:trPr>';
    const body = table(3, [
      row('{{column :: width("1cm")}}a', "b", "c"),
      `<w:tr>${exceptions}${space}${cell("d")}</w:tr>`,
    ]);
    const { bytes } = await outcome(body, {});
    const [, second = ""] = bodyOf(bytes).split("<w:tr>").slice(1);
    expect(second).toContain('<w:wBefore w:w="567" w:type="dxa"/>');
    expect(second).toContain('<w:tblW w:w="4567" w:type="dxa"/>');
  });

  test("come from the cells if the grid has only placeholders", async () => {
    const body = table(3, [row("a", '{{column :: width("1cm")}}b', "c"), row(wide("d", 3))]);
    expect(
      await widths(body.replaceAll('<w:gridCol w:w="2000"/>', '<w:gridCol w:w="100"/>'), {}),
    ).toEqual([...["4567 dxa fixed", "2000 567 2000", "2000 567 2000", "4567"]]);
  });

  test("are equal if the template does not have them", async () => {
    const body = table(3, [
      row(cell("a", ""), '{{column :: width("1cm")}}b', "c"),
      row(wide("d", 3)),
    ]);
    const expected = ["5576 dxa fixed", "3009 567 2000", "3009 567 2000", "5576"];
    const widthless = body.replaceAll(' w:w="2000"/>', "/>");
    expect(await widths(widthless, {})).toEqual(expected);
    expect(await widths(widthless.replaceAll("<w:gridCol/>", ""), {})).toEqual(expected);
    const none = widthless.replace(/<w:tblGrid>.*?<\/w:tblGrid>/, "");
    expect(await widths(none, {})).toEqual(expected);
  });

  test("are shared by the repetitions of a column, also if the template does not have them", async () => {
    const body = MONTHS.replaceAll(' w:w="2000"', "").replace("{{column :: width(m.width)}}", "");
    const given = body.replace("City", '{{column :: width("1cm")}}City');
    const months = [{ name: "Jan" }, { name: "Feb" }];
    expect((await widths(given, { months, cities: [] })).slice(0, 2)).toEqual([
      ...["5079 dxa fixed", "567 2256 2256"],
    ]);
  });

  test("are in the place that the schema wants", async () => {
    const properties = '<w:tblStyle w:val="a"/><w:jc w:val="center"/><w:tblLook w:val="04A0"/>';
    const { bytes } = await outcome(table(1, [row('{{column :: width("1cm")}}a')], properties), {});
    expect(bodyOf(bytes)).toContain(
      '<w:tblStyle w:val="a"/><w:tblW w:w="567" w:type="dxa"/><w:jc w:val="center"/><w:tblLayout w:type="fixed"/><w:tblLook w:val="04A0"/>',
    );
    const without = table(1, [row('{{column :: width("1cm")}}a')]).replace(
      /<w:tblPr>.*?<\/w:tblPr>/,
      "",
    );
    expect((await widths(without, {}))[0]).toBe("567 dxa fixed");
  });

  test("limit the pictures in their cells", async () => {
    const body = table(1, [row("{{column :: width(w)}}{{photo}}")]);
    const { bytes } = await outcome(body, { w: "1cm", photo: PNG });
    const [cx] = bodyOf(bytes).match(/(?<=<wp:extent cx=")\d+/) ?? [];
    expect(Number(cx)).toBeLessThanOrEqual((567 - 216) * 635);
  });
});

describe("a value named column", () => {
  test("is printed without a width, also with other modifiers", async () => {
    const body = table(1, [row('{{column}} {{column :: uppercase}} {{column :: color("red")}}')]);
    const { lines, warnings } = await outcome(body, { column: "v" });
    expect([lines, warnings]).toEqual([["v V v", ""], []]);
  });

  test("that is a picture is printed in brackets", async () => {
    const { bytes, warnings } = await outcome(p('{{["column"] :: width("1cm")}}'), { column: PNG });
    expect(warnings).toEqual([]);
    expect(bodyOf(bytes)).toContain('<wp:extent cx="360000"');
  });

  test("is reported if it is a picture and the item of a loop, but not if it is another item", async () => {
    const body = table(1, [
      row('{{tablecolumn column in columns}}{{column :: width("1cm")}}x{{endtablecolumn}}'),
    ]);
    const codes = async (item: unknown) =>
      (await outcome(body, { columns: [item] })).warnings.map(({ code }) => code);
    expect(await codes(PNG)).toContain("hidden_key");
    expect(await codes({ name: "a" })).not.toContain("hidden_key");
    expect(await codes("a")).not.toContain("hidden_key");
  });
});

describe("a width", () => {
  const body = table(2, [row("{{column :: width(w)}}a", "b")]);

  test.each([
    ["wide", "is not a width"],
    ["0cm", "is not a width"],
    ["-3cm", "is not a width"],
    ["3", "is not a width"],
    [3, "is not a width"],
    ["1e3cm", "is not a width"],
    ["0.5mm", "the least is 1mm"],
    ["56cm", "more than Word allows"],
    ["999999cm", "more than Word allows"],
    ["0%", "the least is 1mm"],
    ["999%", "more than Word allows"],
    [["3cm"], "is a list"],
    [{}, "is an object"],
    [true, "is not a width"],
  ])("of %j is an error of the entry", async (w, message) => {
    expect(await problem(body, { w })).toMatchObject({
      error: "invalid_data",
      code: "invalid_value",
      message: expect.stringContaining(message),
      pointer: "/w",
    });
  });

  test("that is a number has a hint with its unit", async () => {
    expect((await problem(body, { w: 3 })).hint).toBe(
      'Write the unit, as in width($concat(w, "cm")), or for a share of the table $concat(w, "%").',
    );
  });

  test("that is missing is reported like other missing values", async () => {
    const { bytes, warnings } = await outcome(body, {});
    expect(warnings).toMatchObject([{ code: "missing_value", pointer: "/w" }]);
    expect(widthsIn(bodyOf(bytes))[0]).toBe("5000 pct");
    const failed = await outcome(body, {}, { onMissing: "fail" });
    expect(failed.error).toBe("invalid_data");
  });

  test("that makes the table wider than Word allows is an error", async () => {
    const months = Array.from({ length: 12 }, () => ({ name: "m", width: "5cm" }));
    expect(await problem(MONTHS, { months, cities: [] })).toMatchObject({
      error: "invalid_data",
      message: expect.stringContaining("makes the table 63.6 cm wide, but Word allows 55.8 cm"),
      pointer: "/months/11/width",
    });
  });
});

describe("a tag for a column is rejected", () => {
  test.each([
    [p('{{column :: width("3cm")}}'), "look_outside", "is not in a column of a table"],
    [table(1, [row('{{column :: width("3 miles")}}')]), "modifier_argument", "is not a width"],
    [table(1, [row('{{column :: width("60cm")}}')]), "modifier_argument", "more than Word allows"],
    [
      table(1, [row('{{column :: width("3cm"), bold}}')]),
      "look_outside",
      "has 'bold', but a tag for a column changes only its width",
    ],
    [
      table(2, [row(wide('{{column :: width("3cm")}}', 2))]),
      "look_outside",
      "covers several columns",
    ],
    [
      table(2, [row('{{column :: width("3cm")}}{{cell :: span(2)}}', "b")]),
      "look_outside",
      "covers several columns",
    ],
    [
      table(1, [row('{{if x}}{{column :: width("3cm")}}{{endif}}a')]),
      "look_in_block",
      "is in the block {{if x}}",
    ],
    [
      table(1, [row("{{for i in l}}{{column :: width(i)}}{{endfor}}a")]),
      "look_in_block",
      "is in the block {{for i in l}}",
    ],
    [
      table(1, [row("{{if x}}"), row('{{column :: width("3cm")}}'), row("{{endif}}")]),
      "look_in_block",
      "its row is in the block {{if x}}",
    ],
    [
      table(2, [row("{{#rows}}{{column :: width(w)}}", "{{/rows}}")]),
      "look_in_block",
      "uses the item of {{#rows}}",
    ],
    [
      table(1, [row('{{column :: width("3cm"), when($last)}}')]),
      "tag_outside_loop",
      "is not in a loop",
    ],
    [
      table(1, [row(wide("x", 63), '{{column :: width("3cm")}}')]),
      "look_outside",
      "is in a column that Word does not allow",
    ],
  ])("%s: %s", async (body, code, message) => {
    const found = await problem(body, { rows: [], l: [], widths: [] });
    expect(found).toMatchObject({
      error: "invalid_template",
      code,
      message: expect.stringContaining(message),
    });
    if (code.startsWith("look")) expect(found.hint).toMatch(/\.$/);
  });
});

test.each(["r.w", "r", "this.w", "$concat($index, 'cm')", "widths[r.$index]"])(
  "a tag in a row that repeats is rejected if its width is %s",
  async (width) => {
    const body = table(2, [
      row(`{{tablerow r in rows}}{{column :: width(${width})}}`, "{{endtablerow}}"),
    ]);
    expect(await problem(body)).toMatchObject({
      code: "look_in_block",
      message: expect.stringContaining(
        "uses the item of {{tablerow r in rows}}, which repeats its row",
      ),
      hint: expect.stringContaining("Put it into a row that does not repeat"),
    });
  },
);

describe("the hint for", () => {
  test.each([
    [
      '{{cell :: width("3cm")}}',
      'For the width of a column write {{column :: width("3cm")}} into one of its cells.',
    ],
    [
      "{{col :: width(w)}}",
      "For the width of a column write {{column :: width(w)}} into one of its cells.",
    ],
    [
      '{{cell :: width("3cm"), when(x > 1)}}',
      'For the width of a column write {{column :: width("3cm"), when(x > 1)}} into one of its cells.',
    ],
    [
      '{{column :: fill("red")}}',
      'A tag changes only the width of a column. For its look write {{cell :: fill("red")}} into each of its cells.',
    ],
    ['{{row :: height("3cm")}}', "Set the height of rows and the size of shapes in Word."],
    [
      '{{name :: column, width("3cm")}}',
      'Write two tags: {{name}}, and {{column :: width("3cm")}} next to it.',
    ],
  ])("%s is: %s", async (tag, hint) => {
    expect((await problem(table(1, [row(tag)]), { w: "3cm", x: 1 })).hint).toBe(hint);
  });
});

test("the width is text in the schema, and the sample renders", async () => {
  const template = await compileTemplate(docx({ body: MONTHS }));
  expect(template.schema()).toMatchObject({
    properties: { months: { items: { properties: { width: { type: ["string", "null"] } } } } },
  });
  const { bytes, warnings } = template.render(template.sample());
  expect(warnings).toEqual([]);
  expect(widthsIn(bodyOf(bytes))[0]).toBe("8804 dxa fixed");
  expect(template.tags.map(({ tag_content }) => tag_content)).not.toContain(
    "{{column :: width(m.width)}}",
  );
});
