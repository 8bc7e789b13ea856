import { describe, expect, test } from "vitest";
import { bodyOf, p, table } from "../../../ooxml/test/support/docx.ts";
import { type Outcome, outcome, printedBody } from "../support/language.ts";

interface Cell {
  readonly text: string;
  readonly span?: number;
  readonly width?: number;
  readonly merge?: "restart" | "continue";
}

function cell({ text, span, width, merge }: Cell): string {
  const properties = [
    width === undefined ? "" : `<w:tcW w:w="${width}" w:type="dxa"/>`,
    span === undefined ? "" : `<w:gridSpan w:val="${span}"/>`,
    merge === undefined ? "" : `<w:vMerge w:val="${merge}"/>`,
  ].join("");
  return `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
}

function row(cells: readonly (Cell | string)[], before = 0): string {
  const properties = before === 0 ? "" : `<w:trPr><w:gridBefore w:val="${before}"/></w:trPr>`;
  const xml = cells.map((each) => cell(typeof each === "string" ? { text: each } : each)).join("");
  return `<w:tr>${properties}${xml}</w:tr>`;
}

/** Returns a table with a grid column of each width. */
function grid(widths: readonly number[], ...rows: readonly string[]): string {
  const columns = widths.map((width) => `<w:gridCol w:w="${width}"/>`).join("");
  return `<w:tbl><w:tblPr/><w:tblGrid>${columns}</w:tblGrid>${rows.join("")}</w:tbl>`;
}

function widthsOf({ bytes }: Outcome): number[] {
  return [...bodyOf(bytes).matchAll(/<w:gridCol w:w="(\d+)"/g)].map(([, width]) => Number(width));
}

/** Returns the number of columns that each row covers, including those that it omits at its start. */
function spansOf({ bytes }: Outcome): number[] {
  return [...bodyOf(bytes).matchAll(/<w:tr>.*?<\/w:tr>/gs)].map(([xml]) => {
    const before = Number(/<w:gridBefore w:val="(\d+)"/.exec(xml)?.[1] ?? 0);
    const cells = [...xml.matchAll(/<w:tc>.*?<\/w:tc>/gs)];
    const spans = cells.map(([each]) => Number(/<w:gridSpan w:val="(\d+)"/.exec(each)?.[1] ?? 1));
    return spans.reduce((sum, span) => sum + span, before);
  });
}

const months = {
  months: ["Jan", "Feb", "Mar"],
  rows: [
    { name: "A", v: [1, 2, 3] },
    { name: "B", v: [4, 5, 6] },
  ],
};
const open = "{{tablecolumn m in months}}";
const close = "{{endtablecolumn}}";

test("two lists in different rows do not repeat the same columns", async () => {
  const body = grid(
    [1000],
    row([`{{tablecolumn y in years}}{{y}}${close}`]),
    row([`{{tablecolumn q in quarters}}{{q}}${close}`]),
  );
  const { error, warnings } = await outcome(body, { years: [1, 2], quarters: [1, 2] });
  expect(error).toBe("invalid_template");
  expect(warnings).toMatchObject([
    { code: "tablecolumn_again", hint: expect.stringContaining("{{item.key :: mergeAcross}}") },
  ]);
  const condition = row([`{{tablecolumn if years}}x${close}`]);
  expect((await outcome(grid([1000], condition, condition), { years: [1] })).error).toBeNull();
});

describe("tablecolumn", () => {
  test("repeats its column in every row, with a grid column for each copy", async () => {
    const result = await outcome(
      grid([1000, 3000], row(["Name", `${open}{{m}}${close}`]), row(["x", "{{m}}!"])),
      months,
    );
    expect(result.lines).toEqual(["Name | Jan | Feb | Mar", "x | Jan! | Feb! | Mar!"]);
    expect(widthsOf(result)).toHaveLength(4);
    expect(widthsOf(result)[0]).toBe(1000);
    expect(widthsOf(result).reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(4000);
  });

  test("sets loop variables and delimiters in every row", async () => {
    const result = await outcome(
      grid(
        [1000],
        row([`${open}{{$number}}{{if $last}}L{{endif}}${close}`]),
        row(["{{$index}}/{{$length}}"]),
      ),
      months,
    );
    expect(result.lines).toEqual(["1 | 2 | 3L", "0/3 | 1/3 | 2/3"]);
  });

  test("repeats several columns when it ends in a later cell", async () => {
    const result = await outcome(
      grid(
        [500, 600, 700, 800],
        row(["N", `${open}{{m}}`, `n${close}`, "S"]),
        row(["x", "a", "b", "s"]),
      ),
      months,
    );
    expect(result.lines).toEqual([
      "N | Jan | n | Feb | n | Mar | n | S",
      "x | a | b | a | b | a | b | s",
    ]);
    expect(widthsOf(result)).toHaveLength(8);
    expect(spansOf(result)).toEqual([8, 8]);
  });

  test("with an empty list removes the column and its grid column, but no other column", async () => {
    const result = await outcome(
      grid([1000, 3000, 500], row(["N", `${open}{{m}}${close}`, "S"]), row(["x", "{{m}}", "s"])),
      { months: [] },
    );
    expect(result.lines).toEqual(["N | S", "x | s"]);
    expect(widthsOf(result)).toEqual([1000, 500]);
  });

  test("over all columns with an empty list leaves no row without cells and no table", async () => {
    const result = await outcome(
      p("a") + grid([1000], row([`${open}{{m}}${close}`]), row(["{{m}}"])) + p("b"),
      { months: [] },
    );
    expect(result.lines).toEqual(["a", "b"]);
    expect(bodyOf(result.bytes)).not.toMatch(/<w:tr><\/w:tr>|<w:tr\/>|<w:tbl>/);
  });

  test("over all cells of one row with an empty list leaves no row without cells", async () => {
    const result = await outcome(
      grid([1000, 1000], row(["N", `${open}{{m}}${close}`]), row(["{{m}}"], 1)),
      { months: [] },
    );
    expect(bodyOf(result.bytes)).not.toMatch(/<w:tr>(?:<w:trPr>.*?<\/w:trPr>)?<\/w:tr>/);
    expect(result.lines).toEqual(["N"]);
  });

  test("widens a cell that spans it and other columns", async () => {
    const rows = [
      row([{ text: "all", span: 3 }]),
      row(["N", `${open}{{m}}${close}`, "S"]),
      row([{ text: "two", span: 2 }, "s"]),
      row(["n", { text: "end", span: 2 }]),
    ];
    const result = await outcome(grid([1, 2, 3], ...rows), months);
    expect(result.lines).toEqual(["all", "N | Jan | Feb | Mar | S", "two | s", "n | end"]);
    expect(spansOf(result)).toEqual([5, 5, 5, 5]);
    const none = await outcome(grid([1, 2, 3], ...rows), { months: [] });
    expect(none.lines).toEqual(["all", "N | S", "two | s", "n | end"]);
    expect(spansOf(none)).toEqual([2, 2, 2, 2]);
  });

  test("keeps one copy of a cell above that covers exactly its columns", async () => {
    const rows = [row(["", { text: "Months", span: 1 }]), row(["N", `${open}{{m}}${close}`])];
    const result = await outcome(grid([1, 2], ...rows), months);
    expect(spansOf(result)).toEqual([4, 4]);
  });

  test("repeats cells that span several grid columns", async () => {
    const rows = [
      row(["N", { text: `${open}{{m}}${close}`, span: 2 }]),
      row(["n", "{{m}}1", "{{m}}2"]),
    ];
    const result = await outcome(grid([100, 200, 300], ...rows), months);
    expect(result.lines).toEqual([
      "N | Jan | Feb | Mar",
      "n | Jan1 | Jan2 | Feb1 | Feb2 | Mar1 | Mar2",
    ]);
    expect(spansOf(result)).toEqual([7, 7]);
    expect(widthsOf(result)).toHaveLength(7);
  });

  test("keeps vertically merged cells merged in each column", async () => {
    const rows = [
      row(["N", { text: `${open}{{m}}${close}`, merge: "restart" }]),
      row(["n", { text: "", merge: "continue" }]),
    ];
    const { bytes } = await outcome(grid([1, 2], ...rows), months);
    expect(bodyOf(bytes).match(/<w:vMerge w:val="restart"/g)).toHaveLength(3);
    expect(bodyOf(bytes).match(/<w:vMerge w:val="continue"/g)).toHaveLength(3);
  });

  test("counts the grid columns that a row skips at its start", async () => {
    const rows = [
      row(["a", "b", `${open}{{m}}${close}`]),
      row(["{{m}}!"], 2),
      row(["y", "{{m}}?"], 1),
    ];
    const result = await outcome(grid([1, 2, 3], ...rows), months);
    expect(result.lines).toEqual([
      "a | b | Jan | Feb | Mar",
      "Jan! | Feb! | Mar!",
      "y | Jan? | Feb? | Mar?",
    ]);
    expect(spansOf(result)).toEqual([5, 5, 5]);
  });

  test("widens the gap at the start of a row if it covers the columns", async () => {
    const rows = [row(["a", `${open}{{m}}${close}`, "c"]), row(["end"], 2)];
    const result = await outcome(grid([1, 2, 3], ...rows), months);
    expect(spansOf(result)).toEqual([5, 5]);
    const none = await outcome(grid([1, 2, 3], ...rows), { months: [] });
    expect(spansOf(none)).toEqual([2, 2]);
  });

  test("may occur twice in one table, side by side", async () => {
    const rows = [
      row([`${open}{{m}}${close}`, "|", "{{tablecolumn q in quarters}}{{q}}{{endtablecolumn}}"]),
      row(["{{m}}1", "|", "{{q}}2"]),
    ];
    const result = await outcome(grid([10, 20, 30], ...rows), {
      ...months,
      quarters: ["Q1", "Q2"],
    });
    expect(result.lines).toEqual([
      "Jan | Feb | Mar | | | Q1 | Q2",
      "Jan1 | Feb1 | Mar1 | | | Q12 | Q22",
    ]);
    expect(widthsOf(result)).toHaveLength(6);
    const half = await outcome(grid([10, 20, 30], ...rows), { months: [], quarters: ["Q"] });
    expect(half.lines).toEqual(["| | Q", "| | Q2"]);
    expect(widthsOf(half)).toEqual([20, 30]);
  });

  test("twice in one table widens a cell over both columns by both", async () => {
    const rows = [
      row([{ text: "all", span: 2 }]),
      row([`${open}{{m}}${close}`, "{{tablecolumn q in quarters}}{{q}}{{endtablecolumn}}"]),
    ];
    const result = await outcome(grid([10, 20], ...rows), { ...months, quarters: ["Q1", "Q2"] });
    expect(spansOf(result)).toEqual([5, 5]);
  });

  test("together with a tablerow repeats columns in every row", async () => {
    const rows = [
      row(["Name", `${open}{{m}}${close}`]),
      row(["{{tablerow r in rows}}{{r.name}}", "{{m}}{{r.name}}{{endtablerow}}"]),
    ];
    const result = await outcome(grid([1, 2], ...rows), months);
    expect(result.lines).toEqual([
      "Name | Jan | Feb | Mar",
      "A | JanA | FebA | MarA",
      "B | JanB | FebB | MarB",
    ]);
    expect(widthsOf(result)).toHaveLength(4);
  });

  test("inside the row of a tablerow repeats columns in every row", async () => {
    const rows = [
      row(["Name", "M"]),
      row([`{{tablerow r in rows}}{{r.name}}`, `${open}{{m}}{{r.name}}${close}{{endtablerow}}`]),
    ];
    const result = await outcome(grid([1, 2], ...rows), months);
    expect(result.lines).toEqual([
      "Name | M | M | M",
      "A | JanA | FebA | MarA",
      "B | JanB | FebB | MarB",
    ]);
  });

  test("around the tags of a tablerow is reported or rendered correctly", async () => {
    const rows = [
      row([`{{tablecolumn r in rows}}{{tablerow m in months}}{{m}}{{endtablerow}}${close}`]),
    ];
    const result = await outcome(grid([1], ...rows), months);
    // The language does not define this. A table that repeats both or an error with the reason is correct; rows without
    // cells are wrong.
    if (result.error === null) expect(spansOf(result)).toEqual([2, 2, 2]);
    else expect(result.error).toBe("invalid_template");
  });

  test("with a list from the item of the row's loop is a template error", async () => {
    const rows = [
      row([
        "{{tablerow r in rows}}{{r.name}}",
        "{{tablecolumn c in r.v}}{{c}}{{endtablecolumn}}{{endtablerow}}",
      ]),
    ];
    expect((await outcome(grid([1, 2], ...rows), months)).error).toBe("invalid_template");
  });

  test("with a list from the item of a loop around the table has other columns in each iteration", async () => {
    const tbl = grid([1000, 600], row(["N", "{{tablecolumn c in t.cols}}{{c}}{{endtablecolumn}}"]));
    const body = p("{{for t in tables}}") + tbl + p("{{endfor}}");
    const result = await outcome(body, {
      tables: [{ cols: ["a", "b"] }, { cols: [] }, { cols: ["c"] }],
    });
    expect(result.lines.filter((line) => line !== "")).toEqual(["N | a | b", "N", "N | c"]);
    expect(widthsOf(result)).toEqual([1000, 300, 300, 1000, 1000, 600]);
  });

  test("with a list from the item of a section around the table finds it, and sets the widths", async () => {
    const tbl = grid([1000, 600], row(["N", "{{tablecolumn c in cols}}{{c}}{{endtablecolumn}}"]));
    const result = await outcome(p("{{#tables}}") + tbl + p("{{/tables}}"), {
      tables: [{ cols: ["a", "b"] }, { cols: ["c"] }],
    });
    expect(result.lines.filter((line) => line !== "")).toEqual(["N | a | b", "N | c"]);
    expect(widthsOf(result)).toEqual([1000, 300, 300, 1000, 600]);
  });

  test("in a table in a repeated cell has separate columns in each copy", async () => {
    const inner = grid([5], row(["{{tablecolumn q in quarters}}{{q}}{{endtablecolumn}}"]));
    const outer = grid([7], `<w:tr><w:tc><w:tcPr/>${p(open)}${inner}${p(close)}</w:tc></w:tr>`);
    const { bytes, error } = await outcome(outer, { ...months, quarters: ["Q1", "Q2"] });
    expect(error).toBe(null);
    expect(bodyOf(bytes).match(/Q1/g)).toHaveLength(3);
    expect(bodyOf(bytes).match(/Q2/g)).toHaveLength(3);
  });

  test("divides the width of its cell among the new cells", async () => {
    const rows = [
      row([
        { text: "N", width: 1000 },
        { text: `${open}{{m}}${close}`, width: 3000 },
      ]),
    ];
    const { bytes } = await outcome(grid([1000, 3000], ...rows), months);
    const widths = [...bodyOf(bytes).matchAll(/<w:tcW w:w="(\d+)"/g)].map(([, width]) =>
      Number(width),
    );
    expect(widths).toEqual([1000, 1000, 1000, 1000]);
  });

  test("reports a list that cannot be computed, also below a merged cell", async () => {
    const body = grid(
      [1000, 1000],
      row([{ text: "Head", span: 2 }]),
      row(["{{tablecolumn m in months.limit(n)}}{{m}}{{endtablecolumn}}", "x"]),
    );
    const { error, warnings } = await outcome(body, { ...months, n: "many" });
    expect(error).toBe("invalid_data");
    expect(warnings.map(({ pointer }) => pointer)).toEqual(["/n"]);
    const headOnly = body.replace(/<w:tblGrid>.*<\/w:tblGrid>/, "<w:tblGrid/>");
    expect((await outcome(headOnly, { ...months, n: "many" })).error).toBe("invalid_data");
  });

  test("reports a missing list and a value that is not a list", async () => {
    const body = grid([1, 2], row(["N", `${open}{{m}}${close}`]));
    const missing = await outcome(body, {});
    expect(missing.warnings.map(({ code }) => code)).toEqual(["missing_value"]);
    expect(missing.lines).toEqual(["N"]);
    expect((await outcome(body, { months: "x" })).error).toBe("invalid_data");
    const optional = grid(
      [1, 2],
      row(["N", "{{tablecolumn m in months :: optional}}{{m}}{{endtablecolumn}}"]),
    );
    expect((await outcome(optional, {})).warnings).toEqual([]);
  });

  test.each([
    ["outside of a table", p(`${open}{{m}}${close}`)],
    ["over two tables", grid([1], row([open])) + grid([1], row([close]))],
    ["ending before it begins", grid([1, 2], row([close, open]))],
    [
      "that cuts a merged cell",
      grid([1, 2, 3], row(["a", { text: "b", span: 2 }]), row([`${open}`, `${close}`, ""])),
    ],
  ])("%s is a template error", async (_what, body) => {
    expect((await outcome(body, months)).error).toBe("invalid_template");
  });

  test("adds columns to a table without a grid and changes nothing else", async () => {
    const body = `<w:tbl><w:tblPr/>${row(["N", `${open}{{m}}${close}`])}</w:tbl>`;
    expect((await outcome(body, months)).lines).toEqual(["N | Jan | Feb | Mar"]);
  });

  test.each([
    ["{{tablerow r in rows}}", "{{endtablerow}}"],
    ["{{for r in rows}}", "{{endfor}}"],
    ["{{#rows}}", "{{/rows}}"],
  ])("leaves no row that contains only %s", async (begin, end) => {
    const result = await outcome(
      grid(
        [1000, 3000],
        row(["Name", `${open}{{m}}${close}`]),
        row([begin, ""]),
        row(["{{name :: optional}}x", "{{m}}!"]),
        row(["", end]),
      ),
      { ...months, name: "" },
    );
    expect(spansOf(result)).toEqual([4, 4, 4]);
  });
});

describe("a column with a condition", () => {
  const body = table([
    p("{{tablerow i in l}}{{i.n}}"),
    p("{{tablecolumn if prices}}{{i.p}}{{endtablecolumn}}"),
    p("{{i.m}}{{endtablerow}}"),
  ]);
  const l = [
    { n: "a", p: 1, m: "x" },
    { n: "b", p: 2, m: "y" },
  ];

  test("is there if the condition is true, and leaves every row otherwise", async () => {
    expect(await printedBody(body, { l, prices: true })).toBe("a | 1 | x / b | 2 | y");
    expect(await printedBody(body, { l, prices: false })).toBe("a | x / b | y");
    expect(
      await printedBody(body.replace("if prices", "if prices == 'yes'"), {
        l,
        prices: "no",
      }),
    ).toBe("a | x / b | y");
  });

  test("may have the name 'if' for its items", async () => {
    const named = table([p("{{tablecolumn if in q}}{{if}}{{endtablecolumn}}")]);
    expect(await printedBody(named, { q: [] })).not.toContain("q");
  });
});
