import { describe, expect, test } from "vitest";
import { bodyOf, p, partOf } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

function cell(text: string, properties = ""): string {
  return `<w:tc><w:tcPr>${properties}</w:tcPr>${text.startsWith("<") ? text : p(text)}</w:tc>`;
}

function table(...rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) =>
    row.map((each) => (each.startsWith("<w:tc>") ? each : cell(each))),
  );
  return `<w:tbl><w:tblPr/><w:tblGrid>${"<w:gridCol/>".repeat(Math.max(...cells.map((row) => row.length)))}</w:tblGrid>${cells
    .map((row) => `<w:tr>${row.join("")}</w:tr>`)
    .join("")}</w:tbl>`;
}

/** Returns the cells of each row: `A` begins merged cells, `+` continues them, `.A` is not merged. */
async function merged(body: string, data: Record<string, unknown>): Promise<string[]> {
  const { bytes, error } = await outcome(body, data);
  expect(error).toBeNull();
  return [...bodyOf(bytes).matchAll(/<w:tr>(.*?)<\/w:tr>/gs)].map(([, row = ""]) => {
    const cells = [...row.matchAll(/<w:tc>.*?<\/w:tc>/gs)].map(([each]) => {
      if (each.includes("<w:vMerge/>")) return "+";
      const text = [...each.matchAll(/<w:t[^>]*>([^<]*)</g)].map(([, found]) => found).join("");
      return each.includes('<w:vMerge w:val="restart"/>') ? text : `.${text}`;
    });
    return cells.join(" ");
  });
}

const ROWS = [
  { city: "A", price: 1, w: [1, 2, 3] },
  { city: "A", price: 2, w: [1, 5, 3] },
  { city: "B", price: 2, w: [1, 5, 4] },
];
const MONTHS = ["Jan", "Feb", "Mar"];

describe("a cell with merge in a table with repeated columns", () => {
  test.each([
    [true, [".City .Price", "A .1", "+ .2", "B .2"]],
    [false, [".City", "A", "+", "B"]],
  ])("is merged beside a column with a condition: %s", async (show, lines) => {
    const body = table(
      ["City", "{{tablecolumn if show}}Price{{endtablecolumn}}"],
      ["{{tablerow r in rows}}{{r.city :: merge}}", "{{r.price}}{{endtablerow}}"],
    );
    expect(await merged(body, { show, rows: ROWS })).toEqual(lines);
  });

  test.each([
    [true, [".Price .City", "1 A", "2 +", "+ B"]],
    [false, [".City", "A", "+", "B"]],
  ])("is merged in a column with a condition, and to its right: %s", async (show, lines) => {
    const body = table(
      ["{{tablecolumn if show}}Price{{endtablecolumn}}", "City"],
      ["{{tablerow r in rows}}{{r.price :: merge}}", "{{r.city :: merge}}{{endtablerow}}"],
    );
    expect(await merged(body, { show, rows: ROWS })).toEqual(lines);
  });

  test.each([
    [
      MONTHS,
      [
        ".City .Jan .Feb .Mar .Price",
        "A .1 .2 .3 1",
        "+ .1 .5 .3 2",
        "B .1 .5 .4 +",
        ".x .x .x .x .x",
      ],
    ],
    [[], [".City .Price", "A 1", "+ 2", "B +", ".x .x"]],
  ])("is merged on both sides of a repeated column: %j", async (months, lines) => {
    const body = table(
      ["City", "{{tablecolumn m in months}}{{m}}{{endtablecolumn}}", "Price"],
      [
        "{{tablerow r in rows}}{{r.city :: merge}}",
        "{{r.w[$index]}}",
        "{{r.price :: merge}}{{endtablerow}}",
      ],
      ["x", "x", "x"],
    );
    expect(await merged(body, { months, rows: ROWS })).toEqual(lines);
  });

  test("is merged for itself in each repetition of its column", async () => {
    const body = table(
      ["City", "{{tablecolumn m in months}}{{m}}", "no{{endtablecolumn}}"],
      [
        "{{tablerow r in rows}}{{r.city :: merge}}",
        "{{r.w[$index] :: merge}}",
        "{{$number}}{{endtablerow}}",
      ],
      ["x", "{{m}}", "x"],
    );
    expect(await merged(body, { months: MONTHS, rows: ROWS })).toEqual([
      ".City .Jan .no .Feb .no .Mar .no",
      "A 1 .1 2 .2 3 .3",
      "+ + .1 5 .2 + .3",
      "B + .1 + .2 4 .3",
      ".x .Jan .x .Feb .x .Mar .x",
    ]);
  });

  test("is merged if separate rows repeat the condition of the column", async () => {
    const body = table(
      ["City", "{{tablecolumn if show}}Price{{endtablecolumn}}"],
      [
        "{{tablerow r in rows}}{{r.city :: merge}}",
        "{{tablecolumn if show}}{{r.price :: merge}}{{endtablecolumn}}{{endtablerow}}",
      ],
    );
    const lines = [".City .Price", "A 1", "+ 2", "B +"];
    expect(await merged(body, { show: true, rows: ROWS })).toEqual(lines);
  });

  test("is not merged over a row between the rows of the loop", async () => {
    const body = table(
      ["{{for r in rows}}", ""],
      [
        "{{r.city :: merge}}",
        "{{tablecolumn m in months}}{{r.w[$index] :: merge}}{{endtablecolumn}}",
      ],
      ["{{if r.price == 1}}", ""],
      ["note", "{{m}}"],
      ["{{endif}}", ""],
      ["{{endfor}}", ""],
    );
    expect(await merged(body, { months: MONTHS, rows: ROWS })).toEqual([
      "A 1 2 3",
      ".note .Jan .Feb .Mar",
      "A 1 5 3",
      "B + + 4",
    ]);
  });

  test("is merged beside headings over several columns", async () => {
    const body = table(
      ["", cell("{{year}}", '<w:gridSpan w:val="2"/>')],
      ["City", "{{tablecolumn m in months}}{{m :: mergeAcross}}{{endtablecolumn}}", "Price"],
      [
        "{{tablerow r in rows}}{{r.city :: merge}}",
        "{{r.w[$index]}}",
        "{{r.price :: merge}}{{endtablerow}}",
      ],
    );
    expect(await merged(body, { year: 2026, months: ["Q1", "Q1", "Q2"], rows: ROWS })).toEqual([
      ". .2026",
      ".City .Q1 .Q2 .Price",
      "A .1 .2 .3 1",
      "+ .1 .5 .3 2",
      "B .1 .5 .4 +",
    ]);
  });

  test("is merged in a table within a repeated column, for each of these tables", async () => {
    const inner = table(
      ["{{tablecolumn k in kinds}}{{k}}{{endtablecolumn}}"],
      ["{{tablerow r in rows}}{{r.w[$index] :: merge}}{{endtablerow}}"],
    );
    const body = table(
      ["{{tablecolumn m in months}}{{m}}{{endtablecolumn}}"],
      [cell(`${inner}<w:p/>`)],
    );
    const { bytes, error } = await outcome(body, {
      months: ["a", "b"],
      kinds: ["c", "d"],
      rows: ROWS,
    });
    expect(error).toBeNull();
    const signs = [...partOf(bytes).matchAll(/<w:vMerge( w:val="restart")?\/>/g)];
    expect(signs.map(([, begins]) => (begins === undefined ? "+" : "r")).join("")).toBe(
      "rr+r++".repeat(2),
    );
  });
});

describe("cells that the template merges in a repeated column", () => {
  test.each([
    [true, ["a A A", "+ + +", "+ .C .C"]],
    [false, ["b B B", "+ .C .C"]],
  ])("begin with the first row that a condition leaves: %s", async (head, lines) => {
    const first = '<w:vMerge w:val="restart"/>';
    const further = "<w:vMerge/>";
    const body = table(
      [
        cell("{{if head}}a", first),
        cell("{{tablecolumn m in months}}A{{endtablecolumn}}{{endif}}", first),
      ],
      [cell("b", further), cell("B", further)],
      [cell("c", further), cell("C")],
    );
    expect(await merged(body, { head, months: [1, 2] })).toEqual(lines);
  });
});
