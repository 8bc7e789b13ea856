import { describe, expect, test } from "vitest";
import { bodyOf, p } from "../../../ooxml/test/support/docx.ts";
import { outcome } from "../support/language.ts";

function row(...cells: readonly string[]): string {
  return `<w:tr>${cells.map((text) => `<w:tc><w:tcPr/>${p(text)}</w:tc>`).join("")}</w:tr>`;
}

function table(...rows: readonly string[]): string {
  return `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>${rows.join("")}</w:tbl>`;
}

/** Returns the text of each row's first cell: `A` begins merged cells, `+A` continues them, `.A` is not merged. */
async function column(body: string, data: Record<string, unknown>): Promise<string> {
  const { bytes } = await outcome(body, data);
  const rows = [...bodyOf(bytes).matchAll(/<w:tr>.*?<\/w:tc>/gs)].map(([cell]) => {
    const text = [...cell.matchAll(/<w:t[^>]*>([^<]*)</g)].map(([, each]) => each).join("");
    const begins = cell.includes('<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>');
    return `${begins ? "" : cell.includes("<w:vMerge") ? "+" : "."}${text}`;
  });
  return rows.join(" ");
}

const SALES = [
  { region: "North", id: 1, n: 1 },
  { region: "North", id: 2, n: 2 },
  { region: "South", id: 3, n: 3 },
  { region: "North", id: 3, n: 4 },
];

describe("a cell with merge", () => {
  test("is merged with the cells above it that have the same text", async () => {
    const body = table(
      row("Region", "n"),
      row("{{tablerow s in sales}}{{s.region :: merge}}", "{{s.n}}{{endtablerow}}"),
      row("Total", "10"),
    );
    expect(await column(body, { sales: SALES })).toBe(".Region North +North South North .Total");
  });

  test("compares another value if it is given", async () => {
    const text = "{{tablerow s in sales}}{{s.region :: merge(s.id)}}";
    const body = table(row(text, "{{s.n}}{{endtablerow}}"));
    expect(await column(body, { sales: SALES })).toBe("North North South +North");
  });

  test("is merged over the turns of an outer loop, but not over a row between them", async () => {
    const groups = [
      { city: "A", items: [{ k: "x" }, { k: "x" }] },
      { city: "B", items: [{ k: "x" }] },
    ];
    const item = row("{{tablerow i in g.items}}{{i.k :: merge}}", "{{endtablerow}}");
    const without = table(row("{{for g in groups}}", ""), item, row("{{endfor}}", ""));
    expect(await column(without, { groups })).toBe("x +x +x");
    const between = table(
      row("{{for g in groups}}", ""),
      row("{{g.city}}", ""),
      item,
      row("{{endfor}}", ""),
    );
    expect(await column(between, { groups })).toBe(".A x +x .B x");
  });

  test("is not merged over a row that a condition shows", async () => {
    const body = table(
      row("{{for s in sales}}", ""),
      row("{{s.region :: merge}}", "{{s.n}}"),
      row("{{if s.n == 1}}", ""),
      row("note", ""),
      row("{{endif}}", ""),
      row("{{endfor}}", ""),
    );
    expect(await column(body, { sales: SALES })).toBe("North .note North South North");
  });

  test("is not merged if its key has no value", async () => {
    const text = "{{tablerow s in sales}}{{s.n :: merge(s.id), optional}}";
    const sales = [{ n: 1 }, { n: 2 }, { n: 3, id: 7 }, { n: 4, id: 7 }];
    expect(await column(table(row(text, "{{endtablerow}}")), { sales })).toBe("1 2 3 +4");
  });

  test("compares formatted values, and missing ones are equal", async () => {
    const text = '{{tablerow s in sales}}{{s.d :: format("MMMM"), optional, merge}}';
    const sales = [{ d: "2026-01-05" }, { d: "2026-01-09" }, {}, {}];
    expect(await column(table(row(text, "{{endtablerow}}")), { sales })).toBe(
      "January +January  +",
    );
  });

  test("compares only its key, also where the value is missing or replaced", async () => {
    for (const text of [
      "{{s.note :: optional, merge(s.id)}}",
      '{{s.note :: default("-"), merge(s.id)}}',
    ]) {
      const sales = [{ id: 1, note: "z" }, { id: 2 }, { id: 3, note: null }, { id: 3 }];
      const body = table(row(`{{tablerow s in sales}}${text} {{s.id}}`, "{{endtablerow}}"));
      const other = text.includes("default") ? "-" : "";
      expect(await column(body, { sales })).toBe(`z 1 ${other} 2 ${other} 3 +${other} 3`);
    }
  });

  test.each([
    [p("{{x :: merge}}"), "is not in a cell of a table"],
    [table(row("{{x :: merge}} {{y :: merge}}", "")), "is the second tag with 'merge' in its cell"],
    [
      table(row("{{x :: merge}} ({{y}})", "")),
      "merges cells by its own text, so {{y}} in the same cell would be hidden in the further rows",
    ],
    [
      table(row("{{x :: merge}}", "")).replace("<w:tcPr/>", "<w:tcPr><w:vMerge/></w:tcPr>"),
      "is in a cell that is merged in the template",
    ],
  ])("is an error of the template elsewhere: %#", async (body, message) => {
    const { error, warnings } = await outcome(body, { x: 1, y: 2, cs: [1] });
    expect(error).toBe("invalid_template");
    expect(warnings[0]?.code).toBe("merge_outside");
    expect(warnings[0]?.message).toContain(message);
  });
});

describe("a direction as the key of a merge", () => {
  test.each([
    ['{{x :: merge("down")}}', "'merge' always goes down: write merge without an argument."],
    ["{{x :: merge(vertical)}}", "'merge' always goes down: write merge without an argument."],
    [
      '{{x :: merge("right")}}',
      "'merge' goes down: for cells beside each other write mergeAcross.",
    ],
    [
      "{{x :: mergeAcross(down)}}{{y :: mergeAcross}}",
      "'mergeAcross' goes to the right: for cells below each other write merge.",
    ],
    ['{{x :: merge("city")}}', "Write the key without quotes: merge(city)."],
  ])("%s gets a hint", async (text, hint) => {
    const cells = text.split(/(?<=\}\})(?=\{)/);
    const { warnings } = await outcome(table(row(...cells)), { x: 1, y: 2 });
    expect(warnings.map((each) => each.hint)).toContain(hint);
  });

  test("is a key if the data has it", async () => {
    const body = table(row("{{tablerow s in l}}{{s.x :: merge(s.down)}}", "{{endtablerow}}"));
    expect(
      await column(body, {
        l: [
          { x: 1, down: 1 },
          { x: 2, down: 1 },
        ],
      }),
    ).toBe("1 +2");
  });
});
