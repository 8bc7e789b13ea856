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

describe("the hint for an argument of the data", () => {
  test("names the value of one item in place of a list", async () => {
    expect(await hintsOf("{{invoices.sum(amount) :: currency(invoices.currency)}}")).toContain(
      "invalid_value: For the currency of the first item write invoices[0].currency.",
    );
    expect(
      await hintsOf("{{for i in invoices}}{{i.amount :: currency(invoices.currency)}}{{endfor}}"),
    ).toContain("invalid_value: For the value of the item write currency(i.currency).");
  });

  test.each([
    ["patient.born :: format(patient.language)", 'format("long"), locale(patient.language)'],
    ["rate :: number(1), locale(area)", 'locale(area.replace("_", "-"))'],
    ["rate :: percent(digits)", "percent(digits ?? 1)"],
  ])("%s has the form that works", async (tag, meant) => {
    expect((await hintsOf(`{{${tag}}}`))[0]).toContain(`write ${meant}.`);
  });

  test("names both values of a choice without a value", async () => {
    for (const tag of [
      "patient.family_doctor :: default(doctor.name)",
      "patient.family_doctor ?? doctor.name",
    ])
      expect(await hintsOf(`{{${tag}}}`)).toEqual([
        "missing_value: Neither 'patient.family_doctor' nor 'doctor.name' has a value in the data. Add one of them, or write :: optional in the tag.",
      ]);
  });
});

test.each([
  ['rate :: currency(patient.code || "EUR")', 'rate :: currency(patient.code ?? "EUR")'],
  ['patient.phone ?? patient.mobile "none"', 'patient.phone ?? patient.mobile ?? "none"'],
  ['patient.phone :: ?? "none"', 'patient.phone ?? "none"'],
  [
    'patient.born :: format("long", patient.language)',
    'patient.born :: format("long"), locale(patient.language)',
  ],
  [
    "patient.doctor :: default(patient.gp, patient.clinic_doctor)",
    "patient.doctor ?? patient.gp ?? patient.clinic_doctor",
  ],
  [
    "patient.born:convDate('YYYYMMDD','DD.MM.YYYY')",
    'patient.born.toDate("yyyyMMdd") :: format("dd.MM.yyyy")',
  ],
  ["patient.id:barcode(qrcode)", "patient.id :: qrcode"],
  ['$fromMillis($millis(), "[D01].[M01].[Y0001]")', '$today :: format("dd.MM.yyyy")'],
  ['$now("[Y]-[M01]-[D01] [H01]:[m01]")', '$now :: format("yyyy-MM-dd HH:mm")'],
  ["rate | number:'1.2-2'", "rate :: number(2)"],
])("%s means %s", async (tag, meant) => {
  expect(await hintsOf(`{{${tag}}}`)).toEqual([`tag_syntax: Write {{${meant}}}.`]);
});

describe("a form of another program", () => {
  test.each([
    ["{{patient.name:upperCase:append('!')}}", "the tag: {{patient.name :: uppercase}}!"],
    [
      "{{SKIPIF visits[0].cost < 100}}",
      "Repeat only the items to show: {{for i in visits.where(cost >= 100)}} … {{endfor}}.",
    ],
    ["{{rate}} <?patient/born?>", "Write {{patient.born}}."],
    ["{{rate}} <?when:patient/sex='f'?>", 'Write {{if patient.sex == "f"}}.'],
    ["{{rate}} <?otherwise:?>", "Write {{else}}."],
    ["{{rate}} <?end when?>", "Leave out this tag."],
    ["{{rate}} <?end choose?>", "Write {{endif}}."],
    ["{{rate}} {% set total = 0 %}", "For the sum of a list write {{items.sum(price)}}."],
    ['{{rate}} {% for g in visits|groupby("type") %}', "Write {{for g in visits.group(type)}}."],
    [
      "{{rate}} {%tc for m in months %}",
      "Write {{tablecolumn m in months}} into the cell that repeats, and delete the cells with {%tc … %}.",
    ],
    ["{{rate}} {%tc endfor %}", "Write {{endtablecolumn}} into the cell that repeats,"],
  ])("%s has a hint with its meaning", async (text, hint) => {
    expect((await hintsOf(text))[0]).toContain(hint);
  });

  test("groups the items of a list", async () => {
    expect(await hintsOf("{{visits{type: $sum(cost)}}}")).toContain(
      "tag_syntax: Write {{for g in visits.group(type)}}{{g.key}}: {{g.items.sum(cost)}}{{endfor}}.",
    );
  });

  test("is not seen in the instructions of XML and PHP", async () => {
    expect(await hintsOf('{{rate}} <?xml version="1.0"?> <?php echo a/b ?>')).toEqual([]);
  });
});
