import { randomBytes } from "node:crypto";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isQuireError } from "@quire/core";
import fc from "fast-check";
import PizZip from "pizzip";
import { beforeAll, describe, expect, test } from "vitest";
import { manyRuns } from "../../contracts/test/support/runs.ts";
import { openData } from "../src/actions/open-data.ts";
import { formOf } from "../src/data/xlsx/styles.ts";
import type { DataFlags } from "../src/options/data.ts";
import { documentsOf, type GivenFlags, type Refused } from "./support/spreadsheets.ts";
import { b, n, s, type TestWorkbook, t, xlsx } from "./support/xlsx.ts";

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "quire-xlsx-test-")));
  return () => rm(folder, { recursive: true, force: true });
});

/** Returns the data of each row, or why it has no data. */
async function rowsOf(content: Uint8Array, flags: DataFlags = {}): Promise<unknown[]> {
  await writeFile(join(folder, "data.xlsx"), content);
  const file = await openData({ cwd: folder }, "data.xlsx", { flags });
  const found: unknown[] = [];
  for await (const { line, entry } of file.entries([]).items()) {
    found.push(isQuireError(entry) ? entry.message : { line, ...entry.data });
  }
  expect(await file.entries([]).count()).toBe(found.length);
  return found;
}

/** Returns the values of a column `v` with these cells. */
async function values(
  cells: readonly string[],
  workbook: Omit<TestWorkbook, "sheets"> = {},
): Promise<unknown[]> {
  const rows = [[t("x"), t("v")], ...cells.map((cell) => [n(1), cell])];
  const found = await rowsOf(xlsx({ sheets: [{ rows }], ...workbook }));
  return found.map((row) => (typeof row === "string" ? row : (row as { v: unknown }).v));
}

function documents(workbook: TestWorkbook, tag: string, flags: GivenFlags = {}) {
  return documentsOf(folder, { name: "data.xlsx", content: xlsx(workbook), tags: [tag], flags });
}

describe("a cell of a workbook is", () => {
  test("a number with 15 digits, as Excel shows it", async () => {
    const numbers = [
      "12",
      "0.30000000000000004",
      "2.6303323046962774324020672609",
      "1234.5",
      "-1E-3",
      "1.2345678901234567E17",
      "0",
    ];
    expect(await values(numbers.map((each) => n(each)))).toEqual([
      ...[12, 0.3, 2.63033230469628, 1234.5, -0.001, 123456789012346000, 0],
    ]);
  });

  test("a whole number with all its digits if it has more than Excel writes", async () => {
    const numbers = ["4111111111111111", "12345678901234567", "12345678901234567890"];
    expect(await values(numbers.map((each) => n(each)))).toEqual([
      ...[4111111111111111, "12345678901234567", "12345678901234567890"],
    ]);
  });

  test("the text that Excel shows if the format adds leading zeros", async () => {
    const shown: readonly (readonly [format: string, number: number | string, text: unknown])[] = [
      ["00000", 1067, "01067"],
      ["00000", 0, "00000"],
      ["00000", 123456, "123456"],
      ['"D-"00000', 1067, "D-01067"],
      ["[$D-407]\\-00000", 1067, "D-01067"],
      ["000\\-00\\-0000", 12345678, "012-34-5678"],
      ["0#\\ ##\\ ##\\ ##\\ ##", 612345678, "06 12 34 56 78"],
      ["#00", 7, "07"],
      ["[Red]00_);(00)", 7, "07"],
      ["(000) 000-0000", "2025550123", "(202) 555-0123"],
      ["0000 0000 0000 0000", "4111111111111111", "4111 1111 1111 1111"],
      ["00", -7, -7],
      ["00", 7.5, 7.5],
      ['00;-00;"none"', 0, 0],
      ["00.00", 5, 5],
      ["000,000", 5, 5],
      ["#\\ ##0", 5, 5],
      ["[=1]00;0", 5, 5],
    ];
    const cells = shown.map(([, number], index) => n(number, index + 1));
    expect(await values(cells, { formats: shown.map(([format]) => format) })).toEqual(
      shown.map(([, , text]) => text),
    );
    const sheets = [{ rows: [[t("v")], [n(1067, 1)]] }];
    const tag = "{{v}} {{if v == 1067}}Dresden{{endif}} {{v + 1}}";
    expect(await documents({ sheets, formats: ["00000"] }, tag)).toEqual(["01067 Dresden 1068"]);
  });

  test("a number with any format that is not a date", async () => {
    const formats = [
      9,
      '0.00"h"',
      "#,##0.00\\ [$€-407]",
      '[Red]-0 "days"',
      "0.00E+00",
      "General",
      "@",
    ];
    const cells = formats.map((_, index) => n("0.125", index + 1));
    expect(await values(cells, { formats })).toEqual(formats.map(() => 0.125));
  });

  test("a date if it has a date format, with the time if the format shows it", async () => {
    const formats = [
      14,
      22,
      "dd.mm.yyyy",
      "d/m/yy h:mm AM/PM",
      "[$-407]mmmm yyyy;@",
      20,
      "[h]:mm",
      45,
    ];
    const value = "46387.5625";
    const cells = formats.map((_, index) => n(value, index + 1));
    expect(await values(cells, { formats })).toEqual([
      ...["2026-12-31", "2026-12-31T13:30:00", "2026-12-31", "2026-12-31T13:30:00", "2026-12-31"],
      ...["2026-12-31T13:30:00", "1113301:30", "2026-12-31T13:30:00"],
    ]);
  });

  test("a time, a span of time, midnight", async () => {
    const formats = ["hh:mm", "[h]:mm:ss", "dd.mm.yyyy hh:mm"];
    const cells = [n("0.37855", 1), n("0.5", 1), n("1.5", 2), n("46387", 3), n("-0.25", 2)];
    expect(await values(cells, { formats })).toEqual([
      ...["09:05:07", "12:00", "36:00", "2026-12-31T00:00", "-6:00"],
    ]);
  });

  test("not a time of day if it has whole days: Excel shows 36 hours as 12:00", async () => {
    const workbook = { sheets: [{ rows: [[t("v")], [n("1.5", 1)]] }], formats: ["h:mm"] };
    expect(await documents(workbook, "{{v}}")).toEqual([
      { refused: [expect.stringMatching(/"v", contains more than 24 hours, .+\[h\]:mm/)] },
    ]);
  });

  test("a date in ISO 8601 without a time zone, which cells do not have", async () => {
    const dates = ["2026-12-31T23:30:00Z", "2026-12-31T23:30:00", "2026-12-31T00:00:00.000Z"];
    const cells = dates.map((date, index) => `<c t="d" s="${index}"><v>${date}</v></c>`);
    expect(await values(cells, { formats: [22, 14] })).toEqual([
      ...["2026-12-31T23:30:00", "2026-12-31T23:30:00", "2026-12-31"],
    ]);
  });

  test("a date in a workbook that counts from 1904", async () => {
    const dates = { formats: [14], date1904: true };
    expect(await values([n(44925, 1), n(0, 1)], dates)).toEqual(["2026-12-31", "1904-01-01"]);
  });

  test.for([60, 0, 2958466])("rejected if the date never existed: day %d", async (day) => {
    const workbook = { sheets: [{ rows: [[t("v")], [n(day, 1)]] }], formats: [14] };
    expect(await documents(workbook, "{{v}}")).toEqual([
      { refused: [expect.stringMatching(/column A, "v", contains a date that does not exist\./)] },
    ]);
  });

  test("a boolean", async () => {
    expect(await values([b(true), b(false)])).toEqual([true, false]);
  });

  test("a text of one or more pieces, without its phonetic readings", async () => {
    const strings = [
      "<t>plain</t>",
      '<r><rPr><b/></rPr><t xml:space="preserve">two </t></r><r><t>runs</t></r>',
      '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>',
      "<t>a&amp;b _x0009_ _x005F_x0009_</t>",
      "<t/>",
    ];
    const cells = [s(0), s(1), s(2), s(3), s(4), t("in the cell")];
    expect(await values(cells, { strings })).toEqual([
      ...["plain", "two runs", "東京", "a&b \t _x0009_", null, "in the cell"],
    ]);
  });

  test("the saved result of a formula", async () => {
    const cells = [
      "<c><f>1+1</f><v>2</v></c>",
      '<c t="str"><f>A1&amp;"x"</f><v>yx</v></c>',
      '<c t="str"><f>IF(1,"")</f><v></v></c>',
      '<c t="b"><f>1=1</f><v>1</v></c>',
      '<c t="inlineStr"><f>A1</f><v>y</v></c>',
    ];
    expect(await values(cells)).toEqual([2, "yx", null, true, "y"]);
  });

  test.for(["<v></v>", "<v/>", ""])("rejected if a formula has no result: %j", async (result) => {
    const sheets = [{ rows: [[t("v")], [`<c><f>1+1</f>${result}</c>`]] }];
    expect(await documents({ sheets }, "{{if v}}yes{{else}}no{{endif}}")).toEqual([
      { refused: [expect.stringMatching(/"v", contains a formula without its result\./)] },
    ]);
  });

  test("empty in merged cells except the first cell, even if they hide values", async () => {
    const cells = [t("a"), t("b"), t("c")];
    const hidden = [0, 3, 6, 9].map((first) => [n(first), n(first + 1), n(first + 2)]);
    const behind = '<mergeCells><mergeCell ref="A2:A4"/><mergeCell ref="B3:C3"/></mergeCells>';
    expect(await rowsOf(xlsx({ sheets: [{ rows: [cells, ...hidden], behind }] }))).toEqual([
      { line: 2, a: 0, b: 1, c: 2 },
      { line: 3, a: null, b: 4, c: null },
      { line: 4, a: null, b: 7, c: 8 },
      { line: 5, a: 9, b: 10, c: 11 },
    ]);
  });

  test("empty if its value is empty", async () => {
    const empty = ["s", "b", "n", "str", "d", "e"].map((type) => `<c t="${type}"><v/></c>`);
    const strings = ["<t>the first</t>"];
    expect(await values(empty, { strings })).toEqual(empty.map(() => null));
  });

  test("empty if the sheet has no value for it", async () => {
    const rows = [
      [t("a"), t("b"), t("c")],
      [n(1), null, n(3)],
      [n(4), "<c></c>"],
    ];
    expect(await rowsOf(xlsx({ sheets: [{ rows }] }))).toEqual([
      { line: 2, a: 1, b: null, c: 3 },
      { line: 3, a: 4, b: null, c: null },
    ]);
  });

  test.for([
    ['<c t="e"><v>#N/A</v></c>', "contains the error #N/A"],
    ['<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', "contains the error #DIV/0!"],
    ["<c><f>TODAY()</f></c>", "contains a formula without its result"],
  ] as const)("rejected with its place if it has no value: %s", async ([cell, why]) => {
    const rows = [
      [t("name"), t("net")],
      [t("Ann"), cell],
      [t("Bob"), n(3)],
    ];
    const sheets = [{ name: "Pay", rows }];
    expect(await documents({ sheets }, "{{name}} {{net}}")).toEqual([
      {
        refused: [
          expect.stringContaining(
            `Row 2 of the sheet "Pay" of data.xlsx: The cell in column B, "net", ${why}.`,
          ),
        ],
      },
      "Bob 3",
    ]);
    expect(await documents({ sheets }, "{{name}}")).toEqual(["Ann", "Bob"]);
  });
});

test.for([
  ["General", "number"],
  ["#,##0.00", "number"],
  ["0.00E+00", "number"],
  ['0 "days"', "number"],
  ["[$kr-41D] #,##0", "number"],
  ["[Red]0;[Green]0", "number"],
  ["_-* #,##0.00_-;-* #,##0.00_-", "number"],
  ["0\\d", "number"],
  ["dd.mm.yyyy", "date"],
  ["[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "date"],
  ["mmm-yy", "date"],
  ["yyyy", "date"],
  ['ggge"年"m"月"d"日"', "date"],
  ["TT.MM.JJJJ", "date"],
  ["m/d/yy h:mm", "datetime"],
  ["yyyy-mm-dd hh:mm:ss.000", "datetime"],
  ["h:mm AM/PM", "time"],
  ["mm:ss", "time"],
  ["[h]:mm:ss", "elapsed"],
  ["[mm]:ss", "elapsed"],
] as const)("the format %s shows a %s", ([code, form]) => {
  expect(formOf(code)).toBe(form);
});

describe("the rows of a workbook", () => {
  test("come from the first visible sheet, or from the sheet in --sheet", async () => {
    const of = (value: number) => [[t("v")], [n(value)]];
    const content = xlsx({
      sheets: [
        { name: "Lists", state: "hidden", rows: of(1) },
        { name: "More", state: "veryHidden", rows: of(2) },
        { name: "Pay & more".replace("&", "&amp;"), rows: of(3) },
        { name: "Last", rows: of(4) },
      ],
    });
    expect(await rowsOf(content)).toEqual([{ line: 2, v: 3 }]);
    for (const [index, sheet] of ["Lists", "More", "Pay & more", "Last"].entries()) {
      expect(await rowsOf(content, { sheet })).toEqual([{ line: 2, v: index + 1 }]);
    }
    await expect(rowsOf(content, { sheet: "Other" })).rejects.toThrow(
      'it has no sheet "Other". Its sheets are "Lists", "More", "Pay & more", "Last".',
    );
  });

  test("begin with the first row that is not blank, and blank rows are skipped", async () => {
    const rows = [
      null,
      [t(" ")],
      [null, t("a"), t("b")],
      null,
      [null, n(1), n(2)],
      [t(" ")],
      [null, n(3)],
      [n(4), n(5)],
    ];
    const content = xlsx({ sheets: [{ rows }] });
    expect(await rowsOf(content)).toEqual([
      { line: 5, a: 1, b: 2 },
      { line: 7, a: 3, b: null },
      expect.stringMatching(
        /^Row 8 .+ has a value in column A, which has no name in the first row/,
      ),
    ]);
    const file = await openData({ cwd: folder }, "data.xlsx");
    const source = file.entries([]);
    await source.count();
    expect(source.blankRows).toBe(2);
  });

  test("do not include rows at the end of the sheet that have only styles", async () => {
    const styled = Array.from({ length: 500 }, () => ["<c></c>"]);
    await rowsOf(xlsx({ sheets: [{ rows: [[t("a")], [n(1)], ...styled] }] }));
    const source = (await openData({ cwd: folder }, "data.xlsx")).entries([]);
    expect([await source.count(), source.blankRows]).toEqual([1, 0]);
  });

  test("may have no numbers, and prefixes and other elements", async () => {
    const parts = {
      "xl/worksheets/sheet1.xml":
        '<x:worksheet xmlns:x="m"><x:dimension ref="A1"/><x:sheetData><x:row><x:c t="str"><x:v>a</x:v></x:c></x:row><x:row hidden="1"><x:c><x:v>1</x:v><x:extLst><x:v>9</x:v></x:extLst></x:c></x:row></x:sheetData><x:row r="9"><x:c r="A9"><x:v>7</x:v></x:c></x:row></x:worksheet>',
    };
    expect(await rowsOf(xlsx({ sheets: [{ rows: [] }], parts }))).toEqual([{ line: 2, a: 1 }]);
  });

  test("have types according to their use in the template", async () => {
    const rows = [
      [t("name"), t("net"), t("vip"), t("born")],
      [t("Ann"), n("1234.5"), b(false), n(46387, 1)],
      [t("Bob"), t("900"), t("ja"), t("31.12.2026")],
      [t("Cid"), t("n/a"), n(0), t("2026-12-31")],
    ];
    const tag =
      '{{name}} {{if net > 1000}}more{{endif}} {{vip :: checkbox}} {{born :: format("d MMM yyyy")}}';
    const made = await documents({ sheets: [{ rows }], formats: [14] }, tag);
    expect(made).toEqual([
      "Ann more ☐ 31 Dec 2026",
      "Bob  ☒ 31 Dec 2026",
      {
        refused: [
          expect.stringMatching(/^Row 4 of the sheet "Sheet1" .+ column B, "net", is not a num/),
        ],
      },
    ] satisfies (string | Refused)[]);
  });

  test("print as texts with --types text, and as declared", async () => {
    const rows = [
      [t("a"), t("b"), t("c"), t("d")],
      [n("12.50"), b(true), n(46387, 1), null],
    ];
    const sheets = [{ rows }];
    const tag = "{{a}} {{b}} {{c}} [{{d}}]";
    const formats = [14];
    expect(await documents({ sheets, formats }, tag, { types: "text" })).toEqual([
      "12.5 true 2026-12-31 []",
    ]);
    const types = "a:text,b:boolean,c:date,d:number";
    expect(await documents({ sheets, formats }, tag, { types })).toEqual([
      "12.5 true 2026-12-31 [] ! missing_value",
    ]);
    expect(await documents({ sheets }, "{{c}}", { types: "c:date(excel)" })).toEqual([
      "2026-12-31",
    ]);
  });
});

describe("a file that is a hostile or damaged workbook, or not a workbook, is rejected:", () => {
  const sheets = [{ rows: [[t("a")], [n(1)]] }];
  const good = (): PizZip => new PizZip(xlsx({ sheets }));
  const without = (name: string): Uint8Array => xlsx({ sheets, parts: { [name]: null } });
  const withSheet = (xml: string): Uint8Array =>
    xlsx({ sheets, parts: { "xl/worksheets/sheet1.xml": xml } });
  const rows = (data: string): Uint8Array => xlsx({ sheets: [{ rows: data }] });
  const SHEET = '<worksheet xmlns="m"><sheetData>';

  test.for<[string, () => Uint8Array, RegExp]>([
    [
      "nothing",
      () => new Uint8Array(),
      /not a workbook, is damaged, or is protected by a password/,
    ],
    ["a text", () => Buffer.from("a,b\n1,2\n"), /not a workbook/],
    ["an old .xls file", () => Buffer.from("d0cf11e0a1b11ae1", "hex"), /not a workbook/],
    [
      "a zip",
      () => new PizZip().file("a.txt", "a").generate({ type: "uint8array" }),
      /not contain _rels/,
    ],
    ["no workbook", () => without("xl/workbook.xml"), /it is not a workbook/],
    [
      "no sheet",
      () => without("xl/worksheets/sheet1.xml"),
      /does not contain xl\/worksheets\/sheet1\.xml/,
    ],
    ["no relationships", () => without("xl/_rels/workbook.xml.rels"), /does not contain xl\/_rels/],
    [
      "all sheets hidden",
      () => xlsx({ sheets: [{ ...sheets[0], state: "hidden", rows: [] }] }),
      /--sheet/,
    ],
    [
      "a type declaration",
      () => withSheet(`<!DOCTYPE a [<!ENTITY b "c">]>${SHEET}</sheetData></worksheet>`),
      /declares a document type/,
    ],
    ["an entity", () => rows('<row><c t="str"><v>&b;</v></c></row>'), /not valid XML/],
    ["broken XML", () => withSheet(`${SHEET}<row></sheetData></worksheet>`), /not valid XML/],
    ["XML that ends too early", () => withSheet(`${SHEET}<row>`), /not valid XML/],
    [
      "bytes that are not text",
      () => withSheet(`${SHEET}\u0001</sheetData></worksheet>`),
      /not valid XML/,
    ],
    ["deep nesting", () => rows("<a>".repeat(200) + "</a>".repeat(200)), /nested deeper than 100/],
    ["rows in another order", () => rows('<row r="3"/><row r="2"/>'), /rows are out of order/],
    ["a row after the last", () => rows('<row r="1048577"/>'), /rows are out of order/],
    [
      "cells in another order",
      () => rows('<row r="1"><c r="B1"/><c r="A1"/></row>'),
      /cells of its row 1/,
    ],
    ["a cell after the last", () => rows('<row r="1"><c r="XFE1"/></row>'), /cells of its row 1/],
    [
      "a cell without a name",
      () => rows('<row r="1"><c r="constructor"/></row>'),
      /cells of its row 1/,
    ],
    ["a cell of another type", () => rows('<row r="1"><c t="x"><v>7</v></c></row>'), /a type that/],
    [
      "merged cells that overlap",
      () =>
        xlsx({
          sheets: [
            {
              rows: [[t("a")], [n(1)]],
              behind: '<mergeCells><mergeCell ref="A1:C9"/><mergeCell ref="B2:D3"/></mergeCells>',
            },
          ],
        }),
      /merged cells overlap/,
    ],
    ["a missing text", () => rows('<row r="1"><c t="s"><v>7</v></c></row>'), /refers to a string/],
    [
      "a binary workbook",
      () =>
        xlsx({
          sheets,
          parts: {
            "_rels/.rels":
              '<R xmlns="p"><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></R>',
            "xl/workbook.bin": "",
          },
        }),
      /binary workbook/,
    ],
  ])("%s", async ([, content, message]) => {
    await expect(rowsOf(content())).rejects.toThrow(message);
    await expect(rowsOf(content())).rejects.toMatchObject({ code: "invalid_data" });
  });

  test("a part that inflates to far more than its size", async () => {
    const zip = good();
    zip.file(
      "xl/worksheets/sheet1.xml",
      `${SHEET}${" ".repeat(30_000_000)}</sheetData></worksheet>`,
    );
    const content = zip.generate({ type: "uint8array", compression: "DEFLATE" });
    await expect(rowsOf(content)).rejects.toMatchObject({
      code: "limit_exceeded",
      message: expect.stringContaining("expands to more than 500 times its size in the file"),
    });
  });

  test("a part that is longer than the zip says, or has another checksum", async () => {
    const bytes = Buffer.from(good().generate({ type: "uint8array", compression: "STORE" }));
    const at = bytes.indexOf("<sheetData>");
    const flipped = Buffer.from(bytes);
    flipped[at + 40] = (flipped[at + 40] ?? 0) ^ 1;
    await expect(rowsOf(flipped)).rejects.toThrow("is damaged");
    const packed = Buffer.from(good().generate({ type: "uint8array", compression: "DEFLATE" }));
    const longer = lying(packed, "xl/worksheets/sheet1.xml", 10);
    await expect(rowsOf(longer)).rejects.toThrow("is damaged");
  });

  test("a text that is too long", async () => {
    const zip = good();
    const text = randomBytes(25_000_000).toString("base64");
    zip.file("xl/worksheets/sheet1.xml", `${SHEET}<row r="1"><c t="str"><v>${text}</v></c></row>`);
    const content = zip.generate({ type: "uint8array", compression: "STORE" });
    await expect(rowsOf(content)).rejects.toMatchObject({
      code: "limit_exceeded",
      message: expect.stringContaining("has more than 32000000 characters"),
    });
  });

  test("any changed bytes give rows or an error of Quire", async () => {
    const bytes = xlsx({
      sheets: [
        {
          rows: [
            [t("a"), t("b")],
            [n(1), s(0)],
            [n(46387, 1), b(true)],
          ],
        },
      ],
      strings: ["<t>x</t>"],
      formats: [14],
    });
    const change = fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const changed = Uint8Array.from(bytes);
        for (const [at, byte] of changes) changed[at] = byte;
        try {
          await rowsOf(changed);
        } catch (error) {
          expect(isQuireError(error)).toBe(true);
        }
      }),
      { numRuns: manyRuns(60, 2000) },
    );
  });
});

/** Changes the size of a part in the directory of a zip file, so that it is smaller than the real size. */
function lying(bytes: Buffer, name: string, size: number): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.lastIndexOf(name) - 46;
  expect(copy.readUInt32LE(at)).toBe(0x02014b50);
  copy.writeUInt32LE(size, at + 24);
  return copy;
}
