/** Cells that cover the ones to their right: `mergeAcross` and `span`. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyOf, docx, p, partOf, r } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome } from "../support/language.ts";
import { assertSound } from "../support/sound.ts";

const WIDTH = 1000;

interface Cell {
  readonly text: string;
  readonly properties?: string;
}

function row(...cells: readonly (string | Cell)[]): string {
  const xml = cells.map((each) => {
    const { text, properties = "" } = typeof each === "string" ? { text: each } : each;
    return `<w:tc><w:tcPr><w:tcW w:w="${WIDTH}" w:type="dxa"/>${properties}</w:tcPr>${p(text)}</w:tc>`;
  });
  return `<w:tr>${xml.join("")}</w:tr>`;
}

function cellOf(content: string): string {
  return `<w:tc><w:tcPr/>${content}</w:tc>`;
}

function table(columns: number, ...rows: readonly string[]): string {
  const grid = `<w:gridCol w:w="${WIDTH}"/>`.repeat(columns);
  return `<w:tbl><w:tblPr/><w:tblGrid>${grid}</w:tblGrid>${rows.join("")}</w:tbl>`;
}

/** Returns the cells of each row as text, columns and width: `Q1 2 2000 | Q2 1 1000`. */
function cellsOf(bytes: Uint8Array): string[] {
  return [...bodyOf(bytes).matchAll(/<w:tr>(.*?)<\/w:tr>/gs)].map(([, xml = ""]) =>
    [...xml.matchAll(/<w:tc>(.*?)<\/w:tc>/gs)]
      .map(([, cell = ""]) => {
        const text = [...cell.matchAll(/<w:t[^>]*>([^<]*)</g)].map(([, each]) => each).join("");
        const columns = /<w:gridSpan w:val="(\d+)"/.exec(cell)?.[1] ?? "1";
        return `${text} ${columns} ${/<w:tcW w:w="(\d+)"/.exec(cell)?.[1]}`;
      })
      .join(" | "),
  );
}

async function cells(body: string, data: Record<string, unknown>): Promise<string[]> {
  const { bytes } = await outcome(body, data);
  return cellsOf(bytes);
}

const MONTHS = [
  { quarter: "Q1", name: "Jan", id: 1 },
  { quarter: "Q1", name: "Feb", id: 2 },
  { quarter: "Q2", name: "Apr", id: 2 },
];

describe("a cell with mergeAcross", () => {
  test("becomes one cell with those beside it that have the same text", async () => {
    const body = table(
      2,
      row("", "{{tablecolumn m in months}}{{m.quarter :: mergeAcross}}"),
      row("Month", "{{m.name}}{{endtablecolumn}}"),
    );
    // The repeated columns share the width of the one in the template.
    expect(await cells(body, { months: MONTHS })).toEqual([
      " 1 1000 | Q1 2 666 | Q2 1 333",
      "Month 1 1000 | Jan 1 333 | Feb 1 333 | Apr 1 333",
    ]);
  });

  test("compares another value if it is given", async () => {
    const body = table(
      1,
      row("{{tablecolumn m in months}}{{m.name :: mergeAcross(m.id)}}{{endtablecolumn}}"),
    );
    expect(await cells(body, { months: MONTHS })).toEqual(["Jan 1 333 | Feb 2 666"]);
  });

  test("is merged with the cell of another tag, but not over a cell without a tag", async () => {
    const merged = (key: string): string => `{{${key} :: mergeAcross}}`;
    const body = table(5, row(merged("a"), merged("b"), "x", merged("c"), merged("d")));
    expect(await cells(body, { a: "A", b: "A", c: "A", d: "D" })).toEqual([
      "A 2 2000 | x 1 1000 | A 1 1000 | D 1 1000",
    ]);
  });

  test("adds the columns of cells that are merged in the template", async () => {
    const wide = { text: "{{b :: mergeAcross}}", properties: '<w:gridSpan w:val="2"/>' };
    const body = table(4, row("{{a :: mergeAcross}}", wide, "x"));
    expect(await cells(body, { a: "A", b: "A" })).toEqual(["A 3 2000 | x 1 1000"]);
    expect(await cells(body, { a: "A", b: "B" })).toEqual(["A 1 1000 | B 2 1000 | x 1 1000"]);
  });

  test("begins again in each row, and in a table within a cell", async () => {
    const inner = table(2, row("{{a :: mergeAcross}}", "{{a :: mergeAcross}}"));
    const body = table(
      2,
      row("{{tablerow r in rows}}{{r.a :: mergeAcross}}", "{{r.b :: mergeAcross}}{{endtablerow}}"),
    );
    const rows = [
      { a: "x", b: "x" },
      { a: "x", b: "y" },
    ];
    expect(await cells(body, { rows })).toEqual(["x 2 2000", "x 1 1000 | y 1 1000"]);
    const outer = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr>${cellOf(`${p("A{{cell :: span(2)}}")}${inner}${p("")}`)}${cellOf(p("B"))}</w:tr></w:tbl>`;
    const { bytes } = await outcome(outer, { a: "x" });
    const xml = bodyOf(bytes);
    expect(xml.match(/<w:tc>/g)).toHaveLength(2);
    expect(xml.match(/<w:gridSpan w:val="2"\/>/g)).toHaveLength(2);
  });
});

describe("a cell with span", () => {
  const body = table(
    3,
    row(
      "{{tablerow r in rows}}{{r.text}}{{cell :: span(r.columns)}}",
      "{{r.b}}",
      "{{r.c}}{{endtablerow}}",
    ),
  );

  test("covers the next cells of its row, which are not printed", async () => {
    const rows = [
      { text: "Title", columns: 3 },
      { text: "A", columns: 2, c: "C" },
      { text: "A", columns: 1, b: "B", c: "C" },
    ];
    const { bytes, warnings } = await outcome(body, { rows });
    expect(cellsOf(bytes)).toEqual([
      "Title 3 3000",
      "A 2 2000 | C 1 1000",
      "A 1 1000 | B 1 1000 | C 1 1000",
    ]);
    expect(warnings).toEqual([]);
  });

  test("covers further cells only if its condition holds", async () => {
    const spanned = table(2, row("A{{cell :: span(2), when(total > 9)}}", "B"));
    expect(await cells(spanned, { total: 10 })).toEqual(["A 2 2000"]);
    expect(await cells(spanned, { total: 9 })).toEqual(["A 1 1000 | B 1 1000"]);
  });

  test("counts cells, also in repeated columns", async () => {
    const months = "{{tablecolumn m in months}}{{m.name}}{{endtablecolumn}}";
    const spanned = table(
      2,
      row("A{{cell :: span(1 + months.count())}}", months, "B"),
      row("A{{cell :: span(2)}}", months.replace(/\{\{\/?(?:end)?tablecolumn[^}]*\}\}/g, ""), "B"),
    );
    expect(await cells(spanned, { months: MONTHS })).toEqual([
      "A 4 1999 | B 1 1000",
      "A 2 1333 | Feb 1 333 | Apr 1 333 | B 1 1000",
    ]);
  });

  test.each([
    [{ text: "A", columns: 4 }, "covers 4 cells, but its row has only 3 from there"],
    [{ text: "A", columns: 0 }, "is not a number of columns: the least is 1"],
    [{ text: "A", columns: "two" }, "is text, not a whole number"],
    [{ text: "A", columns: 1.5 }, "is a number, not a whole number"],
  ])("is reported for %j", async (wrong, message) => {
    const { error, warnings } = await outcome(body, { rows: [{ b: "b", c: "c", ...wrong }] });
    expect(error).toBe("invalid_data");
    expect(warnings).toMatchObject([
      { code: "invalid_value", message: expect.stringContaining(message) },
    ]);
  });

  test("warns if it covers the cell of another item of its loop", async () => {
    const repeated = table(
      1,
      row("{{tablecolumn y in years}}{{y.n}}{{cell :: span(y.c)}}{{endtablecolumn}}"),
    );
    const years = [
      { n: 2025, c: 2 },
      { n: 2026, c: 1 },
    ];
    const { bytes, warnings } = await outcome(repeated, { years });
    expect(cellsOf(bytes)).toEqual(["2025 2 1000"]);
    expect(warnings.map(({ code }) => code)).toContain("covered_cell");
  });

  test("does not warn about cells that are the same for each item", async () => {
    const body = table(
      1,
      row("{{cell :: span(months.count())}}Months"),
      row("{{tablecolumn m in months}}{{m}}{{endtablecolumn}}"),
    );
    const { bytes, warnings } = await outcome(body, { months: ["Jan", "Feb", "Mar"] });
    expect(cellsOf(bytes)[0]).toMatch(/^Months 3/);
    expect(warnings).toEqual([]);
    const other = body.replace("Months", "Months {{m}}");
    const told = await outcome(other, { months: ["Jan", "Feb", "Mar"] });
    expect(told.warnings.map(({ code }) => code)).toEqual(["covered_cell"]);
  });

  test("has sample data with which the template renders without a warning", async () => {
    const template = await compileTemplate(docx({ body }));
    const { warnings, bytes } = template.render(template.sample());
    expect(warnings).toEqual([]);
    expect(cellsOf(bytes).length).toBeGreaterThan(1);
  });
});

describe("a cell beside another with the same text is not merged", () => {
  test.each([
    ["Net: {{a :: mergeAcross}}", "Gross: {{b :: mergeAcross}}"],
    ["{{a :: mergeAcross}}", "{{b :: mergeAcross}} net"],
    ["{{a :: qrcode, mergeAcross}}", "{{b :: mergeAcross}}"],
    ["{{a :: mergeAcross(b)}}", "{{b :: mergeAcross(b)}}"],
  ])("%s and %s, because something would be lost", async (one, other) => {
    const { bytes, warnings } = await outcome(table(2, row(one, other)), { a: "5", b: "5" });
    expect(bodyOf(bytes).match(/<w:tc>/g)).toHaveLength(2);
    expect(warnings).toEqual([]);
  });

  test("if both are empty or missing", async () => {
    const body = table(2, row("{{a :: mergeAcross}}", "{{b :: mergeAcross}}"));
    expect(await cells(body, { a: "", b: "" })).toEqual([" 1 1000 |  1 1000"]);
    expect(await cells(body, {})).toEqual([
      "{{a :: mergeAcross}} 1 1000 | {{b :: mergeAcross}} 1 1000",
    ]);
    const keys = table(
      1,
      row("{{tablecolumn m in ms}}{{m.n :: mergeAcross(m.id), optional}}{{endtablecolumn}}"),
    );
    expect(await cells(keys, { ms: [{ n: "A" }, { n: "B" }] })).toEqual(["A 1 500 | B 1 500"]);
  });
});

test("a merged cell with span covers further cells", async () => {
  const body = table(
    4,
    row("{{a :: mergeAcross}}", "{{a :: mergeAcross}}{{cell :: span(2)}}", "x", "y"),
  );
  expect(await cells(body, { a: "A" })).toEqual(["A 3 3000 | y 1 1000"]);
});

describe("the width of a cell", () => {
  const sized = (width: string): Promise<string> => {
    const cell = (text: string): string => `<w:tc><w:tcPr>${width}</w:tcPr>${p(text)}</w:tc>`;
    const body = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr>${cell("{{a :: mergeAcross}}")}${cell("{{b :: mergeAcross}}")}</w:tr></w:tbl>`;
    const widths = async (data: Record<string, unknown>): Promise<string> => {
      const { bytes } = await outcome(body, data);
      return (bodyOf(bytes).match(/<w:tcW[^>]*>/g) ?? []).join("");
    };
    return Promise.all([widths({ a: 1, b: 2 }), widths({ a: 1, b: 1 })]).then((all) =>
      all.join(" "),
    );
  };

  test.each([
    ['<w:tcW w:w="1000"/>', '<w:tcW w:w="2000" w:type="dxa"/>'],
    ['<w:tcW w:w="1200" w:type="pct"/>', '<w:tcW w:w="2400" w:type="pct"/>'],
    ['<w:tcW w:w="50%" w:type="pct"/>', '<w:tcW w:w="0" w:type="auto"/>'],
    ['<w:tcW w:w="1e400" w:type="dxa"/>', '<w:tcW w:w="0" w:type="auto"/>'],
    ["", ""],
  ])("%s is kept, and becomes %s if the cell covers another", async (width, merged) => {
    expect(await sized(width)).toBe(`${width}${width} ${merged}`);
  });

  test.each(["0", "-1", "12345"])(
    "a span of %s in the template covers one column",
    async (count) => {
      const wide = { text: "B", properties: `<w:gridSpan w:val="${count}"/>` };
      expect(await cells(table(3, row("A{{cell :: span(2)}}", wide, "C")), {})).toEqual([
        "A 2 2000 | C 1 1000",
      ]);
    },
  );
});

describe("a covered cell", () => {
  const covered = (inner: string, next = p("C")): string =>
    `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/><w:gridCol/></w:tblGrid><w:tr>${cellOf(p("A{{cell :: span(2)}}"))}${cellOf(inner)}${cellOf(next)}</w:tr></w:tbl>${p("")}`;
  const paragraph = (content: string): string => `<w:p>${content}</w:p>`;
  const field = (name: string): string =>
    `<w:fldSimple w:instr=" REF ${name} \\h ">${r("old")}</w:fldSimple>`;

  test.each([
    ["a bookmark", '<w:bookmarkStart w:id="1" w:name="b"/>', '<w:bookmarkEnd w:id="1"/>'],
    ["a permission", '<w:permStart w:id="5" w:edGrp="everyone"/>', '<w:permEnd w:id="5"/>'],
    [
      "a move",
      '<w:moveFromRangeStart w:id="5" w:name="m" w:author="x"/>',
      '<w:moveFromRangeEnd w:id="5"/>',
    ],
  ])("takes no half of %s with it", async (_name, start, end) => {
    const halves = [
      covered(paragraph(`${start}${r("B")}`), paragraph(`${r("C")}${end}`)),
      `${covered(paragraph(`${start}${r("B")}`))}${paragraph(end)}`,
      `${paragraph(start)}${covered(paragraph(`${r("B")}${end}`))}`,
    ];
    for (const body of halves) {
      const { bytes, error } = await outcome(body, {});
      expect(error).toBeNull();
      assertSound(bytes);
    }
  });

  test("leaves no comment or note of a covered cell behind", async () => {
    const range = '<w:commentRangeStart w:id="0"/>';
    const end = '<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>';
    const note = '<w:r><w:footnoteReference w:id="1"/></w:r>';
    const source = {
      body: covered(paragraph(`${range}${r("B")}${end}${note}`)),
      stories: {
        "comments.xml": `<w:comment w:id="0" w:author="a">${p("secret comment")}</w:comment>`,
        "footnotes.xml": `<w:footnote w:id="1">${p("secret note")}</w:footnote>`,
      },
    };
    const { bytes } = await outcome(source, {});
    assertSound(bytes);
    expect(partOf(bytes, "word/comments.xml")).not.toContain("secret");
    expect(partOf(bytes, "word/footnotes.xml")).not.toContain("secret");
  });

  test("makes references to its bookmarks text, with a warning", async () => {
    const mark = '<w:bookmarkStart w:id="1" w:name="b"/>';
    const body =
      covered(paragraph(`${mark}${r("B")}<w:bookmarkEnd w:id="1"/>`)) + paragraph(field("b"));
    const { bytes, warnings } = await outcome(body, {});
    expect(warnings.map(({ code }) => code)).toEqual(["covered_cell", "reference_removed"]);
    expect(bodyOf(bytes)).not.toContain("fldSimple");
  });

  test("is not counted in numbered captions", async () => {
    const caption = (number: number): string =>
      `<w:fldSimple w:instr=" SEQ Table ">${r(`${number}`)}</w:fldSimple>`;
    const body = covered(paragraph(caption(1))) + paragraph(caption(2));
    const { bytes } = await outcome(body, {});
    expect(bodyOf(bytes)).toContain(r("1"));
    expect(bodyOf(bytes)).not.toContain(r("2"));
  });

  test("cannot contain a half of a field", async () => {
    const begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>';
    const end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>';
    const { error, warnings } = await outcome(covered(paragraph(begin), paragraph(end)), {});
    expect(error).toBe("invalid_template");
    expect(warnings[0]?.message).toContain("field begins in one cell and ends in another");
  });
});

test("a covered cell is removed with its content control and its blocks", async () => {
  const control = `<w:sdt><w:sdtPr/><w:sdtContent><w:tc><w:tcPr/>${p("{{b}}")}</w:tc></w:sdtContent></w:sdt>`;
  const body = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/><w:gridCol/></w:tblGrid><w:tr><w:tc><w:tcPr/>${p("A{{cell :: span(3)}}")}</w:tc>${control}<w:tc><w:tcPr/>${p("{{for i in items}}{{i}}{{endfor}}")}</w:tc></w:tr></w:tbl>`;
  const { bytes } = await outcome(body, { b: "B", items: ["item"] });
  expect(bodyOf(bytes)).not.toContain("<w:sdt>");
  expect(bodyOf(bytes)).not.toContain("item");
});

test.each([
  ["{{a :: mergeAcross}}{{b :: mergeAcross(b)}}", "is the second tag"],
  ["{{a :: mergeAcross}} {{b}}", "{{b}} in the same cell would be hidden"],
  ['{{a :: mergeAcross("b")}}', "same for all columns"],
  ["{{a :: merge, mergeAcross}}", "both 'merge' and 'mergeAcross'"],
  ["{{a :: merge}}{{cell :: span(2)}}", "{{a :: merge}} merges the same cell with cells below it"],
  ["{{cell :: span(2)}} | {{a :: merge}}", "is merged with other cells"],
  ["{{if x}}{{a :: mergeAcross}}{{endif}}", "is in the block {{if x}}"],
  ["{{for i in l}}{{i.x :: mergeAcross}}{{endfor}}", "is in the block {{for i in l}}"],
  ["{{if x}}{{a :: merge}}{{endif}}", "is in the block {{if x}}"],
  ["{{a :: mergeAcross}} | x", "merges nothing"],
  ["{{a :: span(2)}}", "it is not a tag for a cell"],
  ["{{row :: span(2)}}", "it is not a tag for a cell"],
  ["{{cell :: span(0)}}", "the least is 1"],
])("a row with %s is rejected", async (texts, message) => {
  const { error, warnings } = await outcome(table(2, row(...texts.split(" | "), "")), {});
  expect(error).toBe("invalid_template");
  expect(warnings.map((each) => each.message).join(" ")).toContain(message);
});

test.each([
  ["{{tablerow r in rows}}{{r :: merge}}", "vMerge"],
  ["{{tablerow r in rows}}{{r}}{{cell :: span(2)}}", "gridSpan"],
])("without one of 'merge' and 'span', its cell is merged: %s", async (text, merged) => {
  const { error, bytes } = await outcome(table(2, row(text, "x{{endtablerow}}")), {
    rows: ["x", "x"],
  });
  expect(error).toBeNull();
  expect(bodyOf(bytes)).toContain(merged);
});

test("a cell that is not covered may be merged down", async () => {
  const body = table(
    3,
    row("{{tablerow r in rows}}A{{cell :: span(2)}}", "B", "{{r :: merge}}{{endtablerow}}"),
  );
  const { bytes } = await outcome(body, { rows: ["x", "x"] });
  expect(bodyOf(bytes).match(/<w:vMerge/g)).toHaveLength(2);
});

test.each(["{{a :: mergeAcross}}", "{{cell :: span(2)}}"])(
  "%s outside a table is rejected",
  async (text) => {
    const { error, warnings } = await outcome(p(text), {});
    expect(error).toBe("invalid_template");
    expect(warnings).toMatchObject([{ message: expect.stringContaining("is not in a cell") }]);
  },
);

describe("for random rows", () => {
  const texts = fc.array(fc.constantFrom("", "A", "B"), { minLength: 1, maxLength: 6 });

  test("merged cells are the runs of equal texts, apart from empty ones", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const body = table(
          1,
          row("{{tablecolumn x in list}}{{x.t :: mergeAcross}}{{endtablecolumn}}"),
        );
        const runs: { text: string; columns: number }[] = [];
        for (const text of given) {
          const last = runs.at(-1);
          if (text !== "" && last?.text === text) last.columns += 1;
          else runs.push({ text, columns: 1 });
        }
        const share = Math.floor(WIDTH / given.length);
        expect(await cells(body, { list: given.map((t) => ({ t })) })).toEqual([
          runs.map(({ text, columns }) => `${text} ${columns} ${columns * share}`).join(" | "),
        ]);
      }),
      { numRuns: 50 },
    );
  });

  test("spanned cells cover as many cells as they say, and all columns remain", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }),
        async (given) => {
          const spans = [...given, 1];
          const body = table(
            spans.length,
            row(...spans.map((_, index) => `${index}{{cell :: span(n[${index}])}}`)),
          );
          const wanted: string[] = [];
          let at = 0;
          while (at < spans.length) {
            const columns = spans[at] ?? 1;
            wanted.push(`${at} ${columns} ${columns * WIDTH}`);
            at += columns;
          }
          const { error, bytes } = await outcome(body, { n: spans });
          if (at > spans.length) expect(error).toBe("invalid_data");
          else expect(cellsOf(bytes)).toEqual([wanted.join(" | ")]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
