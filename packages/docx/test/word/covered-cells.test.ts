/** Cells that cover the ones to their right: `mergeAcross` and `span`. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyOf, docx, p } from "../../../ooxml/test/support/docx.ts";
import { compileTemplate } from "../../src/index.ts";
import { outcome } from "../support/language.ts";

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
    const nested = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr><w:tc><w:tcPr/>${p("{{a :: mergeAcross}}{{cell :: bold}}")}${inner}${p("")}</w:tc><w:tc><w:tcPr/>${p("{{a :: mergeAcross}}")}</w:tc></w:tr></w:tbl>`;
    const { bytes } = await outcome(nested, { a: "x" });
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

  test("counts cells, also those of repeated columns", async () => {
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

  test("has sample data with which the template renders without a warning", async () => {
    const template = await compileTemplate(docx({ body }));
    const { warnings, bytes } = template.render(template.sample());
    expect(warnings).toEqual([]);
    expect(cellsOf(bytes).length).toBeGreaterThan(1);
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
  ["{{a :: merge}}{{cell :: span(2)}}", "is merged with other rows"],
  ["{{cell :: span(2)}} | {{a :: merge}}", "is merged with other rows"],
  ["{{a :: span(2)}}", "it is not a tag for a cell"],
  ["{{row :: span(2)}}", "it is not a tag for a cell"],
  ["{{cell :: span(0)}}", "the least is 1"],
])("a row with %s is rejected", async (texts, message) => {
  const { error, warnings } = await outcome(table(2, row(...texts.split(" | "), "")), {});
  expect(error).toBe("invalid_template");
  expect(warnings.map((each) => each.message).join(" ")).toContain(message);
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

  test("merged cells are the runs of equal texts", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const body = table(
          1,
          row("{{tablecolumn x in list}}{{x.t :: mergeAcross}}{{endtablecolumn}}"),
        );
        const runs: { text: string; columns: number }[] = [];
        for (const text of given) {
          const last = runs.at(-1);
          if (last?.text === text) last.columns += 1;
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
