import { describe, expect, test } from "vitest";
import { p } from "../../../ooxml/test/support/docx.ts";
import { hintsIn } from "../support/language.ts";

const MONTHS = [
  { name: "Jan", key: "2026-01" },
  { name: "Feb", key: "2026-02" },
];
const DATA = {
  months: MONTHS,
  tests: [
    {
      name: "Hb",
      critical: false,
      byMonth: { "2026-01": 13.1, "2026-02": 12.9 },
      values: [
        { month: "Jan", value: 13.1 },
        { month: "Feb", value: 12.9 },
      ],
    },
    {
      name: "CRP",
      critical: true,
      byMonth: { "2026-01": 48, "2026-02": 12 },
      values: [{ month: "Feb", value: 12 }],
    },
  ],
  trades: [
    { name: "Masonry", hours: [40, 38] },
    { name: "Roof", hours: [10, 0] },
  ],
  invoices: [
    { no: "A1", amount: 100, currency: "EUR" },
    { no: "A2", amount: 50, currency: "CHF" },
  ],
  patient: {
    name: "Ann",
    born: "1984-05-03",
    sex: "f",
    id: "P-77",
    language: "de",
    family_doctor: null,
    clinic_doctor: "Lee",
    mobile: "0171",
  },
  visits: [
    { date: "2026-01-02", type: "Check", cost: 120 },
    { date: "2026-02-02", type: "Scan", cost: 300 },
  ],
  rate: 0.125,
  area: "de_DE",
};

/** Returns a table whose rows are lists of texts. */
function table(...rows: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[]): string =>
    row.map((text) => `<w:tc>${p(text)}</w:tc>`).join("");
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join("")}</w:tbl>${p("")}`;
}

/** Returns the hints for a tag in the cell of a test and a month. */
async function inCell(tag: string): Promise<string[]> {
  const head = ["Test", "{{tablecolumn m in months}}{{m.name}}{{endtablecolumn}}"];
  const row = ["{{tablerow r in tests}}{{r.name}}", `{{${tag}}}{{endtablerow}}`];
  return await hintsIn(table(head, row), DATA);
}

const hintsOf = (text: string): Promise<string[]> => hintsIn(p(text), DATA);

describe("the hint for a value of a row and a column", () => {
  test.each(["m.name", "$index", "m.$index"])(
    "finds the item with the text of the column in place of [%s]",
    async (key) => {
      expect(await inCell(`r.values[${key}].value`)).toEqual([
        "missing_value: The items of 'r.values' have 'month': write r.values.first(month == m.name).value.",
      ]);
    },
  );

  test("finds the item in place of an object in brackets", async () => {
    expect(await inCell("r.values[m].value")).toEqual([
      "invalid_value: The items of 'r.values' have 'month': write r.values.first(month == m.name).",
    ]);
  });

  test("names the key of the column that the object of the row has", async () => {
    expect(await inCell("r.byMonth[m.name]")).toEqual([
      "missing_value: 'r.byMonth' has no such key, but the value of 'm.key' is one: write r.byMonth[m.key].",
    ]);
  });
});

describe("the hint for a list of numbers in an item", () => {
  test("names the list of the item", async () => {
    expect(await hintsOf("{{for t in trades}}{{t.sum(hours)}}{{endfor}}")).toEqual([
      "invalid_value: 't' is an object, and 't.hours' is a list: write t.hours.sum().",
    ]);
  });

  test("keeps the argument of a function in another form", async () => {
    expect(await hintsOf("{{for t in trades}}{{sum(t.hours)}}{{endfor}}")).toEqual([
      "tag_syntax: If 't.hours' is a list, write {{t.hours.sum()}}. Otherwise name the list of the items, and then the key: {{items.sum(hours)}}.",
    ]);
    expect(await hintsOf("{{sum(trades.hours)}}")).toEqual([
      "tag_syntax: Write {{trades.sum(hours)}}.",
    ]);
  });

  test("names the lists of all items after the loop", async () => {
    const loop = '{{for t in trades}}{{t.name :: delimiter(", ")}}{{endfor}}';
    expect(await hintsOf(`${loop}{{t.hours.sum()}}`)).toEqual([
      "missing_value: Did you mean 'trades.hours.sum()'?",
    ]);
    expect(await hintsOf(`${loop}{{$running(t.hours.sum())}}`)).toEqual([
      "tag_outside_loop: For the sum of all items write {{trades.hours.sum()}}. For the sum up to an item, put the tag into the loop over trades.",
    ]);
  });
});

test("a column with a condition of a row has a hint for all rows and for one", async () => {
  const body = table(
    ["Test", "{{tablecolumn if r.critical}}Unit{{endtablecolumn}}"],
    ["{{tablerow r in tests}}{{r.name}}", "{{r.name}}{{endtablerow}}"],
  );
  expect(await hintsIn(body, DATA)).toEqual([
    "tablecolumn_in_row: To show the column if any row has it, write {{tablecolumn if tests.where(critical)}}. To show only the value of a row, write {{if r.critical}} … {{endif}} into its cell.",
  ]);
});
